// E-mail addresses as the names that people sign in with. Bursar sends no mail; an address is only compared.
import { derivedId } from './ids.js'
import { cleanText } from './text.js'

const EMAIL = /^[^\s@]+@[^\s@]+$/u
/** Of RFC 5321. */
const MOST = 254

/** The address in the one form that is stored and compared: NFC and lower case. Undefined for what is none. */
export function parseEmail(text: string): string | undefined {
  const clean = cleanText(text, { min: 3, max: MOST })
  if (!clean.ok || !EMAIL.test(clean.value)) return undefined
  return clean.value.toLowerCase().normalize('NFC')
}

/** A name for the address that can stand in a key of the store, where an address may hold a slash. */
export function emailKey(email: string): string {
  return derivedId('email', email)
}
