// One LMDB database of JSON records. Every record carries a digest of itself that is checked when it is read, and a
// write is visible to this process at once although LMDB shows it only after the commit.
import { hash } from 'node:crypto'
import type { Database, RootDatabase } from 'lmdb'
import type { Json } from '../domain/canonical.js'

const DIGEST_BYTES = 16

/** A record on disk is not what was written: the file is damaged. */
export class DamagedRecord extends Error {
  constructor(table: string, key: string) {
    super(`Record ${key} of ${table} does not match its digest: the data file is damaged; restore a backup`)
  }
}

const digestOf = (bytes: Uint8Array): Buffer => hash('sha256', bytes, 'buffer').subarray(0, DIGEST_BYTES)

function encode(value: Json): Buffer {
  const body = Buffer.from(JSON.stringify(value))
  return Buffer.concat([digestOf(body), body])
}

export interface RangeOptions {
  start?: string
  end?: string
  limit?: number
  offset?: number
  reverse?: boolean
}

export class Table<Value> {
  readonly #name: string
  readonly #db: Database<Buffer, string>
  /** Values handed to LMDB and not yet known to be on disk; undefined marks a removal. */
  readonly #pending = new Map<string, { value: Value | undefined }>()

  constructor(root: RootDatabase, name: string) {
    this.#name = name
    this.#db = root.openDB<Buffer, string>({ name, encoding: 'binary' })
  }

  get(key: string): Value | undefined {
    const pending = this.#pending.get(key)
    if (pending) return pending.value
    const bytes = this.#db.getBinary(key)
    return bytes === undefined ? undefined : this.#decode(key, bytes)
  }

  /** Queues a write for the commit of this event turn; the returned function forgets the pending value. */
  put(key: string, value: Value): () => void {
    void this.#db.put(key, encode(value as Json))
    return this.#await(key, value)
  }

  remove(key: string): () => void {
    void this.#db.remove(key)
    return this.#await(key, undefined)
  }

  /** Committed records in key order. */
  *range(options: RangeOptions): Generator<[string, Value]> {
    for (const { key, value } of this.#db.getRange(options)) yield [key, this.#decode(key, value)]
  }

  /** Committed keys in order, without their values. */
  keys(options: RangeOptions): Iterable<string> {
    return this.#db.getKeys(options)
  }

  countKeys(options: RangeOptions): number {
    return this.#db.getKeysCount(options)
  }

  #await(key: string, value: Value | undefined): () => void {
    const pending = { value }
    this.#pending.set(key, pending)
    return () => {
      if (this.#pending.get(key) === pending) this.#pending.delete(key)
    }
  }

  #decode(key: string, bytes: Buffer): Value {
    const body = bytes.subarray(DIGEST_BYTES)
    if (!digestOf(body).equals(bytes.subarray(0, DIGEST_BYTES))) throw new DamagedRecord(this.#name, key)
    return JSON.parse(body.toString()) as Value
  }
}
