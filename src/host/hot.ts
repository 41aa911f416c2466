// Cache of recently used actors, in two generations. When the young generation is full it replaces the old one, and
// actors that were not used since are dropped. The store keeps everything that is not yet on disk.
import type { Actor } from '../actor/actor.js'
import type { Ref } from '../domain/limits/gate.js'

export class HotSet {
  #young = new Map<Ref, Actor>()
  #old = new Map<Ref, Actor>()
  readonly #half: number

  /** Holds between `capacity / 2` and `capacity` actors. */
  constructor(capacity: number) {
    this.#half = Math.max(1, Math.floor(capacity / 2))
  }

  get size(): number {
    return this.#young.size + this.#old.size
  }

  get(ref: Ref): Actor | undefined {
    const young = this.#young.get(ref)
    if (young) return young
    const old = this.#old.get(ref)
    if (old) this.set(old)
    return old
  }

  set(actor: Actor): void {
    if (this.#young.size >= this.#half && !this.#young.has(actor.ref)) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#old.delete(actor.ref)
    this.#young.set(actor.ref, actor)
  }
}
