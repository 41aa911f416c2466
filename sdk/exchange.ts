// One HTTP exchange in steps, each with the timeout and the caller's abort signal. A step without an answer, late or
// cut off, is a TIMEOUT, because its outcome is unknown.
import { BursarError } from './error.js'

/** The maximum of a timer; a longer one would fire at once. */
const LONGEST_MS = 2 ** 31 - 1

export class Exchange {
  readonly #what: string
  readonly #timeoutMs: number
  readonly #caller: AbortSignal | undefined
  readonly #controller = new AbortController()

  /** `what` names the exchange in errors: `GET https://…`. */
  constructor(what: string, timeoutMs: number, caller: AbortSignal | undefined) {
    this.#what = what
    this.#timeoutMs = timeoutMs
    this.#caller = caller
  }

  /** The signal for `fetch`. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Runs one step. `missing` names in the error what did not arrive. Throws the caller's reason if it aborts. */
  async step<T>(missing: string, work: () => Promise<T>): Promise<T> {
    this.#caller?.throwIfAborted()
    const onAbort = (): void => this.#controller.abort()
    this.#caller?.addEventListener('abort', onAbort)
    const timer = setTimeout(onAbort, Math.min(this.#timeoutMs, LONGEST_MS))
    try {
      return await work()
    } catch (cause) {
      this.#caller?.throwIfAborted()
      throw this.#unanswered(missing, cause)
    } finally {
      clearTimeout(timer)
      this.#caller?.removeEventListener('abort', onAbort)
    }
  }

  #unanswered(missing: string, cause: unknown): BursarError {
    const late = this.signal.aborted ? `within ${this.#timeoutMs} ms` : undefined
    const why = late ?? `(${cause instanceof Error ? messageOf(cause) : String(cause)})`
    const advice = this.#what.startsWith('GET ') ? '' : '. Check the status before sending it again'
    const message = `${this.#what} got no ${missing} ${why}${advice}`
    return new BursarError(message, { code: 'TIMEOUT', status: 0, cause })
  }
}

/** Prefers the cause, which says more than `fetch failed`. */
function messageOf({ message, cause }: Error): string {
  return cause instanceof Error ? cause.message || message : message
}
