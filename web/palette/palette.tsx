// The command palette: one field that finds pages and records, and a list to choose from, by keyboard or pointer. The
// focus stays in the field.
import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../components/icon.js'
import { useLoad } from '../load.js'
import { go } from '../router.js'
import { find, PAGES, type Found, type Hit } from './sources.js'
import './palette.css'

const PAUSE_MS = 200
/** As many characters as the service takes. */
const LONGEST = 200
const NOTHING: Found = { hits: [], failed: [] }

export default function Palette({ onClose }: { onClose: () => void }) {
  const box = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  const { hits, failed, busy } = useHits(text.trim())
  const [chosen, setChosen] = useState<string>()
  const at = Math.max(
    0,
    hits.findIndex(({ href }) => href === chosen),
  )
  useEffect(() => {
    const before = document.activeElement
    box.current?.showModal()
    return () => before instanceof HTMLElement && before.focus()
  }, [])
  useEffect(() => document.getElementById(optionId(at))?.scrollIntoView({ block: 'nearest' }), [at])
  const open = (hit: Hit | undefined): void => {
    if (hit === undefined) return
    onClose()
    go(hit.href)
  }
  const press = (event: KeyboardEvent): void => {
    // While characters are being composed, the keys belong to the composition.
    if (event.isComposing) return
    const next = moved(event.key, at, hits.length)
    if (next !== undefined) setChosen(hits[next]?.href)
    else if (event.key === 'Enter') open(hits[at])
    else return
    event.preventDefault()
  }
  const type = (value: string): void => {
    setText(value)
    setChosen(undefined)
  }
  const leave = ({ target }: Event): void => {
    if (target === box.current) onClose()
  }
  return (
    <dialog ref={box} class="palette" aria-label="Search" onClose={onClose} onClick={leave}>
      <SearchField
        text={text}
        type={type}
        press={press}
        active={hits.length > 0 ? optionId(at) : undefined}
        close={onClose}
      />
      <ul id="palette-list" role="listbox" aria-label="Results">
        {hits.map((hit, index) => (
          <Option key={hit.href} of={hit} index={index} isChosen={index === at} open={open} choose={setChosen} />
        ))}
      </ul>
      <p class="palette-foot" role="status">
        {footOf(hits.length, failed, busy)}
      </p>
    </dialog>
  )
}

interface FieldProps {
  text: string
  type: (text: string) => void
  press: (event: KeyboardEvent) => void
  /** The id of the option that Enter opens. */
  active: string | undefined
  close: () => void
}

function SearchField({ text, type, press, active, close }: FieldProps) {
  return (
    <div class="palette-field">
      <Icon name="search" />
      <input
        type="text"
        role="combobox"
        aria-label="Search pages, agents, payments and more"
        aria-expanded={active !== undefined}
        aria-controls="palette-list"
        aria-autocomplete="list"
        aria-activedescendant={active}
        placeholder="Search pages, agents, payments…"
        autocomplete="off"
        spellcheck={false}
        maxLength={LONGEST}
        value={text}
        onInput={({ currentTarget }) => type(currentTarget.value)}
        onKeyDown={press}
      />
      <button type="button" class="icon-button" aria-label="Close the search" onClick={close}>
        <Icon name="close" />
      </button>
    </div>
  )
}

const optionId = (index: number): string => `palette-option-${index}`

interface OptionProps {
  of: Hit
  index: number
  isChosen: boolean
  open: (hit: Hit) => void
  choose: (href: string) => void
}

function Option({ of, index, isChosen, open, choose }: OptionProps) {
  return (
    <li
      id={optionId(index)}
      role="option"
      aria-selected={isChosen}
      onClick={() => open(of)}
      onPointerMove={() => choose(of.href)}
    >
      <Icon name={of.icon} />
      <bdi>{of.name}</bdi>
      <span class="hint">{of.kind}</span>
    </li>
  )
}

/** The position that a key leads to; undefined for other keys. Home and End stay with the text. */
function moved(key: string, at: number, count: number): number | undefined {
  if (count === 0) return undefined
  if (key === 'ArrowDown') return (at + 1) % count
  if (key === 'ArrowUp') return (at - 1 + count) % count
  if (key === 'PageDown') return Math.min(count - 1, at + 5)
  if (key === 'PageUp') return Math.max(0, at - 5)
  return undefined
}

function footOf(count: number, failed: readonly string[], busy: boolean): string {
  if (busy) return 'Searching…'
  const missing = failed.length === 0 ? '' : `Could not search ${failed.join(', ')}. `
  return `${missing}${count === 0 ? 'No results' : `${count} ${count === 1 ? 'result' : 'results'}`}`
}

/** Pages at once, records when typing pauses. Until then what was found before stays, where it still fits. */
function useHits(search: string): Found & { busy: boolean } {
  const asked = usePaused(search)
  const found = useLoad((signal) => (asked === '' ? Promise.resolve(NOTHING) : find(asked, signal)), [asked])
  const last = useRef(NOTHING)
  if (found.data !== undefined) last.current = found.data
  const part = search.toLowerCase()
  const fits = ({ name }: Hit): boolean => name.toLowerCase().includes(part)
  const isCurrent = found.data !== undefined && asked === search
  const records = search === '' ? [] : isCurrent ? found.data!.hits : last.current.hits.filter(fits)
  const begins = ({ name }: Hit): number => (name.toLowerCase().startsWith(part) ? 0 : 1)
  const hits = [...PAGES.filter(fits), ...records].sort((one, other) => begins(one) - begins(other))
  const failed = found.error === undefined ? last.current.failed : ['records']
  return { hits, failed, busy: !isCurrent && found.error === undefined }
}

/** The text as it was when typing last paused. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return paused
}
