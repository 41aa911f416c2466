// Fair queueing: endpoints start one attempt each in round-robin order, within concurrency limits for each endpoint,
// organization, origin and organization at an origin. An endpoint's concurrency window grows by one with each success
// and falls back to one with a failure. It does not know what an attempt is: the source starts it.
import { Shares } from './shares.js'

/** Concurrency limits: slots in use at a time. */
export interface Bounds {
  ofEndpoint: number
  ofOrganizationToOrigin: number
  toOrigin: number
  ofOrganization: number
  ofAll: number
}

/** A concurrency slot: an organization's, shared between origins, or an origin's, shared between organizations. */
interface Place {
  shares: Shares<Lane>
  name: string
  party: string
}

export type Places = readonly Place[]

/** An endpoint's attempts that have not started. */
export interface Source {
  hasNext(): boolean
  /** Starts the next attempt in these slots; `ended` gives them back. */
  begin(places: Places): void
}

/** The queue state of one endpoint. */
export interface Lane {
  readonly source: Source
  readonly organization: string
  /** The origin of the attempts started next. */
  origin: string
  /** The slots that an attempt takes: one of the origin and one of the organization. */
  places: Places
  running: number
  /** The concurrency window: attempts that may run at a time. */
  width: number
  /** True while the lane waits for its turn or for a slot. */
  isQueued: boolean
  /** The slots that the lane waits for, or was admitted to after waiting; none for a lane that did not wait. */
  awaited: Places
}

const NO_PLACES: Places = []

export class Turns {
  readonly #bounds: Bounds
  readonly #onError: (error: unknown) => void
  readonly #turns: Lane[] = []
  readonly #organizations: Shares<Lane>
  readonly #origins: Shares<Lane>
  #running = 0
  #isStopped = false
  #isPumping = false

  constructor(bounds: Bounds, onError: (error: unknown) => void) {
    this.#bounds = bounds
    this.#onError = onError
    this.#organizations = new Shares(bounds.ofOrganization, bounds.ofOrganizationToOrigin)
    this.#origins = new Shares(bounds.toOrigin, bounds.ofOrganizationToOrigin)
  }

  lane(organization: string, origin: string, source: Source): Lane {
    const places = this.#placesOf(organization, origin)
    return { source, organization, origin, places, running: 0, width: 1, isQueued: false, awaited: NO_PLACES }
  }

  /** Sends later attempts to this origin; running attempts keep their slots. */
  redirect(lane: Lane, origin: string): void {
    if (lane.origin === origin) return
    lane.origin = origin
    lane.places = this.#placesOf(lane.organization, origin)
  }

  /** Queues a lane that may have attempts to start. */
  offer(lane: Lane): void {
    if (!lane.isQueued) this.#turns.push(lane)
    lane.isQueued = true
    this.#schedule()
  }

  /** Frees the slots of an attempt. Lanes that wait for them go before the lane that had them. */
  ended(lane: Lane, places: Places, isSuccess: boolean): void {
    lane.width = isSuccess ? Math.min(lane.width + 1, this.#bounds.ofEndpoint) : 1
    lane.running -= 1
    this.#running -= 1
    for (const { shares, name, party } of places) shares.release(name, party)
    this.#admit(places)
    this.offer(lane)
  }

  /** Starts no more attempts. */
  stop(): void {
    this.#isStopped = true
  }

  #placesOf(organization: string, origin: string): Places {
    return [
      { shares: this.#origins, name: origin, party: organization },
      { shares: this.#organizations, name: organization, party: origin },
    ]
  }

  #schedule(): void {
    if (this.#isPumping) return
    this.#isPumping = true
    setImmediate(() => this.#pump())
  }

  /** Starts one attempt for each lane in turn; a lane that started one goes to the end of the queue. */
  #pump(): void {
    this.#isPumping = false
    try {
      while (this.#turns.length > 0 && this.#running < this.#bounds.ofAll && !this.#isStopped) {
        this.#turn(this.#turns.shift()!)
      }
    } catch (error) {
      this.#onError(error)
    }
  }

  #turn(lane: Lane): void {
    lane.isQueued = false
    const { awaited } = lane
    lane.awaited = NO_PLACES
    const isReady = lane.running < lane.width && lane.source.hasNext()
    // The slots that the lane was admitted to stay free: the next waiting lane gets them.
    if (!isReady || awaited !== lane.places) this.#admit(awaited)
    if (!isReady) return
    lane.isQueued = true
    if (this.#waits(lane)) return
    this.#turns.push(lane)
    this.#take(lane)
    lane.source.begin(lane.places)
  }

  /** Queues a lane at a full organization or origin, and passes its other slot to the next waiting lane. */
  #waits(lane: Lane): boolean {
    const { places } = lane
    const full = places.find(({ shares, name, party }) => shares.isFull(name, party))
    if (full === undefined) return false
    full.shares.wait(full.name, full.party, lane)
    lane.awaited = places
    this.#admit(places)
    return true
  }

  #take(lane: Lane): void {
    lane.running += 1
    this.#running += 1
    for (const { shares, name, party } of lane.places) shares.take(name, party)
  }

  /** Admits one waiting lane for each free slot. One admitted to an origin goes first: no later lane overtakes it. */
  #admit(places: Places): void {
    for (const { shares, name } of places) {
      const lane = shares.next(name)
      if (lane === undefined) continue
      if (shares === this.#origins) this.#turns.unshift(lane)
      else this.#turns.push(lane)
      this.#schedule()
    }
  }
}

/** The origin of a URL; empty when the text is no URL. */
export function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : ''
}
