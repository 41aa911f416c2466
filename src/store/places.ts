// Where a page of a list begins and ends: the bounds of its time, and the cursors that name the row before it.
import { base36 } from '../domain/values/base36.js'
import { sha256Hex } from '../domain/values/digest.js'
import type { PageQuery } from '../actor/query.js'
import { ORDERS_PER_MS } from '../domain/values/ids.js'
import { beforeRow, LIST_ROW, under } from './records/keys.js'

/** The largest order whose digits still sort. */
const LAST_ORDER = Number.MAX_SAFE_INTEGER

/** Of a reverse range: it begins with `start`, the larger key, and ends before `end`. */
export interface ListRange {
  start: string
  end: string
}

export function boundsOf({ list, from, to }: Pick<PageQuery, 'list' | 'from' | 'to'>): ListRange {
  const { start: low, end: high } = under(list)
  const end = from === undefined ? low : firstAt(list, from)
  const start = to === undefined ? high : firstAt(list, to + 1)
  return { start, end }
}

/** A key before all rows of this time (epoch ms), and after all earlier ones. */
export function firstAt(list: string, ms: number): string {
  return `${list}/${base36(Math.min(Math.max(0, ms * ORDERS_PER_MS - 1), LAST_ORDER))}~`
}

/** `skip` is how many entries are still to be left out after the row. */
export function cursorOf(list: string, key: string, skip = 0): string {
  const more = skip === 0 ? '' : ` ${skip}`
  return Buffer.from(`${key.slice(list.length + 1)} ${markOf(list)}${more}`).toString('base64url')
}

/** Tells the cursors of one list from those of others; it protects nothing. */
const markOf = (list: string): string => sha256Hex(list).slice(0, 8)

/** What follows the list's name in the key of the row that a cursor names; undefined for an invalid or another's. */
export function rowOf(list: string, cursor: string): string | undefined {
  const [row = '', mark] = partsOf(cursor)
  return mark === markOf(list) && LIST_ROW.test(row) ? row : undefined
}

/** How many entries are still to be left out, of a valid cursor. */
export function skipIn(cursor: string): number {
  const [, , skip = ''] = partsOf(cursor)
  return /^\d{1,15}$/.test(skip) ? Number(skip) : 0
}

function partsOf(cursor: string): string[] {
  return Buffer.from(cursor, 'base64url').toString().split(' ')
}

/** Where a reverse range begins that goes on after the cursor's row. */
export function afterCursor(list: string, cursor: string): string | undefined {
  const row = rowOf(list, cursor)
  return row && beforeRow(list, `${list}/${row}`)
}
