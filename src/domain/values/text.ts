// Cleans text before it is stored or compared: that of people and agents is normalized to NFC, and refused if anything
// else is wrong; that of nodes and providers, who cannot correct it, is repaired.
/// <reference lib="es2024.string" />
import { refuse, succeed, type Result } from '../outcomes/result.js'

export interface TextRules {
  /** Fewest code points, default 0. */
  min?: number
  /** Most code points, default no bound. */
  max?: number
}

const unclean = (message: string) => refuse('VALIDATION_ERROR', message)

const CONTROL = /\p{Cc}/u
/** Formatting characters that change the direction in which what follows is read. */
const BIDIRECTIONAL = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
/** Normalization makes one character of at most 4 code points, each of at most 2 UTF-16 code units. */
const UNITS_IN_CHARACTER = 8

/** `value` in NFC, or why it is refused: lone surrogates, control characters, or a length outside the bounds. */
export function cleanText(value: string, rules: TextRules = {}): Result<string, 'VALIDATION_ERROR'> {
  if (!value.isWellFormed()) return unclean('must be well-formed Unicode, without lone surrogates')
  const control = CONTROL.exec(value)
  if (control) return unclean(`must have no control characters, has ${codeOf(control[0])} at index ${control.index}`)
  const { min = 0, max = Infinity } = rules
  const clean = isTooLong(value, max) ? value : value.normalize('NFC')
  const length = codePoints(clean)
  if (length < min || length > max) return unclean(`must have ${bounds(min, max)} characters, has ${length}`)
  return succeed(clean)
}

/**
 * A name of 1 to `max` characters, or why it is refused: as text, for characters by which it could be read as another
 * name, or as no more than white space. It is kept as it is and compared by `comparableName`.
 */
export function cleanName(value: string, max: number): Result<string, 'VALIDATION_ERROR'> {
  const clean = cleanText(value, { min: 1, max })
  if (!clean.ok) return clean
  const found = BIDIRECTIONAL.exec(clean.value)
  if (found) {
    return unclean(`must have no bidirectional formatting characters, has ${codeOf(found[0])} at index ${found.index}`)
  }
  return comparableName(clean.value) === '' ? unclean('must not be white space alone') : clean
}

/** Names that are equal in this form are the same. */
export function comparableName(name: string): string {
  return name.trim()
}

/**
 * Whether the text has more than `max` characters in every normal form. It must not be normalized then: that takes
 * minutes for a megabyte of combining marks, because it sorts each run of them.
 */
export function isTooLong(text: string, max: number): boolean {
  return text.length > UNITS_IN_CHARACTER * max
}

const FOREIGN_LENGTH = 1_000

/** What a node or a provider said, as records can hold it: well-formed, of at most 1,000 UTF-16 code units. */
export function foreignText(said: unknown): string {
  return String(said).slice(0, FOREIGN_LENGTH).toWellFormed()
}

/** Letter case is ignored as Unicode folds it, so far as upper-casing does: STRASSE finds Straße. */
export function folded(text: string): string {
  return text.toLowerCase().toUpperCase()
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
