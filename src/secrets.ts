// The installation's own secrets: files of 32 random bytes in the data folder, readable by their owner alone.
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'

const BYTES = 32

/** The secret in this file; made when there is none. Throws when the file does not hold 32 bytes in hex. */
export function secretIn(path: string): Uint8Array {
  const made = randomBytes(BYTES)
  try {
    writeFileSync(path, made.toString('hex'), { flag: 'wx', mode: 0o600, flush: true })
    return made
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const kept = Buffer.from(readFileSync(path, 'utf8').trim(), 'hex')
  if (kept.length !== BYTES) throw new Error(`${path} does not hold ${BYTES} bytes in hex: restore it from a backup`)
  return kept
}
