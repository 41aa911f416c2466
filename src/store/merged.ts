// Rows in the order of their keys, as they are once writes have replaced and removed some.
import type { RangeOptions } from './storedRows.js'

interface Keyed {
  readonly key: string
}

interface Written extends Keyed {
  readonly isRemoval: boolean
}

/** `rows` and `writes` are in the order of the range; of both together, as many as it asks for. */
export function* merged<Row extends Keyed, Write extends Written>(
  rows: Iterable<Row>,
  writes: readonly Write[],
  { offset = 0, limit = Infinity, reverse = false }: RangeOptions,
): Generator<Row | Write> {
  let at = 0
  for (const row of inOrder(rows, writes, reverse)) {
    if (at >= offset + limit) return
    if (at >= offset) yield row
    at += 1
  }
}

function* inOrder<Row extends Keyed, Write extends Written>(
  rows: Iterable<Row>,
  writes: readonly Write[],
  isReverse: boolean,
): Generator<Row | Write> {
  let next = 0
  const isBefore = (key: string): boolean => {
    const write = writes[next]
    return write !== undefined && (isReverse ? write.key > key : write.key < key)
  }
  for (const row of rows) {
    for (; isBefore(row.key); next += 1) yield* kept(writes[next]!)
    if (writes[next]?.key === row.key) yield* kept(writes[next++]!)
    else yield row
  }
  for (; next < writes.length; next += 1) yield* kept(writes[next]!)
}

function kept<Write extends Written>(write: Write): Write[] {
  return write.isRemoval ? [] : [write]
}
