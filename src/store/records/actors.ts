// All actors but payments. What an actor of many payments counts changes with each of them, so it lies in a row of its
// own, and the rest is written when it changes.
import type { Actor } from '../../actor/actor.js'
import type { Ref } from '../../domain/limits/gate.js'
import type { Table } from '../table.js'
import type { StoredContexts } from './storedContexts.js'
import type { Fields } from './fields.js'

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

  constructor(rows: Table<StoredActor>, counts: Table<StoredCounts>, contexts: StoredContexts) {
    this.#rows = rows
    this.#counts = counts
    this.#contexts = contexts
  }

  get(ref: Ref): Actor | undefined {
    const stored = this.#rows.get(ref)
    return stored && this.#actor(ref, stored, this.#isApart(ref) ? this.#counts.get(ref) : undefined)
  }

  /** The actor on disk, without pending writes. */
  committed(ref: Ref): Actor | undefined {
    return this.sized(ref)?.value
  }

  /** An actor on disk. */
  sized(ref: Ref): Sized | undefined {
    const stored = this.#rows.sized(ref)
    if (stored === undefined) return undefined
    const counts = this.#isApart(ref) ? this.#counts.sized(ref) : undefined
    const bytes = stored.bytes + (counts?.bytes ?? 0)
    return { value: this.#actor(ref, stored.value, counts?.value), bytes }
  }

  /** Every actor on disk. */
  *all(): Generator<Actor> {
    for (const [ref, stored] of this.#rows.range({})) {
      yield this.#actor(ref as Ref, stored, this.#isApart(ref as Ref) ? this.#counts.committed(ref) : undefined)
    }
  }

  /** Queues what has changed since `before`. */
  put(before: Actor | undefined, after: Actor): void {
    const { ref, version, revision, state } = after
    if (!this.#isApart(ref)) {
      this.#rows.putJson(ref, () => textOf({ version, revision, state, context: this.#contexts.reduced(after) }))
      return
    }
    if (before === undefined || this.#hasOtherBesides(before, after)) {
      this.#rows.putJson(ref, () => textOf({ version, state, context: this.#contexts.lasting(after) }))
    }
    this.#counts.putJson(ref, () => textOf({ revision, context: this.#contexts.counts(after) }))
  }

  #isApart(ref: Ref): boolean {
    return this.#contexts.countedFields(ref).length > 0
  }

  /** More than what it counts has changed. */
  #hasOtherBesides(before: Actor, after: Actor): boolean {
    if (before.state !== after.state || before.version !== after.version) return true
    const counted = this.#contexts.countedFields(after.ref)
    const [was, is] = [before.context, after.context] as unknown as [Fields, Fields]
    return Object.keys(is).some((field) => is[field] !== was[field] && !counted.includes(field))
  }

  #actor(ref: Ref, { version, revision, state, context }: StoredActor, counts: StoredCounts | undefined): Actor {
    if (counts === undefined && revision === undefined) throw new Error(`The counts of ${ref} are missing`)
    return {
      ref,
      version,
      revision: counts?.revision ?? revision!,
      state,
      context: this.#contexts.expanded(ref, counts ? { ...context, ...counts.context } : context),
    }
  }
}

function textOf(row: StoredActor | StoredCounts): string {
  return JSON.stringify(row)
}
