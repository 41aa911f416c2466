// The files of a journal: a folder in the data folder with segments, which are used in turn, and how far the entries are
// confirmed. Each process that takes a data folder over begins a journal of its own: one that goes on without knowing
// writes into files that nobody reads any more.
import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from '../../domain/values/digest.js'

/** Entries begin at sectors, so that none shares with another what the disk writes at once. */
export const SECTOR_BYTES = 512
const PREFIX = 'journal.'
export const UNFINISHED = '.unfinished'
export const CONFIRMED = 'confirmed'
const SEQUENCE_BYTES = 8
export const CONFIRMED_BYTES = SEQUENCE_BYTES + 4

/** Of a journal, or of one whose files were not complete yet. */
export const isOfJournals = (name: string): boolean => name.startsWith(PREFIX)
export const isJournal = (name: string): boolean => isOfJournals(name) && !name.endsWith(UNFINISHED)
export const journalName = (number: number, random: string): string => `${PREFIX}${number}.${random}`
const SEGMENT = '.segment'
export const segmentPath = (journal: string, number: number): string => join(journal, `${number}${SEGMENT}`)
export const isSegment = (name: string): boolean => name.endsWith(SEGMENT)
export const nextSector = (at: number): number => Math.ceil(at / SECTOR_BYTES) * SECTOR_BYTES

/** Removes a journal, or what is left of one: at no moment does a part of it look like a whole. */
export function removeJournal(path: string): void {
  const left = path.endsWith(UNFINISHED) ? path : `${path}${UNFINISHED}`
  if (left !== path && existsSync(path)) renameSync(path, left)
  rmSync(left, { recursive: true, force: true })
}

/** Checksums of its entries begin with it. */
export const seedOf = (name: string): number => crc32(name)

export function confirmation(sequence: number, seed: number, bytes: Buffer): Buffer {
  bytes.writeDoubleLE(sequence)
  bytes.writeUInt32LE(crc32(bytes.subarray(0, SEQUENCE_BYTES), seed), SEQUENCE_BYTES)
  return bytes
}

/** The sequence that is confirmed; undefined where the bytes are no confirmation. */
export function confirmedIn(bytes: Buffer, seed: number): number | undefined {
  if (bytes.length !== CONFIRMED_BYTES) return undefined
  const sequence = bytes.readDoubleLE()
  return confirmation(sequence, seed, Buffer.alloc(CONFIRMED_BYTES)).equals(bytes) ? sequence : undefined
}
