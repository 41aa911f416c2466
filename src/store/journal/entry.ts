// The rows of one commit as one piece of bytes, the same in every journal: a header of checksum, length and sequence, then
// table by table its name and its rows, each with key and value. Values are as LMDB stores them, but for their checksums,
// which are made when they are stored: of a row that is written again and again only once.
import { crc32 } from '../../domain/values/digest.js'

const CHECKSUM_BYTES = 4
const LENGTH_AT = CHECKSUM_BYTES
const SEQUENCE_AT = 8
const HEADER_BYTES = 16
/** In place of a length. */
const REMOVED = 0xffff_ffff
/** UTF-8 bytes of a UTF-16 code unit at most. */
const MOST_BYTES = 3
/** What a row takes besides key and value. */
const ROW_BYTES = 6
const TABLE_BYTES = 5

/** An entry without rows. */
export const emptyEntry = (): Buffer => Buffer.alloc(HEADER_BYTES)

export class EntryWriter {
  #bytes: Buffer
  #end = HEADER_BYTES

  /** Writes into `room`, or into memory of its own where that is too small. */
  constructor(
    readonly sequence: number,
    room: Buffer,
  ) {
    this.#bytes = room
  }

  get bytes(): Buffer {
    return this.#bytes
  }

  /** Bytes so far; where a value begins. */
  get end(): number {
    return this.#end
  }

  /** `rows` rows of the table follow. */
  table(name: string, rows: number): void {
    this.#makeRoom(TABLE_BYTES + MOST_BYTES * name.length)
    const length = this.#bytes.write(name, this.#end + 1)
    this.#end = this.#bytes.writeUInt8(length, this.#end) + length
    this.#end = this.#bytes.writeUInt32LE(rows, this.#end)
  }

  removal(key: string): void {
    this.#key(key, 0)
    this.#end = this.#bytes.writeUInt32LE(REMOVED, this.#end)
  }

  /** A value of `text` behind `before` zero bytes; returns where it begins. It ends where the entry does. */
  value(key: string, before: number, text: string): number {
    this.#key(key, before + MOST_BYTES * text.length)
    const from = this.#end + 4
    this.#bytes.fill(0, from, from + before)
    const length = before + this.#bytes.write(text, from + before)
    this.#bytes.writeUInt32LE(length, this.#end)
    this.#end = from + length
    return from
  }

  /** The same of bytes. */
  binary(key: string, before: number, value: Uint8Array): number {
    this.#key(key, before + value.length)
    const from = this.#end + 4
    this.#bytes.fill(0, from, from + before)
    this.#bytes.set(value, from + before)
    this.#bytes.writeUInt32LE(before + value.length, this.#end)
    this.#end = from + before + value.length
    return from
  }

  #key(key: string, more: number): void {
    this.#makeRoom(ROW_BYTES + MOST_BYTES * key.length + more)
    const length = this.#bytes.write(key, this.#end + 2)
    this.#end = this.#bytes.writeUInt16LE(length, this.#end) + length
  }

  #makeRoom(bytes: number): void {
    if (this.#end + bytes <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(2 * (this.#end + bytes))
    this.#bytes.copy(larger, 0, 0, this.#end)
    this.#bytes = larger
  }
}

/** Completes the header; entries of a journal with another seed are none. */
export function seal(entry: Buffer, sequence: number, seed: number): void {
  entry.writeUInt32LE(entry.length, LENGTH_AT)
  entry.writeDoubleLE(sequence, SEQUENCE_AT)
  entry.writeUInt32LE(checksumOf(entry, seed))
}

const checksumOf = (entry: Buffer, seed: number): number => crc32(entry.subarray(CHECKSUM_BYTES), seed)

export interface JournalEntry {
  sequence: number
  /** With the header. */
  bytes: Buffer
}

/** The entry that begins there; undefined where none is whole. */
export function entryAt(bytes: Buffer, at: number, seed: number): JournalEntry | undefined {
  if (at + HEADER_BYTES > bytes.length) return undefined
  const length = bytes.readUInt32LE(at + LENGTH_AT)
  if (length < HEADER_BYTES || at + length > bytes.length) return undefined
  const entry = bytes.subarray(at, at + length)
  if (entry.readUInt32LE() !== checksumOf(entry, seed)) return undefined
  return { sequence: entry.readDoubleLE(SEQUENCE_AT), bytes: entry }
}

export interface JournalRow {
  table: string
  key: string
  /** Undefined for a removal. */
  value: Buffer | undefined
}

/** The rows of a whole entry; of these tables alone, where some are named. */
export function* rowsIn(entry: Buffer, tables?: ReadonlySet<string>): Generator<JournalRow> {
  let at = HEADER_BYTES
  const text = (length: number): string => entry.toString('utf8', (at += length) - length, at)
  while (at < entry.length) {
    const table = text(entry.readUInt8(at++))
    const rows = entry.readUInt32LE(at)
    at += 4
    if (tables?.has(table) === false) {
      at = endOfRows(entry, at, rows)
      continue
    }
    for (let row = 0; row < rows; row += 1) {
      const keyLength = entry.readUInt16LE(at)
      at += 2
      const key = text(keyLength)
      const length = entry.readUInt32LE(at)
      at += 4
      if (length === REMOVED) yield { table, key, value: undefined }
      else yield { table, key, value: entry.subarray(at, (at += length)) }
    }
  }
}

function endOfRows(entry: Buffer, from: number, rows: number): number {
  let at = from
  for (let row = 0; row < rows; row += 1) {
    at += 2 + entry.readUInt16LE(at)
    const length = entry.readUInt32LE(at)
    at += 4 + (length === REMOVED ? 0 : length)
  }
  return at
}
