// Ed25519 as commands verify it, and the key that somebody names on the command line.
import { createPublicKey, verify } from 'node:crypto'
import { readVerifierKey, type NoteKey } from '../domain/checkpoint.js'
import { UsageError } from './command.js'

/** SubjectPublicKeyInfo of an Ed25519 key up to the key (RFC 8410). */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex')

/** False for whatever is not a right signature. */
export function verifyEd25519(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const key = createPublicKey({ key: Buffer.concat([SPKI, publicKey]), format: 'der', type: 'spki' })
  return verify(null, message, key, signature)
}

/** Throws UsageError for a text that is no key. */
export function keyIn(text: string | undefined): NoteKey | undefined {
  const key = text === undefined ? undefined : readVerifierKey(text)
  if (text !== undefined && !key) throw new UsageError('--key must be a verifier key, name+id+key')
  return key
}
