// Counts of an agent's payments in rolling periods. The times of payments are rows of the store; what asks for a count
// reads only as many of them as can matter to it.

/** At most `limit` payments within the last `periodMs`. */
export interface Counting {
  periodMs: number
  limit: number
}

/** What has to be read for all of these; undefined for none. */
export function widest(all: readonly Counting[]): Counting | undefined {
  if (all.length === 0) return undefined
  const most = (field: keyof Counting): number => Math.max(...all.map((one) => one[field]))
  return { periodMs: most('periodMs'), limit: most('limit') }
}

/** How many of the times (epoch ms) lie within the period that ends at `now`. */
export function countWithin(times: readonly number[], periodMs: number, now: number): number {
  return times.filter((at) => at > now - periodMs).length
}
