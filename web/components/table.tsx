// A table that becomes a stack of cards on narrow screens, with the column's name in each cell.
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'

export interface Column<T> {
  head: string
  cell: (row: T) => ComponentChildren
  /** In place of the name at the head of the column. */
  control?: ComponentChildren
  /** How the rows are sorted by it. */
  order?: 'ascending' | 'descending'
  /** Numbers are aligned right. */
  align?: 'end'
  /** The column's name is only for screen readers: for columns of buttons. */
  bare?: true
  /**
   * Where it stands on narrow screens, if rows have two lines there: the name with what stands at its end, and below it
   * the rest with what stands at its end. Columns without a place are left out then.
   */
  place?: 'name' | 'end' | 'about' | 'aside'
}

/** False leaves a column out. */
export type Columns<T> = readonly (Column<T> | false)[]

/** A column of buttons. */
export const actionColumn = <T,>(cell: (row: T) => ComponentChildren): Column<T> => ({
  head: 'Actions',
  bare: true,
  align: 'end',
  cell: (row) => <div class="row-actions">{cell(row)}</div>,
})

/** The link to a row's own page. */
export function RowLink({ href, children }: { href: string; children: ComponentChildren }) {
  return (
    <a class="row-link" href={href}>
      {children}
    </a>
  )
}

/** A cell of two lines, the second one quieter. */
export function TwoLines({ first, second }: { first: ComponentChildren; second: ComponentChildren }) {
  return (
    <>
      {first}
      {second && (
        <>
          <br />
          <span class="hint">{second}</span>
        </>
      )}
    </>
  )
}

interface Props<T> {
  /** The table's subject, for screen readers. */
  caption: string
  columns: Columns<T>
  rows: readonly T[]
  keyOf: (row: T) => string
}

export function Table<T>({ caption, columns, rows, keyOf }: Props<T>) {
  const shown = columns.filter((column) => column !== false)
  const body = useMemo(
    () => (
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {shown.map(({ head, cell, align, bare, place }) => (
              <td key={head} class={align} data-head={bare ? undefined : head} data-place={place}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    ),
    [columns, rows],
  )
  const look = shown.some(({ place }) => place !== undefined) ? 'two-lines' : undefined
  return (
    <div class="table-box">
      <table class={look}>
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {shown.map(({ head, align, bare, control, order }) => (
              <th key={head} scope="col" class={align} aria-sort={order}>
                {bare ? <span class="visually-hidden">{head}</span> : (control ?? head)}
              </th>
            ))}
          </tr>
        </thead>
        {body}
      </table>
    </div>
  )
}
