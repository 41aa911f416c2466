// The statistics of an organization's payments: sums by quarter of an hour, day and dimension. A change of a payment is
// counted in memory, in the turn that queues it; rows follow when much has been counted or some time has passed, so that
// a payment costs hardly anything. What memory alone has counted is marked by its quarter, and is counted again after a
// crash.
// INVARIANT: rows and memory together are what a scan of all payments gives.
import { setImmediate as pause } from 'node:timers/promises'
import { isOf, type Actor } from '../../actor/actor.js'
import { Unavailable } from '../../actor/host.js'
import { statusOf, type ChartBook } from '../../actor/turn.js'
import type { Ref } from '../../domain/limits/gate.js'
import {
  countedOf,
  QUARTER_MS,
  type CountedPayment,
  type StatsQuery,
  type StatsRead,
} from '../../domain/payment/stats.js'
import { fromBase36 } from '../../domain/values/base36.js'
import type { ActorChange } from '../change.js'
import type { Lists } from '../lists.js'
import type { Table } from '../table.js'
import { Cells } from './cells.js'
import { quarterKey, quartersIn, Recount } from './recount.js'
import { sumsOver } from './read.js'
import { StatsRows, type StatsRow, type ZoneSince } from './statsRows.js'

/** What memory has of a quarter before its rows are written. */
const MOST_CELLS = 5_000
/** What memory has of all quarters before rows are written. */
const MOST_QUARTERS = 1_000

/** A quarter of an hour of an organization, of which memory has what its rows lack. */
interface Open {
  organization: string
  quarter: number
  cells: Cells
  /** Its payments as they were at the start are counted. */
  isCounted: boolean
}

export interface StatsTables {
  rows: Table<StatsRow>
  zones: Table<ZoneSince[]>
  /** The quarters that memory has something of. */
  marks: Table<null>
}

/** What of the store statistics are made of. */
export interface StatsStore {
  actor<K extends string>(ref: Ref<K>): Actor<K> | undefined
  lists: Pick<Lists, 'between' | 'rows'>
  flushed(): Promise<void>
}

export class Stats {
  readonly #rows: StatsRows
  readonly #marks: Table<null>
  readonly #open = new Map<string, Open>()
  #recount: Recount | undefined
  #recounted: Promise<void> = Promise.resolve()
  /** Until the last rows that were written are durable. */
  #writing: Promise<void> | undefined
  /** Reads and flushes, one after the other. */
  #turn: Promise<void> = Promise.resolve()
  #flushing = false
  #flushedAt = 0
  #isEnding = false
  readonly #store: StatsStore

  constructor({ rows, zones, marks }: StatsTables, store: StatsStore) {
    const zoneOf = (organization: string): string =>
      store.actor(`organization/${organization}` as Ref<'organization'>)?.context.fields.timezone ?? 'UTC'
    this.#rows = new StatsRows(rows, zones, zoneOf)
    this.#marks = marks
    this.#store = store
  }

  /** Before the first change: what is marked has to be counted again, or all where nothing ever was. */
  begin({ isCounted, book }: { isCounted: boolean; book: ChartBook }): void {
    for (const key of isCounted ? this.#marks.keys({}) : quartersIn(this.#store.lists.rows)) {
      if (!isCounted) this.#marks.put(key, null)
      this.#opened(key, false)
    }
    if (this.#open.size === 0) return
    const counted = (ref: Ref<'payment'>): CountedPayment | undefined => {
      const payment = this.#store.actor(ref)
      return payment && countedOf(payment.context, statusOf(book, payment))
    }
    this.#recount = new Recount({ between: (...range) => this.#store.lists.between(...range), counted })
  }

  /** Counts what is marked; reads wait for it. Rejects when a payment cannot be read. */
  recount(): Promise<void> {
    this.#recounted = this.#countMarked()
    // A store that closes leaves what is marked to the next start.
    return this.#recounted.catch((error: unknown) => {
      if (!this.#isEnding) throw error
    })
  }

  async #countMarked(): Promise<void> {
    if (!this.#recount) return
    for (const open of this.#open.values()) {
      if (this.#isEnding) throw new Unavailable('The store is closed')
      if (open.isCounted) continue
      const cells = await this.#recount.quarter(open.organization, open.quarter)
      for (const [dimension, value, sums] of cells.all()) open.cells.add(dimension, value, sums)
      for (const [dimension, value, sums] of this.#rows.allOf(open.organization, open.quarter)) {
        open.cells.add(dimension, value, sums, -1)
      }
      open.isCounted = true
      this.#write(open)
      await this.#writing
    }
    this.#recount = undefined
  }

  /** Counts a change in the turn that queues it. */
  note(organization: string, at: number, { before, after, metaBefore, metaAfter }: ActorChange): void {
    if (isOf('organization', after) && isOf('organization', before)) this.#noteZone(organization, at, before, after)
    if (!isOf('payment', after)) return
    const was = isOf('payment', before) ? countedOf(before.context, metaBefore!.status) : undefined
    this.#count(organization, after.ref, was, countedOf(after.context, metaAfter.status))
  }

  #count(
    organization: string,
    ref: Ref<'payment'>,
    before: CountedPayment | undefined,
    after: CountedPayment | undefined,
  ): void {
    this.#recount?.changes(organization, ref, before)
    for (const [counted, sign] of [
      [before, -1],
      [after, 1],
    ] as const) {
      if (!counted) continue
      for (const quarter of new Set(counted.counts.map((one) => one.quarter))) {
        this.#touched(organization, quarter).cells.count(counted, quarter, sign)
      }
    }
    if (this.#open.size > MOST_QUARTERS) this.#flushSoon()
  }

  #noteZone(organization: string, at: number, before: Actor<'organization'>, after: Actor<'organization'>): void {
    const [from, to] = [before.context.fields.timezone, after.context.fields.timezone]
    if (from !== to) this.#rows.putZone(organization, at, from, to)
  }

  /** Writes rows where that was not done for a while; `now` in epoch ms. */
  async flushIfDue(now: number): Promise<void> {
    if (Math.abs(now - this.#flushedAt) < QUARTER_MS) return
    this.#flushedAt = now
    await this.#flush()
  }

  /** Writes all that is counted, and counts nothing again any more. */
  async end(): Promise<void> {
    this.#isEnding = true
    await this.#recounted.catch(() => {})
    await this.#flush()
  }

  /** Never in a turn that queues a change: what fails here must not fail a payment, and is counted again. */
  #flushSoon(): void {
    if (this.#flushing) return
    this.#flushing = true
    setImmediate(() => {
      void this.#flush()
        .catch(() => {})
        .finally(() => (this.#flushing = false))
    })
  }

  /** Queues the rows of what memory has counted, a quarter at a time, while nobody reads. */
  #flush(): Promise<void> {
    return this.#inTurn(async () => {
      // What is counted meanwhile waits for the next time.
      for (const open of [...this.#open.values()].filter(({ isCounted }) => isCounted)) {
        this.#write(open)
        await pause()
      }
    })
  }

  /** Undefined where there would be too much. With the sums of all payments. */
  async read(query: StatsQuery): Promise<{ rows: StatsRead; all: StatsRead } | undefined> {
    await this.#recounted
    return this.#inTurn(async () => {
      // What was written shows in a range when it is durable.
      while (this.#writing) await this.#writing
      const sums = (one: StatsQuery) => sumsOver(this.#rows, this.#unwritten(query.organization), one)
      const all: StatsQuery = { ...query, dimension: 'all', value: undefined, period: undefined }
      const [rows, totals] = await Promise.all([sums(query), sums(all)])
      return rows && totals && { rows, all: totals }
    })
  }

  /** One after the other: rows stay as they are while somebody reads. */
  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#turn.then(work)
    this.#turn = done.then(ignore, ignore)
    return done
  }

  *#unwritten(organization: string): Generator<[number, Cells]> {
    for (const open of this.#open.values()) if (open.organization === organization) yield [open.quarter, open.cells]
  }

  #touched(organization: string, quarter: number): Open {
    const key = quarterKey(organization, quarter)
    const open = this.#open.get(key)
    if (!open) {
      this.#marks.put(key, null)
      return this.#opened(key, true)
    }
    if (open.cells.size > MOST_CELLS) this.#flushSoon()
    return open
  }

  #opened(key: string, isCounted: boolean): Open {
    const [organization, digits] = key.split('/') as [string, string]
    const open = { organization, quarter: fromBase36(digits), cells: new Cells(), isCounted }
    this.#open.set(key, open)
    return open
  }

  #write({ organization, quarter, cells }: Open): void {
    const key = quarterKey(organization, quarter)
    this.#rows.put(organization, quarter, cells)
    this.#marks.remove(key)
    this.#open.delete(key)
    const writing = this.#store.flushed().finally(() => {
      if (this.#writing === writing) this.#writing = undefined
    })
    writing.catch(() => {})
    this.#writing = writing
  }
}

function ignore(): void {}
