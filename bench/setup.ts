// What the bench sets up over HTTP before it measures: an agent that may pay all that it is going to ask for.
const EVERY_DAY = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const PLENTY = 900_000_000

export interface Server {
  url: string
  firstKey: string
}

/** Text is sent as it is. */
export function send({ url }: Server, key: string, method: string, path: string, body: unknown): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return fetch(url + path, { method, headers, body: typeof body === 'string' ? body : JSON.stringify(body) })
}

/** Sets up everything that a payment needs: the agent, and the key that asks for it. */
export async function agentUnder(server: Server): Promise<{ id: string; key: string }> {
  const make = <Body>(path: string, body: object): Promise<Body> => made<Body>(server, path, body)
  const { id } = await make<{ id: string }>('/api/agents', { name: 'bench', agentType: 'CUSTOM' })
  const { id: walletId } = await make<{ id: string }>('/api/wallets', { name: 'bench', custodyType: 'MANAGED' })
  await make(`/api/wallets/${walletId}/fund`, { amount: PLENTY })
  await make(`/api/agents/${id}/wallets`, {
    walletId,
    delegationType: 'FULL',
    spendLimitDaily: PLENTY,
    spendLimitWeekly: PLENTY,
    spendLimitMonthly: PLENTY,
    allowedDays: EVERY_DAY,
  })
  const { key } = await make<{ key: string }>(`/api/agents/${id}/sdk-keys`, { name: 'bench' })
  return { id, key }
}

async function made<Body>(server: Server, path: string, body: object): Promise<Body> {
  const response = await send(server, server.firstKey, 'POST', path, body)
  if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as Body
}
