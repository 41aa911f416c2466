// A list of the service: one page when awaited, every entry of all pages when iterated.

export interface Page {
  pagination?: { limit: number; hasMore: boolean; nextCursor?: string }
  /** The cursor of a list of agents, whose answer has no `pagination`. */
  nextCursor?: string
}

/**
 * `await` it for one page as the service answers it; iterate over it with `for await` for all entries, or over
 * `pages()` for all pages. Each page after the first is requested only when the iteration reaches it.
 */
export type Listing<P extends Page, Entry> = Promise<P> & AsyncIterable<Entry> & { pages(): AsyncGenerator<P, void> }

interface From {
  cursor: string
  offset: 0
}

export function listing<P extends Page, Entry>(
  entriesOf: (page: P) => Entry[],
  fetchPage: (from?: From) => Promise<P>,
): Listing<P, Entry> {
  const first = fetchPage()
  async function* pages(): AsyncGenerator<P, void> {
    let page = await first
    for (;;) {
      yield page
      const cursor = page.pagination?.nextCursor ?? page.nextCursor
      if (cursor === undefined) return
      // An offset would be counted from the cursor's position.
      page = await fetchPage({ cursor, offset: 0 })
    }
  }
  async function* entries(): AsyncGenerator<Entry, void> {
    for await (const page of pages()) yield* entriesOf(page)
  }
  return Object.assign(first, { pages, [Symbol.asyncIterator]: entries })
}
