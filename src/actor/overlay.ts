// What one attempt would change, over what is committed: actors, unique keys and events. Every change can be taken back
// to a mark. Nothing is seen outside before the attempt is committed.
import type { Ref } from '../domain/limits/gate.js'
import type { Actor, DomainEvent } from './actor.js'

/** Who has a unique key. */
export interface KeyOwner {
  /** A ref, or an organization's id for a key that it has forever. */
  owner: string
  organization: string
  /** The owner has given it up, and nobody has had it since. */
  isFormer?: true
}

/** The committed state, with changes that are on their way to the disk. */
export interface Committed {
  actor<K extends string>(ref: Ref<K>): Actor<K> | undefined
  keyOwner(key: string): KeyOwner | undefined
}

/** A point to go back to. */
export interface Mark {
  undo: number
  events: number
}

interface Touched {
  readonly before: Actor | undefined
  after: Actor | undefined
}

export class Overlay {
  readonly events: DomainEvent[] = []
  /** Unique keys that change hands; undefined for one that is given up. */
  readonly keys = new Map<string, KeyOwner | undefined>()
  readonly #committed: Committed
  readonly #actors = new Map<Ref, Touched>()
  readonly #undo: (() => void)[] = []

  constructor(committed: Committed) {
    this.#committed = committed
  }

  /** The actor as it was committed. */
  before<K extends string>(ref: Ref<K>): Actor<K> | undefined {
    return this.#touched(ref).before as Actor<K> | undefined
  }

  /** The actor as the attempt leaves it. */
  actor<K extends string>(ref: Ref<K>): Actor<K> | undefined {
    return this.#touched(ref).after as Actor<K> | undefined
  }

  put(after: Actor): void {
    const touched = this.#touched(after.ref)
    const former = touched.after
    this.#undo.push(() => void (touched.after = former))
    touched.after = after
  }

  keyOwner(key: string): KeyOwner | undefined {
    return this.keys.has(key) ? this.keys.get(key) : this.#committed.keyOwner(key)
  }

  /** Gives the key to an owner; undefined frees it. */
  putKey(key: string, owner: KeyOwner | undefined): void {
    const [had, former] = [this.keys.has(key), this.keys.get(key)]
    this.#undo.push(() => void (had ? this.keys.set(key, former) : this.keys.delete(key)))
    this.keys.set(key, owner)
  }

  changed(): { before: Actor | undefined; after: Actor }[] {
    const changed = []
    for (const { before, after } of this.#actors.values()) {
      if (after !== undefined && after !== before) changed.push({ before, after })
    }
    return changed
  }

  mark(): Mark {
    return { undo: this.#undo.length, events: this.events.length }
  }

  /** Takes back every change since the mark. */
  backTo({ undo, events }: Mark): void {
    while (this.#undo.length > undo) this.#undo.pop()!()
    this.events.length = events
  }

  #touched(ref: Ref): Touched {
    let touched = this.#actors.get(ref)
    if (touched === undefined) {
      const before = this.#committed.actor(ref)
      touched = { before, after: before }
      this.#actors.set(ref, touched)
    }
    return touched
  }
}
