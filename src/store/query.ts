// The reading side of the store: pages of lists, look-ups, idempotency records. Its answers show only what is on disk.
import { idOf, type Actor } from '../actor/actor.js'
import { keyedMutex } from '../async/keyedMutex.js'
import type { Ref } from '../domain/limits/gate.js'
import type {
  CounterpartySearch,
  DeliveryPage,
  DeliveryPageQuery,
  ListedPayment,
  Page,
  PageQuery,
  Paging,
  QueryPort,
  Sought,
} from '../actor/query.js'
import { BoundedCache } from '../domain/values/boundedCache.js'
import type { Delivery } from '../domain/outcomes/delivery.js'
import { ORDERS_PER_MS } from '../domain/values/ids.js'
import type { IdempotencyRecord } from '../domain/outcomes/idempotencyRecord.js'
import type { StatsQuery, StatsRead } from '../domain/payment/stats.js'
import { listOf, type List, type LookUp } from '../domain/values/lists.js'
import { NO_ROW, type NetworkRow } from '../domain/parties/networkTotals.js'
import type { PolicyVersion } from '../domain/parties/policy.js'
import { LAST_OFFSET, listKey, orderInKey, refInKey, under, versionKey } from './records/keys.js'
import { afterCursor, boundsOf, cursorOf, firstAt, rowOf, type ListRange } from './places.js'
import { keyBatches, Scan } from './scan.js'
import type { LastDelivery } from './deliveries.js'
import { precedes } from './searchIndex.js'
import { Pace } from '../async/pace.js'
import type { Store } from './store.js'

export class Query implements QueryPort {
  readonly #store: Store
  readonly #isGone: (actor: Actor) => boolean
  readonly #lookups = new BoundedCache<string, Ref>(20_000)
  /** Serializes the reading of a whole list. */
  readonly #inTurn = keyedMutex()
  readonly #scan: Scan

  /** `isGone` tells which actors lists show no more. */
  constructor(store: Store, isGone: (actor: Actor) => boolean) {
    this.#store = store
    this.#isGone = isGone
    this.#scan = new Scan(store, isGone)
  }

  /** One page of a list, newest first; undefined when the cursor does not belong to this list. */
  async page<K extends string>(query: PageQuery<K>): Promise<Page<K> | undefined> {
    return this.#onDisk(this.#page(query) as Page<K> | undefined)
  }

  #page(query: PageQuery): Page | undefined {
    const { list, limit, cursor } = query
    const bounds = boundsOf(query)
    const after = cursor === undefined ? bounds.start : afterCursor(list, cursor)
    if (after === undefined) return undefined
    const start = after < bounds.start ? after : bounds.start
    const offset = cursor === undefined ? Math.min(query.offset, LAST_OFFSET) : 0
    const options = { start, end: bounds.end, reverse: true, offset, limit: limit + 1 }
    const keys = [...this.#store.lists.rows.keys(options)]
    const shown = keys.slice(0, limit)
    const last = shown.at(-1)
    return {
      actors: shown.map((key) => this.#store.committed(this.#store.lists.refIn(list, key))!),
      total: this.#total(query, bounds),
      ...(keys.length > limit && last !== undefined && { nextCursor: cursorOf(list, last) }),
    }
  }

  async filtered<K extends string>(
    query: PageQuery<K>,
    keep: (actor: Actor<K>) => boolean,
  ): Promise<Page<K> | undefined> {
    const kept = await this.#inTurn(query.list, () => this.#kept(query.list, keep))
    return this.#onDisk(this.#cut(kept, query))
  }

  /** The rows of a list with the actors that `keep` accepts, read in steps, newest first. */
  async #kept<K extends string>(list: List<K>, keep: (actor: Actor<K>) => boolean): Promise<[string, Actor<K>][]> {
    const kept: [string, Actor<K>][] = []
    const pace = new Pace()
    for (const keys of keyBatches(this.#store.lists, list, boundsOf({ list }))) {
      for (const key of keys) {
        const { value, bytes } = this.#store.sized(this.#store.lists.refIn(list, key))!
        const actor = value as Actor<K>
        // Others work meanwhile, and may have removed what the keys named.
        if (!this.#isGone(actor) && keep(actor)) kept.push([key, actor])
        await pace.after(bytes)
      }
    }
    return kept
  }

  async sought<K extends string>(
    query: PageQuery<K>,
    keep: (actor: Actor<K>) => boolean,
    most: number,
  ): Promise<Sought<K> | undefined> {
    const { list, cursor } = query
    const after = cursor === undefined ? undefined : afterCursor(list, cursor)
    if (cursor !== undefined && after === undefined) return undefined
    return this.#onDisk(await this.#inTurn(list, () => this.#scan.page(query, after, keep, most)))
  }

  every<K extends string>(
    query: Pick<PageQuery<K>, 'list' | 'from' | 'to'>,
    keep: (actor: Actor<K>) => boolean,
  ): AsyncIterable<Actor<K>[]> {
    return this.#scan.batches(query, keep)
  }

  async among<K extends string>(name: string, refs: readonly Ref<K>[], paging: Paging): Promise<Page<K> | undefined> {
    const list = listOf<K>(name)
    const rows = refs.map((ref): [string, Actor<K>] => {
      const actor = this.#store.committed(ref)!
      return [listKey(list, (actor as Actor).context.order!, ref), actor]
    })
    return this.#onDisk(
      this.#cut(
        rows.sort(([a], [b]) => (a < b ? 1 : -1)),
        { ...paging, list },
      ),
    )
  }

  /** Cuts a page from complete rows, newest first; undefined when the cursor is invalid. */
  #cut<K extends string>(kept: [string, Actor<K>][], query: PageQuery<K>): Page<K> | undefined {
    const { list, limit, cursor } = query
    const start = cursor === undefined ? undefined : afterCursor(list, cursor)
    if (cursor !== undefined && start === undefined) return undefined
    const first = start === undefined ? query.offset : kept.filter(([key]) => key > start).length
    const shown = kept.slice(first, first + limit)
    const last = shown.at(-1)
    return {
      actors: shown.map(([, actor]) => actor),
      total: kept.length,
      ...(kept.length > first + limit && last !== undefined && { nextCursor: cursorOf(list, last[0]) }),
    }
  }

  async counterpartiesWith(query: CounterpartySearch): Promise<Page<'counterparty'> | undefined> {
    const { limit, cursor, organization, part, state } = query
    const list = `search/${organization}/${state ?? ''}/${part}`
    const row = cursor === undefined ? undefined : rowOf(list, cursor)
    if (cursor !== undefined && row === undefined) return undefined
    const after = row === undefined ? undefined : { order: orderInKey('', `/${row}`), ref: refInKey(row) }
    const found = await this.#store.search.find(organization, part, state)
    const next = after === undefined ? query.offset : found.findIndex((one) => precedes(one, after))
    const shown = next < 0 ? [] : found.slice(next, next + limit)
    const last = shown.at(-1)
    const more = last !== undefined && next + limit < found.length
    return this.#onDisk({
      // A long search yields to other work, which may have deleted what it found.
      actors: shown
        .map(({ ref }) => this.#store.actor(ref as Ref<'counterparty'>)!)
        .filter((actor) => !this.#isGone(actor)),
      total: found.length,
      ...(more && { nextCursor: cursorOf(list, listKey(list, last.order, last.ref)) }),
    })
  }

  async network(address: string): Promise<NetworkRow> {
    return this.#onDisk(this.#store.network.get(address) ?? NO_ROW)
  }

  /** Every actor of a short list, newest first. */
  async all<K extends string>(list: List<K>): Promise<Actor<K>[]> {
    return this.#onDisk(this.refs(list).map((ref) => this.#store.actor(ref)!))
  }

  /** The refs of a short list, newest first, without waiting for the disk. */
  refs<K extends string>(list: List<K>): readonly Ref<K>[] {
    return this.#store.lists.refs(list) as readonly Ref<K>[]
  }

  size(list: List): number {
    return this.#store.lists.size(list)
  }

  paymentAt(order: number): Ref<'payment'> | undefined {
    return this.#store.paymentAt(order)
  }

  committed<K extends string>(ref: Ref<K>): Actor<K> | undefined {
    return this.#store.committed(ref)
  }

  /**
   * The actor filed under a name, pending writes included. A name never moves to another actor; the caller has to check
   * whether the actor still exists.
   */
  lookup<K extends string>(name: LookUp<K>): Ref<K> | undefined {
    return this.#lookups.getOrInsertComputed(name, () => this.#store.lookups.get(name)) as Ref<K> | undefined
  }

  /** A replay is an answer, so its record must be on disk. Without a record nothing waits. */
  idempotencyRecord(key: string): Promise<IdempotencyRecord> | undefined {
    const record = this.#store.idempotencyRecord(key)
    return record && this.#onDisk(record)
  }

  async version(policyId: string, version: number): Promise<PolicyVersion | undefined> {
    return this.#onDisk(this.#store.versions.get(versionKey(policyId, version)))
  }

  async deliveries(query: DeliveryPageQuery): Promise<DeliveryPage | undefined> {
    return this.#onDisk(this.#store.deliveries.page(query))
  }

  async delivery(organization: string, id: string): Promise<Delivery | undefined> {
    return this.#onDisk(this.#store.deliveries.get(organization, id))
  }

  lastDelivery(organization: string, channelId: string): LastDelivery | undefined {
    return this.#store.deliveries.last(organization, channelId)
  }

  madeSince(list: List<'payment'>, since: number, limit: number): ListedPayment[] {
    const { end: start } = under(list)
    const end = firstAt(list, since)
    return Array.from(this.#store.lists.rows.keys({ start, end, reverse: true, limit }), (key) => ({
      id: idOf(this.#store.lists.refIn(list, key)),
      at: Math.floor(orderInKey(list, key) / ORDERS_PER_MS),
    }))
  }

  /** Up to `limit` committed actors of a list, oldest first, and the key to continue from when there may be more. */
  oldest<K extends string>(list: List<K>, limit: number, after?: string): { refs: Ref<K>[]; next: string | undefined } {
    const { start, end } = under(list)
    const keys = [...this.#store.lists.rows.keys({ start: after === undefined ? start : `${after}\0`, end, limit })]
    return {
      refs: keys.map((key) => this.#store.lists.refIn(list, key) as Ref<K>),
      next: keys.length < limit ? undefined : keys.at(-1),
    }
  }

  /** The result may be newer than the disk, so the answer waits until the disk has caught up. */
  async stats(query: StatsQuery): Promise<{ rows: StatsRead; all: StatsRead } | undefined> {
    return this.#onDisk(await this.#store.stats.read(query))
  }

  async #onDisk<Found>(found: Found): Promise<Found> {
    await this.#store.flushed()
    return found
  }

  #total({ list, from, to }: PageQuery, bounds: ListRange): number {
    if (from === undefined && to === undefined) return this.#store.lists.sizeOnDisk(list)
    return this.#store.lists.rows.countKeys({ start: bounds.end, end: bounds.start })
  }
}
