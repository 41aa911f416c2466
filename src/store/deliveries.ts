// Deliveries of events: each as it was made, under its organization and id, which sorts by creation; an index of states
// for lists, which has what became of it since; and an index of what is due for each endpoint. Reads of ranges see what
// is on disk, never more.
import type { DeliveryPage, DeliveryPageQuery } from '../actor/query.js'
import { DELIVERY_STATUSES, endpointName, type Delivery, type DeliveryStatus } from '../domain/delivery.js'
import { isId, orderedPrefix } from '../domain/ids.js'
import { sortable, under } from './keys.js'
import type { Table } from './table.js'

/** A delivery that is waiting for its next attempt. */
export interface Due {
  id: string
  /** Epoch ms. */
  at: number
}

/** What is not as it was when the delivery was made. */
type Progress = Pick<Delivery, 'target' | 'attempts' | 'dueAt'>

const ORDERS_PER_MS = 1000
const LAST_OFFSET = 2 ** 31

export interface DeliveryTables {
  /** `organization/id`. */
  rows: Table<Delivery>
  /** `organization/status/id`; null until an attempt was made. */
  states: Table<Progress | null>
  /** `endpoint/dueAt/id`. */
  due: Table<null>
  counts: Table<number>
}

export class Deliveries {
  readonly #rows: Table<Delivery>
  readonly #states: Table<Progress | null>
  readonly #due: Table<null>
  readonly #counts: Table<number>
  /** What was forgotten, or given up, sorts before this. */
  #forgotten = ''

  constructor({ rows, states, due, counts }: DeliveryTables) {
    this.#rows = rows
    this.#states = states
    this.#due = due
    this.#counts = counts
  }

  /** Queues a new delivery for the commit of this stretch of the event loop. */
  add(delivery: Delivery): void {
    const { organization, id, status } = delivery
    this.#rows.put(`${organization}/${id}`, delivery)
    this.#count(organization, 1)
    this.#enter(organization, status, id, null)
    if (delivery.dueAt !== null) this.#due.put(dueKey(delivery, delivery.dueAt), null)
  }

  /** Queues what became of a delivery; nothing when it was given up or forgotten in the meantime. */
  change(before: Delivery, after: Delivery): void {
    const { organization, id, target, attempts, dueAt } = after
    const known = stateKey(organization, before.status, id)
    if (id < this.#forgotten && this.#states.get(known) === undefined) return
    const progress = { target, attempts, dueAt }
    // One that is damaged throws, which must not leave half of the change behind.
    for (const { status } of [before, after]) this.#counts.get(countKey(organization, status))
    if (before.status === after.status) {
      this.#states.put(known, progress)
    } else {
      this.#leave(organization, before.status, id)
      this.#enter(organization, after.status, id, progress)
    }
    if (before.dueAt !== null) this.#due.remove(dueKey(before, before.dueAt))
    if (dueAt !== null) this.#due.put(dueKey(after, dueAt), null)
  }

  get(organization: string, id: string): Delivery | undefined {
    const made = isId(id) ? this.#rows.get(`${organization}/${id}`) : undefined
    if (made === undefined) return undefined
    for (const status of DELIVERY_STATUSES) {
      const progress = this.#states.get(stateKey(organization, status, id))
      if (progress !== undefined) return { ...made, ...progress, status }
    }
    return undefined
  }

  /** Every endpoint that something is waiting for: one look-up each, however much is waiting. */
  *endpoints(): Generator<string> {
    let start = ''
    for (;;) {
      const [first] = [...this.#due.keys({ start, limit: 1 })]
      if (first === undefined) return
      const endpoint = first.slice(0, first.indexOf('/'))
      yield endpoint
      start = under(endpoint).end
    }
  }

  /** What is waiting for an endpoint, the longest first, due or not. */
  waiting(endpoint: string, limit: number): Due[] {
    return Array.from(this.#due.keys({ ...under(endpoint), limit }), (key) => {
      const [, at = '', id = ''] = key.split('/')
      return { id, at: Number(at) }
    })
  }

  /** One page, newest first; undefined when the cursor is none of this list's. */
  page({ organization, status, limit, offset, cursor }: DeliveryPageQuery): DeliveryPage | undefined {
    const list = status === undefined ? organization : `${organization}/${status}`
    const table: Table<unknown> = status === undefined ? this.#rows : this.#states
    if (cursor !== undefined && !isId(idIn(cursor))) return undefined
    const { start: end, end: last } = under(list)
    // Reverse ranges include their start: one character less than the row itself begins right behind it.
    const start = cursor === undefined ? last : `${list}/${idIn(cursor).slice(0, -1)}`
    const passed = cursor === undefined ? Math.min(offset, LAST_OFFSET) : 0
    const keys = [...table.keys({ start, end, reverse: true, offset: passed, limit: limit + 1 })]
    const ids = keys.map((key) => key.slice(key.lastIndexOf('/') + 1))
    const next = ids.length > limit ? cursorOf(ids[limit - 1]!) : undefined
    return {
      // One that was found on disk may be forgotten already.
      deliveries: ids.slice(0, limit).flatMap((id) => this.get(organization, id) ?? []),
      total: this.#counts.get(countKey(organization, status)) ?? 0,
      ...(next !== undefined && { nextCursor: next }),
    }
  }

  /**
   * Of the deliveries that were made before `at` (epoch ms): queues the removal of those that ended and gives up those
   * that still wait, up to `limit` of them; says how many.
   */
  forget(at: number, limit: number): number {
    const before = orderedPrefix(at * ORDERS_PER_MS)
    if (before > this.#forgotten) this.#forgotten = before
    let done = 0
    let start = ''
    while (done < limit) {
      const [first] = [...this.#states.keys({ start, limit: 1 })]
      if (first === undefined) break
      const organization = first.slice(0, first.indexOf('/'))
      for (const status of DELIVERY_STATUSES) done += this.#forgetOf(organization, status, before, limit - done)
      start = under(organization).end
    }
    return done
  }

  #forgetOf(organization: string, status: DeliveryStatus, before: string, limit: number): number {
    const list = `${organization}/${status}`
    let done = 0
    for (const key of this.#states.keys({ start: `${list}/`, end: `${list}/${before}` })) {
      if (done === limit) break
      // It has left this list, and only the commit is not there yet.
      if (this.#states.get(key) === undefined) continue
      const id = key.slice(key.lastIndexOf('/') + 1)
      if (status === 'PENDING') this.#giveUp(organization, id)
      else this.#remove(organization, status, id)
      done += 1
    }
    return done
  }

  #giveUp(organization: string, id: string): void {
    const waiting = this.get(organization, id)
    if (waiting) this.change(waiting, { ...waiting, status: 'FAILED', dueAt: null })
  }

  #remove(organization: string, status: DeliveryStatus, id: string): void {
    this.#rows.remove(`${organization}/${id}`)
    this.#count(organization, -1)
    this.#leave(organization, status, id)
  }

  #enter(organization: string, status: DeliveryStatus, id: string, progress: Progress | null): void {
    this.#states.put(stateKey(organization, status, id), progress)
    this.#count(organization, 1, status)
  }

  #leave(organization: string, status: DeliveryStatus, id: string): void {
    this.#states.remove(stateKey(organization, status, id))
    this.#count(organization, -1, status)
  }

  #count(organization: string, step: number, status?: DeliveryStatus): void {
    const key = countKey(organization, status)
    this.#counts.put(key, (this.#counts.get(key) ?? 0) + step)
  }
}

function countKey(organization: string, status: DeliveryStatus | undefined): string {
  return `deliveries/${organization}${status === undefined ? '' : `/${status}`}`
}

function stateKey(organization: string, status: DeliveryStatus, id: string): string {
  return `${organization}/${status}/${id}`
}

/** INVARIANT: an endpoint's name holds no slash. */
function dueKey({ organization, agentId, id }: Delivery, at: number): string {
  return `${endpointName(organization, agentId)}/${sortable(at)}/${id}`
}

function cursorOf(id: string): string {
  return Buffer.from(id).toString('base64url')
}

function idIn(cursor: string): string {
  return Buffer.from(cursor, 'base64url').toString()
}
