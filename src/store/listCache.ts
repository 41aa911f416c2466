// Short lists that are read on every request, kept in memory until they change. A list that is being changed is not
// kept: what could be read of it now is not yet what will be on disk.
import type { Ref } from '../domain/gate.js'

const MOST = 20_000

export class ListCache {
  readonly #kept = new Map<string, readonly Ref[]>()
  readonly #changing = new Map<string, number>()

  get(list: string, load: () => readonly Ref[]): readonly Ref[] {
    const kept = this.#kept.get(list)
    if (kept) return kept
    const refs = load()
    if (!this.#changing.has(list)) {
      if (this.#kept.size >= MOST) this.#kept.clear()
      this.#kept.set(list, refs)
    }
    return refs
  }

  /** The list has a change on its way to the disk. */
  changing(list: string): void {
    this.#kept.delete(list)
    this.#changing.set(list, (this.#changing.get(list) ?? 0) + 1)
  }

  /** One of the list's changes has arrived. */
  changed(list: string): void {
    const left = this.#changing.get(list)! - 1
    if (left > 0) this.#changing.set(list, left)
    else this.#changing.delete(list)
  }
}
