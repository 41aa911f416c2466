// Webhook deliveries: each as it was created, by organization and id (ids sort by creation); its progress by status,
// for lists; and its due time by endpoint. Fresh deliveries are in neither of the two indexes. Range reads see only
// what is on disk.
import { base36, fromBase36 } from '../domain/values/base36.js'
import type { DeliveryPage, DeliveryPageQuery } from '../actor/query.js'
import { DELIVERY_STATUSES, endpointIn, endpointName } from '../domain/outcomes/delivery.js'
import type { Delivery, DeliveryStatus, DeliveryProgress } from '../domain/outcomes/delivery.js'
import { OUTCOME_EVENTS } from '../domain/outcomes/channel.js'
import { isId, orderedPrefix, ORDERS_PER_MS } from '../domain/values/ids.js'
import { FreshDeliveries } from './freshDeliveries.js'
import { LAST_OFFSET, under } from './records/keys.js'
import { firstParts, type Table } from './table.js'

/** A delivery that is waiting for its next attempt. */
export interface Due {
  id: string
  /** Epoch ms. */
  at: number
}

/** Key of the count that holds the lowest order a fresh row may have. */
const FRESH_FROM = 'deliveries'
/** With a damaged count every delivery of a list fails: the list is left after so many. */
const MAX_DAMAGED = 100

/** The latest delivery of a channel. */
export interface LastDelivery {
  id: string
  /** Epoch ms of its last attempt; before the first, of its creation. */
  at: number
  status: DeliveryStatus
}

/** Messages that receivers named, on one subject; more than any request has steps. */
const MOST_RECEIPTS = 20

export interface DeliveryTables {
  /** `organization/id`. */
  rows: Table<Delivery>
  /** `organization/status/id`; null before the first attempt. */
  states: Table<DeliveryProgress | null>
  /** `endpoint/dueAt/id`. */
  due: Table<null>
  counts: Table<number>
  /** `organization/channelId`. */
  latest: Table<LastDelivery>
  /** What receivers called their messages, `organization/channelId/subject`, until the subject has an outcome. */
  receipts: Table<string[]>
}

export class Deliveries {
  readonly #rows: Table<Delivery>
  readonly #states: Table<DeliveryProgress | null>
  readonly #due: Table<null>
  readonly #counts: Table<number>
  readonly #latest: Table<LastDelivery>
  readonly #receipts: Table<string[]>
  readonly #fresh: FreshDeliveries
  /** Every id that was forgotten or given up is lower. */
  #forgotten = ''

  /** Recovers the deliveries that were fresh when the process ended. */
  constructor({ rows, states, due, counts, latest, receipts }: DeliveryTables) {
    this.#rows = rows
    this.#states = states
    this.#due = due
    this.#counts = counts
    this.#latest = latest
    this.#receipts = receipts
    this.#fresh = new FreshDeliveries((delivery) => !due.isUnderWay(dueKey(delivery, delivery.dueAt!)))
    const from = counts.get(FRESH_FROM)
    if (from !== undefined) for (const organization of firstParts(rows)) this.#recall(organization, from)
  }

  /** Queues a new delivery for the commit of this stretch of the event loop. */
  add(delivery: Delivery): void {
    const { from } = this.#fresh
    this.#rows.put(rowKey(delivery.organization, delivery.id), delivery)
    for (const old of this.#fresh.add(delivery)) this.#enter(old, null)
    if (this.#fresh.from !== from) this.#counts.put(FRESH_FROM, this.#fresh.from)
    if (delivery.channelId !== undefined) this.#note(delivery, delivery.channelId, delivery.createdAt, delivery.status)
  }

  /** The latest delivery of a channel. */
  last(organization: string, channelId: string): LastDelivery | undefined {
    return this.#latest.get(`${organization}/${channelId}`)
  }

  receipts(delivery: Delivery): readonly string[] {
    const key = receiptsKey(delivery)
    return key === undefined ? NO_RECEIPTS : (this.#receipts.get(key) ?? NO_RECEIPTS)
  }

  /** Queues the removal of all that a channel's receiver has named: its messages change no more. */
  forgetReceipts(organization: string, channelId: string): void {
    for (const key of this.#receipts.keys(under(`${organization}/${channelId}`))) this.#receipts.remove(key)
  }

  /**
   * Queues the progress of a pending delivery; does nothing when it was given up or forgotten in the meantime. `receipt`
   * is what the receiver calls the message.
   */
  change(delivery: Delivery, progress: DeliveryProgress, receipt?: string): void {
    const { organization, id, channelId } = delivery
    if (channelId !== undefined) this.#noteProgress(delivery, channelId, progress, receipt)
    if (!this.#fresh.has(id)) {
      if (id < this.#forgotten && this.#states.get(stateKey(organization, 'PENDING', id)) === undefined) return
      // Read first: a damaged count throws, which must not leave half of the change queued.
      this.#counts.get(countKey(organization, progress.status))
      this.#leave(organization, 'PENDING', id)
      if (delivery.dueAt !== null) this.#due.remove(dueKey(delivery, delivery.dueAt))
    }
    this.#enter(delivery, progress)
  }

  get(organization: string, id: string): Delivery | undefined {
    const fresh = this.#fresh.get(id)
    if (fresh?.organization === organization) return fresh
    const made = isId(id) ? this.#rows.get(rowKey(organization, id)) : undefined
    const progress = made && this.#progress(organization, id)
    return made && progress !== undefined ? { ...made, ...progress } : undefined
  }

  /** Every endpoint with waiting deliveries: one look-up each, however many are waiting. */
  endpoints(): Set<string> {
    const fresh = this.#fresh.which(() => true).map(endpointOfDelivery)
    return new Set([...firstParts(this.#due), ...fresh])
  }

  /** The waiting deliveries of an endpoint, due or not, the earliest due time first. */
  waiting(endpoint: string, limit: number): Due[] {
    const { organization, agentId, channelId } = endpointIn(endpoint)
    const waiting = new Map<string, Due>()
    const fresh = this.#freshOnDisk(
      (one) => one.organization === organization && one.agentId === agentId && one.channelId === channelId,
    )
    for (const { id, dueAt } of fresh) waiting.set(id, { id, at: dueAt! })
    // Keys on disk take precedence: a key that is about to move still counts towards the limit.
    for (const key of this.#due.keys({ ...under(endpoint), limit })) {
      const [, at = '', id = ''] = key.split('/')
      waiting.set(id, { id, at: fromBase36(at) })
    }
    return [...waiting.values()].sort((one, other) => one.at - other.at).slice(0, limit)
  }

  /** One page, newest first; undefined when the cursor does not belong to this list. */
  page({ organization, status, limit, offset, cursor }: DeliveryPageQuery): DeliveryPage | undefined {
    const list = status === undefined ? organization : `${organization}/${status}`
    const table: Table<unknown> = status === undefined ? this.#rows : this.#states
    const before = cursor === undefined ? undefined : Buffer.from(cursor, 'base64url').toString()
    if (before !== undefined && !isId(before)) return undefined
    const { start: end, end: last } = under(list)
    // Reverse ranges include their start: the row's key without its last character begins right after the row.
    const start = before === undefined ? last : `${list}/${before.slice(0, -1)}`
    const passed = before === undefined ? Math.min(offset, LAST_OFFSET) : 0
    const matches = (one: Delivery): boolean => one.organization === organization && (!before || one.id < before)
    const fresh = status === 'PENDING' ? this.#unlisted(organization, matches) : []
    // Fresh deliveries may sort anywhere among the keys, so the offset on the keys is smaller by their number.
    const unseen = Math.max(0, passed - fresh.length)
    const keys = table.keys({ start, end, reverse: true, offset: unseen, limit: fresh.length + limit + 1 })
    const found = [...new Set([...fresh, ...Array.from(keys, idInKey)])].sort().reverse()
    const ids = found.slice(passed - unseen, passed - unseen + limit + 1)
    const next = ids.length > limit ? Buffer.from(ids[limit - 1]!).toString('base64url') : undefined
    return {
      // A delivery that was found on disk may be forgotten by now.
      deliveries: ids.slice(0, limit).flatMap((id) => this.get(organization, id) ?? []),
      total: this.#total(organization, status),
      ...(next !== undefined && { nextCursor: next }),
    }
  }

  /**
   * Handles deliveries that were created before `at` (epoch ms), up to `limit`: queues the removal of those that ended
   * and gives up those that still wait. Returns how many; damaged ones are reported, and do not count.
   */
  forget(at: number, limit: number, onError: (error: unknown) => void): number {
    const before = orderedPrefix(at * ORDERS_PER_MS)
    if (before > this.#forgotten) this.#forgotten = before
    const waiting = this.#fresh.which(({ id }) => id < before)
    let done = handled(waiting, limit, onError, (delivery) => this.#giveUp(delivery))
    for (const organization of firstParts(this.#states)) {
      for (const status of DELIVERY_STATUSES) {
        const list = `${organization}/${status}`
        const keys = this.#states.keys({ start: `${list}/`, end: `${list}/${before}` })
        done += handled(keys, limit - done, onError, (key) => this.#forgetOne(organization, status, key))
      }
      if (done >= limit) break
    }
    return done
  }

  #noteProgress(delivery: Delivery, channelId: string, { status, attempts }: DeliveryProgress, receipt?: string): void {
    this.#note(delivery, channelId, attempts.at(-1)?.at ?? delivery.createdAt, status)
    const key = receiptsKey(delivery)
    if (key === undefined) return
    if (OUTCOME_EVENTS.includes(delivery.event)) {
      if (status !== 'PENDING') this.#receipts.remove(key)
    } else if (receipt !== undefined)
      this.#receipts.put(key, [...this.receipts(delivery), receipt].slice(-MOST_RECEIPTS))
  }

  #note({ id, organization }: Delivery, channelId: string, at: number, status: DeliveryStatus): void {
    const key = `${organization}/${channelId}`
    const known = this.#latest.get(key)
    if (known === undefined || known.id <= id) this.#latest.put(key, { id, at, status })
  }

  #forgetOne(organization: string, status: DeliveryStatus, key: string): boolean {
    // The delivery has left this list, but its commit is still pending.
    if (this.#states.get(key) === undefined) return false
    const id = idInKey(key)
    const waiting = status === 'PENDING' ? this.get(organization, id) : undefined
    if (waiting) this.#giveUp(waiting)
    else this.#remove(organization, status, id)
    return true
  }

  #giveUp(delivery: Delivery): true {
    const { target, attempts } = delivery
    this.change(delivery, { target, status: 'FAILED', attempts, dueAt: null })
    return true
  }

  #remove(organization: string, status: DeliveryStatus, id: string): void {
    this.#leave(organization, status, id)
    this.#rows.remove(rowKey(organization, id))
  }

  #recall(organization: string, from: number): void {
    const { end } = under(organization)
    for (const key of this.#rows.keys({ start: rowKey(organization, orderedPrefix(from)), end })) {
      const isFresh = this.#progress(organization, idInKey(key)) === undefined
      this.#fresh.recall(from, isFresh ? this.#rows.get(key) : undefined)
    }
  }

  /** Null before the first attempt; undefined for a delivery in no list, which is fresh or forgotten. */
  #progress(organization: string, id: string): DeliveryProgress | null | undefined {
    for (const status of DELIVERY_STATUSES) {
      const progress = this.#states.get(stateKey(organization, status, id))
      if (progress !== undefined) return progress
    }
    return undefined
  }

  #freshOnDisk(matches: (delivery: Delivery) => boolean): Delivery[] {
    const isOnDisk = ({ organization, id }: Delivery): boolean => !this.#rows.isUnderWay(rowKey(organization, id))
    return this.#fresh.which((delivery) => matches(delivery) && isOnDisk(delivery))
  }

  /** Ids of pending deliveries on disk that the index does not show yet. */
  #unlisted(organization: string, matches: (delivery: Delivery) => boolean): string[] {
    const isListed = (id: string): boolean =>
      this.#states.committed(stateKey(organization, 'PENDING', id)) !== undefined
    const ids = this.#freshOnDisk(matches).map(({ id }) => id)
    return ids.filter((id) => this.#fresh.has(id) || !isListed(id))
  }

  #total(organization: string, status: DeliveryStatus | undefined): number {
    if (status === undefined) return DELIVERY_STATUSES.reduce((sum, each) => sum + this.#total(organization, each), 0)
    const counted = this.#counts.get(countKey(organization, status)) ?? 0
    return status === 'PENDING' ? counted + this.#fresh.countOf(organization) : counted
  }

  /** `progress` is null before the first attempt. */
  #enter(delivery: Delivery, progress: DeliveryProgress | null): void {
    const { organization, id } = delivery
    const { status, dueAt } = progress ?? delivery
    this.#count(organization, status, 1)
    this.#states.put(stateKey(organization, status, id), progress)
    if (dueAt === null) return this.#fresh.delete(id)
    this.#due.put(dueKey(delivery, dueAt), null)
    this.#fresh.leave(progress ? { ...delivery, ...progress } : delivery)
  }

  #leave(organization: string, status: DeliveryStatus, id: string): void {
    this.#count(organization, status, -1)
    this.#states.remove(stateKey(organization, status, id))
  }

  #count(organization: string, status: DeliveryStatus, step: number): void {
    const key = countKey(organization, status)
    this.#counts.put(key, (this.#counts.get(key) ?? 0) + step)
  }
}

/** Handles up to `limit` items and returns how many; what throws is reported and does not count, nor does `false`. */
function handled<Item>(
  items: Iterable<Item>,
  limit: number,
  onError: (error: unknown) => void,
  handle: (item: Item) => boolean,
): number {
  let [done, damaged] = [0, 0]
  for (const item of items) {
    if (done >= limit || damaged === MAX_DAMAGED) break
    try {
      if (handle(item)) done += 1
    } catch (error) {
      damaged += 1
      onError(error)
    }
  }
  return done
}

function countKey(organization: string, status: DeliveryStatus): string {
  return `deliveries/${organization}/${status}`
}

function rowKey(organization: string, id: string): string {
  return `${organization}/${id}`
}

function stateKey(organization: string, status: DeliveryStatus, id: string): string {
  return `${organization}/${status}/${id}`
}

const NO_RECEIPTS: readonly string[] = []

/** Undefined for a delivery that is about nothing with an outcome. */
function receiptsKey({ organization, channelId, subject }: Delivery): string | undefined {
  return channelId === undefined || subject === undefined ? undefined : `${organization}/${channelId}/${subject}`
}

function endpointOfDelivery({ organization, agentId, channelId }: Delivery): string {
  return endpointName(organization, agentId, channelId)
}

/** INVARIANT: an endpoint's name holds no slash. */
function dueKey(delivery: Delivery, at: number): string {
  return `${endpointOfDelivery(delivery)}/${base36(at)}/${delivery.id}`
}

function idInKey(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1)
}
