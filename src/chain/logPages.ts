// How many blocks a node is asked for at once: fewer after it refuses, since nodes limit ranges and results, and slowly
// more again.
const MOST = 2_000
const GROWTH = 8

export class LogPages {
  #blocks = MOST

  get blocks(): number {
    return this.#blocks
  }

  answered(): void {
    this.#blocks = Math.min(MOST, this.#blocks + Math.ceil(this.#blocks / GROWTH))
  }

  refused(): void {
    this.#blocks = Math.max(1, Math.floor(this.#blocks / 2))
  }
}
