// Keeps short lists that every request reads in memory until they change. A list with a pending change is not kept: a
// read does not yet show what will be on disk.
import type { Ref } from '../domain/limits/gate.js'

const MAX_LISTS = 20_000

export class ListCache {
  readonly #kept = new Map<string, readonly Ref[]>()
  readonly #changing = new Map<string, number>()

  get(list: string, load: () => readonly Ref[]): readonly Ref[] {
    const kept = this.#kept.get(list)
    if (kept) return kept
    const refs = load()
    if (!this.#changing.has(list)) {
      if (this.#kept.size >= MAX_LISTS) this.#kept.clear()
      this.#kept.set(list, refs)
    }
    return refs
  }

  /** A change of the list is queued. */
  changing(list: string): void {
    this.#kept.delete(list)
    this.#changing.set(list, (this.#changing.get(list) ?? 0) + 1)
  }

  /** A change of the list is on disk. */
  changed(list: string): void {
    const left = this.#changing.get(list)! - 1
    if (left > 0) this.#changing.set(list, left)
    else this.#changing.delete(list)
  }
}
