// Who is next: endpoints take turns for places, which are bounded for each endpoint, organization and receiver, and no
// organization keeps a receiver from another. What begins in a place is the endpoint's own matter.
import { Shares } from './shares.js'

/** Places that are taken at a time. */
export interface Bounds {
  ofEndpoint: number
  ofOrganizationToOrigin: number
  toOrigin: number
  ofOrganization: number
  ofAll: number
}

/** An organization's place, shared by origins, or an origin's, shared by organizations. */
interface Place {
  shares: Shares<Lane>
  name: string
  party: string
}

export type Places = readonly Place[]

/** What an endpoint has to begin. */
export interface Source {
  hasNext(): boolean
  /** Begins the next one in these places, which are given back to `ended`. */
  begin(places: Places): void
}

/** An endpoint among the others. */
export interface Lane {
  readonly source: Source
  readonly organization: string
  /** Where what is begun next goes. */
  origin: string
  /** One of its organization and one of its origin. */
  places: Places
  running: number
  /** How many it may have under way: one more with each that went well, one after another. */
  width: number
  /** It stands in line: for its turn, or for a place. */
  isQueued: boolean
  /** The places that it stands in line for, or was let out of a line for; none where it goes on its own account. */
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

  /** From now on it goes to this origin; what is under way keeps its places. */
  redirect(lane: Lane, origin: string): void {
    if (lane.origin === origin) return
    lane.origin = origin
    lane.places = this.#placesOf(lane.organization, origin)
  }

  /** It has, or may have, something to begin. */
  offer(lane: Lane): void {
    if (!lane.isQueued) this.#turns.push(lane)
    lane.isQueued = true
    this.#schedule()
  }

  /** Who waits for the places goes before the one that had them. */
  ended(lane: Lane, places: Places, isWell: boolean): void {
    lane.width = isWell ? Math.min(lane.width + 1, this.#bounds.ofEndpoint) : 1
    lane.running -= 1
    this.#running -= 1
    for (const { shares, name, party } of places) shares.release(name, party)
    this.#admit(places)
    this.offer(lane)
  }

  /** Begins nothing more. */
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

  /** One of each endpoint whose turn it is; who had one stands in line again, behind all others. */
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
    // It does not take what it was let out of a line for.
    if (!isReady || awaited !== lane.places) this.#admit(awaited)
    if (!isReady) return
    lane.isQueued = true
    if (this.#waits(lane)) return
    this.#turns.push(lane)
    this.#take(lane)
    lane.source.begin(lane.places)
  }

  /** Stands in line where there is no place for it; one that it was let out of a line for is for the next one there. */
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

  /** Lets one in who waits for each place that is free. What comes to a receiver meanwhile does not overtake it. */
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

/** Where a URL leads; empty for what is none. */
export function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : ''
}
