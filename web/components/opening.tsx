// A button that opens a form in a dialog, which closes when the form was carried out.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Dialog } from './dialog.js'

interface Props {
  label: ComponentChildren
  title: string
  class?: string
  /** `close` ends the dialog. */
  children: (close: () => void) => ComponentChildren
}

export function Opening({ label, title, class: look, children }: Props) {
  const [open, setOpen] = useState(false)
  const close = (): void => setOpen(false)
  return (
    <>
      <button type="button" class={look} onClick={() => setOpen(true)}>
        {label}
      </button>
      {open && (
        <Dialog title={title} onClose={close}>
          {children(close)}
        </Dialog>
      )}
    </>
  )
}
