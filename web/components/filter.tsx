// The filters of a list, kept in the address so that they can be shared and survive a reload.
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { words } from '../format/words.js'
import { amend, placeOf, to } from '../router.js'

export interface FilterRow {
  label: string
  name: string
  /** The choices besides all: codes, or codes with their labels. Without choices it is a search. */
  options?: readonly (string | readonly [value: string, label: string])[]
  /** What no choice is called. */
  none?: string
  type?: 'date' | 'amount'
  /** Offered while the search is typed. */
  suggestions?: readonly string[]
  /** Shown only on demand, or while it is set. */
  more?: true
}

interface Props extends FilterRow {
  path: string
  query: URLSearchParams
}

type Address = Pick<Props, 'path' | 'query'>

export function Filters({ of, ...address }: Address & { of: readonly FilterRow[] }) {
  const isSet = ({ name }: FilterRow): boolean => Boolean(address.query.get(name))
  const more = of.filter((row) => row.more)
  const [isOpen, setOpen] = useState(() => more.some(isSet))
  const shown = of.filter((row) => isOpen || !row.more || isSet(row))
  return (
    <div class="filters">
      {shown.map((row) => (
        <Filter key={row.name} {...address} {...row} />
      ))}
      {more.length > 0 && (
        <button type="button" class="more-filters" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Fewer filters' : 'More filters'}
        </button>
      )}
    </div>
  )
}

function Filter(props: Props) {
  const isTyped = props.options === undefined && props.type !== 'date'
  return (
    <label class="field">
      <span>{props.label}</span>
      {isTyped ? <Search {...props} /> : <Choice {...props} />}
    </label>
  )
}

/** The address of the list with one filter changed. */
function withFilter(path: string, query: URLSearchParams, name: string, value: string): string {
  return to(...path.split('/'), { ...Object.fromEntries(query), [name]: value })
}

/** A choice or a date. */
function Choice({ path, query, name, options, none = 'All' }: Props) {
  const value = query.get(name) ?? ''
  const choose = (event: { currentTarget: { value: string } }): void =>
    amend(withFilter(path, query, name, event.currentTarget.value))
  if (options === undefined) return <input type="date" value={value} onChange={choose} />
  const choices = options.map((one) => (typeof one === 'string' ? ([one, words(one)] as const) : one))
  return (
    <select value={value} onChange={choose}>
      {[['', none] as const, ...choices].map(([code, text]) => (
        <option key={code} value={code}>
          {text}
        </option>
      ))}
    </select>
  )
}

const PAUSE_MS = 300

/** Applies the filter when typing pauses. */
function Search({ name, path, query, type, suggestions }: Props) {
  const list = useId()
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
    <>
      <input
        ref={field}
        type="search"
        inputMode={type === 'amount' ? 'decimal' : undefined}
        list={suggestions && list}
        value={text}
        onInput={({ currentTarget }) => search(currentTarget.value)}
      />
      {suggestions && (
        <datalist id={list}>
          {suggestions.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
    </>
  )
}
