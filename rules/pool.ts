// Lends things that only one may use at a time, and never more than so many. It makes none of them itself.
export interface Pool<Item> {
  /** An item that rests, or undefined where there is room for another one. */
  take: () => Promise<Item | undefined>
  /** Undefined for one that is not to be used again. */
  giveBack: (item: Item | undefined) => void
}

/** Lends each item to one taker at a time; with `most` of them lent, the next takers wait in line. */
export function createPool<Item>(most: number): Pool<Item> {
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
