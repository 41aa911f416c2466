// The installation's secrets: files of 32 random bytes in the data folder, readable by their owner alone.
import { hash, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { Failure } from './failure.js'
import { writeWhole } from '../store/folder/fsync.js'

const BYTES = 32

const OTHERS = 0o077

/** The names of the secrets that every installation has. */
export const KEYHASH_SECRET = 'keyhash.secret'
export const CHECKPOINT_SECRET = 'checkpoint.secret'
export const WEBHOOKS_SECRET = 'webhooks.secret'

/**
 * The secret in this file, made when the file is missing. Throws when others may read it, or when it is not 32 bytes in
 * hex.
 */
export function secretIn(path: string): Uint8Array {
  if (!existsSync(path)) {
    const secret = randomBytes(BYTES).toString('hex')
    writeWhole(path, secret, `${path}.${randomBytes(4).toString('hex')}.unfinished`)
  }
  // File modes mean something on POSIX systems alone.
  if (process.platform !== 'win32' && (statSync(path).mode & OTHERS) !== 0) {
    throw new Failure(`${path} is open to others than its owner: take their rights away (chmod 600)`)
  }
  const kept = Buffer.from(readFileSync(path, 'utf8').trim(), 'hex')
  if (kept.length !== BYTES) throw new Failure(`${path} does not hold ${BYTES} bytes in hex: restore it from a backup`)
  return kept
}

/** Hashes keys and tokens (hex) under this secret. Both have fixed lengths, so that their boundary is unambiguous. */
export function keyHasher(secret: Uint8Array): (key: string) => string {
  const first = Buffer.from(secret).toString('hex')
  return (key) => hash('sha256', first + key, 'hex')
}
