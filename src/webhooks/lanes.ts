// Two fair queues with slots of their own: one for the organizations' own endpoints, one for the callbacks of agents. So
// callbacks take no slot from an organization's own endpoint, however many of them hang.
import { endpointIn } from '../domain/outcomes/delivery.js'
import { FairQueue, type Bounds } from './fairQueue.js'

export interface LaneBounds {
  own: Bounds
  callbacks: Bounds
}

export class Lanes {
  readonly #own: FairQueue
  readonly #callbacks: FairQueue

  constructor({ own, callbacks }: LaneBounds, onError: (error: unknown) => void) {
    this.#own = new FairQueue(own, onError)
    this.#callbacks = new FairQueue(callbacks, onError)
  }

  of(endpoint: string): FairQueue {
    return endpointIn(endpoint).agentId === null ? this.#own : this.#callbacks
  }

  stop(): void {
    this.#own.stop()
    this.#callbacks.stop()
  }
}
