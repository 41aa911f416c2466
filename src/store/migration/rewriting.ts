// Rewrites stored actors of earlier versions of their charts. Each may be read, and written, before its turn comes.
import type { Ref } from '../../domain/limits/gate.js'
import type { Actors } from '../records/actors.js'
import type { Payments } from '../records/payments.js'
import type { StoredVersions } from './storedVersions.js'

/** Keys that are read at once: no range stays open while other work comes between. */
const BATCH = 256

export class Rewriting {
  readonly #actors: Actors
  readonly #payments: Payments
  readonly #versions: StoredVersions

  constructor(actors: Actors, payments: Payments, versions: StoredVersions) {
    this.#actors = actors
    this.#payments = payments
    this.#versions = versions
  }

  /** The kinds that may have actors of an earlier version. */
  get kinds(): readonly string[] {
    return [...this.#versions.earlier]
  }

  /** Committed keys of all of a kind's actors. */
  *keys(kind: string): Generator<string> {
    for (let last = ''; ;) {
      const keys = kind === 'payment' ? this.#payments.keys(last, BATCH) : this.#actors.keys(kind, last, BATCH)
      yield* keys
      if (keys.length < BATCH) return
      last = keys.at(-1)!
    }
  }

  /** Queues the actor of a key in the form of the present version, unless it has that. */
  renew(kind: string, key: string): void {
    if (kind === 'payment') this.#payments.renew(key)
    else this.#actors.renew(key as Ref)
  }

  /** Queues that all actors of the kind have been renewed. */
  finish(kind: string): void {
    this.#versions.noteRewritten(kind)
  }
}
