// The frame of a page: its title, which takes the focus when one comes to it, what can be done there, and its content.
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** The first page leaves the focus where the browser puts it, at the top. */
let hasArrived = false

interface Props {
  title: string
  /** Beside the title: a status, say. */
  mark?: ComponentChildren
  /** Where one came from. */
  back?: { href: string; label: string }
  lead?: ComponentChildren
  actions?: ComponentChildren
  children?: ComponentChildren
}

/** Title and focus are set with the page, not after its first picture: nobody meets the one without the other. */
export function Page({ title, mark, back, lead, actions, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    document.title = `${title} – Bursar`
  }, [title])
  useLayoutEffect(() => {
    if (hasArrived) heading.current?.focus({ preventScroll: true })
    hasArrived = true
  }, [])
  return (
    <div class="page">
      <header class="page-head">
        <div class="page-title">
          {back && (
            <a class="back" href={back.href}>
              <span aria-hidden="true">←</span> {back.label}
            </a>
          )}
          <h1 ref={heading} tabIndex={-1}>
            {title}
            {mark && <> {mark}</>}
          </h1>
          {lead && <p class="lead">{lead}</p>}
        </div>
        {actions && <div class="actions">{actions}</div>}
      </header>
      {children}
    </div>
  )
}

/** A part of a page under a heading of its own. */
export function Section({ title, lead, actions, children }: Omit<Props, 'mark' | 'back'>) {
  return (
    <section class="section">
      <header class="section-head">
        <div>
          <h2>{title}</h2>
          {lead && <p class="lead">{lead}</p>}
        </div>
        {actions && <div class="actions">{actions}</div>}
      </header>
      {children}
    </section>
  )
}
