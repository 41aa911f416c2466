// Reports the result of an action: visible for a moment, and read out by screen readers.
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'

interface Said {
  text: ComponentChildren
  tone: 'info' | 'warning'
}

const SHOWN_MS = 6000
const said = new EventTarget()

export function announce(text: ComponentChildren, tone: Said['tone'] = 'info'): void {
  said.dispatchEvent(new CustomEvent<Said>('said', { detail: { text, tone } }))
}

export function Announcements() {
  const [shown, setShown] = useState<Said>()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const show = (event: Event): void => {
      clearTimeout(timer)
      setShown((event as CustomEvent<Said>).detail)
      timer = setTimeout(() => setShown(undefined), SHOWN_MS)
    }
    said.addEventListener('said', show)
    return () => said.removeEventListener('said', show)
  }, [])
  return (
    <div class="announcements" role="status" aria-live="polite">
      {shown && <p class={shown.tone}>{shown.text}</p>}
    </div>
  )
}
