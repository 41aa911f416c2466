// Forms: fields that show their errors, and submission, one at a time, with every outcome reported.
import {
  createContext,
  type ComponentChildren,
  type InputHTMLAttributes,
  type TargetedSubmitEvent,
  type TextareaHTMLAttributes,
} from 'preact'
import { useContext, useEffect, useId, useRef, useState } from 'preact/hooks'
import { announce } from '../announce.js'
import { BursarError, isHeld, isSettled, isSignedOut, newIdempotencyKey, sentenceOf } from '../api.js'
import { to } from '../router.js'
import { useSession } from '../session.js'
import { Notice } from './loadingStates.js'
import { nearestField } from './nearestField.js'

export interface Sending {
  /** Submits the form; true if it was carried out. */
  send: () => Promise<boolean>
  busy: boolean
  /** The errors by the path of their field; those of no field are under the empty path. */
  problems: { [path: string]: string }
  /** The last submission waits for a second person; `id` is the approval request. */
  held?: { id: string | undefined } | undefined
}

/** Closes the dialog around a form. */
export const Closing = createContext<() => void>(() => undefined)

/** The options of a POST that make a repeated submission take effect once. */
export interface Once {
  idempotencyKey: string
}

interface SendingOptions {
  /** It signs somebody in, so a refusal says nothing about the present session. */
  isEntry?: boolean
  /** Closes the dialog around it once it was carried out. */
  closes?: boolean
}

export const CLOSES: SendingOptions = { closes: true }

/** `act` carries it out and returns the sentence that reports it. */
export function useSending(
  act: (once: Once) => Promise<string | undefined>,
  { isEntry = false, closes = false }: SendingOptions = {},
): Sending {
  const [busy, setBusy] = useState(false)
  const [problems, setProblems] = useState<Sending['problems']>({})
  const [held, setHeld] = useState<Sending['held']>()
  const { end, isIn } = useSession()
  const close = useContext(Closing)
  /** Set while a submission may have been carried out without an answer. */
  const open = useRef<Once | undefined>(undefined)
  const send = async (): Promise<boolean> => {
    setBusy(true)
    setProblems({})
    setHeld(undefined)
    const once = (open.current ??= { idempotencyKey: newIdempotencyKey() })
    try {
      const said = await act(once)
      open.current = undefined
      if (said !== undefined) announce(said)
      if (closes) close()
      return true
    } catch (error) {
      if (isSettled(error)) open.current = undefined
      if (isSignedOut(error) && isIn && !isEntry) {
        end()
        setProblems({ '': 'Your session had expired. Submit again.' })
      } else if (isHeld(error)) {
        announce(<Held id={error.approvalRequestId} />)
        setHeld({ id: error.approvalRequestId })
        close()
      } else setProblems(problemsIn(error))
      return isHeld(error)
    } finally {
      setBusy(false)
    }
  }
  return { send, busy, problems, held }
}

function Held({ id }: { id: string | undefined }) {
  return (
    <>
      This change requires approval. <a href={id ? to('approvals', id) : to('approvals')}>View request</a>
    </>
  )
}

function problemsIn(error: unknown): Sending['problems'] {
  const { code, details = [] } = error instanceof BursarError ? error : {}
  // What is limited is no field.
  if (details.length === 0 || code === 'LIMIT_REACHED') return { '': sentenceOf(error) }
  return Object.fromEntries(details.map(({ path, message }) => [path, message]))
}

/** Those without a field keep their paths. */
function placed(problems: Sending['problems'], fields: readonly string[]): Sending['problems'] {
  const all: Sending['problems'] = {}
  for (const [path, message] of Object.entries(problems)) {
    const field = nearestField(path, fields) ?? path
    all[field] = all[field] === undefined ? message : `${all[field]}; ${message}`
  }
  return all
}

/** A field, or the error of a group, that a refused submission leads to. */
const WRONG = '[aria-invalid="true"], .problem[data-path]:not([hidden])'

/** Errors by the path of their field; also for fields that are checked while typing. */
export const Problems = createContext<Sending['problems']>({})

interface FormProps {
  sending: Sending
  /** The text of the submit button. */
  submit: string
  tone?: 'primary' | 'danger'
  /** Shown beside that button. */
  beside?: ComponentChildren
  /** Offers to close the dialog around it; or what the button that does so says. */
  cancel?: boolean | string
  children: ComponentChildren
}

export function Form({ sending, submit, tone = 'primary', beside, cancel = false, children }: FormProps) {
  const close = useContext(Closing)
  const { send, busy, held } = sending
  const form = useRef<HTMLFormElement>(null)
  const [known, setKnown] = useState<string[]>([])
  /** What was held before the latest input: that input may be submitted again. */
  const [former, setFormer] = useState<Sending['held']>()
  const isHeldNow = held !== undefined && held !== former
  /** How often a submission was refused; each leads to the first field with an error. */
  const [refusals, setRefusals] = useState(0)
  useEffect(() => {
    if (refusals > 0) form.current?.querySelector<HTMLElement>(WRONG)?.focus()
  }, [refusals])
  const onSubmit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const fields = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-path]')]
    setKnown(fields.map(({ dataset }) => dataset['path']!))
    void send().then((isDone) => isDone || setRefusals((before) => before + 1))
  }
  /** Some fields are edited by buttons; one that switches a view edits nothing. */
  const onClick = ({ target }: Event): void => {
    if ((target as Element).closest('button[type="button"]:not([aria-pressed])')) setFormer(held)
  }
  const problems = placed(sending.problems, known)
  const loose = Object.entries(problems).filter(([path]) => !known.includes(path))
  return (
    <form ref={form} class="form" onSubmit={onSubmit} onInput={() => setFormer(held)} onClick={onClick}>
      <Problems.Provider value={problems}>{children}</Problems.Provider>
      <div role="alert">
        {loose.map(([path, message]) => (
          <p key={path} class="problem">
            {path && `${path}: `}
            {message}
          </p>
        ))}
      </div>
      {isHeldNow && (
        <Notice>
          <Held id={held.id} />
        </Notice>
      )}
      <div class="form-actions">
        {cancel && (
          <button type="button" onClick={close}>
            {cancel === true ? 'Cancel' : cancel}
          </button>
        )}
        {beside}
        <button type="submit" class={tone} disabled={busy || isHeldNow}>
          {submit}
        </button>
      </div>
    </form>
  )
}

export interface FieldProps {
  label: string
  /** The field's path in the errors that the service answers. */
  path?: string | undefined
  hint?: ComponentChildren
  value: string
  onValue: (value: string) => void
  type?: 'text' | 'password' | 'email' | 'number' | 'url' | 'search' | 'date' | 'datetime-local' | 'time'
  required?: boolean
  readOnly?: boolean
  minLength?: number
  maxLength?: number
  min?: number
  max?: number
  inputMode?: 'decimal' | 'numeric'
  autoComplete?: string
  autoFocus?: boolean
  placeholder?: string
  pattern?: string
}

export function Field({ label, path, hint, value, onValue, ...rest }: FieldProps) {
  const { id, described } = useDescribed(path)
  return (
    <Described
      id={id}
      label={label}
      hint={hint}
      path={path}
      optional={rest.required !== true && rest.type !== 'search'}
    >
      <input
        {...(rest as InputHTMLAttributes)}
        id={id}
        data-path={path}
        {...described}
        value={value}
        onInput={({ currentTarget }) => onValue(currentTarget.value)}
      />
    </Described>
  )
}

export function TextArea({ label, path, hint, value, onValue, ...rest }: FieldProps & { rows?: number }) {
  const { id, described } = useDescribed(path)
  return (
    <Described id={id} label={label} hint={hint} path={path} optional={rest.required !== true}>
      <textarea
        rows={3}
        {...(rest as TextareaHTMLAttributes)}
        id={id}
        data-path={path}
        {...described}
        value={value}
        onInput={({ currentTarget }) => onValue(currentTarget.value)}
      />
    </Described>
  )
}

interface SelectProps extends Pick<FieldProps, 'label' | 'path' | 'hint' | 'value' | 'onValue'> {
  options: readonly (readonly [value: string, label: string])[]
}

export function Select({ label, path, hint, value, onValue, options }: SelectProps) {
  const { id, described } = useDescribed(path)
  return (
    <Described id={id} label={label} hint={hint} path={path} optional={false}>
      <select
        id={id}
        data-path={path}
        {...described}
        value={value}
        onChange={({ currentTarget }) => onValue(currentTarget.value)}
      >
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </Described>
  )
}

interface CheckboxProps {
  label: ComponentChildren
  path?: string | undefined
  hint?: ComponentChildren
  checked: boolean
  onChecked: (checked: boolean) => void
}

export function Checkbox({ label, path, hint, checked, onChecked }: CheckboxProps) {
  const id = useId()
  const problem = useContext(Problems)[path ?? id]
  return (
    <div class="checkbox">
      <input
        id={id}
        type="checkbox"
        data-path={path}
        aria-describedby={problem === undefined ? undefined : `${id}-about`}
        aria-invalid={problem !== undefined}
        checked={checked}
        onChange={({ currentTarget }) => onChecked(currentTarget.checked)}
      />
      <label for={id}>
        {label}
        {hint && <span class="hint">{hint}</span>}
        {problem !== undefined && (
          <span id={`${id}-about`} class="problem">
            {problem}
          </span>
        )}
      </label>
    </div>
  )
}

/** The error of a group of fields; it gets the focus as a field does. */
export function Problem({ path }: { path: string }) {
  const problem = useContext(Problems)[path]
  return (
    <p class="problem" data-path={path} tabIndex={-1} hidden={problem === undefined}>
      {problem}
    </p>
  )
}

function useDescribed(path: string | undefined) {
  const id = useId()
  const isWrong = useContext(Problems)[path ?? id] !== undefined
  return { id, described: { 'aria-describedby': `${id}-about`, 'aria-invalid': isWrong } as const }
}

interface DescribedProps {
  id: string
  label: string
  hint?: ComponentChildren
  path: string | undefined
  optional: boolean
  children: ComponentChildren
}

/** A label above, and the error or a hint below. */
function Described({ id, label, hint, path, optional, children }: DescribedProps) {
  const problem = useContext(Problems)[path ?? id]
  return (
    <div class="field">
      <label for={id}>
        {label}
        {optional && <span class="optional"> optional</span>}
      </label>
      {children}
      <div id={`${id}-about`}>
        {problem !== undefined && <p class="problem">{problem}</p>}
        {hint && <p class="hint">{hint}</p>}
      </div>
    </div>
  )
}
