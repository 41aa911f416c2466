// One LMDB database of JSON records. Every record carries a checksum of its key and value, checked when it is read; a
// record that is only a key has none. This process sees a write at once, although LMDB shows it only after the commit.
import type { Database, RootDatabase } from 'lmdb'
import { crc32 } from '../domain/values/digest.js'
import { under } from './records/keys.js'
import type { WriteSource, Writer } from './writer.js'

const CHECKSUM_BYTES = 4
/** In place of a version: options, which the types do not know there. */
const APPENDED = { append: true } as unknown as number
const REHEARSED_ROWS = 20
const REHEARSED = Buffer.alloc(1000)
/** Stored value of a record that is only a key. */
const NOTHING = Buffer.from([0])
/** LMDB's limit. */
const MAX_KEY_BYTES = 1978

/** A record on disk differs from what was written: the file is damaged. */
export class DamagedRecord extends Error {
  constructor(table: string, key: string) {
    super(`Record ${key} of ${table} is not what was written: the data file is damaged; restore a backup`)
  }
}

/** CRC-32. Covers table and key too, so that a damaged index cannot pass off one record as another. */
function checksumOf(table: string, key: string, text: Buffer): number {
  return crc32(text, crc32(`${table}/${key}=`))
}

/** The text; throws DamagedRecord when the record is not what was written to this key of this table. */
function checkedText(table: string, key: string, bytes: Buffer): Buffer {
  const text = bytes.subarray(CHECKSUM_BYTES)
  const isWhole = bytes.length >= CHECKSUM_BYTES && bytes.readUInt32LE() === checksumOf(table, key, text)
  if (!isWhole) throw new DamagedRecord(table, key)
  return text
}

export interface RangeOptions {
  start?: string
  end?: string
  limit?: number
  offset?: number
  reverse?: boolean
}

/** A value to be written, or what gives its JSON text; a removal has neither. */
interface Waiting<Value> {
  value?: Value
  json?: () => string
}

export class Table<Value> implements WriteSource {
  readonly name: string
  readonly #db: Database<Buffer, string>
  readonly #writer: Writer
  #queued = new Map<string, Waiting<Value>>()
  /** Handed to LMDB and not yet known to be on disk. */
  #inFlight = new Map<string, Waiting<Value>>()
  /** The same as LMDB stores it. */
  #encoded: [key: string, bytes: Buffer | undefined][] = []
  readonly #fills: boolean
  /** No key in LMDB is later; undefined before the first write. */
  #last: string | undefined

  /** `fills`: most new rows come after all others, and LMDB fills its pages with them, in place of half-filling them. */
  constructor(root: RootDatabase, name: string, writer: Writer, fills = false) {
    this.name = name
    this.#writer = writer
    this.#fills = fills
    this.#db = root.openDB<Buffer, string>({ name, encoding: 'binary' })
    writer.register(this)
  }

  get(key: string): Value | undefined {
    const waiting = this.#queued.get(key) ?? this.#inFlight.get(key)
    if (waiting === undefined) return this.committed(key)
    return waiting.json === undefined ? waiting.value : (JSON.parse(waiting.json()) as Value)
  }

  /** The value on disk, without pending writes. */
  committed(key: string): Value | undefined {
    const bytes = this.#db.getBinary(key)
    return bytes === undefined ? undefined : this.#decode(key, bytes)
  }

  /** The value on disk, and the size of its record in bytes. */
  sized(key: string): { value: Value; bytes: number } | undefined {
    const bytes = this.#db.getBinary(key)
    return bytes === undefined ? undefined : { value: this.#decode(key, bytes), bytes: bytes.length }
  }

  /** Queues a value for the commit of this stretch of the event loop; the caller must not change it any more. */
  put(key: string, value: Value): void {
    this.#queue(key, { value })
  }

  /** The same for JSON that is made once: when the commit begins, in the order of the puts, or when it is read before. */
  putJson(key: string, make: () => string): void {
    let json: string | undefined
    this.#queue(key, { json: () => (json ??= make()) })
  }

  remove(key: string): void {
    this.#queue(key, {})
  }

  #queue(key: string, waiting: Waiting<Value>): void {
    if (key.length > MAX_KEY_BYTES / 3 && Buffer.byteLength(key) > MAX_KEY_BYTES) {
      throw new RangeError(`A key of ${this.name} is too long`)
    }
    this.#writer.wake()
    this.#queued.set(key, waiting)
  }

  /** True while a write of this record is not yet known to be on disk. */
  isUnderWay(key: string): boolean {
    return this.#queued.has(key) || this.#inFlight.has(key)
  }

  take(): void {
    this.#inFlight = this.#queued
    this.#queued = new Map()
    for (const [key, waiting] of this.#inFlight) this.#encoded.push([key, this.#encode(key, waiting)])
  }

  write(): void {
    for (const [key, bytes] of this.#encoded) {
      if (bytes === undefined) void this.#db.remove(key)
      else if (this.#fills && this.#isLast(key)) void this.#db.put(key, bytes, APPENDED)
      else void this.#db.put(key, bytes)
    }
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

  settled(): void {
    this.#inFlight = new Map()
    this.#encoded = []
  }

  /** Committed records in key order. */
  *range(options: RangeOptions): Generator<[string, Value]> {
    for (const { key, value } of this.#db.getRange(options)) yield [key, this.#decode(key, value)]
  }

  /** Committed keys in order, each when its record has turned out to be what was written. */
  *checkedKeys(options: RangeOptions): Generator<string> {
    for (const { key, value } of this.#db.getRange(options)) {
      if (!value.equals(NOTHING)) checkedText(this.name, key, value)
      yield key
    }
  }

  /** Committed keys in order, without their values. */
  keys(options: RangeOptions): Iterable<string> {
    return this.#db.getKeys(options)
  }

  /** Keys between `start` and `end` in descending order, pending writes included, at most `limit`. */
  latest({ start, end, limit }: { start: string; end: string; limit: number }): string[] {
    const pending = this.pending({ start, end })
    const committed: string[] = []
    if (limit > 0) {
      for (const key of this.#db.getKeys({ start: end, end: start, reverse: true })) {
        if (!pending.has(key) && committed.push(key) === limit) break
      }
    }
    const queued = [...pending].flatMap(([key, isKept]) => (isKept ? [key] : []))
    if (queued.length === 0) return committed
    return [...queued, ...committed].sort().reverse().slice(0, limit)
  }

  /** Keys between `start` and `end` that are queued or handed to LMDB; false for a removal. */
  pending({ start, end }: { start: string; end: string }): Map<string, boolean> {
    const pending = new Map<string, boolean>()
    for (const writes of [this.#inFlight, this.#queued]) {
      for (const [key, { value, json }] of writes) {
        if (key > start && key < end) pending.set(key, value !== undefined || json !== undefined)
      }
    }
    return pending
  }

  /** True for a record that a read shows, pending writes left out. */
  isOnDisk(key: string): boolean {
    return this.#db.doesExist(key)
  }

  /** Number of committed records. */
  get size(): number {
    return (this.#db.getStats() as { entryCount: number }).entryCount
  }

  countKeys(options: RangeOptions): number {
    return this.#db.getKeysCount(options)
  }

  /** Writes test rows, in a transaction that the caller aborts. */
  rehearse(): void {
    for (let row = 0; row < REHEARSED_ROWS; row += 1) this.#db.putSync(`rehearsal/${row}`, REHEARSED)
  }

  /** Undefined for a removal. */
  #encode(key: string, { value, json }: Waiting<Value>): Buffer | undefined {
    if (json !== undefined) return this.#withChecksum(key, json())
    if (value === undefined) return undefined
    return value === null ? NOTHING : this.#withChecksum(key, JSON.stringify(value))
  }

  #withChecksum(key: string, text: string): Buffer {
    const bytes = this.#writer.bytes.add(CHECKSUM_BYTES, text)
    bytes.writeUInt32LE(checksumOf(this.name, key, bytes.subarray(CHECKSUM_BYTES)))
    return bytes
  }

  #decode(key: string, bytes: Buffer): Value {
    if (bytes.equals(NOTHING)) return null as Value
    return JSON.parse(checkedText(this.name, key, bytes).toString()) as Value
  }
}

/** The distinct first parts of keys: one look-up each, however many keys share one. */
export function* firstParts(table: Table<unknown>): Generator<string> {
  let start = ''
  for (;;) {
    const [first] = [...table.keys({ start, limit: 1 })]
    if (first === undefined) return
    const firstPart = first.slice(0, first.indexOf('/'))
    yield firstPart
    start = under(firstPart).end
  }
}
