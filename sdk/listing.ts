// A list of the service: awaited it is one page, iterated it is every entry, page after page.

export interface Page {
  pagination?: { limit: number; hasMore: boolean; nextCursor?: string }
  /** Where a list of agents, which is flat, goes on. */
  nextCursor?: string
}

/**
 * `await` it for one page as the service answers it; `for await` over it for all entries. Every page after the first is
 * asked for when the iteration comes to it, so a loop that is left early asks for no more.
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
      // The cursor knows where it stands; another offset would be counted from there.
      page = await fetchPage({ cursor, offset: 0 })
    }
  }
  async function* entries(): AsyncGenerator<Entry, void> {
    for await (const page of pages()) yield* entriesOf(page)
  }
  return Object.assign(first, { pages, [Symbol.asyncIterator]: entries })
}
