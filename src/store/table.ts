// One table of records, JSON or bytes, as this process sees it. A write shows at once, although LMDB has it later: `get`
// sees what is queued, and everything else what is durable.
import type { RootDatabase } from 'lmdb'
import type { EntryWriter } from './journal/entry.js'
import { merged } from './merged.js'
import { under } from './records/keys.js'
import { CHECKSUM_BYTES, isNothing, NOTHING_BYTES, StoredRows, type RangeOptions } from './storedRows.js'
import { TakenWrites } from './takenWrites.js'
import type { WriteSource, Writer } from './writer.js'
import { bytesOf, Writes, type KeyRange, type Write } from './writes.js'

/** LMDB's limit. */
const MAX_KEY_BYTES = 1978

export interface TableOptions {
  /** As of StoredRows. */
  fills?: boolean
  /** Values are bytes, not JSON. */
  isBinary?: boolean
}

export class Table<Value> implements WriteSource {
  readonly name: string
  readonly #rows: StoredRows
  readonly #writer: Writer
  readonly #isBinary: boolean
  readonly #writes = new Writes<Value>()

  constructor(
    root: RootDatabase,
    name: string,
    writer: Writer,
    { fills = false, isBinary = false }: TableOptions = {},
  ) {
    this.name = name
    this.#isBinary = isBinary
    this.#writer = writer
    this.#rows = new StoredRows(root, name, fills)
    writer.register(this)
  }

  get(key: string): Value | undefined {
    const write = this.#writes.newest(key)
    return write ? this.#valueOf(write) : this.#stored(key)
  }

  /** The durable value, without pending writes. */
  committed(key: string): Value | undefined {
    const write = this.#durable(key)
    return write ? this.#valueOf(write) : this.#stored(key)
  }

  /** The durable value, and the size of its record in bytes. */
  sized(key: string): { value: Value; bytes: number } | undefined {
    const write = this.#durable(key)
    if (write) return write.isRemoval ? undefined : { value: this.#valueOf(write)!, bytes: write.to - write.from }
    const bytes = this.#rows.get(key)
    return bytes && { value: this.#decode(key, bytes), bytes: bytes.length }
  }

  /** The durable value as it is stored. */
  bytes(key: string): Buffer | undefined {
    const write = this.#durable(key)
    if (write?.isRemoval) return undefined
    // A copy, since an entry's memory is used again; those of LMDB are copies.
    if (write) return Buffer.from(bytesOf(write).subarray(CHECKSUM_BYTES))
    const bytes = this.#rows.get(key)
    if (bytes) this.#rows.check(key, bytes)
    return bytes?.subarray(CHECKSUM_BYTES)
  }

  /** Queues a value for the commit of this stretch of the event loop; the caller must not change it any more. */
  put(key: string, value: Value): void {
    this.#queue(key, value, undefined)
  }

  /** The same for JSON that is made once: when the commit begins, in the order of the puts, or when it is read before. */
  putJson(key: string, make: () => string): void {
    let json: string | undefined
    this.#queue(key, undefined, () => (json ??= make()))
  }

  remove(key: string): void {
    this.#queue(key, undefined, undefined)
  }

  #queue(key: string, value: Value | undefined, json: (() => string) | undefined): void {
    if (key.length > MAX_KEY_BYTES / 3 && Buffer.byteLength(key) > MAX_KEY_BYTES) {
      throw new RangeError(`A key of ${this.name} is too long`)
    }
    this.#writer.wake()
    this.#writes.queue(key, value, json)
  }

  /** True while a write of this record is not yet known to be durable. */
  isUnderWay(key: string): boolean {
    return this.#writes.isPending(key, this.#writer.durable)
  }

  take(entry: EntryWriter): TakenWrites<Value> | undefined {
    const taken = this.#writes.take()
    if (taken.length === 0) return undefined
    entry.table(this.name, taken.length)
    for (const write of taken) this.#encode(entry, write)
    return new TakenWrites(taken, this.#writes, this.#rows)
  }

  /** Durable records in key order. */
  *range(options: RangeOptions): Generator<[string, Value]> {
    const range = bounds(options)
    // What is read later may not be in memory any more.
    const writes = this.#writes
      .durableIn(range, this.#writer.durable)
      .map((write) => ({ key: write.key, isRemoval: write.isRemoval, read: this.#valueOf(write)! }))
    if (writes.length === 0) {
      for (const { key, value } of this.#rows.range(options)) yield [key, this.#decode(key, value)]
      return
    }
    for (const row of merged(this.#rows.range(range), writes, options)) {
      yield [row.key, 'read' in row ? row.read : this.#decode(row.key, row.value)]
    }
  }

  /** Their keys. */
  keys(options: RangeOptions): Iterable<string> {
    const range = bounds(options)
    const writes = this.#writes.durableIn(range, this.#writer.durable)
    return writes.length === 0 ? this.#rows.keys(options) : keysOf(merged(this.#rows.range(range), writes, options))
  }

  /** Keys in LMDB in order, each when its record has turned out to be what was written. */
  *checkedKeys(options: RangeOptions): Generator<string> {
    for (const { key, value } of this.#rows.range(options)) {
      this.#rows.check(key, value)
      yield key
    }
  }

  /** Keys between `start` and `end` in descending order, pending writes included, at most `limit`. */
  latest({ start, end, limit }: { start: string; end: string; limit: number }): string[] {
    const writes = this.#writes.between(start, end)
    const found: string[] = []
    if (limit > 0) {
      for (const key of this.#rows.keys({ start: end, end: start, reverse: true })) {
        if (!writes.has(key) && found.push(key) === limit) break
      }
    }
    const written = [...writes].flatMap(([key, isKept]) => (isKept ? [key] : []))
    if (written.length === 0) return found
    return [...written, ...found].sort().reverse().slice(0, limit)
  }

  /** Keys between `start` and `end` with writes that are not yet known to be durable; false for a removal. */
  pending({ start, end }: { start: string; end: string }): Map<string, boolean> {
    return this.#writes.between(start, end, this.#writer.durable)
  }

  /** True for a record that a read shows, pending writes left out. */
  isOnDisk(key: string): boolean {
    const write = this.#durable(key)
    return write ? !write.isRemoval : this.#rows.has(key)
  }

  /** Number of records in LMDB. */
  get size(): number {
    return this.#rows.size
  }

  /** Number of durable records. */
  countKeys(options: RangeOptions): number {
    let count = this.#rows.count(options)
    for (const { key, isRemoval } of this.#writes.durableIn(options, this.#writer.durable)) {
      if (this.#rows.has(key) === isRemoval) count += isRemoval ? -1 : 1
    }
    return count
  }

  /** Writes test rows, in a transaction that the caller aborts. */
  rehearse(): void {
    this.#rows.rehearse()
  }

  #durable(key: string): Write<Value> | undefined {
    return this.#writes.durable(key, this.#writer.durable)
  }

  #stored(key: string): Value | undefined {
    const bytes = this.#rows.get(key)
    return bytes && this.#decode(key, bytes)
  }

  /** The entry has the value from then on: to keep it besides would cost more than to decode it when it is read. */
  #encode(entry: EntryWriter, write: Write<Value>): void {
    const { key, value, json } = write
    if (write.isRemoval) entry.removal(key)
    else if (value === null) write.from = entry.value(key, NOTHING_BYTES, '')
    else if (this.#isBinary) write.from = entry.binary(key, CHECKSUM_BYTES, value as unknown as Buffer)
    else write.from = entry.value(key, CHECKSUM_BYTES, json?.() ?? JSON.stringify(value))
    write.to = entry.end
    write.entry = entry
    write.value = undefined
    write.json = undefined
  }

  #valueOf(write: Write<Value>): Value | undefined {
    const { value, json, isRemoval, entry } = write
    if (isRemoval) return undefined
    if (entry) return this.#parse(bytesOf(write))
    return json === undefined ? value : (JSON.parse(json()) as Value)
  }

  #decode(key: string, bytes: Buffer): Value {
    this.#rows.check(key, bytes)
    return this.#parse(bytes)
  }

  #parse(bytes: Buffer): Value {
    if (isNothing(bytes)) return null as Value
    if (this.#isBinary) return Buffer.from(bytes.subarray(CHECKSUM_BYTES)) as Value
    return JSON.parse(bytes.toString('utf8', CHECKSUM_BYTES)) as Value
  }
}

/** The range without a number of rows. */
function bounds({ limit: _limit, offset: _offset, ...range }: RangeOptions): KeyRange {
  return range
}

function* keysOf(rows: Iterable<{ key: string }>): Generator<string> {
  for (const { key } of rows) yield key
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
