// Parses a verifier key from the command line.
import { readVerifierKey, type NoteKey } from '../../domain/audit/checkpoint.js'
import { UsageError } from './command.js'

/** Throws UsageError for a malformed key. */
export function keyIn(text: string | undefined): NoteKey | undefined {
  const key = text === undefined ? undefined : readVerifierKey(text)
  if (text !== undefined && !key) throw new UsageError('--key must be a verifier key of the form name+id+key')
  return key
}
