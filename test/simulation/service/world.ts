// The world of one run: a service, the organizations that use it, and the time. Every request of anybody passes here,
// and each watch sees it with its answer.
import type { Organization, Credential } from './organization.js'
import { Story } from './story.js'
import type { SimulatedService } from './simulatedService.js'

export interface Call {
  /** Undefined for the operator. */
  by: Credential | undefined
  organization: Organization | undefined
  headers?: { [name: string]: string }
  method: string
  path: string
  body?: object
  /** The scope that the guides name for it. */
  needs?: string
  /** Only owners may do it. */
  isOwners?: true
  /** The kinds of change that it is, for governance, and what it is about. */
  governed?: { actions: readonly string[]; subject: string }
  idempotencyKey?: string
  /** A repetition is known by something else than an idempotency key. */
  isKeyless?: true
}

/** What clients and watches read of answers; each has only some of it. */
export type Body = Partial<{
  id: string
  key: string
  apiKey: string
  setupUrl: string
  scopes: string[]
  address: string
  status: string
  code: string
  amount: number
  requestId: string
  resourceId: string
  approvalRequestId: string
  approvalToken: string
  expiresAt: string
  governanceApprovalRequestId: string
  paymentPayload: object
  application: { status: string }
  payment: { requestId: string; status: string; expiresAt: string }
  keys: { id: string }[]
  counterparties: { id: string; address: string; status: string }[]
  alerts: { id: string }[]
}>

/** An answer. */
export interface Told {
  status: number
  text: string
  /** An empty object for other text than JSON. */
  body: Body
  headers: { [name: string]: unknown }
  isReplay: boolean
  requestId: string
}

export interface Exchange {
  call: Call
  told: Told
  /** When it was sent (epoch ms). */
  from: number
  /** No other request was under way meanwhile. */
  isAlone: boolean
}

/** A part of the model that looks at every exchange, and at the end at everything. It throws a Violated. */
export interface Watch {
  asked?(call: Call, now: number): void
  answered?(exchange: Exchange): void
  over?(): Promise<void>
}

export class World {
  readonly organizations: Organization[] = []
  readonly watches: Watch[] = []
  readonly story = new Story()
  /** Epoch ms, as the service's clock shows it. */
  now: number
  /** Ms that never run back. */
  elapsed = 0
  /** The latest that the clock has shown. */
  latest: number
  wasSetBack = false
  readonly #service: SimulatedService
  #underWay = 0
  #begun = 0

  constructor(now: number, service: (world: World) => SimulatedService) {
    this.now = now
    this.latest = now
    this.#service = service(this)
  }

  /** How many requests there were. */
  get requests(): number {
    return this.#begun
  }

  get service(): SimulatedService {
    return this.#service
  }

  /** Lets time pass; a negative step sets the clock back. */
  pass(ms: number): void {
    this.now += ms
    if (ms < 0) this.wasSetBack = true
    this.elapsed += Math.max(0, ms)
    this.latest = Math.max(this.latest, this.now)
  }

  async ask(call: Call): Promise<Told> {
    const from = this.now
    this.#begun += 1
    const number = this.#begun
    const wasAlone = this.#underWay === 0
    this.#underWay += 1
    for (const watch of this.watches) watch.asked?.(call, from)
    const told = await this.#send(call)
    this.#underWay -= 1
    const isAlone = wasAlone && this.#begun === number
    this.story.tell(call, told, from)
    for (const watch of this.watches) watch.answered?.({ call, told, from, isAlone })
    return told
  }

  async #send({ method, path, body, by, headers, idempotencyKey }: Call): Promise<Told> {
    const given = { ...by?.headers, ...headers, ...(idempotencyKey && { 'idempotency-key': idempotencyKey }) }
    const text = body && JSON.stringify(body)
    const answer = await this.#service.send({ method, path, headers: given, body: text })
    const isJson = /^application\/json(;|$)/.test(String(answer.headers['content-type']))
    return {
      status: answer.status,
      headers: answer.headers,
      text: answer.text,
      body: (isJson ? JSON.parse(answer.text) : {}) as Body,
      isReplay: answer.headers['idempotency-replayed'] === 'true',
      requestId: String(answer.headers['x-request-id']),
    }
  }
}

export const isDone = ({ status }: Told): boolean => status === 200 || status === 201
