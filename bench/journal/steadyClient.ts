// A client of several nodes that asks for one payment after the other: one that it has no answer to is asked for again,
// under the same key, at the next node.
import { setTimeout } from 'node:timers/promises'
import { REQUEST_PATH, WISH } from '../wish.js'

const PAUSE_MS = 5
const PATIENCE_MS = 2_000

export class SteadyClient {
  readonly #key: string
  readonly #urls: readonly string[]
  #isEnded = false
  /** Which of the URLs is asked. */
  #node = 0
  #longestMs = 0
  #answeredAt = 0
  #answered = 0
  readonly #asking: Promise<void>

  /** Begins at the first of the URLs. */
  constructor(key: string, urls: readonly string[]) {
    this.#key = key
    this.#urls = urls
    this.#asking = this.#ask()
  }

  /** Payments that were answered so far. */
  get answered(): number {
    return this.#answered
  }

  /** The longest time between two answers, ms. */
  async end(): Promise<number> {
    this.#isEnded = true
    await this.#asking
    return this.#longestMs
  }

  async #ask(): Promise<void> {
    const run = Math.random()
    while (!this.#isEnded) {
      if (await this.#isAnswered(`${run}-${this.#answered}`)) this.#note(performance.now())
      else this.#node += 1
      await setTimeout(PAUSE_MS)
    }
  }

  #note(now: number): void {
    if (this.#answered > 0) this.#longestMs = Math.max(this.#longestMs, now - this.#answeredAt)
    this.#answeredAt = now
    this.#answered += 1
  }

  async #isAnswered(idempotencyKey: string): Promise<boolean> {
    const url = this.#urls[this.#node % this.#urls.length]!
    try {
      const answer = await fetch(url + REQUEST_PATH, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${this.#key}`,
          'content-type': 'application/json',
          'idempotency-key': idempotencyKey,
        },
        body: JSON.stringify(WISH),
        signal: AbortSignal.timeout(PATIENCE_MS),
      })
      await answer.arrayBuffer()
      return answer.ok
    } catch {
      return false
    }
  }
}
