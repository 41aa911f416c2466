// The idempotency records of requests that made no payment, each with a row by which it is found when it expires.
import type { IdempotencyRecord } from '../../domain/outcomes/idempotencyRecord.js'
import type { Table } from '../table.js'
import { dueAt, expiryKey, recordKeyIn } from './keys.js'

export class IdempotencyRecords {
  readonly #rows: Table<IdempotencyRecord>
  readonly #expiries: Table<null>

  constructor(rows: Table<IdempotencyRecord>, expiries: Table<null>) {
    this.#rows = rows
    this.#expiries = expiries
  }

  get(key: string): IdempotencyRecord | undefined {
    return this.#rows.get(key)
  }

  put(record: IdempotencyRecord): void {
    const { key, expiresAt } = record
    this.#rows.put(key, record)
    if (expiresAt !== null) this.#expiries.put(expiryKey(expiresAt, key), null)
  }

  remove(key: string): void {
    const record = this.#rows.get(key)
    if (record === undefined) return
    this.#rows.remove(key)
    if (record.expiresAt !== null) this.#expiries.remove(expiryKey(record.expiresAt, key))
  }

  /** Removes up to `limit` records that have expired at `now` (epoch ms), the oldest first; false if there were none. */
  forget(now: number, limit: number): boolean {
    const over = [...this.#expiries.keys({ ...dueAt(now), limit })]
    for (const key of over) {
      this.#expiries.remove(key)
      const record = this.#rows.get(recordKeyIn(key))
      // The key may hold a newer record by now.
      if (record && record.expiresAt !== null && record.expiresAt <= now) this.#rows.remove(record.key)
    }
    return over.length > 0
  }
}
