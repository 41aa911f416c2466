// Makes the attempts of what was handed over, in the courier's thread: each when there is a place for it. It begins
// nothing that was withdrawn, and gives back what would stand behind a slow receiver for long.
import { isDelivered, type Outcome } from '../domain/delivery.js'
import type { Job } from './deliver.js'
import { originOf, Turns, type Bounds, type Lane, type Places } from './turns.js'
import type { Secrets } from './sign.js'

/** A delivery, and the number that its outcome is reported under. */
export interface Order extends Omit<Job, 'endpoint' | 'url' | 'secrets'> {
  number: number
}

/** What became of it. */
export interface Report {
  number: number
  outcome: Outcome
}

/** Deliveries to one endpoint, which all go to one address. */
export interface Batch {
  endpoint: string
  organization: string
  url: string
  secrets: Secrets
  orders: Order[]
}

export interface DispatchPorts {
  /** It never throws. */
  attempt(job: Job): Promise<Outcome>
  ended(report: Report): void
  /** It was not begun, and will not be. */
  returned(number: number): void
  onError(error: unknown): void
}

/** Attempts at a time. */
export const MOST_UNDER_WAY: Bounds = {
  ofEndpoint: 16,
  ofOrganizationToOrigin: 24,
  toOrigin: 32,
  ofOrganization: 64,
  ofAll: 512,
}

interface Waiting {
  number: number
  job: Job
}

interface Queue {
  lane: Lane
  ready: Waiting[]
  /** The last one that stood there when it was looked at last. */
  seen: Waiting | undefined
}

export class Dispatch {
  readonly #ports: DispatchPorts
  readonly #turns: Turns
  readonly #queues = new Map<string, Queue>()

  constructor(ports: DispatchPorts) {
    this.#ports = ports
    this.#turns = new Turns(MOST_UNDER_WAY, ports.onError)
  }

  take({ endpoint, organization, url, secrets, orders }: Batch): void {
    const origin = originOf(url)
    const known = this.#queues.get(endpoint)
    // Elsewhere it is another receiver: it stands in no line of the last one, and nothing waits there any more.
    const queue = known?.lane.origin === origin ? known : this.#open(endpoint, organization, origin)
    if (known && known !== queue) this.#return(known.ready.splice(0))
    for (const { number, ...told } of orders) queue.ready.push({ number, job: { ...told, endpoint, url, secrets } })
    this.#turns.offer(queue.lane)
  }

  /** Its address or what signs for it has changed: what has not begun goes back. */
  withdraw(endpoint: string): void {
    const queue = this.#queues.get(endpoint)
    if (queue) this.#return(queue.ready.splice(0))
  }

  /**
   * Gives back what has stood behind another of its endpoint since the last time: the first one keeps its place in
   * line. Endpoints that nothing is sent to are forgotten.
   */
  tidy(): void {
    for (const [endpoint, queue] of this.#queues) {
      const { lane, ready, seen } = queue
      if (seen !== undefined && ready.indexOf(seen) > 0) this.#return(ready.splice(1))
      queue.seen = ready.at(-1)
      if (lane.running === 0 && ready.length === 0) this.#queues.delete(endpoint)
    }
  }

  #return(waiting: Waiting[]): void {
    for (const { number } of waiting) this.#ports.returned(number)
  }

  #open(endpoint: string, organization: string, origin: string): Queue {
    const lane = this.#turns.lane(organization, origin, {
      hasNext: () => queue.ready.length > 0,
      begin: (places) => void this.#attempt(queue, places),
    })
    const queue: Queue = { lane, ready: [], seen: undefined }
    this.#queues.set(endpoint, queue)
    return queue
  }

  async #attempt(queue: Queue, places: Places): Promise<void> {
    const { number, job } = queue.ready.shift()!
    const outcome = await this.#ports.attempt(job)
    this.#ports.ended({ number, outcome })
    this.#turns.ended(queue.lane, places, isDelivered(outcome))
  }
}
