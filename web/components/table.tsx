// A table that becomes a stack of cards where the screen is narrow: each cell then says its column's name itself.
import type { ComponentChildren } from 'preact'

export interface Column<T> {
  head: string
  cell: (row: T) => ComponentChildren
  /** Numbers stand at the right. */
  align?: 'end'
  /** The column's name is for screen readers only: for buttons. */
  bare?: true
}

interface Props<T> {
  /** What the table is about; for screen readers. */
  caption: string
  columns: Column<T>[]
  rows: readonly T[]
  keyOf: (row: T) => string
}

export function Table<T>({ caption, columns, rows, keyOf }: Props<T>) {
  return (
    <div class="table-box">
      <table>
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ head, align, bare }) => (
              <th key={head} scope="col" class={align}>
                {bare ? <span class="visually-hidden">{head}</span> : head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ head, cell, align, bare }) => (
                <td key={head} class={align} data-head={bare ? undefined : head}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
