// Finds counterparties by a literal part of name or address. It keeps their case-folded texts in memory by
// organization, oldest first. An organization is loaded on its first search and kept while there is room.
import { setImmediate as pause } from 'node:timers/promises'
import type { Actor } from '../actor/actor.js'
import type { Ref } from '../domain/limits/gate.js'
import { folded } from '../domain/values/text.js'

export interface SearchMatch {
  order: number
  ref: Ref
}

interface Entry extends SearchMatch {
  state: string
  text: string
}

/** The last write of a counterparty, and whether lists show it. */
interface Written {
  actor: Counterparty
  isListed: boolean
}

interface Partition {
  /** By order in lists, ascending. */
  entries: Entry[]
  /** Counterparties written while the organization is loaded: their loaded versions are out of date. */
  loading: Set<Ref> | undefined
  loaded: Promise<void>
}

/** Reads an organization's committed counterparties in batches. */
type Source = (organization: string) => Iterable<Counterparty[]>

/** Maximum over all organizations; 100,000 take some 25 MB. */
const MAX_ENTRIES = 400_000
/** Entries searched without a pause: some milliseconds. */
const SEARCH_BATCH = 10_000

/** True when `a` sorts before `b` in lists: it was created earlier. */
export function precedes(a: SearchMatch, b: SearchMatch): boolean {
  return a.order < b.order || (a.order === b.order && a.ref < b.ref)
}

/** Index of the row, or where to insert it. */
function placeOf(entries: readonly Entry[], row: SearchMatch): number {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (precedes(entries[middle]!, row)) low = middle + 1
    else high = middle
  }
  return low
}

type Counterparty = Actor<'counterparty'>

function entryOf({ ref, state, context }: Counterparty): Entry {
  const { name, address, order } = context
  // Names, addresses and search texts contain no line break.
  return { ref, state, order, text: folded(`${name}\n${address}`) }
}

/** True when no search can tell the two apart. */
function isAlike(before: Counterparty, after: Counterparty): boolean {
  const { name, order } = after.context
  return before.state === after.state && before.context.name === name && before.context.order === order
}

export class SearchIndex {
  readonly #source: Source
  readonly #maxEntries: number
  /** Least recently used first. */
  readonly #partitions = new Map<string, Partition>()
  /** Writes that may not be committed yet. */
  readonly #pending = new Map<Ref, Written>()

  constructor(source: Source, maxEntries: number = MAX_ENTRIES) {
    this.#source = source
    this.#maxEntries = maxEntries
  }

  /** Notes a write of a counterparty; `before` is undefined when lists did not show it. */
  write(before: Counterparty | undefined, actor: Counterparty, isListed: boolean): void {
    if (before && isListed && isAlike(before, actor)) return
    this.#pending.set(actor.ref, { actor, isListed })
    const partition = this.#partitions.get(actor.context.organization)
    if (!partition) return
    partition.loading?.add(actor.ref)
    if (before) remove(partition, before)
    if (isListed) insert(partition, entryOf(actor))
  }

  /** Notes that this write is committed. */
  settled(actor: Counterparty): void {
    if (this.#pending.get(actor.ref)?.actor === actor) this.#pending.delete(actor.ref)
  }

  /** Counterparties whose name or address contains `part`, in `state` where one is given, newest first. */
  async find(organization: string, part: string, state: string | undefined): Promise<SearchMatch[]> {
    const { entries } = await this.#partition(organization)
    const wanted = folded(part)
    const found: SearchMatch[] = []
    for (let end = entries.length; end > 0;) {
      const slice = entries.slice(Math.max(0, end - SEARCH_BATCH), end).reverse()
      for (const entry of slice) {
        if ((state === undefined || entry.state === state) && entry.text.includes(wanted)) found.push(entry)
      }
      if (slice.length < SEARCH_BATCH) break
      await pause()
      // Entries may have moved meanwhile: continue after the last one searched.
      end = placeOf(entries, slice.at(-1)!)
    }
    return found
  }

  async #partition(organization: string): Promise<Partition> {
    const known = this.#partitions.get(organization)
    const partition = known ?? this.#load(organization)
    // Moves to the end as the most recently used.
    this.#partitions.delete(organization)
    this.#partitions.set(organization, partition)
    try {
      await partition.loaded
    } catch (error) {
      this.#partitions.delete(organization)
      throw error
    }
    this.#makeRoom()
    return partition
  }

  #load(organization: string): Partition {
    const partition: Partition = { entries: [], loading: new Set(), loaded: Promise.resolve() }
    for (const { actor, isListed } of this.#pending.values()) {
      if (actor.context.organization !== organization) continue
      partition.loading!.add(actor.ref)
      if (isListed) insert(partition, entryOf(actor))
    }
    partition.loaded = this.#fill(organization, partition)
    return partition
  }

  async #fill(organization: string, partition: Partition): Promise<void> {
    for (const actors of this.#source(organization)) {
      for (const actor of actors) if (!partition.loading!.has(actor.ref)) insert(partition, entryOf(actor))
      await pause()
    }
    partition.loading = undefined
  }

  /** An organization too large even by itself serves the search that loaded it and is not kept. */
  #makeRoom(): void {
    let count = 0
    for (const { entries } of this.#partitions.values()) count += entries.length
    for (const [organization, partition] of this.#partitions) {
      if (count <= this.#maxEntries) return
      this.#partitions.delete(organization)
      count -= partition.entries.length
    }
  }
}

function insert({ entries }: Partition, entry: Entry): void {
  const last = entries.at(-1)
  if (!last || precedes(last, entry)) entries.push(entry)
  else entries.splice(placeOf(entries, entry), 0, entry)
}

function remove({ entries }: Partition, { ref, context }: Counterparty): void {
  const place = placeOf(entries, { ref, order: context.order })
  if (entries[place]?.ref === ref) entries.splice(place, 1)
}
