// Sends what is due, endpoint by endpoint in turn, each with a bounded number of attempts at a time; what became of an
// attempt is a row before the next one is due. It holds nothing that a restart would lose: what waits is on disk.
import { attempted, type Delivery, type Outcome, type Waits } from '../domain/delivery.js'

export interface RelayPorts {
  queue: {
    /** Every endpoint that something waits for. */
    endpoints(): Iterable<string>
    /** What waits for an endpoint, the longest first, due or not; only what is on disk. */
    waiting(endpoint: string, limit: number): { id: string; at: number }[]
    get(organization: string, id: string): Delivery | undefined
    change(before: Delivery, after: Delivery): void
    /** Resolves when everything written so far is on disk. */
    flushed(): Promise<void>
  }
  /** Makes one attempt, and says where it went. It throws only when it cannot be known what became of it. */
  attempt(delivery: Delivery): Promise<{ outcome: Outcome; target?: string }>
  now(): number
  waits: Waits
  onError(error: unknown): void
}

/** Attempts at a time, of one endpoint, of one that failed last, and of all. */
const MOST_OF_ONE = 16
const MOST_OF_FAILING = 1
const MOST_OF_ALL = 512
const BATCH = 64
const LOOK_EVERY_MS = 100
const PAUSE_MS = 1_000

interface Lane {
  endpoint: string
  /** Due, and not taken. */
  ready: string[]
  /** Under way, or ended and not yet on disk. */
  taken: Set<string>
  running: number
  failing: boolean
  /** Epoch ms of the next one that is not yet due; infinite when there is none. */
  dueAt: number
  /** It stands in the queue for its turn. */
  queued: boolean
}

export class Relay {
  readonly #ports: RelayPorts
  readonly #lanes = new Map<string, Lane>()
  readonly #turns: Lane[] = []
  #running = 0
  #stopped = true
  #pumping = false
  #timer: NodeJS.Timeout | undefined

  constructor(ports: RelayPorts) {
    this.#ports = ports
  }

  /** Takes up what was left pending. */
  start(): void {
    this.#stopped = false
    for (const endpoint of this.#ports.queue.endpoints()) this.wake(endpoint)
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS)
  }

  /** Sends nothing more. What is under way is not waited for: it is sent again after the next start. */
  stop(): void {
    this.#stopped = true
    clearInterval(this.#timer)
  }

  /** Something new waits for this endpoint. */
  wake(endpoint: string): void {
    if (this.#stopped) return
    const known = this.#lanes.get(endpoint)
    const lane = known ?? newLane(endpoint)
    if (!known) this.#lanes.set(endpoint, lane)
    lane.dueAt = 0
    this.#offer(lane)
  }

  /** Attempts under way. */
  get running(): number {
    return this.#running
  }

  #look(): void {
    const now = this.#ports.now()
    for (const lane of this.#lanes.values()) if (lane.dueAt <= now) this.#offer(lane)
  }

  #offer(lane: Lane): void {
    if (this.#stopped) return
    if (!lane.queued) this.#turns.push(lane)
    lane.queued = true
    if (this.#pumping) return
    this.#pumping = true
    setImmediate(() => this.#pump())
  }

  /** One attempt of each endpoint whose turn it is; who had one stands in line again, behind all others. */
  #pump(): void {
    this.#pumping = false
    try {
      while (this.#turns.length > 0 && this.#running < MOST_OF_ALL && !this.#stopped) {
        this.#turn(this.#turns.shift()!)
      }
    } catch (error) {
      this.#ports.onError(error)
    }
  }

  #turn(lane: Lane): void {
    lane.queued = false
    if (lane.running >= (lane.failing ? MOST_OF_FAILING : MOST_OF_ONE)) return
    if (lane.ready.length === 0) this.#refill(lane)
    const id = lane.ready.shift()
    if (id === undefined) return
    lane.queued = true
    this.#turns.push(lane)
    void this.#run(lane, id)
  }

  #refill(lane: Lane): void {
    const now = this.#ports.now()
    const waiting = this.#ports.queue.waiting(lane.endpoint, BATCH + lane.taken.size)
    const free = waiting.filter(({ id }) => !lane.taken.has(id))
    lane.ready = free.filter(({ at }) => at <= now).map(({ id }) => id)
    lane.dueAt = free.find(({ at }) => at > now)?.at ?? Infinity
    if (free.length === 0 && lane.taken.size === 0) this.#lanes.delete(lane.endpoint)
  }

  async #run(lane: Lane, id: string): Promise<void> {
    lane.running += 1
    this.#running += 1
    lane.taken.add(id)
    try {
      await this.#attempt(lane, id)
    } catch (error) {
      if (!this.#stopped) this.#ports.onError(error)
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS).unref())
    }
    lane.running -= 1
    this.#running -= 1
    this.#offer(lane)
    await this.#ports.queue.flushed().catch(() => this.stop())
    lane.taken.delete(id)
    lane.dueAt = 0
    this.#offer(lane)
  }

  async #attempt(lane: Lane, id: string): Promise<void> {
    const { queue, attempt, waits } = this.#ports
    const [organization = ''] = lane.endpoint.split(':')
    const delivery = queue.get(organization, id)
    if (delivery === undefined) throw new Error(`Delivery ${id} is due and does not exist`)
    const { outcome, target = delivery.target } = await attempt(delivery)
    if (this.#stopped) return
    const after = attempted({ ...delivery, target }, outcome, waits)
    lane.failing = after.status !== 'DELIVERED'
    queue.change(delivery, after)
  }
}

function newLane(endpoint: string): Lane {
  return {
    endpoint,
    ready: [],
    taken: new Set(),
    running: 0,
    failing: false,
    dueAt: 0,
    queued: false,
  }
}
