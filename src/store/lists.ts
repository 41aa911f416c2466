// The rows of lists: which actors are in one, in the order of their creation or, for transactions, of their execution.
// Short lists are counted on disk with each change; long ones when somebody asks for their size, and in memory from then
// on.
import type { Actor } from '../actor/actor.js'
import type { MovedListing } from '../actor/turn.js'
import type { Ref } from '../domain/limits/gate.js'
import { BoundedCache } from '../domain/values/boundedCache.js'
import { base36 } from '../domain/values/base36.js'
import { isLong, type List } from '../domain/values/lists.js'
import { ListCache } from './listCache.js'
import { listKey, madeInKey, refInKey, under } from './records/keys.js'
import { DamagedRecord } from './storedRows.js'
import type { Table } from './table.js'
import { ORDERS_PER_MS } from '../domain/values/ids.js'

/** Rows read at once; no range stays open while other work comes between. */
const BATCH = 256
/** Long lists whose size is known. */
const SIZES = 20_000

export class Lists {
  readonly rows: Table<null>
  readonly #counts: Table<number>
  readonly #short = new ListCache()
  /** Of long lists, pending writes included. */
  readonly #sizes = new BoundedCache<string, number>(SIZES)
  readonly #paymentAt: (order: number) => Ref<'payment'> | undefined

  constructor(rows: Table<null>, counts: Table<number>, paymentAt: (order: number) => Ref<'payment'> | undefined) {
    this.rows = rows
    this.#counts = counts
    this.#paymentAt = paymentAt
  }

  /** Queues the rows of an actor that moves; returns the short lists that change, for `changed`. */
  move({ ref, context }: Actor, { from, to }: MovedListing): string[] {
    const order = context.order!
    const executed = (to.executedAt ?? from.executedAt ?? 0) * ORDERS_PER_MS
    return [
      ...this.#move(from.lists, to.lists, (list) => listKey(list, order, ref, order)),
      ...this.#move(from.transactions, to.transactions, (list) => listKey(list, executed, ref, order)),
    ]
  }

  /** The change of a short list is on disk. */
  changed(list: string): void {
    this.#short.changed(list)
  }

  /** The actor of a row of the list. */
  refIn(list: string, key: string): Ref {
    if (!isLong(list)) return refInKey(key)
    const ref = this.#paymentAt(madeInKey(key))
    if (ref === undefined) throw new DamagedRecord('lists', key)
    return ref
  }

  /** The refs on disk of a long list's rows in [from, to) of its order. */
  *between(list: List<'payment'>, from: number, to: number): Generator<Ref<'payment'>> {
    for (let start = `${list}/${base36(from)}`; ;) {
      const keys = [...this.rows.keys({ start, end: `${list}/${base36(to)}`, limit: BATCH })]
      for (const key of keys) yield this.refIn(list, key) as Ref<'payment'>
      if (keys.length < BATCH) return
      start = `${keys.at(-1)!}\0`
    }
  }

  /** All refs of a list on disk, newest first; those of a short list stay in memory until it changes. */
  refs(list: string): readonly Ref[] {
    return isLong(list) ? this.#load(list) : this.#short.get(list, () => this.#load(list))
  }

  #load(list: string): readonly Ref[] {
    const { start: end, end: start } = under(list)
    const refs = Array.from(this.rows.keys({ start, end, reverse: true }), (key) => this.refIn(list, key))
    // Rows of lists have no checksums, and a policy that is missing would let payments pass.
    if (!isLong(list) && refs.length !== this.sizeOnDisk(list)) throw new DamagedRecord('lists', list)
    return refs
  }

  /** Pending writes included. */
  size(list: string): number {
    if (!isLong(list)) return this.#counts.get(list) ?? 0
    return this.#sizes.getOrInsertComputed(list, () => this.rows.countKeys(under(list)) + this.#pending(list))
  }

  /** What is on disk. */
  sizeOnDisk(list: string): number {
    return isLong(list) ? this.size(list) - this.#pending(list) : (this.#counts.committed(list) ?? 0)
  }

  /** By how many rows the list grows with what is queued. */
  #pending(list: string): number {
    let rows = 0
    for (const [key, isKept] of this.rows.pending(under(list))) {
      if (this.rows.isOnDisk(key) !== isKept) rows += isKept ? 1 : -1
    }
    return rows
  }

  #move(from: readonly string[], to: readonly string[], keyIn: (list: string) => string): string[] {
    const left = without(from, to)
    const entered = without(to, from)
    for (const list of left) {
      this.rows.remove(keyIn(list))
      this.#count(list, -1)
    }
    for (const list of entered) {
      this.rows.put(keyIn(list), null)
      this.#count(list, 1)
    }
    return [...left, ...entered].filter((list) => !isLong(list))
  }

  #count(list: string, step: number): void {
    if (isLong(list)) {
      const size = this.#sizes.get(list)
      if (size !== undefined) this.#sizes.set(list, size + step)
      return
    }
    this.#counts.put(list, (this.#counts.get(list) ?? 0) + step)
    this.#short.changing(list)
  }
}

/** The names that are not among the others: thousands, for a policy with as many assignments. */
export function without(names: readonly string[], others: readonly string[]): readonly string[] {
  if (names.length === 0 || others.length === 0) return names
  const known = new Set(others)
  return names.filter((name) => !known.has(name))
}
