// The filters of a list, kept in the address so that they can be shared and survive a reload.
import { useEffect, useRef, useState } from 'preact/hooks'
import { words } from '../format/words.js'
import { amend, placeOf, to } from '../router.js'

export interface FilterRow {
  label: string
  name: string
  /** The choices besides all: codes, or codes with their labels. Without choices it is a search. */
  options?: readonly (string | readonly [value: string, label: string])[]
  type?: 'date'
}

interface Props extends FilterRow {
  path: string
  query: URLSearchParams
}

export function Filters({ of, ...place }: Pick<Props, 'path' | 'query'> & { of: readonly FilterRow[] }) {
  return (
    <div class="filters">
      {of.map((row) => (
        <label key={row.name} class="field">
          <span>{row.label}</span>
          {row.options === undefined && row.type === undefined ? (
            <Search {...place} {...row} />
          ) : (
            <Choice {...place} {...row} />
          )}
        </label>
      ))}
    </div>
  )
}

/** The address of the list with one filter changed. */
function withFilter(path: string, query: URLSearchParams, name: string, value: string): string {
  return to(...path.split('/'), { ...Object.fromEntries(query), [name]: value })
}

/** A choice or a date. */
function Choice({ path, query, name, options }: Props) {
  const value = query.get(name) ?? ''
  const choose = (event: { currentTarget: { value: string } }): void =>
    amend(withFilter(path, query, name, event.currentTarget.value))
  if (options === undefined) return <input type="date" value={value} onChange={choose} />
  const choices = options.map((one) => (typeof one === 'string' ? ([one, words(one)] as const) : one))
  return (
    <select value={value} onChange={choose}>
      {[['', 'All'] as const, ...choices].map(([code, text]) => (
        <option key={code} value={code}>
          {text}
        </option>
      ))}
    </select>
  )
}

const PAUSE_MS = 300

/** Applies the filter when typing pauses. */
function Search({ name, path, query }: Props) {
  const given = query.get(name) ?? ''
  const [text, setText] = useState(given)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => () => clearTimeout(timer.current), [])
  // Follows changes of the address, but not while somebody is typing.
  useEffect(() => {
    if (document.activeElement !== field.current) setText(given)
  }, [given])
  const search = (value: string): void => {
    setText(value)
    clearTimeout(timer.current)
    // Another filter may have changed by then.
    const apply = (): void => amend(withFilter(path, placeOf(location.hash).query, name, value))
    timer.current = setTimeout(apply, PAUSE_MS)
  }
  return <input ref={field} type="search" value={text} onInput={({ currentTarget }) => search(currentTarget.value)} />
}
