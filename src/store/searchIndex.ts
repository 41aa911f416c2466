// Finds counterparties by a literal part of name or address: their folded texts in memory, an organization at a time,
// the oldest first. An organization is loaded when it is searched for the first time and kept while there is room.
import type { Actor } from '../actor/actor.js'
import type { Ref } from '../domain/gate.js'
import { folded } from '../domain/text.js'
import { pause } from './pause.js'

export interface Found {
  order: number
  ref: Ref
}

interface Entry extends Found {
  state: string
  text: string
}

/** A counterparty as it was written last, and whether it stands in lists. */
interface Written {
  actor: Actor
  isListed: boolean
}

interface Shelf {
  /** By place in lists, ascending. */
  entries: Entry[]
  /** Written while the shelf is still being loaded: what is loaded of these is out of date. */
  loading: Set<Ref> | undefined
  loaded: Promise<void>
}

/** The counterparties of an organization as committed, some at a time. */
type Source = (organization: string) => Iterable<Actor[]>

/** Over all organizations; 100,000 take some 25 MB. */
const MOST_ENTRIES = 400_000
/** Looked at in one go, some milliseconds. */
const MOST_AT_ONCE = 10_000

/** True when `a` stands before `b` in the order of lists' keys: it was made earlier. */
export function precedes(a: Found, b: Found): boolean {
  return a.order < b.order || (a.order === b.order && a.ref < b.ref)
}

/** Where the row stands, or would stand. */
function placeOf(entries: readonly Entry[], row: Found): number {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (precedes(entries[middle]!, row)) low = middle + 1
    else high = middle
  }
  return low
}

function entryOf({ ref, state, context }: Actor): Entry {
  const { name, address, order } = context as unknown as { name: string; address: string; order: number }
  // Neither can hold a line break, nor can what is searched for.
  return { ref, state, order, text: folded(`${name}\n${address}`) }
}

const organizationOf = ({ context }: Actor): string => String(context['organization'])

/** True where a search cannot tell one from the other. */
function isAlike(before: Actor, after: Actor): boolean {
  const { name, order } = after.context
  return before.state === after.state && before.context['name'] === name && before.context['order'] === order
}

export class SearchIndex {
  readonly #source: Source
  readonly #most: number
  /** The longest unused first. */
  readonly #shelves = new Map<string, Shelf>()
  /** Writes that may not be committed yet. */
  readonly #pending = new Map<Ref, Written>()

  constructor(source: Source, most: number = MOST_ENTRIES) {
    this.#source = source
    this.#most = most
  }

  /** A counterparty was written; `before` as it stood in lists, undefined when it did not. */
  write(before: Actor | undefined, actor: Actor, isListed: boolean): void {
    if (before && isListed && isAlike(before, actor)) return
    this.#pending.set(actor.ref, { actor, isListed })
    const shelf = this.#shelves.get(organizationOf(actor))
    if (!shelf) return
    shelf.loading?.add(actor.ref)
    if (before) remove(shelf, before)
    if (isListed) insert(shelf, entryOf(actor))
  }

  /** This write is committed. */
  settled(actor: Actor): void {
    if (this.#pending.get(actor.ref)?.actor === actor) this.#pending.delete(actor.ref)
  }

  /** Those whose name or address has this part, and that are in `state` where one is given, newest first. */
  async find(organization: string, part: string, state: string | undefined): Promise<Found[]> {
    const { entries } = await this.#shelf(organization)
    const wanted = folded(part)
    const found: Found[] = []
    for (let end = entries.length; end > 0; ) {
      const slice = entries.slice(Math.max(0, end - MOST_AT_ONCE), end).reverse()
      for (const entry of slice) {
        if ((state === undefined || entry.state === state) && entry.text.includes(wanted)) found.push(entry)
      }
      if (slice.length < MOST_AT_ONCE) break
      await pause()
      // Others may have been written meanwhile: it goes on behind the last that was looked at.
      end = placeOf(entries, slice.at(-1)!)
    }
    return found
  }

  async #shelf(organization: string): Promise<Shelf> {
    const known = this.#shelves.get(organization)
    const shelf = known ?? this.#load(organization)
    // Used last, it comes last.
    this.#shelves.delete(organization)
    this.#shelves.set(organization, shelf)
    try {
      await shelf.loaded
    } catch (error) {
      this.#shelves.delete(organization)
      throw error
    }
    this.#makeRoom()
    return shelf
  }

  #load(organization: string): Shelf {
    const shelf: Shelf = { entries: [], loading: new Set(), loaded: Promise.resolve() }
    for (const { actor, isListed } of this.#pending.values()) {
      if (organizationOf(actor) !== organization) continue
      shelf.loading!.add(actor.ref)
      if (isListed) insert(shelf, entryOf(actor))
    }
    shelf.loaded = this.#fill(organization, shelf)
    return shelf
  }

  /** Others are let through between portions. */
  async #fill(organization: string, shelf: Shelf): Promise<void> {
    for (const actors of this.#source(organization)) {
      for (const actor of actors) if (!shelf.loading!.has(actor.ref)) insert(shelf, entryOf(actor))
      await pause()
    }
    shelf.loading = undefined
  }

  /** One that has no room even by itself serves the search that it was loaded for, and is not kept. */
  #makeRoom(): void {
    let count = 0
    for (const { entries } of this.#shelves.values()) count += entries.length
    for (const [organization, shelf] of this.#shelves) {
      if (count <= this.#most) return
      this.#shelves.delete(organization)
      count -= shelf.entries.length
    }
  }
}

function insert({ entries }: Shelf, entry: Entry): void {
  const last = entries.at(-1)
  if (!last || precedes(last, entry)) entries.push(entry)
  else entries.splice(placeOf(entries, entry), 0, entry)
}

function remove({ entries }: Shelf, { ref, context }: Actor): void {
  const place = placeOf(entries, { ref, order: context['order'] as number })
  if (entries[place]?.ref === ref) entries.splice(place, 1)
}
