// The work that one request may cause beside its decision. Each search is carried out in slices, between which other
// requests get their turn, and given up where it would cost more than is left.
import type { Search } from '../../../rules/ways.js'

/** Comparisons of a fact with a constant: a few hundredths of a second in all. */
export const MAX_EFFORT = 100_000
/** Comparisons between two chances to yield. */
const SLICE = 1_000

export class Effort {
  readonly #breathe: () => Promise<void>
  #left = MAX_EFFORT

  constructor(breathe: () => Promise<void>) {
    this.#breathe = breathe
  }

  /** Undefined where the search was given up. */
  async spendOn<Found>(search: Search<Found>): Promise<{ found: Found } | undefined> {
    let since = 0
    for (;;) {
      const { done, value } = search.next()
      if (done) return { found: value }
      this.#left -= value
      if (this.#left < 0) return undefined
      since += value
      if (since < SLICE) continue
      since = 0
      await this.#breathe()
    }
  }
}
