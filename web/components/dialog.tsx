// Dialogs: a box above the page that keeps the focus, and a question before what cannot be taken back.
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { Closing, Field, Form, useSending, type Once } from './form.js'
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
    </dialog>
  )
}

interface AskProps {
  /** The button that asks. */
  label: ComponentChildren
  title: string
  /** What will happen, and whether it can be taken back. */
  children: ComponentChildren
  /** What the button that does it says. */
  confirm: string
  danger?: boolean
  /** Asks for a reason, which the audit log keeps. */
  reason?: boolean
  disabled?: boolean
  class?: string
  act: (once: Once, reason: string) => Promise<string | undefined>
}

/** A button that asks before it acts. */
export function Ask({ label, title, children, confirm, danger = false, reason = false, act, ...button }: AskProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" {...button} onClick={() => setOpen(true)}>
        {label}
      </button>
      {open && (
        <Dialog title={title} onClose={() => setOpen(false)}>
          <AskForm {...{ confirm, danger, reason, act }} onClose={() => setOpen(false)}>
            {children}
          </AskForm>
        </Dialog>
      )}
    </>
  )
}

interface AskFormProps extends Pick<AskProps, 'children' | 'confirm' | 'act'> {
  danger: boolean
  reason: boolean
  onClose: () => void
}

function AskForm({ children, confirm, danger, reason, act, onClose }: AskFormProps) {
  const [why, setWhy] = useState('')
  const sending = useSending((once) => act(once, why))
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
      {reason && (
        <Field
          label="Reason"
          path="reason"
          value={why}
          onValue={setWhy}
          required
          maxLength={500}
          hint="Kept in the audit log."
        />
      )}
    </Form>
  )
}
