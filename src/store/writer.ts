// Hands writes to LMDB one commit at a time. What is asked for while a commit is under way waits for it and goes into
// the next: a change that was decided on the state of a commit that failed must never reach the disk.
import { Unavailable } from '../actor/host.js'

/** One put or remove; the promise is LMDB's for the commit that it is part of. */
export type Write = () => Promise<unknown>

export class Writer {
  readonly #synced: () => PromiseLike<unknown>
  readonly #onFailure: (failure: Unavailable) => void
  #queued: Write[] = []
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

  /** Everything added in one stretch of the event loop is in one commit. Throws after a failure. */
  add(write: Write): void {
    if (this.#failure) throw this.#failure
    this.#queued.push(write)
    if (this.#next !== undefined) return
    this.#next = this.#commitAfter(this.#current)
    this.#next.catch(() => {})
  }

  /** Resolves when everything added so far is on disk; rejects when it may not be. */
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
    const writes = this.#queued
    this.#queued = []
    this.#current = this.#next!
    this.#next = undefined
    try {
      // LMDB gives all writes of one commit the same promise; waiting for it only says that the disk was asked.
      await Promise.all([...new Set(writes.map((write) => write())), this.#synced()])
    } catch (error) {
      throw this.fail(error)
    }
  }
}
