// Publishes what the organizations of this shard have paid to each address, once a minute where that has changed, so that
// other shards can show the sum. Nothing waits for it, and without other shards it does nothing.
import { setTimeout } from 'node:timers/promises'
import { dayOf, type NetworkRow } from '../../domain/parties/networkTotals.js'
import type { Log } from '../../domain/values/log.js'
import { rowsIn } from '../../store/journal/entry.js'
import type { PublishedNetwork } from '../../store/journal/postgres/publishedNetwork.js'
import { valueIn } from '../../store/journal/replica.js'
import type { Store } from '../../store/store.js'

export interface PublisherParts {
  published: Pick<PublishedNetwork, 'publish' | 'publishedUntil' | 'lastDay'>
  /** Of this node's ownership. */
  epoch: () => number
  isAlone: () => boolean
  /** Epoch ms. */
  now: () => number
  log: Log
}

const EVERY_MS = 60_000
/** Rows of one statement. */
const AT_ONCE = 500
const NETWORK = new Set(['network'])

export class NetworkPublisher {
  readonly #parts: PublisherParts
  /** What is not published yet; undefined as long as nothing is. */
  #changed: Map<string, NetworkRow> | undefined
  #isBegun = false
  #saidDay: number | undefined
  #isEnded = false

  constructor(parts: PublisherParts) {
    this.#parts = parts
  }

  /** To be called with every entry that is durable. */
  note(entry: Buffer): void {
    if (this.#changed === undefined) return
    for (const { key, value } of rowsIn(entry, NETWORK)) {
      if (value) this.#changed.set(key, valueIn(value) as NetworkRow)
    }
  }

  /** Publishes the store's changes until the end, which must come before the store is closed. */
  async run(store: Pick<Store, 'network' | 'flushed'>): Promise<void> {
    while (!this.#isEnded) {
      await this.round(store).catch((error: Error) => this.#failed(error))
      await setTimeout(EVERY_MS, undefined, { ref: false })
    }
  }

  /** What there is to publish now. What a failed one had is tried again with the next. */
  async round(store: Pick<Store, 'network' | 'flushed'>): Promise<void> {
    if (this.#parts.isAlone()) return
    const day = dayOf(this.#parts.now())
    const changed = (this.#changed ??= new Map<string, NetworkRow>())
    if (this.#isBegun) await this.#publishChanged(changed)
    else await this.#publishMissed(store)
    if (this.#isEnded || day === this.#saidDay) return
    await this.#parts.published.publishedUntil(this.#parts.epoch(), day)
    this.#saidDay = day
  }

  end(): void {
    this.#isEnded = true
  }

  #failed(error: Error): void {
    if (!this.#isEnded) this.#parts.log('network figures are not published', { error })
  }

  async #publishChanged(changed: Map<string, NetworkRow>): Promise<void> {
    while (changed.size > 0 && !this.#isEnded) {
      const rows = new Map([...changed].slice(0, AT_ONCE))
      await this.#publish(rows)
      // What has changed meanwhile is another row.
      for (const [address, row] of rows) if (changed.get(address) === row) changed.delete(address)
    }
  }

  /**
   * What was not published by whoever owned the shard before, or before there were other shards. A day more, because the
   * clocks of two nodes are never the same.
   */
  async #publishMissed(store: Pick<Store, 'network' | 'flushed'>): Promise<void> {
    const since = (await this.#parts.published.lastDay()) - 1
    // Entries that were durable before anything was noted can be read then.
    await store.flushed()
    for (let after: string | undefined; !this.#isEnded;) {
      const rows = [...store.network.range({ ...(after !== undefined && { start: `${after}\0` }), limit: AT_ONCE })]
      await this.#publish(new Map(rows.filter(([, row]) => row.day >= since)))
      if (rows.length < AT_ONCE) return void (this.#isBegun = true)
      after = rows.at(-1)![0]
    }
  }

  /** A turn of the event loop at least, where there is nothing. */
  async #publish(rows: ReadonlyMap<string, NetworkRow>): Promise<void> {
    if (rows.size === 0) await setTimeout()
    else await this.#parts.published.publish(this.#parts.epoch(), rows)
  }
}
