// The rows of one LMDB database. Every row carries a checksum of its key and value, checked when it is read; one that is
// only a key has none.
import type { Database, RootDatabase } from 'lmdb'
import { crc32 } from '../domain/values/digest.js'

export const CHECKSUM_BYTES = 4
/** In place of a version: options, which the types do not know there. */
const APPENDED = { append: true } as unknown as number
const REHEARSED_ROWS = 20
const REHEARSED = Buffer.alloc(1000)
/** Bytes of a row that is only a key. */
export const NOTHING_BYTES = 1

/** A record on disk differs from what was written: the file is damaged. */
export class DamagedRecord extends Error {
  constructor(table: string, key: string, options?: ErrorOptions) {
    super(`Record ${key} of ${table} is not what was written: the data file is damaged; restore a backup`, options)
  }
}

export interface RangeOptions {
  start?: string
  end?: string
  limit?: number
  offset?: number
  reverse?: boolean
}

export const isNothing = (bytes: Buffer): boolean => bytes.length === NOTHING_BYTES

export class StoredRows {
  readonly name: string
  readonly #db: Database<Buffer, string>
  readonly #fills: boolean
  /** No key in LMDB is later; undefined before the first write. */
  #last: string | undefined

  /** `fills`: most new rows come after all others, and LMDB fills its pages with them, in place of half-filling them. */
  constructor(root: RootDatabase, name: string, fills = false) {
    this.name = name
    this.#fills = fills
    this.#db = root.openDB<Buffer, string>({ name, encoding: 'binary' })
  }

  /** In the transaction of the caller; the first bytes of the value, which are the checksum's, are written here. */
  put(key: string, value: Buffer): void {
    if (!isNothing(value)) value.writeUInt32LE(this.#checksumOf(key, value))
    if (this.#fills && this.#isLast(key)) void this.#db.put(key, value, APPENDED)
    else void this.#db.put(key, value)
  }

  remove(key: string): void {
    void this.#db.remove(key)
  }

  get(key: string): Buffer | undefined {
    return this.#db.getBinary(key)
  }

  has(key: string): boolean {
    return this.#db.doesExist(key)
  }

  range(options: RangeOptions): Iterable<{ key: string; value: Buffer }> {
    return this.#db.getRange(options)
  }

  keys(options: RangeOptions): Iterable<string> {
    // lmdb writes into the options.
    return this.#db.getKeys({ ...options })
  }

  count(options: RangeOptions): number {
    return this.#db.getKeysCount({ ...options })
  }

  get size(): number {
    return (this.#db.getStats() as { entryCount: number }).entryCount
  }

  /** Throws DamagedRecord when the row is not what was written to this key of this table. */
  check(key: string, value: Buffer): void {
    if (isNothing(value)) return
    const isWhole = value.length >= CHECKSUM_BYTES && value.readUInt32LE() === this.#checksumOf(key, value)
    if (!isWhole) throw new DamagedRecord(this.name, key)
  }

  /** Writes test rows, in a transaction that the caller aborts. */
  rehearse(): void {
    for (let row = 0; row < REHEARSED_ROWS; row += 1) this.#db.putSync(`rehearsal/${row}`, REHEARSED)
  }

  /** CRC-32. Covers table and key too, so that a damaged index cannot pass off one record as another. */
  #checksumOf(key: string, value: Buffer): number {
    return crc32(value.subarray(CHECKSUM_BYTES), crc32(`${this.name}/${key}=`))
  }

  /** True for a key after all others; from then on it is the last. */
  #isLast(key: string): boolean {
    this.#last ??= this.#lastInLmdb()
    if (key <= this.#last) return false
    this.#last = key
    return true
  }

  #lastInLmdb(): string {
    for (const key of this.#db.getKeys({ reverse: true, limit: 1 })) return key
    return ''
  }
}
