// Text from others is shown as it is, but for the characters that would make it look like another text: controls and
// those that change the direction of reading are shown by their codes. What forms edit stays as it is.
import { options } from 'preact'

/** All but tabs and ends of lines. */
const INVISIBLE = /[^\t\n\r\P{Cc}]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu
/** Attributes that are read out or pop up. */
const SAID = ['title', 'aria-label']

/** `a\u202eb` → `a[U+202E]b`. */
export function visible(text: string): string {
  return text.replace(INVISIBLE, (one) => `[U+${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`)
}

/** From now on every text of the page is shown like this, whichever component renders it. */
export function showInvisible(): void {
  const before = options.vnode
  options.vnode = (vnode) => {
    // Preact renders a text as a node whose props are the text.
    const props = vnode.props as unknown
    if (typeof props === 'string') vnode.props = visible(props) as never
    else if (typeof vnode.type === 'string') showSaid(props as { [name: string]: unknown })
    before?.(vnode)
  }
}

function showSaid(props: { [name: string]: unknown }): void {
  for (const name of SAID) {
    const text = props[name]
    if (typeof text === 'string') props[name] = visible(text)
  }
}
