// Polls audit logs for their followers, and only while there are any. Each poll shares a bounded number of entries
// among all followers. It stores nothing for a follower.
import type { Follower, Following, Share } from '../actor/follower.js'

export interface FollowerPorts {
  /** The last committed sequence. */
  lastSequence(organization: string): Promise<number>
  /** Calls `run` every `ms` milliseconds until the returned function is called. */
  every(ms: number, run: () => void): () => void
  onError(error: unknown): void
}

const EVERY_MS = 100
const MOST_FOLLOWERS = 200
const MOST_AN_ORGANIZATION = 20
/** Entries for all followers together in one poll: about a twentieth of a processor. */
const MOST_A_LOOK = 50
/** Bounds of one follower's share of them: with many followers, the rest have their turn in a later poll. */
const MOST_AT_ONCE = 50
const LEAST_AT_ONCE = 5

interface Waiter {
  organization: string
  after: number
  /** Polls left until it is told that there is nothing. */
  patience: number
  tell: (share: Share) => void
}

export class AuditFollower implements Follower {
  readonly #ports: FollowerPorts
  /** Followers by organization. */
  readonly #places = new Map<string, number>()
  #taken = 0
  /** In order of arrival: a follower that was told goes to the end when it waits again. */
  readonly #waiting = new Set<Waiter>()
  #stopLooking: (() => void) | undefined
  #isLooking = false
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
    if (own >= MOST_AN_ORGANIZATION || this.#taken >= MOST_FOLLOWERS) return undefined
    this.#places.set(organization, own + 1)
    this.#taken += 1
    this.#stopLooking ??= this.#ports.every(EVERY_MS, () => void this.#look())
    let isClosed = false
    let waiter: Waiter | undefined
    const isOver = (): boolean => this.#stopped || isClosed
    return {
      next: async (after, waitMs) => {
        if (isOver()) return { last: after, most: 0 }
        const patience = Math.ceil(waitMs / EVERY_MS)
        return new Promise((tell) => this.#waiting.add((waiter = { organization, after, patience, tell })))
      },
      isOver,
      close: () => {
        if (isClosed) return
        isClosed = true
        this.#leave(organization)
        if (waiter) this.#tell(waiter, { last: waiter.after, most: 0 })
      },
    }
  }

  /** Ends every wait at once. */
  stop(): void {
    this.#stopped = true
    this.#stopLooking?.()
    for (const waiter of this.#waiting) this.#tell(waiter, { last: waiter.after, most: 0 })
  }

  #tell(waiter: Waiter, share: Share): void {
    if (this.#waiting.delete(waiter)) waiter.tell(share)
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    const lasts = new Map<string, number>()
    for (const organization of new Set([...this.#waiting].map((waiter) => waiter.organization))) {
      const last = await this.#lastOf(organization)
      if (last !== undefined) lasts.set(organization, last)
    }
    this.#isLooking = false
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
    const most = Math.min(MOST_AT_ONCE, Math.max(LEAST_AT_ONCE, Math.floor(MOST_A_LOOK / behind.length)))
    const next = behind.slice(0, Math.floor(MOST_A_LOOK / most))
    for (const waiter of next) this.#tell(waiter, { last: lasts.get(waiter.organization)!, most })
    for (const waiter of seen) {
      waiter.patience -= 1
      if (waiter.patience <= 0 && !isBehind(waiter)) this.#tell(waiter, { last: waiter.after, most: 0 })
    }
  }

  #leave(organization: string): void {
    this.#taken -= 1
    const left = this.#places.get(organization)! - 1
    if (left > 0) this.#places.set(organization, left)
    else this.#places.delete(organization)
    if (this.#taken > 0) return
    this.#stopLooking?.()
    this.#stopLooking = undefined
  }
}
