// A journal in files of the data folder. Segments are written with zeros when they are made, because to write what a file
// already has is the only write that changes nothing else on the disk; one is used again as soon as LMDB has its entries.
import {
  closeSync,
  constants,
  fdatasync,
  fsync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  write,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { DATABASE } from '../folder/files.js'
import { fsyncPath } from '../folder/fsync.js'
import { seal } from './entry.js'
import {
  CONFIRMED,
  CONFIRMED_BYTES,
  confirmation,
  nextSector,
  removeJournal,
  seedOf,
  segmentPath,
  UNFINISHED,
} from './files.js'
import type { Journal } from './journal.js'

/** A second of load; LMDB is behind by some milliseconds. */
const SEGMENT_BYTES = 4 * 2 ** 20
const ZEROS = Buffer.alloc(2 ** 16)
/** Each write is one with a sync, where the system knows that. */
const SYNCED = process.platform === 'linux' ? constants.O_DSYNC : undefined

interface Segment {
  file: number
  bytes: number
  /** Where the next entry begins. */
  end: number
  /** The last entry. */
  last: number
}

const synced = promisify(fsync)

export class FileJournal implements Journal {
  #path: string
  readonly #seed: number
  readonly #confirmed: number
  readonly #confirmation = Buffer.alloc(CONFIRMED_BYTES)
  /** Open from the start: the system reports an error of a write to those who had the file open then. */
  readonly #database: number
  readonly #segments: Segment[] = []
  #current: Segment

  /** Makes the files, at `name` in the data folder, and brings them to disk. Entries up to `confirmed` are in LMDB. */
  constructor(folder: string, name: string, confirmed: number) {
    const path = join(folder, name)
    this.#seed = seedOf(name)
    this.#database = openSync(join(folder, DATABASE), 'r')
    this.#path = `${path}${UNFINISHED}`
    mkdirSync(this.#path, { mode: 0o700 })
    this.#confirmed = openSync(join(this.#path, CONFIRMED), 'wx', 0o600)
    this.confirm(confirmed)
    fsyncSync(this.#confirmed)
    this.#current = this.#newSegment(SEGMENT_BYTES)
    renameSync(this.#path, path)
    this.#path = path
    fsyncPath(folder)
  }

  append(sequence: number, entry: Buffer): Promise<void> {
    seal(entry, sequence, this.#seed)
    const segment = this.#roomFor(entry.length)
    const at = segment.end
    segment.end = nextSector(at + entry.length)
    segment.last = sequence
    return written(segment.file, entry, at)
  }

  confirm(sequence: number): void {
    writeSync(this.#confirmed, confirmation(sequence, this.#seed, this.#confirmation), 0, undefined, 0)
  }

  /** LMDB drops errors of the last write of a commit; the system tells them here. */
  async trim(sequence: number): Promise<void> {
    const over = this.#segments.filter((one) => one !== this.#current && one.end > 0 && one.last <= sequence)
    if (over.length === 0) return
    await synced(this.#database)
    for (const segment of over) segment.end = 0
  }

  async remove(): Promise<void> {
    await synced(this.#database)
    for (const file of [this.#database, this.#confirmed, ...this.#segments.map(({ file }) => file)]) closeSync(file)
    removeJournal(this.#path)
  }

  #roomFor(bytes: number): Segment {
    const { end, bytes: size } = this.#current
    if (end + bytes <= size) return this.#current
    const free = this.#segments.find((one) => one.end === 0 && bytes <= one.bytes)
    this.#current = free ?? this.#newSegment(Math.max(SEGMENT_BYTES, nextSector(bytes)))
    return this.#current
  }

  #newSegment(bytes: number): Segment {
    const path = segmentPath(this.#path, this.#segments.length + 1)
    const file = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600)
    for (let at = 0; at < bytes; at += ZEROS.length) writeSync(file, ZEROS, 0, Math.min(ZEROS.length, bytes - at), at)
    fsyncSync(file)
    closeSync(file)
    fsyncPath(this.#path)
    const segment = { file: openSync(path, constants.O_RDWR | (SYNCED ?? 0)), bytes, end: 0, last: 0 }
    this.#segments.push(segment)
    return segment
  }
}

function written(file: number, bytes: Buffer, at: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error: Error | null): void => (error ? reject(error) : resolve())
    write(file, bytes, 0, bytes.length, at, (error, count) => {
      if (error) reject(error)
      else if (count < bytes.length) reject(new Error(`The journal took ${count} of ${bytes.length} bytes`))
      else if (SYNCED === undefined) fdatasync(file, settle)
      else resolve()
    })
  })
}
