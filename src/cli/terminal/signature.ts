// Verifies Ed25519 signatures, and parses a verifier key from the command line.
import { createPublicKey, verify } from 'node:crypto'
import { readVerifierKey, type NoteKey } from '../../domain/audit/checkpoint.js'
import { UsageError } from './command.js'

/** The SubjectPublicKeyInfo prefix of an Ed25519 key (RFC 8410). */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex')

/** False for an invalid or malformed signature. */
export function verifyEd25519(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const key = createPublicKey({ key: Buffer.concat([SPKI, publicKey]), format: 'der', type: 'spki' })
  return verify(null, message, key, signature)
}

/** Throws UsageError for a malformed key. */
export function keyIn(text: string | undefined): NoteKey | undefined {
  const key = text === undefined ? undefined : readVerifierKey(text)
  if (text !== undefined && !key) throw new UsageError('--key must be a verifier key of the form name+id+key')
  return key
}
