// What the bench sets up over HTTP before it measures: agents that may pay everything that they are going to request.
import { BursarAdmin } from '../sdk/index.js'
import { PLENTY, rulesOf } from './rules/written.js'

const EVERY_DAY = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const DAY_MINUTES = 1440
const AT_ONCE = 20

export interface Server {
  url: string
  firstKey: string
}

/** Text is sent unchanged. */
export function send({ url }: Server, key: string, method: string, path: string, body?: unknown): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return fetch(url + path, { method, headers, body: typeof body === 'string' ? body : JSON.stringify(body) })
}

export interface Agent {
  id: string
  key: string
}

/** An agent with a funded wallet, a delegation that limits day, week and month, and a key for its requests. */
export async function agentUnder(
  server: Server,
  name = 'bench',
  wallet: object = { custodyType: 'MANAGED' },
): Promise<Agent> {
  const make = <Body>(path: string, body: object): Promise<Body> => made<Body>(server, server.firstKey, path, body)
  const { id } = await make<{ id: string }>('/api/agents', { name, agentType: 'CUSTOM' })
  const { id: walletId } = await make<{ id: string }>('/api/wallets', { name, ...wallet })
  await make(`/api/wallets/${walletId}/fund`, { amount: PLENTY })
  await make(`/api/agents/${id}/wallets`, {
    walletId,
    delegationType: 'FULL',
    spendLimitPerTx: 1_000,
    spendLimitDaily: PLENTY,
    spendLimitWeekly: PLENTY,
    spendLimitMonthly: PLENTY,
    allowedDays: EVERY_DAY,
  })
  const { key } = await make<{ key: string }>(`/api/agents/${id}/sdk-keys`, { name: 'bench' })
  return { id, key }
}

/** The keys of so many agents. */
export async function agentKeys(server: Server, agents: number): Promise<string[]> {
  const keys: string[] = []
  while (keys.length < agents) {
    const count = Math.min(AT_ONCE, agents - keys.length)
    const names = Array.from({ length: count }, (_, at) => `agent ${keys.length + at}`)
    keys.push(...(await Promise.all(names.map(async (name) => (await agentUnder(server, name)).key))))
  }
  return keys
}

/** Sets this many rules for all agents of the organization. */
export async function ruled(server: Server, rules: number): Promise<void> {
  const policy = { name: `${rules} rules`, policyType: 'COMPOSITE', scope: 'organization', rules: rulesOf(rules) }
  await made(server, server.firstKey, '/api/policies', policy)
}

/** Sets how long approvals last; by default a day, which is longer than any bench. */
export async function lasting(server: Server, approvedMinutes = DAY_MINUTES): Promise<void> {
  const paymentTimeouts = { approvedMinutes, approvalHours: 24 }
  await answered(await send(server, server.firstKey, 'PATCH', '/api/organization', { paymentTimeouts }), 'PATCH')
}

/** The same service, used by another organization. */
export async function otherOrganization(server: Server, operatorKey: string): Promise<Server> {
  // The SDK repeats it while the node of a shard that has just started is not known to the others.
  const operator = new BursarAdmin({ baseUrl: server.url, apiKey: operatorKey })
  const { apiKey } = await operator.organizations.create('other')
  return { ...server, firstKey: apiKey }
}

export async function made<Body>(server: Server, key: string, path: string, body: object): Promise<Body> {
  return answered<Body>(await send(server, key, 'POST', path, body), `POST ${path}`)
}

async function answered<Body>(response: Response, what: string): Promise<Body> {
  if (!response.ok) throw new Error(`${what} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as Body
}
