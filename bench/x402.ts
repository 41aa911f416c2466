// What a payment by x402 costs beside an ordinary request, and one that is executed at once: by the same agent of one
// service in turn. The service signs in a thread of its own, which is measured apart.
import { join } from 'node:path'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { startChild } from '../src/cli/terminal/child.js'
import { startLoad } from './loadProcess.js'
import { median, round } from './median.js'
import type { Options } from './options.js'
import { CpuMeter } from './processes.js'
import { APPROVED } from './service/start.js'
import { PLENTY } from './rules/written.js'
import { agentUnder, lasting, made } from './setup.js'
import { markdown } from './table.js'
import { NUMBER, postOf, type Exchange } from './target.js'
import { REQUEST_PATH, WISH } from './wish.js'

const RULES = [
  { ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 100 },
  { ruleType: 'DAILY_LIMIT', operator: 'LTE', value: PLENTY },
  { ruleType: 'ALLOWED_CATEGORIES', operator: 'IN_LIST', value: [WISH.category, 'X402'] },
  { ruleType: 'BLOCKED_CATEGORIES', operator: 'IN_LIST', value: ['GAMBLING'] },
  { ruleType: 'REQUIRE_APPROVAL_ABOVE', operator: 'GREATER_THAN', value: 50 },
]
const CONNECTIONS = 64
const ROUNDS = 8
const BURST_MS = 2_000
const USDC = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'

const AUTHORIZATION = {
  paymentRequired: {
    x402Version: 2,
    accepts: [
      {
        scheme: 'exact',
        network: 'eip155:84532',
        amount: '10000',
        asset: USDC,
        payTo: WISH.recipientAddress,
        maxTimeoutSeconds: 300,
      },
    ],
  },
  resource: { url: 'https://api.example.com/report' },
  paymentKey: `purchase-${NUMBER}`,
}

type Way = 'request' | 'executed' | 'unsigned' | 'signed'

/** Microseconds of a processor for each request. */
interface Cost {
  main: number
  /** All other threads. */
  others: number
}

const NAMES: Record<Way, string> = {
  request: 'request',
  executed: 'request, executed at once',
  unsigned: 'authorize, which the holder of an external wallet signs',
  signed: 'authorize, which the service signs',
}
const WAYS = Object.keys(NAMES) as Way[]

export async function measureX402({ rounds = ROUNDS }: Options, folder: string, say: (text: string) => void) {
  const service = await startChild(join(folder, 'x402'), { BURSAR_RATE_LIMITS: 'off' })
  const load = startLoad()
  try {
    const server = { url: service.url, firstKey: service.firstKey! }
    const policy = { name: 'Rules', policyType: 'COMPOSITE', scope: 'organization', rules: RULES }
    await made(server, server.firstKey, '/api/policies', policy)
    await lasting(server)
    const { key } = await agentUnder(server)
    const { address } = privateKeyToAccount(generatePrivateKey())
    const holder = await agentUnder(server, 'holder', { custodyType: 'EXTERNAL', address })
    const authorize = (of: string): string => postOf('/api/sdk/x402/authorize', AUTHORIZATION, of, false)
    const executed = postOf(REQUEST_PATH, { ...WISH, autoExecute: true }, key)
    const requests: Record<Way, Exchange> = {
      request: { requests: [postOf(REQUEST_PATH, WISH, key)], expected: APPROVED },
      executed: { requests: [executed], expected: '"status":"EXECUTED"' },
      unsigned: { requests: [authorize(holder.key)], expected: APPROVED },
      signed: { requests: [authorize(key)], expected: '"status":"EXECUTING"' },
    }
    const meter = new CpuMeter(service.pid)
    const isMain = (thread: string): boolean => thread === String(service.pid)
    const spent = (): Cost => ({ main: meter.micros(isMain), others: meter.micros((thread) => !isMain(thread)) })
    const cost = async (way: Way): Promise<Cost> => {
      const before = spent()
      const burst = { port: Number(new URL(service.url).port), connections: CONNECTIONS, ms: BURST_MS }
      const { requests: answered } = await load.burst({ ...requests[way], ...burst })
      const after = spent()
      return { main: (after.main - before.main) / answered, others: (after.others - before.others) / answered }
    }
    const costs = Object.fromEntries(WAYS.map((way) => [way, [] as Cost[]])) as Record<Way, Cost[]>
    for (let turn = 0; turn <= rounds; turn += 1) {
      say(turn === 0 ? 'warming up' : `round ${turn} of ${rounds}`)
      for (const way of WAYS) {
        const one = await cost(way)
        if (turn > 0) costs[way].push(one)
      }
    }
    return tableOf(costs)
  } finally {
    await load.end()
    await service.end('SIGTERM')
  }
}

function tableOf(costs: Record<Way, Cost[]>): string {
  const micros = (way: Way, of: keyof Cost): string => String(Math.round(median(costs[way].map((one) => one[of]))))
  const ratio = (way: Way, to: Way): string =>
    String(round(median(costs[way].map(({ main }, at) => main / costs[to][at]!.main))))
  const rows = WAYS.map((way) => [
    NAMES[way],
    micros(way, 'main'),
    ratio(way, 'request'),
    ratio(way, 'executed'),
    micros(way, 'others'),
  ])
  return markdown(['', 'main thread, µs', 'of a request', 'of an executed one', 'other threads, µs'], rows)
}
