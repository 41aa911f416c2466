// Hands writes to LMDB one commit at a time. What is asked for while a commit is under way waits for it and goes into
// the next, where only the last value of a key is written: a change that was decided on the state of a commit that
// failed must never reach the disk.
import { Unavailable } from '../actor/host.js'

/** What has writes to hand over. */
export interface Source {
  /** Everything queued goes into the commit that begins. */
  take(): void
  /** Hands over what was taken: once more where LMDB gave the commit up. */
  write(): void
  /** What was taken last is on disk. */
  settled(): void
}

/** Of LMDB: the transaction was given up, and nothing of it was written. */
const BAD_TXN = -30782
/** Of one commit. */
const MOST_TRIES = 4

export class Writer {
  readonly #commit: (write: () => void) => Promise<unknown>
  readonly #onFailure: (failure: Unavailable) => void
  readonly #sources: Source[] = []
  /** Of what is queued; undefined when nothing is. */
  #next: Promise<void> | undefined
  /** Of what was handed over last. */
  #current: Promise<void> = Promise.resolve()
  #failure: Unavailable | undefined

  /** `commit` resolves when all that `write` hands over, at once, is on disk; `onFailure` is called once. */
  constructor(commit: (write: () => void) => Promise<unknown>, onFailure: (failure: Unavailable) => void) {
    this.#commit = commit
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
      for (const source of this.#sources) source.take()
      await this.#written()
      for (const source of this.#sources) source.settled()
    } catch (error) {
      throw this.fail(error)
    }
  }

  async #written(): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        await this.#commit(() => this.#sources.forEach((source) => source.write()))
        return
      } catch (error) {
        const cause = await causeOf(error)
        if (tries === MOST_TRIES || (cause as { code?: number }).code !== BAD_TXN) throw cause
      }
    }
  }
}

/** LMDB tells it at once, through a second promise, or never; unheard, its rejection would end the process. */
function causeOf(error: unknown): Promise<unknown> {
  const told = (error as { commitError?: Promise<never> }).commitError?.catch((cause: unknown) => cause)
  const untold = new Promise((resolve) => setImmediate(resolve, error))
  return Promise.race([told ?? error, untold])
}
