// The columns that a person chose for a list: kept in this browser, and shown in the order of the list.
import { useMemo, useState } from 'preact/hooks'
import { announce } from '../announce.js'
import { Opening } from './dialog.js'
import { Checkbox } from './form.js'
import type { Column } from './table.js'

export interface ChoosableColumn<T> extends Column<T> {
  id: string
  /** Always shown, shown until a person leaves it out, or shown only if a person adds it. */
  shown: 'always' | 'first' | 'later'
}

interface Chosen<T> {
  columns: ChoosableColumn<T>[]
  set: (ids: readonly string[]) => void
}

export function useChosenColumns<T>(list: string, all: readonly ChoosableColumn<T>[]): Chosen<T> {
  const key = `bursar-columns-${list}`
  const [ids, setIds] = useState(() => storedIn(key))
  const set = (next: readonly string[]): void => {
    setIds(next)
    try {
      localStorage.setItem(key, JSON.stringify(next))
    } catch {
      announce('The browser does not store settings: this choice lasts until the page is closed')
    }
  }
  const columns = useMemo(() => {
    const isShown = ({ id, shown }: ChoosableColumn<T>): boolean =>
      shown === 'always' || (ids === undefined ? shown === 'first' : ids.includes(id))
    return all.filter(isShown)
  }, [ids, all])
  return { columns, set }
}

/** Undefined where nothing was chosen, or nothing that can be read. */
function storedIn(key: string): readonly string[] | undefined {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : undefined
  } catch {
    return undefined
  }
}

export function ColumnChoice<T>({ of: { columns, set }, all }: { of: Chosen<T>; all: readonly ChoosableColumn<T>[] }) {
  const shown = columns.map(({ id }) => id)
  const turn = (id: string, on: boolean): void =>
    set(all.map((column) => column.id).filter((one) => (one === id ? on : shown.includes(one))))
  return (
    <Opening label="Columns" title="Columns">
      <fieldset class="checks columns">
        <legend>Shown on wide screens, and kept in this browser</legend>
        {all.flatMap(({ id, head, shown: when }) =>
          when === 'always'
            ? []
            : [<Checkbox key={id} label={head} checked={shown.includes(id)} onChecked={(on) => turn(id, on)} />],
        )}
      </fieldset>
    </Opening>
  )
}
