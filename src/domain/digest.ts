// SHA-256 of text, in hex: the digest of what has a canonical form. It takes no keys and keeps no secrets.
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** 64 lower-case hex digits; of well-formed text only, because all lone surrogates would hash alike. */
export function sha256Hex(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)))
}
