// All commits of a run in order, and which of them were answered: what a store may be after its process has stopped.
import type { Actor } from '../../../src/actor/actor.js'
import type { Ref } from '../../../src/domain/limits/gate.js'
import { isSameJson, type Json } from '../../../src/domain/values/canonical.js'
import type { Change } from '../../../src/store/change.js'
import type { Store } from '../../../src/store/store.js'
import { demand } from '../violated.js'

export class History {
  readonly #changes: Change[] = []
  #answered = 0

  /** How many commits there are. */
  get length(): number {
    return this.#changes.length
  }

  add(change: Change): void {
    this.#changes.push(change)
  }

  /** Somebody was told what this many commits have made. */
  answered(commits: number): void {
    this.#answered = Math.max(this.#answered, commits)
  }

  /** The store has the first commits whole, at least all that were answered, and nothing of the others. */
  continuedBy(store: Pick<Store, 'actor' | 'lastSequence'>): void {
    let commits = this.length
    while (commits > this.#answered && !this.#isStore(commits, store)) commits -= 1
    demand(
      'acknowledged',
      this.#isStore(commits, store),
      () => `after a stop the store has not the first ${this.#answered} of ${this.length} commits, nor more of them`,
    )
  }

  #isStore(commits: number, store: Pick<Store, 'actor' | 'lastSequence'>): boolean {
    const actors = new Map<Ref, Actor | undefined>()
    const audited = new Map<string, number>()
    for (const [index, change] of this.#changes.entries()) {
      const isThere = index < commits
      for (const { after } of change.actors) {
        if (isThere || !actors.has(after.ref)) actors.set(after.ref, isThere ? after : undefined)
      }
      const before = audited.get(change.organization) ?? 0
      audited.set(change.organization, before + (isThere ? change.audited.length : 0))
    }
    return (
      [...actors].every(([ref, actor]) => isSame(store.actor(ref), actor)) &&
      [...audited].every(([organization, last]) => store.lastSequence(organization) === last)
    )
  }
}

function isSame(stored: Actor | undefined, known: Actor | undefined): boolean {
  if (!stored || !known) return stored === known
  return isSameJson(stored as unknown as Json, known as unknown as Json)
}
