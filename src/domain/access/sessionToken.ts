// Tokens of sessions and set-up links: 32 random bytes as text. Only a keyed hash of a token is ever stored.
import { base64urlnopad } from '@scure/base'
import type { Random } from '../values/ids.js'

const BYTES = 32
const TOKEN = /^[\w-]{43}$/

export function mintToken(random: Random): string {
  return base64urlnopad.encode(random(BYTES))
}

/** False for text that cannot be a token and need not be looked up. */
export function isToken(text: string): boolean {
  return TOKEN.test(text)
}
