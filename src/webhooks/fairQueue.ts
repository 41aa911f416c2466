// Fair queueing: endpoints start one attempt each in round-robin order, within concurrency limits for each endpoint,
// organization, origin and organization at an origin. An endpoint's concurrency window grows by one with each success
// and shrinks by one with each failure; it matters where slots are scarce. It does not know what an attempt is: the
// source starts it.
import { DeliverySlots } from './slots.js'

/** Concurrency limits: slots in use at a time. */
export interface Bounds {
  ofEndpoint: number
  /** The same for an endpoint with a smaller window, as long as no more than half of the slots it takes are in use. */
  ofEndpointAtRest: number
  ofOrganizationToOrigin: number
  toOrigin: number
  ofOrganization: number
  ofAll: number
}

/** A concurrency slot: an organization's, shared between origins, or an origin's, shared between organizations. */
interface Slot {
  shares: DeliverySlots<Flow>
  name: string
  party: string
}

export type Slots = readonly Slot[]

/** An endpoint's attempts that have not started. */
export interface EndpointQueue {
  hasNext(): boolean
  /** Starts the next attempt in these slots; `ended` gives them back. */
  begin(slots: Slots): void
}

/** The queue state of one endpoint. */
export interface Flow {
  readonly source: EndpointQueue
  readonly organization: string
  /** The origin of the attempts started next. */
  origin: string
  /** The slots that an attempt takes: one of the origin and one of the organization. */
  slots: Slots
  running: number
  /** The concurrency window: attempts that may run at a time, also where slots are scarce. */
  width: number
  /** True while the flow waits for its turn or for a slot. */
  isQueued: boolean
  /** The slots that the flow waits for, or was admitted to after waiting; none for a flow that did not wait. */
  awaited: Slots
}

const NO_SLOTS: Slots = []

export class FairQueue {
  readonly #bounds: Bounds
  readonly #onError: (error: unknown) => void
  readonly #waiting: Flow[] = []
  readonly #organizations: DeliverySlots<Flow>
  readonly #origins: DeliverySlots<Flow>
  #running = 0
  #isStopped = false
  #isPumping = false

  constructor(bounds: Bounds, onError: (error: unknown) => void) {
    this.#bounds = bounds
    this.#onError = onError
    this.#organizations = new DeliverySlots(bounds.ofOrganization, bounds.ofOrganizationToOrigin)
    this.#origins = new DeliverySlots(bounds.toOrigin, bounds.ofOrganizationToOrigin)
  }

  flow(organization: string, origin: string, source: EndpointQueue): Flow {
    const slots = this.#slotsOf(organization, origin)
    return { source, organization, origin, slots, running: 0, width: 1, isQueued: false, awaited: NO_SLOTS }
  }

  /** Sends later attempts to this origin; running attempts keep their slots. */
  redirect(flow: Flow, origin: string): void {
    if (flow.origin === origin) return
    flow.origin = origin
    flow.slots = this.#slotsOf(flow.organization, origin)
  }

  /** Queues a flow that may have attempts to start. */
  offer(flow: Flow): void {
    if (!flow.isQueued) this.#waiting.push(flow)
    flow.isQueued = true
    this.#schedule()
  }

  /** Frees the slots of an attempt. Flows that wait for them go before the flow that had them. */
  ended(flow: Flow, slots: Slots, isSuccess: boolean): void {
    flow.width = isSuccess ? Math.min(flow.width + 1, this.#bounds.ofEndpoint) : Math.max(flow.width - 1, 1)
    flow.running -= 1
    this.#running -= 1
    for (const { shares, name, party } of slots) shares.release(name, party)
    this.#admit(slots)
    this.offer(flow)
  }

  /** How many attempts of the flow may run at a time now. */
  room({ width, slots }: Flow): number {
    const isAtRest =
      this.#running * 2 < this.#bounds.ofAll && slots.every(({ shares, name }) => shares.isHalfFree(name))
    return isAtRest ? Math.max(width, this.#bounds.ofEndpointAtRest) : width
  }

  /** Starts no more attempts. */
  stop(): void {
    this.#isStopped = true
  }

  #slotsOf(organization: string, origin: string): Slots {
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

  /** Starts one attempt for each flow in turn; a flow that started one goes to the end of the queue. */
  #pump(): void {
    this.#isPumping = false
    try {
      while (this.#waiting.length > 0 && this.#running < this.#bounds.ofAll && !this.#isStopped) {
        this.#serve(this.#waiting.shift()!)
      }
    } catch (error) {
      this.#onError(error)
    }
  }

  #serve(flow: Flow): void {
    flow.isQueued = false
    const { awaited } = flow
    flow.awaited = NO_SLOTS
    const isReady = flow.running < this.room(flow) && flow.source.hasNext()
    // The slots that the flow was admitted to stay free: the next waiting flow gets them.
    if (!isReady || awaited !== flow.slots) this.#admit(awaited)
    if (!isReady) return
    flow.isQueued = true
    if (this.#waits(flow)) return
    this.#waiting.push(flow)
    this.#take(flow)
    flow.source.begin(flow.slots)
  }

  /** Queues a flow at a full organization or origin, and passes its other slot to the next waiting flow. */
  #waits(flow: Flow): boolean {
    const { slots } = flow
    const full = slots.find(({ shares, name, party }) => shares.isFull(name, party))
    if (full === undefined) return false
    full.shares.wait(full.name, full.party, flow)
    flow.awaited = slots
    this.#admit(slots)
    return true
  }

  #take(flow: Flow): void {
    flow.running += 1
    this.#running += 1
    for (const { shares, name, party } of flow.slots) shares.take(name, party)
  }

  /** Admits one waiting flow for each free slot. One admitted to an origin goes first: no later flow overtakes it. */
  #admit(slots: Slots): void {
    for (const { shares, name } of slots) {
      const flow = shares.next(name)
      if (flow === undefined) continue
      if (shares === this.#origins) this.#waiting.unshift(flow)
      else this.#waiting.push(flow)
      this.#schedule()
    }
  }
}

/** The origin of a URL; empty when the text is no URL. */
export function originOfUrl(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : ''
}
