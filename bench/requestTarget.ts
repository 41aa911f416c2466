// The service as a target: an agent with a full delegation, limits for day, week and month, and a balance that none
// of its requests exhausts. Each request is authenticated, decided, reserved at every gate and durable when answered.
import { startChild } from '../src/cli/child.js'
import { postOf, type Target } from './target.js'
import { REQUEST_PATH, WISH } from './wish.js'

const EVERY_DAY = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const PLENTY = 900_000_000
const CPU = /^process_cpu_seconds_total ([\d.e+-]+)/m

export async function startRequests(folder: string): Promise<Target> {
  const { url, firstKey, end } = await startChild(folder, { BURSAR_RATE_LIMITS: 'off' })
  const key = await agentKey(url, firstKey!)
  return {
    name: 'request',
    port: Number(new URL(url).port),
    request: postOf(REQUEST_PATH, WISH, key),
    expected: '"status":"APPROVED"',
    cpuMicros: async () => {
      const metrics = await (await fetch(`${url}/metrics`)).text()
      return Number(CPU.exec(metrics)![1]) * 1e6
    },
    end: () => end('SIGTERM'),
  }
}

/** Sets up everything that a payment needs and gives the key that asks for it. */
async function agentKey(url: string, key: string): Promise<string> {
  const { id: agentId } = await make<{ id: string }>(url, key, '/api/agents', { name: 'bench', agentType: 'CUSTOM' })
  const wallet = { name: 'bench', custodyType: 'MANAGED' }
  const { id: walletId } = await make<{ id: string }>(url, key, '/api/wallets', wallet)
  await make(url, key, `/api/wallets/${walletId}/fund`, { amount: PLENTY })
  await make(url, key, `/api/agents/${agentId}/wallets`, {
    walletId,
    delegationType: 'FULL',
    spendLimitDaily: PLENTY,
    spendLimitWeekly: PLENTY,
    spendLimitMonthly: PLENTY,
    allowedDays: EVERY_DAY,
  })
  return (await make<{ key: string }>(url, key, `/api/agents/${agentId}/sdk-keys`, { name: 'bench' })).key
}

async function make<Body>(url: string, key: string, path: string, body: object): Promise<Body> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as Body
}
