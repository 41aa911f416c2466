// The Ed25519 key that signs checkpoints of audit logs, from its 32-byte seed.
import { createPrivateKey, createPublicKey, sign } from 'node:crypto'

/** The PKCS #8 prefix of an Ed25519 seed (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')
const PUBLIC_BYTES = 32

export function checkpointKey(seed: Uint8Array): {
  publicKey: Uint8Array
  sign: (message: Uint8Array) => Uint8Array
} {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' })
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' })
  return { publicKey: spki.subarray(-PUBLIC_BYTES), sign: (message) => sign(null, message, key) }
}
