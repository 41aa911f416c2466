// What the organizations of other shards have paid to an address, as it was at most a minute ago. It is shown to people
// and agents, and nothing is decided on it: a database that does not answer leaves what was known last.
import { setTimeout } from 'node:timers/promises'
import { monotonicMs } from '../../async/leaseDeadline.js'
import { BoundedCache } from '../../domain/values/boundedCache.js'
import type { NetworkRow } from '../../domain/parties/networkTotals.js'
import type { PublishedNetwork } from '../../store/journal/postgres/publishedNetwork.js'

type Rows = readonly NetworkRow[]

interface ElsewhereParts {
  published: Pick<PublishedNetwork, 'elsewhere'>
  isAlone: () => boolean
  /** Monotonic ms. */
  now?: () => number
  /** The longest that an answer waits. */
  patienceMs?: number
}

const FRESH_MS = 60_000
const PATIENCE_MS = 250
const CACHED = 20_000
/** Addresses that are asked for at a time. */
const MOST_ASKED = 100

export class NetworkElsewhere {
  readonly #parts: Required<ElsewhereParts>
  readonly #known = new BoundedCache<string, { rows: Rows; at: number }>(CACHED)
  readonly #asked = new Map<string, Promise<Rows>>()

  constructor(parts: ElsewhereParts) {
    this.#parts = { now: monotonicMs, patienceMs: PATIENCE_MS, ...parts }
  }

  /** Of each shard that has figures of the address. */
  async rows(address: string): Promise<Rows> {
    const { isAlone, now, patienceMs } = this.#parts
    if (isAlone()) return []
    const known = this.#known.get(address)
    if (known && now() - known.at < FRESH_MS) return known.rows
    const last = known?.rows ?? []
    const asked = this.#asking(address)
    if (asked === undefined) return last
    return Promise.race([asked.catch(() => last), setTimeout(patienceMs, last, { ref: false })])
  }

  /** Undefined where too many are asked for already. */
  #asking(address: string): Promise<Rows> | undefined {
    const before = this.#asked.get(address)
    if (before || this.#asked.size >= MOST_ASKED) return before
    const at = this.#parts.now()
    const asked = this.#parts.published.elsewhere(address)
    this.#asked.set(address, asked)
    asked
      .then((rows) => this.#known.set(address, { rows, at }))
      .catch(() => {})
      .finally(() => this.#asked.delete(address))
    return asked
  }
}
