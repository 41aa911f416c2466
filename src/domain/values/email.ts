// E-mail addresses as sign-in names. Bursar sends no mail; addresses are only compared.
import { derivedId } from './ids.js'
import { cleanText } from './text.js'

/** The address of a first owner for whom nobody has named one. */
export const NO_ONES_EMAIL = 'owner@localhost'

const EMAIL = /^[^\s@]+@[^\s@]+$/u
/** RFC 5321. */
const MOST = 254

/** The one form that is stored and compared: NFC and lower case. Undefined for text that is no address. */
export function parseEmail(text: string): string | undefined {
  const clean = cleanText(text, { min: 3, max: MOST })
  if (!clean.ok || !EMAIL.test(clean.value)) return undefined
  return clean.value.toLowerCase().normalize('NFC')
}

/** The address as part of a store key: an address itself may hold a slash. */
export function emailKey(email: string): string {
  return derivedId('email', email)
}
