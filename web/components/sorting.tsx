// Sorting a list by one of its columns; the address keeps the choice, as it does those of the filters. Only a whole list is
// sorted: what the service has not yet sent is read first, and a list that is too long stays as the service orders it.
import { useEffect, useMemo } from 'preact/hooks'
import type { List } from '../load.js'
import { amend, to } from '../router.js'
import { useSession } from '../session.js'
import { grouped } from '../format/money.js'
import type { FilterRow } from './filter.js'
import { Notice } from './loadingStates.js'
import type { Column } from './table.js'

/** In the address by its name, and with a minus before it from the greatest to the least. */
export interface SortColumn<T> {
  label: string
  /** What the two directions are called, the usual one first. */
  ways: readonly [ascending: string, descending: string]
  /** The first click sorts from the greatest to the least. */
  greatestFirst?: true
  /** Undefined stands last in both directions. */
  valueOf: (row: T) => string | number | bigint | undefined
}

export type SortColumns<T> = Record<string, SortColumn<T>>

export interface Sorting {
  name: string
  isDescending: boolean
}

/** In the address, where it is no filter. */
export const SORT = 'sort'
/** Ten requests for the rest of a list. */
const MOST_SORTED = 1000

/** What the address says, if there is such a column. */
export function sortingIn(query: URLSearchParams, columns: SortColumns<never>): Sorting | undefined {
  const given = query.get(SORT) ?? ''
  const name = given.replace(/^-/, '')
  return Object.hasOwn(columns, name) ? { name, isDescending: given.startsWith('-') } : undefined
}

const written = ({ name, isDescending }: Sorting): string => `${isDescending ? '-' : ''}${name}`

/** The choice beside the filters, which a phone has in place of the heads of columns. */
export function sortFilter(columns: SortColumns<never>): FilterRow {
  const options = Object.entries(columns).flatMap(([name, { label, ways, greatestFirst }]) => {
    const both = ways.map((way, at) => [written({ name, isDescending: at === 1 }), `${label}, ${way}`] as const)
    return greatestFirst ? both.toReversed() : both
  })
  return { label: 'Sort', name: SORT, none: 'Newest first', options }
}

export interface SortedHeads {
  path: string
  query: URLSearchParams
  columns: SortColumns<never>
  /** How the list is sorted now. */
  now: Sorting | undefined
}

/** The head that was pressed last. */
let pressed: { name: string; at: number } | undefined
/** While the rest of a list is read. */
const REFOCUS_MS = 10_000

/** The table is away while the rest of its list is read, and with it the focus of who sorts by keyboard. */
function refocus(name: string, button: HTMLElement | null): void {
  const isLost = document.activeElement === document.body && pressed?.name === name
  if (button === null || !isLost || performance.now() - pressed!.at > REFOCUS_MS) return
  pressed = undefined
  button.focus()
}

/** The head of a column that sorts by it, and again for the other direction. */
export function sortHead(
  { path, query, columns, now }: SortedHeads,
  name: string,
): Pick<Column<never>, 'head' | 'control' | 'order'> {
  const { label, greatestFirst = false } = columns[name]!
  const isCurrent = now?.name === name
  const next = { name, isDescending: isCurrent ? !now.isDescending : greatestFirst }
  const sort = (): void => {
    pressed = { name, at: performance.now() }
    amend(to(...path.split('/'), { ...Object.fromEntries(query), [SORT]: written(next) }))
  }
  const control = (
    <button type="button" class="sort" onClick={sort} ref={(button) => refocus(name, button)}>
      {label}
      <span aria-hidden="true">{isCurrent ? (now.isDescending ? '↓' : '↑') : '↕'}</span>
    </button>
  )
  const order = isCurrent && (now.isDescending ? 'descending' : 'ascending')
  return { head: label, control, ...(order && { order }) }
}

/** Why a list is not sorted as it should be. */
type Hindrance = 'too long' | 'unread'

export interface Sorted<T> {
  list: List<T>
  /** How it is sorted in fact. */
  now: Sorting | undefined
  hindrance?: Hindrance
}

/** `areRead` says whether the values to sort by are known: not yet, yes, or not at all. */
export function useSorted<T>(
  list: List<T>,
  columns: SortColumns<T>,
  wanted: Sorting | undefined,
  areRead: boolean | 'failed',
): Sorted<T> {
  const { data, total = Infinity, more, busy, error } = list
  const { isOver } = useSession()
  const isTooLong = more !== undefined && total > MOST_SORTED
  const isHindered = isTooLong || areRead === 'failed'
  const isBroken = isOver || error !== undefined
  const readsOn = wanted !== undefined && !isHindered && more !== undefined && !busy && !isBroken
  useEffect(() => {
    if (readsOn) more!()
  }, [readsOn, data])
  const isWhole = data !== undefined && more === undefined && areRead === true
  const sorted = useMemo(
    () => (wanted && isWhole ? inOrder(data, columns[wanted.name]!, wanted.isDescending) : undefined),
    [data, isWhole, columns, wanted?.name, wanted?.isDescending],
  )
  if (wanted === undefined) return { list, now: undefined }
  if (isHindered) return { list, now: undefined, hindrance: isTooLong ? 'too long' : 'unread' }
  // Rows that would move once the rest is there are not shown.
  if (sorted === undefined) return { list: { ...list, data: undefined, more: undefined }, now: undefined }
  return { list: { ...list, data: sorted }, now: wanted }
}

export function SortNotice({ of: { list, hindrance }, what }: { of: Sorted<unknown>; what: string }) {
  return (
    <div role="status">
      {hindrance && (
        <Notice tone="warning">
          {hindrance === 'unread'
            ? `The figures to sort by cannot be read: the newest ${what} come first.`
            : `Not sorted: the newest of ${grouped(list.total ?? 0)} ${what} come first. Up to ${grouped(MOST_SORTED)} are sorted: search, or choose a status, to list fewer.`}
        </Notice>
      )}
    </div>
  )
}

function inOrder<T>(rows: readonly T[], { valueOf }: SortColumn<T>, isDescending: boolean): T[] {
  const texts = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
  const keyed = rows.map((row) => ({ row, value: valueOf(row) }))
  const compared = (a: (typeof keyed)[number], b: (typeof keyed)[number]): number => {
    if (a.value === undefined || b.value === undefined) {
      return Number(a.value === undefined) - Number(b.value === undefined)
    }
    const { value: one } = a
    const { value: other } = b
    const order =
      typeof one === 'string' && typeof other === 'string'
        ? texts.compare(one, other)
        : Number(one > other) - Number(one < other)
    return isDescending ? -order : order
  }
  return keyed.toSorted(compared).map(({ row }) => row)
}
