// Receivers of events, and the courier to them: they are slow, answer with errors, lose what they were given, and the
// courier itself dies. What each delivery said is kept, for the invariants.
import type { Courier, CourierPorts } from '../../../src/webhooks/courierThread.js'
import type { AttemptOutcome } from '../../../src/domain/outcomes/delivery.js'
import type { Batch, Order } from '../../../src/webhooks/dispatch.js'
import type { Random } from '../../support/random.js'

/** What the service reports of that, and of nothing else. */
export const COURIER_ENDED = 'The courier ended'

/** What a receiver got, whatever it answered. */
export interface Received {
  endpoint: string
  deliveryId: string
  event: string
  data: string
  isAccepted: boolean
}

interface Handed extends Order {
  endpoint: string
}

export class SimulatedCourier implements Courier {
  readonly received: Received[] = []
  readonly #random: Random
  readonly #now: () => number
  /** How often receivers fail. */
  #failing: number
  #ports: CourierPorts | undefined
  #handed: Handed[] = []

  constructor(random: Random, now: () => number) {
    this.#random = random
    this.#now = now
    this.#failing = random.pick([0, 0.2, 0.5])
  }

  open(ports: CourierPorts): this {
    this.#ports = ports
    this.#handed = []
    return this
  }

  send({ endpoint, orders }: Batch): void {
    this.#handed.push(...orders.map((order) => ({ ...order, endpoint })))
  }

  withdraw(endpoint: string): void {
    const withdrawn = this.#handed.filter((one) => one.endpoint === endpoint)
    this.#handed = this.#handed.filter((one) => one.endpoint !== endpoint)
    this.#report([], withdrawn)
  }

  answer(): void {}

  async stop(): Promise<void> {
    this.#ports = undefined
  }

  /** From now on all receivers accept. */
  heal(): void {
    this.#failing = 0
  }

  /** Some of what was handed over is attempted, in any order. */
  work(): void {
    const count = this.#random.below(this.#handed.length + 1)
    const ended = Array.from({ length: count }, () => this.#attempt())
    this.#report(ended, [])
  }

  /** All of it. */
  workOff(): void {
    this.#report(
      Array.from({ length: this.#handed.length }, () => this.#attempt()),
      [],
    )
  }

  get isIdle(): boolean {
    return this.#handed.length === 0
  }

  /** Its thread ends: nobody knows what became of what it had. */
  die(): void {
    // Some had been sent.
    for (let left = this.#random.below(this.#handed.length + 1); left > 0; left -= 1) this.#attempt()
    this.#handed = []
    this.#ports?.onLost(new Error(COURIER_ENDED))
  }

  #attempt(): { number: number; outcome: AttemptOutcome } {
    const [{ number, endpoint, deliveryId, event, data }] = this.#handed.splice(
      this.#random.below(this.#handed.length),
      1,
    ) as [Handed]
    const isAccepted = !this.#random.chance(this.#failing)
    this.received.push({ endpoint, deliveryId, event, data, isAccepted })
    return {
      number,
      outcome: { at: this.#now(), durationMs: 1, ...(isAccepted ? { statusCode: 204 } : this.#failure()) },
    }
  }

  #failure(): Partial<AttemptOutcome> {
    return this.#random.pick([{ statusCode: 500 }, { statusCode: 429 }, { error: 'It did not answer' }])
  }

  #report(ended: { number: number; outcome: AttemptOutcome }[], returned: Handed[]): void {
    if (ended.length + returned.length === 0) return
    this.#ports?.onReports({ ended, returned: returned.map(({ number }) => number), failures: [] })
  }
}
