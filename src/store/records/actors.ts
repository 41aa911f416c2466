// All actors but payments. What an actor of many payments counts changes with each of them, so it lies in a row of its
// own, and the rest is written when it changes.
import { fieldsOf, kindOf, type Actor } from '../../actor/actor.js'
import type { Ref } from '../../domain/limits/gate.js'
import type { Table } from '../table.js'
import type { StoredVersions } from '../migration/storedVersions.js'
import type { StoredContexts } from './storedContexts.js'
import type { Fields } from './fields.js'
import { under } from './keys.js'

/** An actor without its name, which is in the key of its row. */
export interface StoredActor {
  version: number
  /** Absent where it is in the row of counts. */
  revision?: number
  state: string
  context: Fields
}

/** What an actor counts, and its revision, which changes with it. */
export interface StoredCounts {
  revision: number
  context: Fields
}

export interface Sized {
  value: Actor
  /** Of its rows. */
  bytes: number
}

export class Actors {
  readonly #rows: Table<StoredActor>
  readonly #counts: Table<StoredCounts>
  readonly #contexts: StoredContexts
  readonly #versions: Pick<StoredVersions, 'earlier'>

  constructor(
    rows: Table<StoredActor>,
    counts: Table<StoredCounts>,
    contexts: StoredContexts,
    versions: Pick<StoredVersions, 'earlier'>,
  ) {
    this.#rows = rows
    this.#counts = counts
    this.#contexts = contexts
    this.#versions = versions
  }

  get(ref: Ref): Actor | undefined {
    const stored = this.#rows.get(ref)
    return stored && this.#actor(ref, stored, isApart(stored) ? this.#counts.get(ref) : undefined)
  }

  /** The actor on disk, without pending writes. */
  committed(ref: Ref): Actor | undefined {
    return this.sized(ref)?.value
  }

  /** An actor on disk. */
  sized(ref: Ref): Sized | undefined {
    const stored = this.#rows.sized(ref)
    if (stored === undefined) return undefined
    const counts = isApart(stored.value) ? this.#counts.sized(ref) : undefined
    const bytes = stored.bytes + (counts?.bytes ?? 0)
    return { value: this.#actor(ref, stored.value, counts?.value), bytes }
  }

  /** Every actor on disk. */
  *all(): Generator<Actor> {
    for (const [ref, stored] of this.#rows.range({})) {
      yield this.#actor(ref as Ref, stored, isApart(stored) ? this.#counts.committed(ref) : undefined)
    }
  }

  /** Queues what has changed since `before`. */
  put(before: Actor | undefined, after: Actor): void {
    const isEarlier = this.#isEarlier(after.ref)
    this.#putRows(after, isEarlier || before === undefined || this.#hasOtherBesides(before, after))
    if (isEarlier && !this.#countsApart(after.ref)) this.#counts.remove(after.ref)
  }

  /** Committed names of actors of a kind, in order, at most `limit`. */
  keys(kind: string, after: string, limit: number): string[] {
    const { start, end } = under(kind)
    return [...this.#rows.keys({ start: after === '' ? start : `${after}\0`, end, limit })]
  }

  /** Queues an actor as the present version stores it, where its rows are of an earlier one. */
  renew(ref: Ref): void {
    if (this.#isEarlier(ref)) this.put(undefined, this.get(ref)!)
  }

  #putRows(actor: Actor, isWhole: boolean): void {
    const { ref, version, revision, state } = actor
    if (!this.#countsApart(ref)) {
      this.#rows.putJson(ref, () => textOf({ version, revision, state, context: this.#contexts.reduced(actor) }))
      return
    }
    if (isWhole) this.#rows.putJson(ref, () => textOf({ version, state, context: this.#contexts.lasting(actor) }))
    this.#counts.putJson(ref, () => textOf({ revision, context: this.#contexts.counts(actor) }))
  }

  /** Its rows are of an earlier version of its chart, pending writes included. */
  #isEarlier(ref: Ref): boolean {
    if (this.#versions.earlier.size === 0 || !this.#versions.earlier.has(kindOf(ref))) return false
    const stored = this.#rows.get(ref)
    return stored !== undefined && stored.version < this.#contexts.version(ref)
  }

  #countsApart(ref: Ref): boolean {
    return this.#contexts.countedFields(ref).length > 0
  }

  /** More than what it counts has changed. */
  #hasOtherBesides(before: Actor, after: Actor): boolean {
    if (before.state !== after.state) return true
    const counted = this.#contexts.countedFields(after.ref)
    const [was, is] = [fieldsOf(before), fieldsOf(after)]
    return Object.keys(is).some((field) => is[field] !== was[field] && !counted.includes(field))
  }

  #actor(ref: Ref, stored: StoredActor, counts: StoredCounts | undefined): Actor {
    const { version, revision = counts?.revision } = stored
    if (revision === undefined) throw new Error(`The counts of ${ref} are missing`)
    const kept = counts ? { ...stored.context, ...counts.context } : stored.context
    const snapshot = { state: stored.state, context: this.#contexts.expanded(ref, kept, version) }
    return this.#contexts.actor(ref, revision, snapshot, version)
  }
}

/** Its counts are in a row of their own. Those of an earlier version may lie otherwise. */
function isApart({ revision }: StoredActor): boolean {
  return revision === undefined
}

function textOf(row: StoredActor | StoredCounts): string {
  return JSON.stringify(row)
}
