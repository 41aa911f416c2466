// One LMDB database of JSON records. Every record carries a digest of itself and of where it belongs, checked when it
// is read; a record that is nothing but its key has none. A write is visible to this process at once although LMDB
// shows it only after the commit.
import { hash } from 'node:crypto'
import type { Database, RootDatabase } from 'lmdb'
import type { Source, Writer } from './writer.js'

const DIGEST_BYTES = 16
const REHEARSED_ROWS = 20
const REHEARSED = Buffer.alloc(1000)
/** What stands behind a key that says everything. */
const NOTHING = Buffer.from([0])
/** LMDB's own bound. */
const MAX_KEY_BYTES = 1978

/** A record on disk is not what was written: the file is damaged. */
export class DamagedRecord extends Error {
  constructor(table: string, key: string) {
    super(`Record ${key} of ${table} does not match its digest: the data file is damaged; restore a backup`)
  }
}

/** Over table and key too: a damaged index must not pass off one record as another. */
function digestOf(bytes: Buffer): string {
  return hash('sha256', bytes, 'binary').slice(0, DIGEST_BYTES)
}

/** What is hashed before the text. */
const placeOf = (table: string, key: string): string => `${table}/${key}=`

/** The record's text; throws DamagedRecord when it is not what was written to this key of this table. */
function checkDigest(table: string, key: string, bytes: Buffer): string {
  const text = bytes.toString('utf8', DIGEST_BYTES)
  const digest = digestOf(Buffer.from(placeOf(table, key) + text))
  if (digest !== bytes.toString('latin1', 0, DIGEST_BYTES)) throw new DamagedRecord(table, key)
  return text
}

/** The record's digest and text: the digest is written over the place that was hashed before the text. */
function withDigest(table: string, key: string, text: string): Buffer {
  const place = placeOf(table, key)
  const from = Buffer.byteLength(place)
  const bytes = Buffer.allocUnsafe(DIGEST_BYTES + from + Buffer.byteLength(text))
  bytes.write(place + text, DIGEST_BYTES)
  const digest = digestOf(bytes.subarray(DIGEST_BYTES))
  bytes.write(digest, from, 'latin1')
  return bytes.subarray(from)
}

export interface RangeOptions {
  start?: string
  end?: string
  limit?: number
  offset?: number
  reverse?: boolean
}

/** A value that waits to be written; none marks a removal. */
interface Waiting<Value> {
  value: Value | undefined
}

export class Table<Value> implements Source {
  readonly name: string
  readonly #db: Database<Buffer, string>
  readonly #writer: Writer
  #queued = new Map<string, Waiting<Value>>()
  /** Handed to LMDB and not yet known to be on disk. */
  #inFlight = new Map<string, Waiting<Value>>()
  /** The same as LMDB stores it. */
  #encoded: [key: string, bytes: Buffer | undefined][] = []

  constructor(root: RootDatabase, name: string, writer: Writer) {
    this.name = name
    this.#writer = writer
    this.#db = root.openDB<Buffer, string>({ name, encoding: 'binary' })
    writer.register(this)
  }

  get(key: string): Value | undefined {
    const waiting = this.#queued.get(key) ?? this.#inFlight.get(key)
    return waiting ? waiting.value : this.committed(key)
  }

  /** The value without the writes that are still on their way. */
  committed(key: string): Value | undefined {
    const bytes = this.#db.getBinary(key)
    return bytes === undefined ? undefined : this.#decode(key, bytes)
  }

  /** Queues a value for the commit of this stretch of the event loop; it must not be changed any more. */
  put(key: string, value: Value): void {
    if (key.length > MAX_KEY_BYTES / 3 && Buffer.byteLength(key) > MAX_KEY_BYTES) {
      throw new RangeError(`A key of ${this.name} is too long`)
    }
    this.#writer.wake()
    this.#queued.set(key, { value })
  }

  remove(key: string): void {
    this.#writer.wake()
    this.#queued.set(key, { value: undefined })
  }

  /** A write of this record is not yet known to be on disk. */
  isUnderWay(key: string): boolean {
    return this.#queued.has(key) || this.#inFlight.has(key)
  }

  take(): void {
    this.#inFlight = this.#queued
    this.#queued = new Map()
    for (const [key, { value }] of this.#inFlight) {
      this.#encoded.push([key, value === undefined ? undefined : this.#encode(key, value)])
    }
  }

  write(): void {
    for (const [key, bytes] of this.#encoded) {
      if (bytes) void this.#db.put(key, bytes)
      else void this.#db.remove(key)
    }
  }

  settled(): void {
    this.#inFlight = new Map()
    this.#encoded = []
  }

  /** Committed records in key order. */
  *range(options: RangeOptions): Generator<[string, Value]> {
    for (const { key, value } of this.#db.getRange(options)) yield [key, this.#decode(key, value)]
  }

  /** Committed keys in order, without their values. */
  keys(options: RangeOptions): Iterable<string> {
    return this.#db.getKeys(options)
  }

  /** Committed records. */
  get size(): number {
    return (this.#db.getStats() as { entryCount: number }).entryCount
  }

  countKeys(options: RangeOptions): number {
    return this.#db.getKeysCount(options)
  }

  /** Writes in a transaction that its caller ends without a trace. */
  rehearse(): void {
    for (let row = 0; row < REHEARSED_ROWS; row += 1) this.#db.putSync(`rehearsal/${row}`, REHEARSED)
  }

  #encode(key: string, value: Value): Buffer {
    return value === null ? NOTHING : withDigest(this.name, key, JSON.stringify(value))
  }

  #decode(key: string, bytes: Buffer): Value {
    if (bytes.equals(NOTHING)) return null as Value
    return JSON.parse(checkDigest(this.name, key, bytes)) as Value
  }
}
