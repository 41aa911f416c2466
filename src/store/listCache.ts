// Keeps short lists that every request reads in memory until they change. A list with a pending change is not kept: a
// read does not yet show what will be on disk.
import { BoundedCache } from '../domain/values/boundedCache.js'
import type { Ref } from '../domain/limits/gate.js'

export class ListCache {
  readonly #kept = new BoundedCache<string, readonly Ref[]>(20_000)
  readonly #changing = new Map<string, number>()

  get(list: string, load: () => readonly Ref[]): readonly Ref[] {
    return this.#changing.has(list) ? load() : this.#kept.getOrInsertComputed(list, load)
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
