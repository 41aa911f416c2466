// Timers in the simulation's time: they fire when somebody lets them, in the order in which they are due.
import type { Timing } from '../../../src/async/timing.js'

interface Waiting {
  at: number
  everyMs: number | undefined
  run: () => void
}

export class VirtualTimers implements Timing {
  readonly #elapsed: () => number
  readonly #waiting = new Set<Waiting>()

  /** `elapsed`: ms that never run back, unlike a clock. */
  constructor(elapsed: () => number) {
    this.#elapsed = elapsed
  }

  every(ms: number, run: () => void): () => void {
    return this.#add({ at: this.#elapsed() + ms, everyMs: ms, run })
  }

  after(ms: number, run: () => void): () => void {
    return this.#add({ at: this.#elapsed() + ms, everyMs: undefined, run })
  }

  /** Fires what is due now, each once however late. */
  fire(): void {
    const now = this.#elapsed()
    const due = [...this.#waiting].filter(({ at }) => at <= now).sort((a, b) => a.at - b.at)
    for (const one of due) {
      if (!this.#waiting.has(one)) continue
      if (one.everyMs === undefined) this.#waiting.delete(one)
      else one.at = now + one.everyMs
      one.run()
    }
  }

  #add(waiting: Waiting): () => void {
    this.#waiting.add(waiting)
    return () => this.#waiting.delete(waiting)
  }
}
