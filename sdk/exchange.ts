// One exchange over HTTP, step by step: how long each may take, and the caller's word that ends it. A step that stays
// without its answer is a TIMEOUT: late or cut off, nobody here knows what became of it.
import { BursarError } from './error.js'

/** What a timer takes; a longer one would fire at once. */
const LONGEST_MS = 2 ** 31 - 1

export class Exchange {
  readonly #what: string
  readonly #timeoutMs: number
  readonly #caller: AbortSignal | undefined
  readonly #controller = new AbortController()

  /** `what` names it in errors: `GET https://…`. */
  constructor(what: string, timeoutMs: number, caller: AbortSignal | undefined) {
    this.#what = what
    this.#timeoutMs = timeoutMs
    this.#caller = caller
  }

  /** For `fetch`. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** `missing` is what an error says that there was none of. */
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
    const message = `${this.#what} had no ${missing} ${why}. Ask for the status before sending it again`
    return new BursarError(message, { code: 'TIMEOUT', status: 0, cause })
  }
}

/** The cause says more than `fetch failed`. */
function messageOf({ message, cause }: Error): string {
  return cause instanceof Error ? cause.message || message : message
}
