// A value that is asked for again once it is older than a limit. A failed answer is not kept.
export class CachedFor<Value> {
  readonly #ask: () => Promise<Value>
  readonly #freshMs: number
  #last: { at: number; value: Promise<Value> } | undefined

  constructor(ask: () => Promise<Value>, freshMs: number) {
    this.#ask = ask
    this.#freshMs = freshMs
  }

  get(): Promise<Value> {
    // The system's clock may be set back, and nothing would be asked for again until it has caught up.
    const now = performance.now()
    if (this.#last && now - this.#last.at < this.#freshMs) return this.#last.value
    const last = { at: now, value: this.#ask() }
    this.#last = last
    last.value.catch(() => {
      if (this.#last === last) this.#last = undefined
    })
    return last.value
  }
}
