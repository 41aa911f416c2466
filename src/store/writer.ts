// Hands writes to LMDB one commit at a time. What is asked for while a commit is under way waits for it and goes into
// the next, where only the last value of a key is written: a change that was decided on the state of a commit that
// failed must never reach the disk.
import { Unavailable } from '../actor/host.js'

/** What has writes to hand over. */
export interface Source {
  /** Hands over everything queued, in this stretch of the event loop; the promises are LMDB's for the commit. */
  handOver(): Promise<unknown>[]
  /** What was handed over last is on disk. */
  settled(): void
}

export class Writer {
  readonly #synced: () => PromiseLike<unknown>
  readonly #onFailure: (failure: Unavailable) => void
  readonly #sources: Source[] = []
  /** Of what is queued; undefined when nothing is. */
  #next: Promise<void> | undefined
  /** Of what was handed over last. */
  #current: Promise<void> = Promise.resolve()
  #failure: Unavailable | undefined

  /** `synced` resolves when all that was handed over is on disk; `onFailure` is called once. */
  constructor(synced: () => PromiseLike<unknown>, onFailure: (failure: Unavailable) => void) {
    this.#synced = synced
    this.#onFailure = onFailure
  }

  /** Why nothing is written any more; undefined while it is. */
  get failure(): Unavailable | undefined {
    return this.#failure
  }

  register(source: Source): void {
    this.#sources.push(source)
  }

  /** A source has something queued. Everything queued in one stretch is in one commit. Throws after a failure. */
  wake(): void {
    if (this.#failure) throw this.#failure
    if (this.#next !== undefined) return
    this.#next = this.#commitAfter(this.#current)
    this.#next.catch(() => {})
  }

  /** Resolves when everything queued so far is on disk; rejects when it may not be. */
  flushed(): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure)
    return this.#next ?? this.#current
  }

  /** Writes nothing more, what is queued neither; returns what every caller is told. */
  fail(error: unknown): Unavailable {
    if (this.#failure) return this.#failure
    // LMDB tells the cause through a second promise; unheard, its rejection would end the process.
    const cause = (error as { commitError?: Promise<never> }).commitError
    cause?.catch(() => {})
    this.#failure = new Unavailable('A commit failed', { cause: error })
    this.#onFailure(this.#failure)
    return this.#failure
  }

  async #commitAfter(before: Promise<void>): Promise<void> {
    await before
    if (this.#failure) throw this.#failure
    this.#current = this.#next!
    this.#next = undefined
    try {
      // LMDB gives all writes of one commit the same promise; waiting for it only says that the disk was asked.
      const writes = new Set<unknown>()
      for (const source of this.#sources) for (const write of source.handOver()) writes.add(write)
      await Promise.all([...writes, this.#synced()])
      for (const source of this.#sources) source.settled()
    } catch (error) {
      throw this.fail(error)
    }
  }
}
