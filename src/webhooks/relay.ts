// Hands due deliveries to the courier, more than it can attempt at once, and stores the outcomes. The deliveries handed
// over are bounded for each endpoint, organization and origin, and endpoints take turns. Pending deliveries are on
// disk: a restart loses none.
import { attempted, endpointIn, endpointName, GOES_FIRST, isDue } from '../domain/outcomes/delivery.js'
import type { Delivery, AttemptOutcome, DeliveryProgress, RetryDelays } from '../domain/outcomes/delivery.js'
import type { AddressOf } from './address.js'
import type { Batch, Order, Report } from './dispatch.js'
import type { EndTimer, Timing } from '../async/timing.js'
import { originOfUrl, type FairQueue, type Flow, type Slots } from './fairQueue.js'
import { Lanes, type LaneBounds } from './lanes.js'

export interface RelayPorts {
  queue: {
    /** Every endpoint with pending deliveries. */
    endpoints(): Iterable<string>
    /** The pending deliveries of an endpoint, the earliest first, due or not; only those on disk. */
    waiting(endpoint: string, limit: number): { id: string; at: number }[]
    get(organization: string, id: string): Delivery | undefined
    /** `receipt` is what the receiver calls the message. */
    change(delivery: Delivery, progress: DeliveryProgress, receipt?: string): void
    /** What receivers called the earlier messages on the delivery's subject. */
    receipts(delivery: Delivery): readonly string[]
  }
  /** Resolves when everything written so far is on disk. */
  flushed(): Promise<void>
  addressOf: AddressOf
  courier: {
    /** Each order is reported once: as ended, returned or lost. */
    send(batch: Batch): void
    /** Returns the orders of an endpoint that have not started. */
    withdraw(endpoint: string): void
  }
  now(): number
  timers: Timing
  waits: RetryDelays
  /** Called after every attempt. */
  onOutcome(delivery: Delivery, outcome: AttemptOutcome): void
  /** Called where nobody will receive it, in the stretch of the event loop in which that is stored. */
  onFailed(delivery: Delivery, progress: DeliveryProgress): void
  onError(error: unknown): void
}

/**
 * Sixteen times the courier's own limits: it stays busy while this thread has no time to process outcomes. An endpoint
 * that has not shown that it processes more gets what the courier may attempt at once.
 */
const MAX_AHEAD: LaneBounds = {
  own: {
    ofEndpoint: 256,
    ofEndpointAtRest: 16,
    ofOrganizationToOrigin: 256,
    toOrigin: 512,
    ofOrganization: 512,
    ofAll: 8_192,
  },
  callbacks: {
    ofEndpoint: 256,
    ofEndpointAtRest: 16,
    ofOrganizationToOrigin: 384,
    toOrigin: 512,
    ofOrganization: 1_024,
    ofAll: 8_192,
  },
  channels: {
    ofEndpoint: 64,
    ofEndpointAtRest: 4,
    ofOrganizationToOrigin: 1_024,
    toOrigin: 2_048,
    ofOrganization: 2_048,
    ofAll: 8_192,
  },
}
const POLL_EVERY_MS = 100
const PAUSE_MS = 1_000

/** The pending deliveries of one endpoint. */
interface Queue {
  endpoint: string
  organization: string
  agentId: string | null
  channelId: string | undefined
  lane: FairQueue
  flow: Flow
  /** Due and not taken; about as many as the flow has room for. */
  ready: Delivery[]
  /** True when more deliveries may be due on disk than `ready` holds. */
  isBehind: boolean
  /** When the next delivery that is not yet due becomes so (epoch ms); infinite when there is none. */
  dueAt: number
  /** Ids of deliveries handed over, or ended with an outcome not yet on disk. */
  taken: Set<string>
}

/** A delivery that the courier has. */
interface Handed {
  queue: Queue
  delivery: Delivery
  slots: Slots
}

/** An attempt whose outcome is being committed. */
interface Stored {
  queue: Queue
  id: string
  dueAt: number | null
}

export class Relay {
  readonly #ports: RelayPorts
  readonly #lanes: Lanes
  readonly #queues = new Map<string, Queue>()
  readonly #handed = new Map<number, Handed>()
  #number = 0
  /** The deliveries begun in this stretch of the event loop, by endpoint. */
  #begun = new Map<Queue, number[]>()
  #stopped = true
  #endPolls: EndTimer = () => {}

  constructor(ports: RelayPorts) {
    this.#ports = ports
    this.#lanes = new Lanes(MAX_AHEAD, ports.onError)
  }

  /** Resumes the deliveries left pending. */
  start(): void {
    this.#stopped = false
    for (const endpoint of this.#ports.queue.endpoints()) this.#reread(this.#queueOf(endpoint))
    this.#endPolls = this.#ports.timers.every(POLL_EVERY_MS, () => this.#poll())
  }

  /** Sends nothing more and does not wait for running attempts: they are sent again after the next start. */
  stop(): void {
    this.#stopped = true
    this.#lanes.stop()
    this.#endPolls()
  }

  /** Queues a delivery that is new, on disk and due. */
  wake(delivery: Delivery): void {
    if (this.#stopped) return
    const { organization, agentId, channelId, id, target } = delivery
    const queue = this.#queueOf(endpointName(organization, agentId, channelId), target)
    if (delivery.dueAt === GOES_FIRST) return this.#goesFirst(queue)
    const isRead = queue.isBehind || queue.taken.has(id) || queue.ready.some((one) => one.id === id)
    // `#refill` may have read it from disk before this call, or will later.
    if (!isRead && queue.ready.length < queue.lane.room(queue.flow)) queue.ready.push(delivery)
    else if (!isRead) queue.isBehind = true
    queue.lane.offer(queue.flow)
  }

  /** Withdraws what the courier has not started; on disk the delivery that goes first comes before that. */
  #goesFirst(queue: Queue): void {
    if (queue.taken.size > 0) this.#ports.courier.withdraw(queue.endpoint)
    this.#reread(queue)
  }

  /** Withdraws what the courier has not started: the settings of an organization, an agent or a channel have changed. */
  changed(organization: string, of?: string): void {
    for (const queue of this.#queues.values()) {
      const { agentId, channelId } = queue
      const isMeant = queue.organization === organization && (of === undefined || of === (channelId ?? agentId))
      if (isMeant && queue.taken.size > 0) this.#ports.courier.withdraw(queue.endpoint)
    }
  }

  /** Stores the outcomes of attempts. Those that ended together are in one commit. */
  ended(reports: readonly Report[]): void {
    if (this.#stopped) return
    const stored: Stored[] = []
    for (const report of reports) this.#store(report, stored)
    void this.#ports.flushed().then(
      () => stored.forEach((one) => this.#settle(one)),
      () => this.stop(),
    )
  }

  /** Queues again the deliveries that the courier did not start and will not. */
  returned(numbers: readonly number[]): void {
    for (const number of numbers) {
      const handed = this.#handed.get(number)
      if (!handed) continue
      const { queue, delivery, slots } = handed
      this.#handed.delete(number)
      queue.taken.delete(delivery.id)
      queue.lane.ended(queue.flow, slots, false)
      this.#reread(queue)
    }
  }

  /** Queues again all that the courier had, when it is gone and the outcomes are unknown. */
  lost(error: unknown): void {
    this.#lose([...this.#handed.keys()], error)
  }

  #lose(numbers: readonly number[], error: unknown): void {
    if (this.#stopped) return
    this.#ports.onError(error)
    this.#ports.timers.after(PAUSE_MS, () => this.returned(numbers))
  }

  /** An outcome that cannot be stored is treated as lost. */
  #store({ number, outcome }: Report, stored: Stored[]): void {
    const { queue, delivery, slots } = this.#handed.get(number)!
    try {
      this.#ports.onOutcome(delivery, outcome)
      const { waits, queue: rows } = this.#ports
      const progress = attempted(delivery, outcome, waits)
      rows.change(delivery, progress, outcome.receipt)
      if (progress.status === 'FAILED') this.#ports.onFailed(delivery, progress)
      this.#handed.delete(number)
      queue.lane.ended(queue.flow, slots, progress.status === 'DELIVERED')
      stored.push({ queue, id: delivery.id, dueAt: progress.dueAt })
    } catch (error) {
      this.#lose([number], error)
    }
  }

  #poll(): void {
    const { now, waits } = this.#ports
    for (const queue of this.#queues.values()) if (isDue(queue.dueAt, now(), waits)) this.#reread(queue)
  }

  /** Discards what is known from memory, so that the next turn reads the disk. */
  #reread(queue: Queue): void {
    queue.ready = []
    queue.isBehind = true
    queue.dueAt = Infinity
    queue.lane.offer(queue.flow)
  }

  #queueOf(endpoint: string, target = ''): Queue {
    const known = this.#queues.get(endpoint)
    if (known) return known
    const { organization, agentId, channelId } = endpointIn(endpoint)
    const lane = this.#lanes.of(endpoint)
    const flow = lane.flow(organization, originOfUrl(target), {
      hasNext: () => queue.ready.length > 0 || this.#refill(queue),
      begin: (slots) => this.#begin(queue, slots),
    })
    const queue: Queue = {
      endpoint,
      organization,
      agentId,
      channelId,
      lane,
      flow,
      ready: [],
      isBehind: false,
      dueAt: Infinity,
      taken: new Set(),
    }
    this.#queues.set(endpoint, queue)
    return queue
  }

  /** Reads due deliveries from disk, if more may be there; true when there are any. */
  #refill(queue: Queue): boolean {
    if (!queue.isBehind) return false
    const { taken, lane, flow } = queue
    const now = this.#ports.now()
    const limit = lane.room(flow) + taken.size
    // If the read throws, the next look retries it.
    queue.dueAt = now
    const waiting = this.#ports.queue.waiting(queue.endpoint, limit)
    const isNow = ({ at }: { at: number }): boolean => isDue(at, now, this.#ports.waits)
    const due = waiting.filter(isNow)
    queue.ready = due.filter(({ id }) => !taken.has(id)).flatMap(({ id }) => this.#read(queue, id) ?? [])
    const last = waiting.at(-1)
    queue.isBehind = waiting.length === limit && last !== undefined && isNow(last)
    queue.dueAt = waiting.find((one) => !isNow(one))?.at ?? Infinity
    const [first] = queue.ready
    if (first && flow.origin === '') lane.redirect(flow, originOfUrl(first.target))
    // All of them were given up in a change that is not on disk yet.
    if (!first && queue.isBehind) queue.dueAt = now
    this.#closeIdle(queue)
    return first !== undefined
  }

  /** Undefined for a delivery given up meanwhile, and for a damaged one, which is read again later. */
  #read(queue: Queue, id: string): Delivery | undefined {
    try {
      const delivery = this.#ports.queue.get(queue.organization, id)
      if (delivery === undefined) throw new Error(`Delivery ${id} is due and does not exist`)
      return delivery.status === 'PENDING' ? delivery : undefined
    } catch (error) {
      this.#ports.onError(error)
      queue.taken.add(id)
      this.#ports.timers.after(PAUSE_MS, () => {
        queue.taken.delete(id)
        this.#reread(queue)
      })
      return undefined
    }
  }

  #begin(queue: Queue, slots: Slots): void {
    const delivery = queue.ready.shift()!
    queue.taken.add(delivery.id)
    const number = (this.#number += 1)
    this.#handed.set(number, { queue, delivery, slots })
    if (this.#begun.size === 0) queueMicrotask(() => this.#handAll())
    const begun = this.#begun.get(queue)
    if (begun) begun.push(number)
    else this.#begun.set(queue, [number])
  }

  #handAll(): void {
    const begun = this.#begun
    this.#begun = new Map()
    for (const [queue, numbers] of begun) this.#hand(queue, numbers).catch((error) => this.#lose(numbers, error))
  }

  /** Sends the courier a batch for one endpoint, with its URL and secrets as they are now. */
  async #hand(queue: Queue, numbers: readonly number[]): Promise<void> {
    const { endpoint, organization, agentId, channelId, lane, flow } = queue
    const receiving = await this.#ports.addressOf(organization, agentId, channelId)
    if (!('url' in receiving)) return this.ended(numbers.map((number) => ({ number, outcome: receiving })))
    lane.redirect(flow, originOfUrl(receiving.url))
    const orders = numbers.map((number) => this.#order(number, receiving.url))
    this.#ports.courier.send({ endpoint, organization, ...receiving, orders })
  }

  #order(number: number, url: string): Order {
    const handed = this.#handed.get(number)!
    if (handed.delivery.target !== url) handed.delivery = { ...handed.delivery, target: url }
    const { id: deliveryId, event, at, data, attempts } = handed.delivery
    const earlier = this.#ports.queue.receipts(handed.delivery)
    return { number, deliveryId, event, at, data, attempt: attempts.length + 1, ...(earlier.length > 0 && { earlier }) }
  }

  /** Releases a delivery whose outcome is on disk. */
  #settle({ queue, id, dueAt }: Stored): void {
    queue.taken.delete(id)
    queue.dueAt = Math.min(queue.dueAt, dueAt ?? Infinity)
    this.#closeIdle(queue)
  }

  #closeIdle({ endpoint, ready, isBehind, dueAt, taken }: Queue): void {
    if (ready.length === 0 && !isBehind && dueAt === Infinity && taken.size === 0) this.#queues.delete(endpoint)
  }
}
