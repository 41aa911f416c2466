// Concurrent callers that request, execute, cancel, fund and register until the service is gone, and record the
// answers. Every request has an idempotency key, so that an unanswered one can be sent again unchanged.
import type { Random } from './random.js'
import type { Answer, Client } from './client.js'
import { ORGANIZATION_KEY } from './process.js'
import { RECIPIENT, type Decision, type FundedAgent } from './payments.js'
import type { PaymentList } from '../../sdk/api.js'

export interface Deed {
  kind: 'request' | 'execute' | 'cancel' | 'fund' | 'agent'
  path: string
  /** The API key. */
  key: string
  idempotencyKey: string
  body: { [field: string]: unknown } | undefined
  /** The agent whose payment or wallet it concerns. */
  agent: FundedAgent | undefined
  answer?: Answer<Decision>
}

export class Load {
  /** In the order in which they were begun. */
  readonly deeds: Deed[] = []
  /** The last status that a read showed for each payment, and the key of that read. */
  readonly seen = new Map<string, { status: string; key: string }>()
  readonly #agents: readonly FundedAgent[]
  readonly #random: Random
  /** Approved payments that nobody has executed or cancelled. */
  readonly #open: Deed[] = []

  constructor(agents: readonly FundedAgent[], random: Random) {
    this.#agents = agents
    this.#random = random
  }

  /** Requests without an answer. */
  unanswered(): Deed[] {
    return this.deeds.filter((deed) => deed.answer === undefined)
  }

  /** Sends with this many concurrent callers until requests are no longer answered. */
  async run(client: Client, callers: number): Promise<void> {
    const caller = async (): Promise<void> => {
      while (this.#random.chance(0.2) ? await this.#read(client) : await this.send(client, this.#next())) continue
    }
    await Promise.all(Array.from({ length: callers }, caller))
  }

  /** Sends a request; false if there was no answer, or none that tells the outcome. */
  async send(client: Client, deed: Deed): Promise<boolean> {
    const { path, key, idempotencyKey, body } = deed
    try {
      const answer = await client.post<Decision>(path, key, body, { 'Idempotency-Key': idempotencyKey })
      if (answer.status >= 500) return false
      deed.answer = answer
    } catch {
      return false
    }
    if (deed.kind === 'request' && deed.answer.body.status === 'APPROVED') this.#open.push(deed)
    return true
  }

  /** Reads the latest payments of an agent. */
  async #read(client: Client): Promise<boolean> {
    const { key } = this.#random.pick(this.#agents)
    try {
      const { status, body } = await client.get<PaymentList>('/api/sdk/payments?limit=20', key)
      if (status !== 200) return false
      for (const { requestId, status } of body.payments) this.seen.set(requestId, { status, key })
      return true
    } catch {
      return false
    }
  }

  #next(): Deed {
    const chance = this.#random.below(100)
    const approved = chance < 40 ? this.#open.shift() : undefined
    if (approved) return this.#follow(approved, chance < 34 ? 'execute' : 'cancel')
    if (chance < 90) return this.#request(this.#random.pick(this.#agents))
    return chance < 96 ? this.#fund(this.#random.pick(this.#agents)) : this.#register()
  }

  #add(deed: Omit<Deed, 'idempotencyKey'>): Deed {
    const added = { ...deed, idempotencyKey: `${deed.kind}-${this.deeds.length}` }
    this.deeds.push(added)
    return added
  }

  #follow({ agent, key, answer }: Deed, kind: 'execute' | 'cancel'): Deed {
    const path = `/api/sdk/payments/${answer!.body.requestId}/${kind}`
    return this.#add({ kind, path, key, body: undefined, agent })
  }

  #request(agent: FundedAgent): Deed {
    const amount = (1 + this.#random.below(5_000_000)) / 1_000_000
    const recipientAddress = RECIPIENT.slice(0, -1) + String(this.#random.below(8))
    const body = { amount, recipientAddress, autoExecute: this.#random.chance(0.2) }
    return this.#add({ kind: 'request', path: '/api/sdk/payments/request', key: agent.key, body, agent })
  }

  #fund(agent: FundedAgent): Deed {
    const body = { amount: 1 + this.#random.below(20) }
    const path = `/api/wallets/${agent.walletId}/fund`
    return this.#add({ kind: 'fund', path, key: agent.organizationKey, body, agent })
  }

  #register(): Deed {
    const publicKey = `0x${this.deeds.length.toString(16).padStart(40, '0')}`
    const body = { name: `Agent ${this.deeds.length}`, agentType: 'CUSTOM', publicKey }
    return this.#add({ kind: 'agent', path: '/api/agents', key: ORGANIZATION_KEY, body, agent: undefined })
  }
}
