// HTML templates. INVARIANT: interpolated values are escaped, unless they are `Html` themselves.

export interface Html {
  readonly html: string
}

export type Part = string | number | Html | undefined | readonly Part[]

const ESCAPES: { [character: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function written(part: Part): string {
  if (part === undefined) return ''
  if (typeof part === 'object') return 'html' in part ? part.html : part.map(written).join('')
  return String(part).replace(/[&<>"]/g, (character) => ESCAPES[character]!)
}

export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return { html: strings.reduce((text, string, at) => text + written(parts[at - 1]) + string) }
}

/** Text in which backticks mark code. */
export function prose(text: string): Html[] {
  return text.split('`').map((piece, at) => (at % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`))
}
