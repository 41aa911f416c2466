// Ed25519: verifies signatures by the key's 32 bytes, and signs checkpoints of audit logs with a seed of 32 bytes.
import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'

/** The prefixes of an Ed25519 key and seed in DER (RFC 8410). */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex')
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

/** False for an invalid or malformed signature. */
export function verifyEd25519(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const key = createPublicKey({ key: Buffer.concat([SPKI, publicKey]), format: 'der', type: 'spki' })
  return verify(null, message, key, signature)
}

export function checkpointKey(seed: Uint8Array) {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' })
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' })
  const publicKey: Uint8Array = spki.subarray(SPKI.length)
  return { publicKey, sign: (message: Uint8Array): Uint8Array => sign(null, message, key) }
}
