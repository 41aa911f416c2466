// Ids in CUID form, from randomness that is handed in or derived from what names the thing, so that a retry meets
// the same id.
/// <reference lib="es2024.string" />
import { sha256 } from './digest.js'

const ID = /^c[a-z0-9]{24}$/
const BYTES = 32
const THREE_DIGITS = 36 ** 3
const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz'

/** `c` and 24 base36 digits (124 bits): three from each of eight 32-bit words, whose bias is below 1 in 90,000. */
function cuid(bytes: Uint8Array): string {
  if (bytes.length < BYTES) throw new RangeError(`An id is made of ${BYTES} bytes, not of ${bytes.length}`)
  let id = 'c'
  for (let at = 0; at < BYTES; at += 4) {
    const word = ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0
    const value = word % THREE_DIGITS
    id += DIGITS[Math.floor(value / 36 ** 2)]! + DIGITS[Math.floor(value / 36) % 36]! + DIGITS[value % 36]!
  }
  return id
}

/** A new id from 32 bytes of `random(32)`; throws RangeError when it gives fewer. */
export function newId(random: (n: number) => Uint8Array): string {
  return cuid(random(BYTES))
}

/**
 * The id that these parts, in this order, always give. Each part goes in with its length, so that ['ab', 'c'] and
 * ['a', 'bc'] differ. Throws TypeError for lone surrogates, which would all hash alike.
 */
export function derivedId(...parts: string[]): string {
  let named = ''
  for (const part of parts) named += `${part.length}:${part}`
  if (!named.isWellFormed()) throw new TypeError('An id cannot be derived from text with lone surrogates')
  return cuid(sha256(named))
}

const ORDER_DIGITS = 11

/** How every `orderedId` of this order begins; later orders sort behind it. */
export function orderedPrefix(order: number): string {
  return `c${order.toString(36).padStart(ORDER_DIGITS, '0')}`
}

/** A new id that sorts by its order (a whole number below 2^53) before its randomness. */
export function orderedId(order: number, random: (n: number) => Uint8Array): string {
  return orderedPrefix(order) + newId(random).slice(1 + ORDER_DIGITS)
}

/** True for text in CUID form. */
export function isId(text: string): boolean {
  return ID.test(text)
}
