// Password rules, and the form that is hashed. NFKC, because keyboards write the same character in several ways.
/// <reference lib="es2024.string" />
import { isTooLong } from './text.js'

export const PASSWORD_LENGTH = { min: 12, max: 128 } as const
/** Fewer distinct characters are little more than one key held down. */
const DISTINCT = 4

export function normalPassword(password: string): string {
  return password.normalize('NFKC')
}

/** Why the password is refused; undefined when it is accepted. */
export function passwordProblem(password: string): string | undefined {
  if (!password.isWellFormed()) return 'must be well-formed Unicode, without lone surrogates'
  const { min, max } = PASSWORD_LENGTH
  const characters = [...(isTooLong(password, max) ? password : normalPassword(password))]
  if (characters.length < min || characters.length > max) return `must have ${min} to ${max} characters`
  return new Set(characters).size < DISTINCT ? `must have at least ${DISTINCT} different characters` : undefined
}
