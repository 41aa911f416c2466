// A list of the service: awaited it is one page, iterated it is every entry, page after page.

export interface Page {
  pagination?: { limit: number; hasMore: boolean; nextCursor?: string }
  /** Where a list of agents, which is flat, goes on. */
  nextCursor?: string
}

/**
 * `await` it for one page as the service answers it; `for await` over it for all entries. Each page is asked for when
 * the iteration comes to it, so a loop that is left early asks for no more.
 */
export class Listing<P extends Page, Entry> implements PromiseLike<P>, AsyncIterable<Entry> {
  readonly #entries: PropertyKey
  readonly #fetch: (from: { cursor?: string; offset?: number }) => Promise<P>

  constructor(entries: PropertyKey, fetch: (from: { cursor?: string; offset?: number }) => Promise<P>) {
    this.#entries = entries
    this.#fetch = fetch
  }

  then<A = P, B = never>(
    onPage?: ((page: P) => A | PromiseLike<A>) | null,
    onError?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#fetch({}).then(onPage, onError)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Entry, void, undefined> {
    for await (const page of this.pages()) yield* page[this.#entries as keyof P] as Entry[]
  }

  /** Page after page. */
  async *pages(): AsyncGenerator<P, void, undefined> {
    let page = await this.#fetch({})
    for (;;) {
      yield page
      const cursor = page.pagination?.nextCursor ?? page.nextCursor
      if (cursor === undefined) return
      // The cursor knows where it stands; an offset beside it would be counted from there.
      page = await this.#fetch({ cursor, offset: 0 })
    }
  }
}
