// The fixture of the policy tests: a service whose clock starts at noon on a Wednesday, helpers that create policies,
// and agents that can pay whatever the policies allow.
import type { Policy, PolicyVersion, Replay, TracedPayment, WholeVersion } from '../../sdk/api.js'
import { ORGANIZATION_KEY, type Scope } from './process.js'
import type { Answer, Client } from './client.js'
import { ask, execute, fundedAgent, type Decision, type FundedAgent, type FundedAgentOptions } from './payments.js'
import { start, type Started, type StartedOptions } from './service.js'

export type { Pagination, Policy, PolicyTrace, Replay, Rule, Violation as PolicyViolation } from '../../sdk/api.js'
export type Version = PolicyVersion & Partial<Pick<WholeVersion, 'snapshot'>>
export type Decided = Decision
export type Traced = TracedPayment

export const NOON = Date.parse('2031-07-09T12:00:00Z')
export const SECOND_MS = 1000
export const HOUR_MS = 3600 * SECOND_MS
export const DAY_MS = 24 * HOUR_MS

export interface Stage extends Started {
  /** Sends as the administrator. */
  admin<Body>(method: string, path: string, body?: unknown, headers?: { [name: string]: string }): Promise<Answer<Body>>
  /** Sends as the administrator; throws if the request is refused. */
  must<Body>(method: string, path: string, body?: unknown): Promise<Body>
  policy(rules: unknown[], more?: object): Promise<Policy>
  agent(options?: FundedAgentOptions): Promise<FundedAgent>
  /** A new agent under a new policy with these rules. */
  governed(rules: unknown[], more?: object): Promise<{ agent: FundedAgent; policy: Policy }>
  assign(policyId: string, agent: FundedAgent): Promise<void>
  ask(agent: FundedAgent, amount: unknown, more?: object): Promise<Decided>
  /** Executes a payment and returns the answer, be it a refusal. */
  execute(agent: FundedAgent, requestId: string): ReturnType<typeof execute>
  /** Requests a payment that is executed at once. */
  pay(agent: FundedAgent, amount: number, more?: object): Promise<Decided>
  traced(requestId: string): Promise<Traced>
  replay(requestId: string, policies?: 'stored' | 'current'): Promise<Replay>
}

let made = 0
/** Unique names and addresses. */
export const another = (what: string): string => `${what} ${(made += 1)}`
export const anotherAddress = (): string => `0x${String((made += 1)).padStart(40, 'b')}`

export async function startStage(scope: Scope, at = NOON, env: StartedOptions['env'] = {}): Promise<Stage> {
  const service = await start(scope, { at, env })
  const client = (): Client => service.client
  const admin: Stage['admin'] = (method, path, body, headers) =>
    client().send(method, path, ORGANIZATION_KEY, body, headers)
  const must = async <Body>(method: string, path: string, body?: unknown): Promise<Body> => {
    const answer = await admin<Body>(method, path, body)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const policy: Stage['policy'] = (rules, more) =>
    must('POST', '/api/policies', { name: another('Policy'), policyType: 'COMPOSITE', rules, ...more })
  const agent: Stage['agent'] = (options) =>
    fundedAgent(client(), { name: another('Agent'), balance: 1_000_000, ...options })
  const askFor: Stage['ask'] = async (asking, amount, more) => {
    const answer = await ask(client(), asking.key, amount, more)
    if (answer.status !== 200) throw new Error(`asked for ${String(amount)}: ${JSON.stringify(answer.body)}`)
    return answer.body as Decided
  }
  const assign: Stage['assign'] = async (policyId, { agentId }) =>
    void (await must('POST', `/api/agents/${agentId}/policies`, { policyId }))
  return Object.assign(service, {
    admin,
    must,
    policy,
    agent,
    assign,
    governed: async (rules: unknown[], more?: object) => {
      const asking = await agent()
      return { agent: asking, policy: await policy(rules, { agentIds: [asking.agentId], ...more }) }
    },
    ask: askFor,
    execute: (asking: FundedAgent, requestId: string) => execute(client(), asking.key, requestId),
    pay: (asking: FundedAgent, amount: number, more?: object) => askFor(asking, amount, { autoExecute: true, ...more }),
    traced: (requestId: string) => must<Traced>('GET', `/api/payments/${requestId}`),
    replay: (requestId: string, policies?: 'stored' | 'current') =>
      must<Replay>('POST', `/api/payments/${requestId}/replay`, policies && { policies }),
  })
}
