// The installation's own secrets: files of 32 random bytes in the data folder, readable by their owner alone.
import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'

const BYTES = 32

/** The secret in this file; made when there is none. Throws when the file does not hold 32 bytes in hex. */
export function secretIn(path: string): Uint8Array {
  const unfinished = `${path}.${randomBytes(4).toString('hex')}`
  // Linked only when it is whole on disk: a start that is cut short leaves no half of a secret under its name.
  writeFileSync(unfinished, randomBytes(BYTES).toString('hex'), { flag: 'wx', mode: 0o600, flush: true })
  try {
    linkSync(unfinished, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    unlinkSync(unfinished)
  }
  const kept = Buffer.from(readFileSync(path, 'utf8').trim(), 'hex')
  if (kept.length !== BYTES) throw new Error(`${path} does not hold ${BYTES} bytes in hex: restore it from a backup`)
  return kept
}
