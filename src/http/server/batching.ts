// When requests are carried out whose bodies are read: those that arrived together, one after another, in rounds of the
// event loop.
import { setImmediate as nextRound } from 'node:timers/promises'

/** So few are decided in less time than a commit takes. */
const FEW = 16

/**
 * The requests of a commit are answered together, so the next ones of their clients arrive together, too: a group of
 * requests is decided while the disk takes another. With at most half of the requests under way in a round, the groups
 * become equal. Groups that are not stay so: the disk then waits for the decisions of the larger one, and the thread for
 * its commit.
 */
export class Batches {
  #underWay = 0
  /** How many more may begin in this round. */
  #left = 0
  #isBegun = false

  /**
   * Calls `carryOut` in one of the next rounds, in the order of the calls of this method. For requests that the event
   * loop has read: a call from an immediate could wait longer than later ones.
   */
  async run<Outcome>(carryOut: () => Promise<Outcome> | Outcome): Promise<Outcome> {
    this.#underWay += 1
    try {
      do await nextRound()
      while (!this.#mayBegin())
      return await carryOut()
    } finally {
      this.#underWay -= 1
    }
  }

  #mayBegin(): boolean {
    if (!this.#isBegun) {
      this.#isBegun = true
      this.#left = Math.max(FEW, Math.ceil(this.#underWay / 2))
      setImmediate(() => (this.#isBegun = false))
    }
    this.#left -= 1
    return this.#left >= 0
  }
}
