// Dialogs: a box above the page that keeps the focus, a button that opens it, and a confirmation before irreversible
// actions.
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { Announcements } from '../announce.js'
import { IconButton, Label } from './button.js'
import { Checkbox, Closing, CLOSES, Field, Form, useSending, type Once } from './form.js'
import type { IconName } from './icon.js'

interface DialogProps {
  title: string
  onClose: () => void
  children: ComponentChildren
}

export function Dialog({ title, onClose, children }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const before = document.activeElement
    box.current?.showModal()
    return () => before instanceof HTMLElement && before.focus()
  }, [])
  return (
    <dialog ref={box} aria-labelledby={id} onClose={onClose}>
      <header class="dialog-head">
        <h2 id={id}>{title}</h2>
        <IconButton icon="close" says="Close" act={onClose} />
      </header>
      <div class="dialog-body">
        <Closing.Provider value={onClose}>{children}</Closing.Provider>
      </div>
      {/* While it is open, nothing outside it is read out. */}
      <Announcements />
    </dialog>
  )
}

interface OpeningProps {
  /** The text of the button that opens it. */
  label: string
  icon?: IconName | undefined
  /** What the button is about, for screen readers. */
  about?: string | undefined
  title: string
  class?: string
  /** What the dialog does: if that changes while it is open, it closes, and is never turned into its opposite. */
  purpose?: string
  /** What is in it; forms close it by `Closing`. */
  children: ComponentChildren
}

/** A button that opens a dialog. */
export function Opening({ label, icon, about, title, purpose = '', children, class: look }: OpeningProps) {
  const [openFor, setOpenFor] = useState<string>()
  const close = (): void => setOpenFor(undefined)
  useEffect(() => close, [purpose])
  return (
    <>
      <button type="button" class={look} onClick={() => setOpenFor(purpose)}>
        <Label label={label} icon={icon} about={about} />
      </button>
      {openFor === purpose && (
        <Dialog title={title} onClose={close}>
          {children}
        </Dialog>
      )}
    </>
  )
}

interface ConfirmProps<A> extends Omit<OpeningProps, 'purpose'> {
  /** The consequences, and whether they can be undone. */
  children: ComponentChildren
  /** The text of the button that carries it out, where it is not that of the one that opens the dialog. */
  confirm?: string
  danger?: boolean
  /** Asks for a reason, which is kept in the audit log. */
  reason?: boolean | 'optional'
  /** The label of a box that may be ticked. */
  choice?: string | undefined
  act: (once: Once, reason: string, isChosen: boolean) => Promise<A>
  /** Called once it was carried out. */
  after: () => unknown
  /** Reports it. */
  done: string | ((answer: A, isChosen: boolean) => string)
}

/** A button that asks for confirmation before it acts. */
export function Confirm<A>(props: ConfirmProps<A>) {
  const { label, icon, about, title, class: look = '', confirm = label, danger = false } = props
  return (
    <Opening {...{ label, icon, about, title }} class={danger ? `${look} danger`.trim() : look} purpose={confirm}>
      <ConfirmForm {...props} confirm={confirm} danger={danger} />
    </Opening>
  )
}

type FormProps<A> = ConfirmProps<A> & { confirm: string; danger: boolean }

function ConfirmForm<A>({ children, confirm, danger, reason = false, choice, act, after, done }: FormProps<A>) {
  const [why, setWhy] = useState('')
  const [isChosen, setChosen] = useState(false)
  const sending = useSending(async (once) => {
    const answer = await act(once, why, isChosen)
    await after()
    return typeof done === 'string' ? done : done(answer, isChosen)
  }, CLOSES)
  return (
    <Form sending={sending} submit={confirm} tone={danger ? 'danger' : 'primary'} cancel>
      <div>{children}</div>
      {reason !== false && (
        <Field
          label="Reason"
          path="reason"
          value={why}
          onValue={setWhy}
          required={reason === true}
          maxLength={500}
          hint="Recorded in the audit log."
        />
      )}
      {choice !== undefined && <Checkbox label={choice} checked={isChosen} onChecked={setChosen} />}
    </Form>
  )
}
