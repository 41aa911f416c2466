// Polls audit logs for their followers, and only while there are any. Each poll shares a bounded number of entries
// among all followers. It stores nothing for a follower.
import type { Follower, Following, FollowerShare } from '../actor/follower.js'

export interface FollowerPorts {
  /** The last committed sequence. */
  lastSequence(organization: string): Promise<number>
  /** Calls `run` every `ms` milliseconds until the returned function is called. */
  every(ms: number, run: () => void): () => void
  onError(error: unknown): void
}

const POLL_MS = 100
const MAX_FOLLOWERS = 200
const MAX_PER_ORGANIZATION = 20
/** Entries for all followers together in one poll: about a twentieth of a processor. */
const MAX_PER_POLL = 50
/** Bounds of one follower's share of them: with many followers, the rest have their turn in a later poll. */
const MAX_SHARE = 50
const MIN_SHARE = 5

interface Waiter {
  organization: string
  after: number
  /** Polls left until it is told that there is nothing. */
  pollsLeft: number
  resolve: (share: FollowerShare) => void
}

export class AuditFollower implements Follower {
  readonly #ports: FollowerPorts
  /** Followers by organization. */
  readonly #places = new Map<string, number>()
  #taken = 0
  /** In order of arrival: a follower that was told goes to the end when it waits again. */
  readonly #waiting = new Set<Waiter>()
  #stopPolling: (() => void) | undefined
  #isPolling = false
  #stopped = false

  constructor(ports: FollowerPorts) {
    this.#ports = ports
  }

  /** Followers at present. */
  get size(): number {
    return this.#taken
  }

  follow(organization: string): Following | undefined {
    const own = this.#places.get(organization) ?? 0
    if (own >= MAX_PER_ORGANIZATION || this.#taken >= MAX_FOLLOWERS) return undefined
    this.#places.set(organization, own + 1)
    this.#taken += 1
    this.#stopPolling ??= this.#ports.every(POLL_MS, () => void this.#poll())
    let isClosed = false
    let waiter: Waiter | undefined
    const isOver = (): boolean => this.#stopped || isClosed
    return {
      next: async (after, waitMs) => {
        if (isOver()) return { last: after, most: 0 }
        const pollsLeft = Math.ceil(waitMs / POLL_MS)
        return new Promise((resolve) => this.#waiting.add((waiter = { organization, after, pollsLeft, resolve })))
      },
      isOver,
      close: () => {
        if (isClosed) return
        isClosed = true
        this.#leave(organization)
        if (waiter) this.#resolve(waiter, { last: waiter.after, most: 0 })
      },
    }
  }

  /** Ends every wait at once. */
  stop(): void {
    this.#stopped = true
    this.#stopPolling?.()
    for (const waiter of this.#waiting) this.#resolve(waiter, { last: waiter.after, most: 0 })
  }

  #resolve(waiter: Waiter, share: FollowerShare): void {
    if (this.#waiting.delete(waiter)) waiter.resolve(share)
  }

  async #poll(): Promise<void> {
    if (this.#isPolling) return
    this.#isPolling = true
    const lasts = new Map<string, number>()
    for (const organization of new Set([...this.#waiting].map((waiter) => waiter.organization))) {
      const last = await this.#lastOf(organization)
      if (last !== undefined) lasts.set(organization, last)
    }
    this.#isPolling = false
    this.#share(lasts)
  }

  /** Undefined when the read fails. */
  async #lastOf(organization: string): Promise<number | undefined> {
    try {
      return await this.#ports.lastSequence(organization)
    } catch (error) {
      this.#ports.onError(error)
      return undefined
    }
  }

  /** A follower that began to wait during a poll waits for the next one. */
  #share(lasts: Map<string, number>): void {
    const seen = [...this.#waiting].filter(({ organization }) => lasts.has(organization))
    const isBehind = ({ organization, after }: Waiter): boolean => lasts.get(organization)! > after
    const behind = seen.filter(isBehind)
    const most = Math.min(MAX_SHARE, Math.max(MIN_SHARE, Math.floor(MAX_PER_POLL / behind.length)))
    const next = behind.slice(0, Math.floor(MAX_PER_POLL / most))
    for (const waiter of next) this.#resolve(waiter, { last: lasts.get(waiter.organization)!, most })
    for (const waiter of seen) {
      waiter.pollsLeft -= 1
      if (waiter.pollsLeft <= 0 && !isBehind(waiter)) this.#resolve(waiter, { last: waiter.after, most: 0 })
    }
  }

  #leave(organization: string): void {
    this.#taken -= 1
    const left = this.#places.get(organization)! - 1
    if (left > 0) this.#places.set(organization, left)
    else this.#places.delete(organization)
    if (this.#taken > 0) return
    this.#stopPolling?.()
    this.#stopPolling = undefined
  }
}
