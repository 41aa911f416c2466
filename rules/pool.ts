// Lends items to one user at a time, at most a fixed number of them. It creates none of them.
export interface EnginePool<Item> {
  /** A free item; undefined where the caller may create one. */
  take: () => Promise<Item | undefined>
  /** Undefined for an item that must not be used again. */
  giveBack: (item: Item | undefined) => void
}

/** Lends each item to one taker at a time; with `most` of them lent, takers queue. */
export function createPool<Item>(most: number): EnginePool<Item> {
  const resting: Item[] = []
  const waiting: ((item: Item | undefined) => void)[] = []
  let lent = 0
  return {
    async take() {
      if (lent >= most) return new Promise((resolve) => void waiting.push(resolve))
      lent += 1
      return resting.pop()
    },
    giveBack(item) {
      const next = waiting.shift()
      if (next !== undefined) return next(item)
      lent -= 1
      if (item !== undefined) resting.push(item)
    },
  }
}
