// Text to copy: a button that copies it, and a secret that is shown only once.
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import { announce } from '../announce.js'
import { Closing } from './form.js'
import { Icon } from './icon.js'

const SHOWN_MS = 2000

export function Copy({ text, what, label }: { text: string; what: string; label?: string }) {
  const [done, setDone] = useState(false)
  useEffect(() => {
    if (!done) return undefined
    const timer = setTimeout(() => setDone(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [done])
  const copy = async (): Promise<void> => {
    const copied = await copyText(text)
    setDone(copied)
    announce(
      copied ? `Copied the ${what}` : `The browser did not allow copying the ${what}: select it and copy it manually`,
    )
  }
  return (
    <button
      type="button"
      class={label ? '' : 'icon-button small'}
      aria-label={label ? undefined : `Copy the ${what}`}
      onClick={copy}
    >
      <Icon name={done ? 'check' : 'copy'} />
      {label && (done ? 'Copied' : label)}
    </button>
  )
}

/** The clipboard API exists only on secure pages; the older way works elsewhere, too. */
async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard !== undefined) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
  }
  const area = document.createElement('textarea')
  area.value = text
  // While a dialog is open, nothing outside it can be selected.
  const place = document.querySelector('dialog[open]') ?? document.body
  place.append(area)
  area.select()
  const copied = document.execCommand('copy')
  area.remove()
  return copied
}

/** Shown if the first answer to an address was lost and the second one has no secret. */
export const PERHAPS_LOST =
  'If this created the first signing secret, the secret was lost with the missing response: rotate the secret under ' +
  'Webhooks.'

/** Shown once: the service has no copy that it could show again. */
export function Secret({ text, what }: { text: string; what: string }) {
  const code = useRef<HTMLElement>(null)
  // It replaces the form that had the focus.
  useEffect(() => code.current?.focus(), [])
  return (
    <div class="secret">
      <p>
        <strong>Copy the {what} now.</strong> It is shown only once.
      </p>
      <div class="secret-line">
        <code ref={code} tabIndex={0} aria-label={what}>
          {text}
        </code>
        <Copy text={text} what={what} label="Copy" />
      </div>
    </div>
  )
}

interface SecretOnceProps {
  text: string
  what: string
  hint?: string
  /** Called instead of closing the dialog around it. */
  onDone?: (() => void) | undefined
}

/** A secret and the button that ends showing it. */
export function SecretOnce({ text, what, hint, onDone }: SecretOnceProps) {
  const close = useContext(Closing)
  return (
    <>
      <Secret text={text} what={what} />
      {hint && <p class="hint">{hint}</p>}
      <div class="form-actions">
        <button type="button" class="primary" onClick={onDone ?? close}>
          Done
        </button>
      </div>
    </>
  )
}

/** A command to copy. */
export function Command({ text, what }: { text: string; what: string }) {
  return (
    <div class="command">
      <pre tabIndex={0} aria-label={what}>
        {text}
      </pre>
      <Copy text={text} what={what} label="Copy" />
    </div>
  )
}
