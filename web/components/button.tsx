// Buttons with an icon, links that look like buttons, and buttons that send something by themselves.
import type { ComponentChildren } from 'preact'
import type { Sending } from './form.js'
import { Icon, type IconName } from './icon.js'

interface LabelProps {
  label: string
  icon?: IconName | undefined
  /** What it is about, for screen readers, where several buttons have the same label. */
  about?: string | undefined
}

export function Label({ label, icon, about }: LabelProps) {
  return (
    <>
      {icon && <Icon name={icon} />}
      {label}
      {about && <span class="visually-hidden"> {about}</span>}
    </>
  )
}

interface LinkProps extends LabelProps {
  href: string
  primary?: boolean
  /** Downloads under this name. */
  download?: string
}

export function ButtonLink({ href, primary = false, download, ...label }: LinkProps) {
  return (
    <a class={primary ? 'button primary' : 'button'} href={href} download={download}>
      <Label {...label} />
    </a>
  )
}

interface SendProps extends LabelProps {
  sending: Sending
  class?: string
}

/** Sends without a form, and shows why that failed. */
export function SendButton({ sending: { send, busy, problems }, class: look, ...label }: SendProps) {
  return (
    <>
      <button type="button" class={look} disabled={busy} onClick={() => void send()}>
        <Label {...label} />
      </button>
      <ProblemText>{problems['']}</ProblemText>
    </>
  )
}

export function ProblemText({ children }: { children: ComponentChildren }) {
  if (!children) return null
  return (
    <p class="problem" role="alert">
      {children}
    </p>
  )
}

/** A button with an icon alone. */
export function IconButton({ icon, says, act }: { icon: IconName; says: string; act: () => void }) {
  return (
    <button type="button" class="icon-button" aria-label={says} title={says} onClick={act}>
      <Icon name={icon} />
    </button>
  )
}
