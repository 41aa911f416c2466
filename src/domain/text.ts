// Cleans text of people and agents before it is stored or compared. It normalizes to NFC, repairs nothing else, and
// reports what is wrong.
/// <reference lib="es2024.string" />
export interface TextRules {
  /** Fewest code points, default 0. */
  min?: number
  /** Most code points, default no bound. */
  max?: number
}

export type CleanText = { ok: true; value: string } | { ok: false; message: string }

const CONTROL = /\p{Cc}/u

/** `value` in NFC, or why it is refused: lone surrogates, control characters, or a length outside the bounds. */
export function cleanText(value: string, rules: TextRules = {}): CleanText {
  if (!value.isWellFormed()) return unclean('must be well-formed Unicode, without lone surrogates')
  const control = CONTROL.exec(value)
  if (control) return unclean(`must have no control characters, has ${codeOf(control[0])} at index ${control.index}`)
  const clean = value.normalize('NFC')
  const { min = 0, max = Infinity } = rules
  const length = codePoints(clean)
  if (length < min || length > max) return unclean(`must have ${bounds(min, max)} characters, has ${length}`)
  return { ok: true, value: clean }
}

/** Letter case is ignored as Unicode folds it, so far as upper-casing does: STRASSE finds Straße. */
export function folded(text: string): string {
  return text.toLowerCase().toUpperCase()
}

function unclean(message: string): CleanText {
  return { ok: false, message }
}

function codeOf(character: string): string {
  return `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
}

/** Length of well-formed text in code points. */
function codePoints(text: string): number {
  let length = text.length
  for (let at = 0; at < text.length; at += 1) if ((text.charCodeAt(at) & 0xfc00) === 0xd800) length -= 1
  return length
}

function bounds(min: number, max: number): string {
  if (max === Infinity) return `at least ${min}`
  return min === 0 ? `at most ${max}` : `${min} to ${max}`
}
