// Forms: fields that say what is wrong with them, and sending, once at a time, with every outcome said.
import { createContext, type ComponentChildren, type InputHTMLAttributes, type TargetedSubmitEvent } from 'preact'
import { useContext, useId, useRef, useState } from 'preact/hooks'
import { announce } from '../announce.js'
import { BursarError, isHeld, isSettled, isSignedOut, newIdempotencyKey, sentenceOf } from '../api.js'
import { to } from '../router.js'
import { useSession } from '../session.js'

export interface Sending {
  /** Sends; true when it was carried out. */
  send: () => Promise<boolean>
  busy: boolean
  /** What was wrong, by the field's path; under the empty path what no field is wrong with. */
  problems: { [path: string]: string }
}

/** Ends the dialog that a form stands in. */
export const Closing = createContext<() => void>(() => undefined)

/** What a POST is sent with, so that a submission which is sent again is carried out once. */
export interface Once {
  idempotencyKey: string
}

/** `act` does it, and gives the sentence that says what was done. */
export function useSending(act: (once: Once) => Promise<string | undefined>): Sending {
  const [busy, setBusy] = useState(false)
  const [problems, setProblems] = useState<Sending['problems']>({})
  const { end, isIn } = useSession()
  const close = useContext(Closing)
  /** Of a submission that may have been carried out, for all anybody here knows. */
  const open = useRef<Once | undefined>(undefined)
  const send = async (): Promise<boolean> => {
    setBusy(true)
    setProblems({})
    const once = (open.current ??= { idempotencyKey: newIdempotencyKey() })
    try {
      const said = await act(once)
      open.current = undefined
      if (said !== undefined) announce(said)
      return true
    } catch (error) {
      if (isSettled(error)) open.current = undefined
      if (isSignedOut(error) && isIn) {
        end()
        setProblems({ '': 'The session had ended. Send it once more.' })
      } else if (isHeld(error)) {
        announce(<Held id={error.approvalRequestId} />)
        close()
      } else setProblems(problemsIn(error))
      return isHeld(error)
    } finally {
      setBusy(false)
    }
  }
  return { send, busy, problems }
}

function Held({ id }: { id: string | undefined }) {
  return (
    <>
      This waits for a second person. <a href={id ? to('approvals', id) : to('approvals')}>See the request</a>
    </>
  )
}

function problemsIn(error: unknown): Sending['problems'] {
  const details = error instanceof BursarError ? (error.details ?? []) : []
  if (details.length === 0) return { '': sentenceOf(error) }
  return Object.fromEntries(details.map(({ path, message }) => [path, message]))
}

/** What is wrong, by the path of a field: for fields that are judged while they are written, too. */
export const Problems = createContext<Sending['problems']>({})

interface FormProps {
  sending: Sending
  /** What is shown on the button that sends. */
  submit: string
  tone?: 'primary' | 'danger'
  /** Beside that button. */
  beside?: ComponentChildren
  children: ComponentChildren
}

export function Form({ sending: { send, busy, problems }, submit, tone = 'primary', beside, children }: FormProps) {
  const [known, setKnown] = useState<string[]>([])
  const onSubmit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const fields = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-path]')]
    setKnown(fields.map(({ dataset }) => dataset['path']!))
    void send()
  }
  const loose = Object.entries(problems).filter(([path]) => !known.includes(path))
  return (
    <form class="form" onSubmit={onSubmit}>
      <Problems.Provider value={problems}>{children}</Problems.Provider>
      <div role="alert">
        {loose.map(([path, message]) => (
          <p key={path} class="problem">
            {path && `${path}: `}
            {message}
          </p>
        ))}
      </div>
      <div class="form-actions">
        {beside}
        <button type="submit" class={tone} disabled={busy}>
          {submit}
        </button>
      </div>
    </form>
  )
}

interface FieldProps {
  label: string
  /** The field's path in the service's answer about what is wrong. */
  path?: string
  hint?: ComponentChildren
  value: string
  onValue: (value: string) => void
  type?: 'text' | 'password' | 'email' | 'number' | 'url' | 'search' | 'date' | 'datetime-local' | 'time'
  required?: boolean
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

export function TextArea({
  label,
  path,
  hint,
  value,
  onValue,
  rows = 3,
  maxLength,
  required,
}: FieldProps & { rows?: number }) {
  const { id, described } = useDescribed(path)
  return (
    <Described id={id} label={label} hint={hint} path={path} optional={!required}>
      <textarea
        id={id}
        data-path={path}
        rows={rows}
        maxLength={maxLength}
        required={required}
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
  hint?: ComponentChildren
  checked: boolean
  onChecked: (checked: boolean) => void
}

export function Checkbox({ label, hint, checked, onChecked }: CheckboxProps) {
  const id = useId()
  return (
    <div class="checkbox">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        onChange={({ currentTarget }) => onChecked(currentTarget.checked)}
      />
      <label for={id}>
        {label}
        {hint && <span class="hint">{hint}</span>}
      </label>
    </div>
  )
}

/** What is wrong with a group of fields. */
export function Problem({ path }: { path: string }) {
  const problem = useContext(Problems)[path]
  return problem === undefined ? null : <p class="problem">{problem}</p>
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

/** A label above, and below it what is wrong or what to know. */
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
