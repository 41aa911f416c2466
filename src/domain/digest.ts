// SHA-256 of text: the digest of what has a canonical form. It takes no keys and keeps no secrets.
import { hash } from 'node:crypto'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'

export function hexOf(bytes: Uint8Array): string {
  return bytesToHex(bytes)
}

/** Undefined for what is not the lower-case hex of 32 bytes. */
export function hashOfHex(text: unknown): Uint8Array | undefined {
  return typeof text === 'string' && /^[0-9a-f]{64}$/.test(text) ? hexToBytes(text) : undefined
}

/** 64 lower-case hex digits; of well-formed text only, because all lone surrogates would hash alike. */
export function sha256Hex(text: string): string {
  return hash('sha256', text, 'hex')
}

/** The 32 bytes of the same. */
export function sha256(text: string): Uint8Array {
  // Node gives text in a fraction of the time that it takes for a buffer.
  const characters = hash('sha256', text, 'binary')
  const bytes = new Uint8Array(characters.length)
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = characters.charCodeAt(at)
  return bytes
}
