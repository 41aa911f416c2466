// Verifies Ed25519 signatures, by the key's 32 bytes.
import { createPublicKey, verify } from 'node:crypto'

/** The SubjectPublicKeyInfo prefix of an Ed25519 key (RFC 8410). */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex')

/** False for an invalid or malformed signature. */
export function verifyEd25519(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const key = createPublicKey({ key: Buffer.concat([SPKI, publicKey]), format: 'der', type: 'spki' })
  return verify(null, message, key, signature)
}
