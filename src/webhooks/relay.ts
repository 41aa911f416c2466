// Sends what is due, endpoint by endpoint in turn. Attempts at a time are bounded for each endpoint, organization and
// receiver, and no organization keeps a receiver from another; what became of an attempt is a row before the next is
// due. What waits is on disk: a restart loses nothing.
import { attempted, type Delivery, type Outcome, type Waits } from '../domain/delivery.js'
import { Shares } from './shares.js'

export interface RelayPorts {
  queue: {
    /** Every endpoint that something waits for. */
    endpoints(): Iterable<string>
    /** What waits for an endpoint, the longest first, due or not; only what is on disk. */
    waiting(endpoint: string, limit: number): { id: string; at: number }[]
    get(organization: string, id: string): Delivery | undefined
    change(before: Delivery, after: Delivery): void
  }
  /** Resolves when everything written so far is on disk. */
  flushed(): Promise<void>
  /** Makes one attempt, and says where it went. It throws only when it cannot be known what became of it. */
  attempt(delivery: Delivery): Promise<{ outcome: Outcome; target?: string }>
  now(): number
  waits: Waits
  onError(error: unknown): void
}

/** Attempts at a time: of one endpoint, of an organization to an origin, to one origin, of an organization, of all. */
const MOST_OF_ONE = 16
const MOST_OF_ORGANIZATION_TO_ORIGIN = 24
const MOST_TO_ORIGIN = 32
const MOST_OF_ORGANIZATION = 64
const MOST_OF_ALL = 512
const BATCH = 64
const LOOK_EVERY_MS = 100
const PAUSE_MS = 1_000

/** A place that an attempt takes: an organization's, shared by origins, or an origin's, shared by organizations. */
interface Place {
  shares: Shares<Lane>
  name: string
  party: string
}

const NO_PLACES: readonly Place[] = []

interface Lane {
  endpoint: string
  organization: string
  /** Where its attempts went last, or will go first; undefined before it is known. */
  origin: string | undefined
  /** Due, and not taken. */
  ready: string[]
  /** Under way, or ended and not yet on disk. */
  taken: Set<string>
  running: number
  /** How many attempts it may have at a time: one more with each success, one after a failure. */
  width: number
  /** Epoch ms of the next one that is not yet due; infinite when there is none. */
  dueAt: number
  /** It stands in line: for its turn, or for a place of its organization or receiver. */
  queued: boolean
  /** The places that it stands in line for, or was let out of a line for; none where it goes on its own account. */
  awaited: readonly Place[]
}

export class Relay {
  readonly #ports: RelayPorts
  readonly #lanes = new Map<string, Lane>()
  readonly #turns: Lane[] = []
  readonly #organizations = new Shares<Lane>(MOST_OF_ORGANIZATION, MOST_OF_ORGANIZATION_TO_ORIGIN)
  readonly #origins = new Shares<Lane>(MOST_TO_ORIGIN, MOST_OF_ORGANIZATION_TO_ORIGIN)
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
    this.#changed(lane)
  }

  /** Attempts under way. */
  get running(): number {
    return this.#running
  }

  #look(): void {
    const now = this.#ports.now()
    for (const lane of this.#lanes.values()) if (lane.dueAt <= now) this.#offer(lane)
  }

  /** What waits for the endpoint is not what it was. */
  #changed(lane: Lane): void {
    lane.dueAt = 0
    this.#offer(lane)
  }

  #offer(lane: Lane): void {
    if (this.#stopped) return
    if (!lane.queued) this.#turns.push(lane)
    lane.queued = true
    this.#schedule()
  }

  #schedule(): void {
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
    const { awaited } = lane
    lane.awaited = NO_PLACES
    if (lane.running >= lane.width) return awaited.forEach((place) => this.#admit(place))
    if (lane.ready.length === 0) this.#refill(lane)
    const [id] = lane.ready
    if (id === undefined) return
    const places = awaited.length > 0 ? awaited : this.#placesOf(lane, id)
    lane.queued = true
    if (this.#waits(lane, places)) return
    lane.ready.shift()
    this.#turns.push(lane)
    void this.#run(lane, id, places)
  }

  #placesOf(lane: Lane, id: string): Place[] {
    const { organization } = lane
    lane.origin ??= this.#originOf(lane, id)
    return [
      { shares: this.#origins, name: lane.origin, party: organization },
      { shares: this.#organizations, name: organization, party: lane.origin },
    ]
  }

  /** Stands in line where there is no place for it; one that it was let out of a line for is for the next one there. */
  #waits(lane: Lane, places: readonly Place[]): boolean {
    const full = places.find(({ shares, name, party }) => shares.isFull(name, party))
    if (full === undefined) return false
    full.shares.wait(full.name, full.party, lane)
    lane.awaited = places
    for (const place of places) this.#admit(place)
    return true
  }

  /** Lets one in who waits for a place, when there is one. What comes to a receiver meanwhile does not overtake it. */
  #admit({ shares, name }: Place): void {
    const lane = shares.next(name)
    if (lane === undefined) return
    if (shares === this.#origins) this.#turns.unshift(lane)
    else this.#turns.push(lane)
    this.#schedule()
  }

  /** Where a delivery goes as its row says; a row that cannot be read is its attempt's to report. */
  #originOf({ organization }: Lane, id: string): string {
    try {
      return originOf(this.#ports.queue.get(organization, id)!.target)
    } catch {
      return ''
    }
  }

  #refill(lane: Lane): void {
    const now = this.#ports.now()
    const waiting = this.#ports.queue.waiting(lane.endpoint, BATCH + lane.taken.size)
    const free = waiting.filter(({ id }) => !lane.taken.has(id))
    lane.ready = free.filter(({ at }) => at <= now).map(({ id }) => id)
    lane.dueAt = free.find(({ at }) => at > now)?.at ?? Infinity
    if (free.length === 0 && lane.taken.size === 0) this.#lanes.delete(lane.endpoint)
  }

  async #run(lane: Lane, id: string, places: readonly Place[]): Promise<void> {
    this.#take(lane, places)
    lane.taken.add(id)
    try {
      await this.#attempt(lane, id)
    } catch (error) {
      if (!this.#stopped) this.#ports.onError(error)
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS).unref())
    }
    this.#release(lane, places)
    this.#offer(lane)
    await this.#ports.flushed().catch(() => this.stop())
    lane.taken.delete(id)
    this.#changed(lane)
  }

  #take(lane: Lane, places: readonly Place[]): void {
    lane.running += 1
    this.#running += 1
    for (const { shares, name, party } of places) shares.take(name, party)
  }

  /** Who waits for the place goes before the one that had it. */
  #release(lane: Lane, places: readonly Place[]): void {
    lane.running -= 1
    this.#running -= 1
    for (const { shares, name, party } of places) shares.release(name, party)
    for (const place of places) this.#admit(place)
  }

  async #attempt(lane: Lane, id: string): Promise<void> {
    const { queue, attempt, waits } = this.#ports
    const delivery = queue.get(lane.organization, id)
    if (delivery === undefined) throw new Error(`Delivery ${id} is due and does not exist`)
    // It was given up since it was seen.
    if (delivery.status !== 'PENDING') return
    const { outcome, target = delivery.target } = await attempt(delivery)
    if (this.#stopped) return
    const after = attempted({ ...delivery, target }, outcome, waits)
    lane.origin = originOf(target)
    lane.width = after.status === 'DELIVERED' ? Math.min(lane.width + 1, MOST_OF_ONE) : 1
    queue.change(delivery, after)
  }
}

function originOf(target: string): string {
  return URL.canParse(target) ? new URL(target).origin : ''
}

function newLane(endpoint: string): Lane {
  const [organization = ''] = endpoint.split(':')
  return {
    endpoint,
    organization,
    origin: undefined,
    ready: [],
    taken: new Set(),
    running: 0,
    width: 1,
    dueAt: 0,
    queued: false,
    awaited: NO_PLACES,
  }
}
