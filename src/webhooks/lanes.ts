// Fair queues with slots of their own: one for the organizations' own endpoints, one for the callbacks of agents, one for
// notification channels. So none of them takes a slot from another, however many of them hang.
import { endpointIn } from '../domain/outcomes/delivery.js'
import { FairQueue, type Bounds } from './fairQueue.js'

export interface LaneBounds {
  own: Bounds
  callbacks: Bounds
  channels: Bounds
}

export class Lanes {
  readonly #own: FairQueue
  readonly #callbacks: FairQueue
  readonly #channels: FairQueue

  constructor({ own, callbacks, channels }: LaneBounds, onError: (error: unknown) => void) {
    this.#own = new FairQueue(own, onError)
    this.#callbacks = new FairQueue(callbacks, onError)
    this.#channels = new FairQueue(channels, onError)
  }

  of(endpoint: string): FairQueue {
    const { agentId, channelId } = endpointIn(endpoint)
    if (channelId !== undefined) return this.#channels
    return agentId === null ? this.#own : this.#callbacks
  }

  stop(): void {
    this.#own.stop()
    this.#callbacks.stop()
    this.#channels.stop()
  }
}
