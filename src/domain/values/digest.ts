// SHA-256 of canonical text; CRC-32 for checksums. It takes no keys and keeps no secrets.
import { hash } from 'node:crypto'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'

export { crc32 } from 'node:zlib'

export function hexOf(bytes: Uint8Array): string {
  return bytesToHex(bytes)
}

/** Undefined unless the text is 32 bytes in lower-case hex. */
export function hashOfHex(text: unknown): Uint8Array | undefined {
  return typeof text === 'string' && /^[0-9a-f]{64}$/.test(text) ? hexToBytes(text) : undefined
}

/** 64 lower-case hex digits. The text must be well-formed, because all lone surrogates hash alike. */
export function sha256Hex(text: string): string {
  return hash('sha256', text, 'hex')
}

/** The same as 32 bytes. */
export function sha256(text: string): Uint8Array {
  // Node returns text several times faster than a buffer.
  const characters = hash('sha256', text, 'binary')
  const bytes = new Uint8Array(characters.length)
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = characters.charCodeAt(at)
  return bytes
}

/** 64 lower-case hex digits, over the bytes of the salt (hex) and the text in UTF-8. */
export function saltedSha256(salt: string, text: string): string {
  return hash('sha256', concatBytes(hexToBytes(salt), utf8ToBytes(text)), 'hex')
}
