// The frame of a page: its title, which gets the focus when the page is opened, the page's actions, and its content.
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { visible } from '../format/visible.js'

/** The first page leaves the focus at the top, where the browser puts it. */
let hasArrived = false

interface Props {
  title: string
  /** Shown beside the title. */
  status?: ComponentChildren
  /** The page to return to. */
  back?: { href: string; label: string }
  lead?: ComponentChildren
  actions?: ComponentChildren
  children?: ComponentChildren
}

/** Title and focus are set with the page and not after its first paint, so that they never differ from it. */
export function Page({ title, status, back, lead, actions, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    document.title = `${visible(title)} – Bursar`
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
            {status && <> {status}</>}
          </h1>
          {lead && <p class="lead">{lead}</p>}
        </div>
        {actions && <div class="actions">{actions}</div>}
      </header>
      {children}
    </div>
  )
}

/** A part of a page with its own heading. */
export function Section({ title, lead, actions, children }: Omit<Props, 'status' | 'back'>) {
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
