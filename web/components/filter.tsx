// A filter of a list, kept in the address so that it can be sent to others and survives a reload.
import { amend, to } from '../router.js'

interface Props {
  label: string
  name: string
  path: string
  query: URLSearchParams
  /** `['DENIED', 'Denied']`; the empty value is all. */
  options: readonly (readonly [value: string, label: string])[]
}

/** The address of the list with one filter changed. */
export function withFilter(path: string, query: URLSearchParams, name: string, value: string): string {
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

/** Sends what was typed when typing pauses. */
export function SearchFilter({ label, name, path, query }: Omit<Props, 'options'>) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const search = (value: string): void => {
    clearTimeout(timer)
    timer = setTimeout(() => amend(withFilter(path, query, name, value)), 300)
  }
  return (
    <label class="field">
      <span>{label}</span>
      <input
        type="search"
        defaultValue={query.get(name) ?? ''}
        onInput={({ currentTarget }) => search(currentTarget.value)}
      />
    </label>
  )
}
