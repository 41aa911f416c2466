// Compares the databases of two data folders row by row. Nobody may be using them.
import { open, type RootDatabase } from 'lmdb'
import { FENCE_TABLE } from '../folder/fence.js'
import { ENVIRONMENT, MAPPED } from '../open.js'
import { StoredRows } from '../storedRows.js'

export interface Difference {
  table: string
  key: string
  /** Undefined where both have the row, with different values. */
  missingIn: 'first' | 'second' | undefined
}

export interface ComparedFolders {
  tables: number
  /** That were compared. */
  rows: number
  /** The first one; undefined where both are equal. */
  difference: Difference | undefined
}

const SAYS_EVERY = 5_000

/** Their places in journals are left out. `onProgress` is told how many rows are known to be equal. */
export async function compareFolders(
  first: string,
  second: string,
  onProgress: (rows: number) => void,
): Promise<ComparedFolders> {
  const roots = [first, second].map((path) => open({ path, ...ENVIRONMENT, ...MAPPED, eventTurnBatching: false }))
  try {
    return compared(roots[0]!, roots[1]!, onProgress)
  } finally {
    for (const root of roots) await root.close()
  }
}

function compared(first: RootDatabase, second: RootDatabase, onProgress: (rows: number) => void): ComparedFolders {
  // A folder that got its rows from a journal lacks the tables that never had any.
  const names = [...new Set([...tablesIn(first), ...tablesIn(second)])].sort()
  let rows = 0
  const onRow = (): void => {
    rows += 1
    if (rows % SAYS_EVERY === 0) onProgress(rows)
  }
  for (const name of names) {
    const difference = differenceIn(new StoredRows(first, name), new StoredRows(second, name), onRow)
    if (difference) return { tables: names.length, rows, difference: { table: name, ...difference } }
  }
  return { tables: names.length, rows, difference: undefined }
}

/** LMDB keeps a table as a row of the root, under its name. */
function tablesIn(root: RootDatabase): string[] {
  return [...root.getKeys()].map(String).filter((name) => name !== FENCE_TABLE)
}

function differenceIn(first: StoredRows, second: StoredRows, onRow: () => void): Omit<Difference, 'table'> | undefined {
  const others = second.range({})[Symbol.iterator]()
  for (const { key, value } of first.range({})) {
    const { value: other } = others.next() as { value: { key: string; value: Buffer } | undefined }
    if (other?.key !== key) {
      return second.has(key) ? { key: other!.key, missingIn: 'first' } : { key, missingIn: 'second' }
    }
    if (!value.equals(other.value)) return { key, missingIn: undefined }
    onRow()
  }
  const { value: more } = others.next() as { value: { key: string } | undefined }
  return more && { key: more.key, missingIn: 'first' }
}
