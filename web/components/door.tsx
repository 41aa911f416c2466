// A page for people who have not signed in: its name, what it is for, and a form.
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { Logo } from './logo.js'

export function Door({ title, lead, children }: { title: string; lead: string; children: ComponentChildren }) {
  useEffect(() => {
    document.title = `${title} – Bursar`
  }, [title])
  return (
    <div class="door-box">
      <Logo />
      <h1>{title}</h1>
      <p class="lead">{lead}</p>
      {children}
    </div>
  )
}
