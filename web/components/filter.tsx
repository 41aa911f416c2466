// A filter of a list, kept in the address so that it can be shared and survives a reload.
import { useEffect, useRef, useState } from 'preact/hooks'
import { amend, placeOf, to } from '../router.js'

interface Props {
  label: string
  name: string
  path: string
  query: URLSearchParams
  /** Such as `['DENIED', 'Denied']`; the empty value stands for all. */
  options: readonly (readonly [value: string, label: string])[]
}

/** The address of the list with one filter changed. */
function withFilter(path: string, query: URLSearchParams, name: string, value: string): string {
  return to(...path.split('/'), { ...Object.fromEntries(query), [name]: value })
}

export function Filter({ label, name, path, query, options }: Props) {
  return (
    <label class="field">
      <span>{label}</span>
      <select
        value={query.get(name) ?? ''}
        onChange={({ currentTarget }) => amend(withFilter(path, query, name, currentTarget.value))}
      >
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

export function DateFilter({ label, name, path, query }: Omit<Props, 'options'>) {
  return (
    <label class="field">
      <span>{label}</span>
      <input
        type="date"
        value={query.get(name) ?? ''}
        onChange={({ currentTarget }) => amend(withFilter(path, query, name, currentTarget.value))}
      />
    </label>
  )
}

const PAUSE_MS = 300

/** Applies the filter when typing pauses. */
export function SearchFilter({ label, name, path, query }: Omit<Props, 'options'>) {
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
  return (
    <label class="field">
      <span>{label}</span>
      <input ref={field} type="search" value={text} onInput={({ currentTarget }) => search(currentTarget.value)} />
    </label>
  )
}
