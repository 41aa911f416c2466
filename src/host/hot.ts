// The actors kept in memory: those used lately, in two generations. When the young one is full it becomes the old
// one and what was in the old one and not used since is dropped. Whatever is not yet on disk is kept by the store.
import type { Actor } from '../actor/actor.js'
import type { Ref } from '../domain/gate.js'

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
