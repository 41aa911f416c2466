// Group commit: hands writes to LMDB one commit at a time. Writes that are queued during a commit go into the next one,
// which writes only the last value of each key.
// INVARIANT: no commit begins before the last one is on disk, so that a change that was decided on the state of a
// failed commit never reaches the disk.
import { Unavailable } from '../actor/host.js'
import { WriteArena } from './writeArena.js'

/** A table with queued writes. */
export interface WriteSource {
  /** Moves all queued writes into the commit that begins, as they will be on disk; a throw fails that commit. */
  take(): void
  /** Hands the taken writes to LMDB; called again when LMDB gave the commit up. */
  write(): void
  /** The taken writes are on disk. */
  settled(): void
}

/** LMDB's error code for a transaction that was given up, with nothing of it written. */
const BAD_TXN = -30782
/** After an error of the disk LMDB may leave a commit unsettled. */
const LONGEST_COMMIT_TICKS = 60
const TICK_MS = 1_000
/** Maximum attempts of one commit. */
const MAX_TRIES = 4

/** Room for the rows of several hundred requests; only what a commit ever used takes memory. */
const ROOM_BYTES = 4 * 2 ** 20

export class Writer {
  /** The rows of the commit under way. */
  readonly bytes = new WriteArena(ROOM_BYTES)
  readonly #commit: (write: () => void) => Promise<unknown>
  readonly #onFailure: (failure: Unavailable) => void
  readonly #tickMs: number
  readonly #sources: WriteSource[] = []
  /** The commit of the queued writes; undefined when none are queued. */
  #next: Promise<void> | undefined
  /** The commit that was handed to LMDB last. */
  #current: Promise<void> = Promise.resolve()
  #failure: Unavailable | undefined

  /**
   * `commit` resolves when everything that `write` hands over synchronously is on disk; one that is not settled after
   * 60 times `tickMs` has failed. `onFailure` is called once.
   */
  constructor(
    commit: (write: () => void) => Promise<unknown>,
    onFailure: (failure: Unavailable) => void,
    tickMs = TICK_MS,
  ) {
    this.#commit = commit
    this.#onFailure = onFailure
    this.#tickMs = tickMs
  }

  /** The failure that ended all writing; undefined before it. */
  get failure(): Unavailable | undefined {
    return this.#failure
  }

  register(source: WriteSource): void {
    this.#sources.push(source)
  }

  /**
   * Schedules a commit for queued writes. Everything queued in one stretch of the event loop shares a commit. Throws
   * after a failure.
   */
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

  /** Stops all writing, queued writes included; returns the error that every caller gets. */
  fail(error: unknown): Unavailable {
    if (this.#failure) return this.#failure
    this.#failure = new Unavailable('The store failed', { cause: error })
    this.#onFailure(this.#failure)
    return this.#failure
  }

  async #commitAfter(before: Promise<void>): Promise<void> {
    await before
    if (this.#failure) throw this.#failure
    this.#current = this.#next!
    this.#next = undefined
    try {
      this.bytes.clear()
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
        await inTime(
          this.#commit(() => this.#sources.forEach((source) => source.write())),
          this.#tickMs,
        )
        return
      } catch (error) {
        const cause = await causeOf(error)
        if (tries === MAX_TRIES || (cause as { code?: number }).code !== BAD_TXN) throw cause
      }
    }
  }
}

/** Counts ticks, not the clock: while the process is suspended, LMDB is too. */
async function inTime(commit: Promise<unknown>, tickMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const overdue = new Promise<never>((_, reject) => {
    let left = LONGEST_COMMIT_TICKS
    timer = setInterval(() => {
      left -= 1
      if (left === 0) reject(new Error(`A commit was not settled after ${LONGEST_COMMIT_TICKS * tickMs} ms`))
    }, tickMs)
  })
  await Promise.race([commit, overdue]).finally(() => clearInterval(timer))
}

/**
 * LMDB reports the cause at once, through a second promise, or never. That promise needs a handler: an unhandled
 * rejection would end the process.
 */
function causeOf(error: unknown): Promise<unknown> {
  const reported = (error as { commitError?: Promise<never> }).commitError?.catch((cause: unknown) => cause)
  const unreported = new Promise((resolve) => setImmediate(resolve, error))
  return Promise.race([reported ?? error, unreported])
}
