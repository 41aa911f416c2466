// Ids in CUID form, from randomness handed in, or derived from names, so that a retry gets the same id.
/// <reference lib="es2024.string" />
import { base36, fromBase36 } from './base36.js'
import { sha256 } from './digest.js'

/** Orders in lists are in microseconds. */
export const ORDERS_PER_MS = 1000

/** So many random bytes. */
export type Random = (bytes: number) => Uint8Array

/** For what reads and draws nothing. */
export const noRandom: Random = () => {
  throw new RangeError('What only reads draws no random bytes')
}

const ID = /^c[a-z0-9]{24}$/
const BYTES = 32
const THREE_DIGITS = 36 ** 3
const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz'

/** Base36 digits of `length` bytes: three from each 32-bit word, with a bias below 1 in 90,000. */
function digitsOf(bytes: Uint8Array, length: number): string {
  if (bytes.length < length) throw new RangeError(`An id is made of ${length} bytes, not of ${bytes.length}`)
  let digits = ''
  for (let at = 0; at < length; at += 4) {
    const word = ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0
    const value = word % THREE_DIGITS
    digits += DIGITS[Math.floor(value / 36 ** 2)]! + DIGITS[Math.floor(value / 36) % 36]! + DIGITS[value % 36]!
  }
  return digits
}

/** `c` and 24 digits (124 bits). */
function cuid(bytes: Uint8Array): string {
  return `c${digitsOf(bytes, BYTES)}`
}

/** A new id from the 32 bytes of `random(32)`; throws RangeError when there are fewer. */
export function newId(random: Random): string {
  return cuid(random(BYTES))
}

/**
 * The id derived from these parts in this order. Each part is prefixed with its length, so that ['ab', 'c'] and ['a',
 * 'bc'] differ. Throws TypeError for lone surrogates, which would all hash alike.
 */
export function derivedId(...parts: string[]): string {
  let named = ''
  for (const part of parts) named += `${part.length}:${part}`
  if (!named.isWellFormed()) throw new TypeError('An id cannot be derived from text with lone surrogates')
  return cuid(sha256(named))
}

const ORDER_DIGITS = 11
/** Bytes for the 13 digits after the order's. */
const ORDERED_BYTES = 20

/** The beginning of every `orderedId` of this order; later orders sort after it. */
export function orderedPrefix(order: number): string {
  return `c${base36(order)}`
}

/** A new id that sorts by its order (a whole number below 2^53) before its randomness. */
export function orderedId(order: number, random: Random): string {
  return orderedPrefix(order) + digitsOf(random(ORDERED_BYTES), ORDERED_BYTES).slice(0, 24 - ORDER_DIGITS)
}

export function orderOf(id: string): number {
  return fromBase36(id.slice(1, 1 + ORDER_DIGITS))
}

export function isId(text: string): boolean {
  return ID.test(text)
}
