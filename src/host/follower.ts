// Watches how far audit logs have come, for those who follow them, and only while somebody does: a look every so often
// for all followers of an organization together. It keeps nothing for anybody; whoever is slow reads later.
import type { Follower, Following } from '../actor/follower.js'

export interface FollowerPorts {
  /** As committed. */
  lastSequence(organization: string): Promise<number>
  onError(error: unknown): void
}

const EVERY_MS = 100
const MOST_AN_ORGANIZATION = 20

interface Wanted {
  after: number
  waitMs: number
  isEarly: boolean
}

type Waiter = { after: number; wake: () => void }

interface Watched {
  last: number
  /** Looks so far: nobody is told twice between two of them, so that followers take a bounded share of the processor. */
  looks: number
  followers: number
  waiting: Set<Waiter>
}

export class AuditFollower implements Follower {
  readonly #ports: FollowerPorts
  readonly #watched = new Map<string, Watched>()
  #timer: NodeJS.Timeout | undefined
  #stopped = false

  constructor(ports: FollowerPorts) {
    this.#ports = ports
  }

  /** Organizations that are looked at. */
  get size(): number {
    return this.#watched.size
  }

  isFull(organization: string): boolean {
    return (this.#watched.get(organization)?.followers ?? 0) >= MOST_AN_ORGANIZATION
  }

  follow(organization: string): Following {
    const watched = this.#watched.get(organization) ?? { last: 0, looks: 0, followers: 0, waiting: new Set<Waiter>() }
    watched.followers += 1
    this.#watched.set(organization, watched)
    this.#timer ??= setInterval(() => void this.#look(), EVERY_MS).unref()
    let isClosed = false
    let toldAt = -1
    return {
      next: async (after, waitMs) => {
        const isEarly = watched.looks === toldAt
        const last = await this.#next(organization, watched, { after, waitMs, isEarly })
        toldAt = watched.looks
        return last
      },
      isOver: () => this.#stopped || isClosed,
      close: () => {
        if (!isClosed) this.#leave(organization, watched)
        isClosed = true
      },
    }
  }

  /** Whoever waits is told at once. */
  stop(): void {
    this.#stopped = true
    clearInterval(this.#timer)
    for (const { waiting } of this.#watched.values()) for (const { wake } of waiting) wake()
  }

  async #next(organization: string, watched: Watched, { after, waitMs, isEarly }: Wanted): Promise<number> {
    watched.last = Math.max(watched.last, await this.#ports.lastSequence(organization))
    if ((watched.last > after && !isEarly) || waitMs === 0 || this.#stopped) return watched.last
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => waiter.wake(), waitMs).unref()
      const waiter: Waiter = {
        after,
        wake: () => {
          clearTimeout(timer)
          watched.waiting.delete(waiter)
          resolve()
        },
      }
      watched.waiting.add(waiter)
    })
    return watched.last
  }

  async #look(): Promise<void> {
    for (const [organization, watched] of this.#watched) {
      watched.looks += 1
      try {
        watched.last = Math.max(watched.last, await this.#ports.lastSequence(organization))
      } catch (error) {
        this.#ports.onError(error)
      }
      for (const waiter of watched.waiting) if (waiter.after < watched.last) waiter.wake()
    }
  }

  #leave(organization: string, watched: Watched): void {
    watched.followers -= 1
    if (watched.followers > 0) return
    this.#watched.delete(organization)
    if (this.#watched.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
