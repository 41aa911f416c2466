// Dialogs: a box above the page that keeps the focus, a button that opens it, and a confirmation before irreversible
// actions.
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { Announcements } from '../announce.js'
import { Checkbox, Closing, Field, Form, useSending, type Once } from './form.js'
import { Icon } from './icon.js'

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
        <button type="button" class="icon-button" aria-label="Close" onClick={onClose}>
          <Icon name="close" />
        </button>
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
  label: ComponentChildren
  title: string
  disabled?: boolean
  class?: string
  /** What the dialog does: if that changes while it is open, it closes, and is never turned into its opposite. */
  purpose?: string
  /** `close` closes the dialog. */
  children: (close: () => void) => ComponentChildren
}

/** A button that opens a dialog. */
export function Opening({ label, title, purpose = '', children, ...button }: OpeningProps) {
  const [openFor, setOpenFor] = useState<string>()
  const close = (): void => setOpenFor(undefined)
  useEffect(() => close, [purpose])
  return (
    <>
      <button type="button" {...button} onClick={() => setOpenFor(purpose)}>
        {label}
      </button>
      {openFor === purpose && (
        <Dialog title={title} onClose={close}>
          {children(close)}
        </Dialog>
      )}
    </>
  )
}

interface AskProps extends Omit<OpeningProps, 'children' | 'purpose'> {
  /** The consequences, and whether they can be undone. */
  children: ComponentChildren
  /** The text of the button that carries it out. */
  confirm: string
  danger?: boolean
  /** Asks for a reason, which is kept in the audit log. */
  reason?: boolean | 'optional'
  /** The label of a box that may be ticked. */
  choice?: string
  act: (once: Once, reason: string, isChosen: boolean) => Promise<string | undefined>
}

/** A button that asks for confirmation before it acts. */
export function Confirm({ children, confirm, danger = false, reason = false, choice, act, ...opening }: AskProps) {
  return (
    <Opening {...opening} purpose={confirm}>
      {(close) => (
        <AskForm {...{ confirm, danger, reason, choice, act }} onClose={close}>
          {children}
        </AskForm>
      )}
    </Opening>
  )
}

interface AskFormProps extends Pick<AskProps, 'children' | 'confirm' | 'act'> {
  danger: boolean
  reason: boolean | 'optional'
  choice: string | undefined
  onClose: () => void
}

function AskForm({ children, confirm, danger, reason, choice, act, onClose }: AskFormProps) {
  const [why, setWhy] = useState('')
  const [isChosen, setChosen] = useState(false)
  const sending = useSending((once) => act(once, why, isChosen))
  const send = async (): Promise<boolean> => {
    const isDone = await sending.send()
    if (isDone) onClose()
    return isDone
  }
  const cancel = (
    <button type="button" onClick={onClose}>
      Cancel
    </button>
  )
  return (
    <Form sending={{ ...sending, send }} submit={confirm} tone={danger ? 'danger' : 'primary'} beside={cancel}>
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
