// Lists: on a page with filters, or in a section. Placeholders while a list is read, a text if it is empty, and at its
// foot how many entries are shown.
import type { ComponentChildren } from 'preact'
import type { List } from '../load.js'
import { to } from '../router.js'
import { ButtonLink } from './button.js'
import { Filters, type FilterRow } from './filter.js'
import { Empty, When, type EmptyProps } from './loadingStates.js'
import { Page } from './page.js'
import { SORT } from './sorting.js'
import { Table, type Columns } from './table.js'
import { grouped } from '../format/money.js'

interface Props<T> {
  of: List<T>
  /** The number of placeholder lines while it is read. */
  rows?: number
  /** Shown in place of an empty list. */
  none?: EmptyProps
  children: (rows: T[]) => ComponentChildren
}

export function Listed<T>({ of, rows = 4, none, children }: Props<T>) {
  return (
    <>
      <When of={of} rows={rows}>
        {(all) => (all.length === 0 && none !== undefined ? <Empty {...none} /> : children(all))}
      </When>
      <More of={of} />
    </>
  )
}

interface RecordsProps<T> extends Omit<Props<T>, 'children'> {
  caption: string
  columns: Columns<T>
}

/** A list of records as a table. */
export function Records<T extends { id: string }>({ caption, columns, ...list }: RecordsProps<T>) {
  return (
    <Listed {...list}>
      {(rows) => <Table caption={caption} columns={columns} rows={rows} keyOf={({ id }) => id} />}
    </Listed>
  )
}

interface ListPageProps<T> extends Omit<RecordsProps<T>, 'caption'> {
  title: string
  lead: string
  actions?: ComponentChildren
  /** The path of the page, and the filters in its address. */
  path: string
  query: URLSearchParams
  filters: readonly FilterRow[]
  /** Between the filters and the list. */
  besides?: ComponentChildren
  none: EmptyProps
  /** What to do where no entry passes the filters. */
  noResults?: EmptyProps['children']
}

export function ListPage<T extends { id: string }>({
  title,
  lead,
  actions,
  path,
  query,
  filters,
  besides,
  none,
  noResults,
  ...list
}: ListPageProps<T>) {
  const isFiltered = [...query.keys()].some((name) => name !== SORT)
  const filtered: EmptyProps = {
    title: list.of.more === undefined ? 'No results' : 'No results so far',
    children: noResults,
    action: <ButtonLink href={to(path)} label="Clear filters" />,
  }
  return (
    <Page title={title} lead={lead} actions={actions}>
      <Filters path={path} query={query} of={filters} />
      {besides}
      <Records {...list} caption={title} none={isFiltered ? filtered : none} />
    </Page>
  )
}

/** Reads on where a filtered page ended before the list did; such a page may be empty. */
export function LookBack<T>({ of: { more, busy } }: { of: List<T> }) {
  if (more === undefined) return null
  return (
    <div>
      <button type="button" disabled={busy} onClick={more}>
        Load older entries
      </button>
    </div>
  )
}

/** How many entries are shown, and a button for more. */
function More<T>({ of }: { of: List<T> }) {
  const { data, total, more, busy } = of
  if (data === undefined) return null
  if (data.length === 0) return <LookBack of={of} />
  return (
    <div class="more">
      <span>{total === undefined ? `${data.length} shown` : `${grouped(data.length)} of ${grouped(total)}`}</span>
      {more && (
        <button type="button" disabled={busy} onClick={more}>
          Show more
        </button>
      )}
    </div>
  )
}
