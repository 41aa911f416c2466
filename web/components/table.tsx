// A table that becomes a stack of cards on narrow screens, with the column's name in each cell.
import type { ComponentChildren } from 'preact'

export interface Column<T> {
  head: string
  cell: (row: T) => ComponentChildren
  /** Numbers are aligned right. */
  align?: 'end'
  /** The column's name is only for screen readers: for columns of buttons. */
  bare?: true
}

interface Props<T> {
  /** The table's subject, for screen readers. */
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
