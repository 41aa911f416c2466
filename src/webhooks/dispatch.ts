// Starts the attempts of the orders handed over, in the courier's thread, as concurrency slots become free. It starts
// nothing that was withdrawn, and returns orders that would wait long behind a slow receiver.
import { isDelivered, type AttemptOutcome } from '../domain/outcomes/delivery.js'
import type { Job, Receiving } from './deliver.js'
import { originOfUrl, type FairQueue, type Flow, type Slots } from './fairQueue.js'
import { Lanes, type LaneBounds } from './lanes.js'

/** A delivery, and the number under which its outcome is reported. */
export interface Order extends Omit<Job, 'endpoint' | keyof Receiving> {
  number: number
}

export interface Report {
  number: number
  outcome: AttemptOutcome
}

/** Deliveries to one endpoint, all to one URL. */
export interface Batch extends Receiving {
  endpoint: string
  organization: string
  orders: Order[]
}

export interface DispatchPorts {
  /** It never throws. */
  attempt(job: Job): Promise<AttemptOutcome>
  ended(report: Report): void
  /** The order was not started and will not be. */
  returned(number: number): void
  onError(error: unknown): void
}

/** Attempts at a time. An organization has one endpoint of its own: it never has more than half of these slots. */
const MAX_UNDER_WAY: LaneBounds = {
  own: {
    ofEndpoint: 16,
    ofEndpointAtRest: 16,
    ofOrganizationToOrigin: 16,
    toOrigin: 32,
    ofOrganization: 32,
    ofAll: 512,
  },
  callbacks: {
    ofEndpoint: 16,
    ofEndpointAtRest: 16,
    ofOrganizationToOrigin: 24,
    toOrigin: 32,
    ofOrganization: 64,
    ofAll: 512,
  },
  // However many of an organization's channels hang, there is a slot for each other one.
  channels: {
    ofEndpoint: 4,
    ofEndpointAtRest: 4,
    ofOrganizationToOrigin: 128,
    toOrigin: 256,
    ofOrganization: 256,
    ofAll: 512,
  },
}

interface Waiting {
  number: number
  job: Job
}

interface Queue {
  lane: FairQueue
  flow: Flow
  ready: Waiting[]
  /** The last order in `ready` at the previous `tidy`. */
  seen: Waiting | undefined
}

export class Dispatch {
  readonly #ports: DispatchPorts
  readonly #lanes: Lanes
  readonly #queues = new Map<string, Queue>()

  constructor(ports: DispatchPorts) {
    this.#ports = ports
    this.#lanes = new Lanes(MAX_UNDER_WAY, ports.onError)
  }

  take({ endpoint, organization, orders, ...receiving }: Batch): void {
    const origin = originOfUrl(receiving.url)
    const known = this.#queues.get(endpoint)
    // Another origin is another receiver: the endpoint gets a new flow, and the orders of the old one go back.
    const queue = known?.flow.origin === origin ? known : this.#open(endpoint, organization, origin)
    if (known && known !== queue) this.#return(known.ready.splice(0))
    for (const { number, ...told } of orders) queue.ready.push({ number, job: { ...told, endpoint, ...receiving } })
    queue.lane.offer(queue.flow)
  }

  /** The endpoint's URL or secrets have changed: returns the orders that have not started. */
  withdraw(endpoint: string): void {
    const queue = this.#queues.get(endpoint)
    if (queue) this.#return(queue.ready.splice(0))
  }

  /**
   * Returns orders that have waited behind another of their endpoint since the previous call; the first one stays in
   * the queue. Forgets idle endpoints.
   */
  tidy(): void {
    for (const [endpoint, queue] of this.#queues) {
      const { flow, ready, seen } = queue
      if (seen !== undefined && ready.indexOf(seen) > 0) this.#return(ready.splice(1))
      queue.seen = ready.at(-1)
      if (flow.running === 0 && ready.length === 0) this.#queues.delete(endpoint)
    }
  }

  #return(waiting: Waiting[]): void {
    for (const { number } of waiting) this.#ports.returned(number)
  }

  #open(endpoint: string, organization: string, origin: string): Queue {
    const lane = this.#lanes.of(endpoint)
    const flow = lane.flow(organization, origin, {
      hasNext: () => queue.ready.length > 0,
      begin: (slots) => void this.#attempt(queue, slots),
    })
    const queue: Queue = { lane, flow, ready: [], seen: undefined }
    this.#queues.set(endpoint, queue)
    return queue
  }

  async #attempt(queue: Queue, slots: Slots): Promise<void> {
    const { number, job } = queue.ready.shift()!
    const outcome = await this.#ports.attempt(job)
    this.#ports.ended({ number, outcome })
    queue.lane.ended(queue.flow, slots, isDelivered(outcome))
  }
}
