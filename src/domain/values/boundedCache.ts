// A cache of bounded size, in two generations: when the young one is full it replaces the old one, and entries not used
// since are dropped. So a read writes nothing while its entry is young, and dropping costs nothing.
export class BoundedCache<Key, Value> {
  #young = new Map<Key, Value>()
  #old = new Map<Key, Value>()
  readonly #half: number

  /** Keeps the last `capacity / 2` entries used, and at most `capacity`, which is 2 or more. */
  constructor(capacity: number) {
    this.#half = Math.max(1, Math.floor(capacity / 2))
  }

  get size(): number {
    return this.#young.size + this.#old.size
  }

  get(key: Key): Value | undefined {
    const young = this.#young.get(key)
    if (young !== undefined) return young
    const old = this.#old.get(key)
    if (old !== undefined) this.set(key, old)
    return old
  }

  set(key: Key, value: Value): void {
    if (this.#young.size >= this.#half && !this.#young.has(key)) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#old.delete(key)
    this.#young.set(key, value)
  }

  delete(key: Key): void {
    this.#young.delete(key)
    this.#old.delete(key)
  }

  /** The value kept, or else the one that `compute` returns, which is kept from now on unless it is undefined. */
  getOrInsertComputed<Computed extends Value | undefined>(key: Key, compute: (key: Key) => Computed): Value | Computed {
    const kept = this.get(key)
    if (kept !== undefined) return kept
    const value = compute(key)
    if (value !== undefined) this.set(key, value)
    return value
  }
}
