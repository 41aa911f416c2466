// The setup of the counterparty tests: a service with an agent that can pay anybody, and the shapes of its answers.
import type { Counterparty, NetworkTrust } from '../../../sdk/api.js'
import type { Answer, Client, Failure } from '../../support/client.js'
import { ORGANIZATION_KEY, type Scope } from '../../support/process.js'
import { ask, execute, fundedAgent, type Decision, type FundedAgent } from '../../support/payments.js'
import { randomAddress } from '../../support/commands.js'
import { start, type Started, type StartedOptions } from '../../support/service.js'

export type { Counterparty, NetworkTrust } from '../../../sdk/api.js'

export const DAY_MS = 86_400_000
export const NOON = Date.parse('2031-07-09T12:00:00Z')

export interface Stage extends Started {
  agent: FundedAgent
  /** Registers a counterparty, at a new address unless `more` names one; throws when that is refused. */
  register(more?: object): Promise<Counterparty>
  counterparty(id: string): Promise<Answer<Counterparty>>
  post(path: string, body?: unknown): Promise<Answer<Counterparty & Failure>>
  put(id: string, body: object): Promise<Answer<Counterparty & Failure>>
  remove(id: string): Promise<Answer<Failure>>
  /** Requests a payment with autoExecute. */
  pay(recipientAddress: string, amount?: number, more?: object): Promise<Decision>
  request(recipientAddress: string, amount?: number): Promise<Decision>
  execute(requestId: string): ReturnType<typeof execute>
  networkTrust(address: string): Promise<NetworkTrust>
}

export async function openStage(scope: Scope, options: StartedOptions = { at: NOON }): Promise<Stage> {
  const started = await start(scope, options)
  const agent = await fundedAgent(started.client, { balance: 10_000_000, terms: { spendLimitPerTx: 1_000_000 } })
  const client = (): Client => started.client
  const root = '/api/counterparties'
  const own = {
    agent,
    register: async (more: object = {}) => {
      const { status, body } = await own.post(root, { name: 'Paper Ltd', address: randomAddress(), ...more })
      if (status !== 201) throw new Error(JSON.stringify(body))
      return body
    },
    counterparty: (id: string) => client().get<Counterparty>(`${root}/${id}`, ORGANIZATION_KEY),
    post: (path: string, body?: unknown) => client().post<Counterparty & Failure>(path, ORGANIZATION_KEY, body),
    put: (id: string, body: object) =>
      client().send<Counterparty & Failure>('PUT', `${root}/${id}`, ORGANIZATION_KEY, body),
    remove: (id: string) => client().send<Failure>('DELETE', `${root}/${id}`, ORGANIZATION_KEY),
    pay: async (recipientAddress: string, amount = 5, more: object = {}) =>
      (await ask(client(), agent.key, amount, { recipientAddress, autoExecute: true, ...more })).body,
    request: async (recipientAddress: string, amount = 5) =>
      (await ask(client(), agent.key, amount, { recipientAddress })).body,
    execute: (requestId: string) => execute(client(), agent.key, requestId),
    networkTrust: async (address: string) =>
      (await client().get<NetworkTrust>(`${root}/network-trust?address=${address}`, ORGANIZATION_KEY)).body,
  }
  // Assigned, not spread, so that its getters keep naming the running service after a restart.
  return Object.assign(started, own)
}

export const failureOf = ({ status, body }: Answer<unknown>) => ({ status, code: (body as Failure).code })
