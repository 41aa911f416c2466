// What a payment by x402 costs beside an ordinary request: both by the same agent of one service in turn, and the
// signature by itself.
import { join } from 'node:path'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { startChild } from '../src/cli/terminal/child.js'
import { typedDataOf } from '../src/domain/payment/x402.js'
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
const SIGNATURES = 200
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

/** Microseconds of a processor for each request. */
interface Costs {
  request: number[]
  /** For the holder of an external wallet to sign. */
  unsigned: number[]
  signed: number[]
}

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
    const requests: { [Way in keyof Costs]: Exchange } = {
      request: { requests: [postOf(REQUEST_PATH, WISH, key)], expected: APPROVED },
      unsigned: { requests: [authorize(holder.key)], expected: APPROVED },
      signed: { requests: [authorize(key)], expected: '"status":"EXECUTING"' },
    }
    const meter = new CpuMeter(service.pid)
    const main = (): number => meter.micros((thread) => thread === String(service.pid))
    const cost = async (way: keyof Costs): Promise<number> => {
      const before = main()
      const burst = { port: Number(new URL(service.url).port), connections: CONNECTIONS, ms: BURST_MS }
      const { requests: answered } = await load.burst({ ...requests[way], ...burst })
      return (main() - before) / answered
    }
    const costs: Costs = { request: [], unsigned: [], signed: [] }
    for (let turn = 0; turn <= rounds; turn += 1) {
      say(turn === 0 ? 'warming up' : `round ${turn} of ${rounds}`)
      for (const way of ['request', 'unsigned', 'signed'] as const) {
        const micros = await cost(way)
        if (turn > 0) costs[way].push(micros)
      }
    }
    return tableOf(costs, await signatureMicros())
  } finally {
    await load.end()
    await service.end('SIGTERM')
  }
}

/** Of a key that is read anew each time, as the service does. */
async function signatureMicros(): Promise<number> {
  const key = generatePrivateKey()
  const { address } = privateKeyToAccount(key)
  const wallet = { address, chainId: '84532' }
  const sign = (id: string): Promise<string> => {
    const payment = { id, amount: 10_000, asset: USDC, recipientAddress: WISH.recipientAddress, wallet }
    return privateKeyToAccount(key).signTypedData(typedDataOf({ ...payment, validBefore: Date.now() }) as never)
  }
  for (let at = 0; at < SIGNATURES; at += 1) await sign(`warm-up-${at}`)
  const before = process.cpuUsage()
  for (let at = 0; at < SIGNATURES; at += 1) await sign(`payment-${at}`)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / SIGNATURES
}

function tableOf({ request, unsigned, signed }: Costs, signature: number): string {
  const ratio = (values: number[]): string => String(round(median(values.map((micros, at) => micros / request[at]!))))
  const rows = [
    ['request', request],
    ['authorize, which the holder of an external wallet signs', unsigned],
    ['authorize, signed', signed],
    ['the same without the signature', signed.map((micros) => micros - signature)],
  ] as const
  const cells = rows.map(([name, values]) => [name, String(Math.round(median(values))), ratio(values)])
  const alone = ['the signature by itself', String(Math.round(signature)), '']
  return markdown(['', 'CPU of the main thread, µs', 'of a request'], [...cells, alone])
}
