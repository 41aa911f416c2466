// The agents that request payments in a data set, set up over HTTP: an organization of many agents under five rules,
// and others of one agent each under one, five, twenty and a hundred.
import { startChild } from '../../src/cli/terminal/child.js'
import { agentUnder, lasting, made, otherOrganization, ruled, type Agent, type Server } from '../setup.js'
import { REQUEST_PATH, wishTo } from '../wish.js'

const RULES = 5
const OTHER_RULES = [1, 5, 20, 100]
export const OPERATOR_KEY = 'the-operator-of-the-bench-and-nobody-else'
const AT_ONCE = 32
const DAY_MS = 86_400_000
/** Recipients that the agents have paid. */
const RECIPIENTS = 100

export interface Population {
  firstKey: string
  /** Each has executed one payment. */
  agents: (Agent & { paymentId: string })[]
  /** The key of an agent, by the number of rules that apply to it. */
  ruled: { [rules: number]: string }
}

/** Sets everything up in a new folder; the service's clock is `days` behind. */
export async function populate(folder: string, agents: number, days: number): Promise<Population> {
  const clock = { NODE_ENV: 'test', BURSAR_CLOCK_OFFSET_MS: String(-days * DAY_MS) }
  const settings = { BURSAR_RATE_LIMITS: 'off', BURSAR_OPERATOR_KEY: OPERATOR_KEY, ...clock }
  const { url, firstKey, end } = await startChild(folder, settings)
  const server = { url, firstKey: firstKey! }
  try {
    await ruled(server, RULES)
    await lasting(server)
    const found: Population = { firstKey: firstKey!, agents: [], ruled: {} }
    for (let first = 0; first < agents; first += AT_ONCE) {
      const indexes = Array.from({ length: Math.min(AT_ONCE, agents - first) }, (_, at) => first + at)
      found.agents.push(...(await Promise.all(indexes.map((index) => payer(server, index)))))
    }
    for (const rules of OTHER_RULES) found.ruled[rules] = await keyUnder(server, rules)
    return found
  } finally {
    await end('SIGTERM')
  }
}

async function payer(server: Server, index: number): Promise<Agent & { paymentId: string }> {
  const agent = await agentUnder(server, `agent ${index}`)
  const body = { ...wishTo(index % RECIPIENTS), autoExecute: true }
  const payment = await made<{ requestId: string; status: string }>(server, agent.key, REQUEST_PATH, body)
  if (payment.status !== 'EXECUTED') throw new Error(`The first payment of an agent is ${payment.status}`)
  return { ...agent, paymentId: payment.requestId }
}

async function keyUnder(server: Server, rules: number): Promise<string> {
  const other = await otherOrganization(server, OPERATOR_KEY)
  await ruled(other, rules)
  await lasting(other)
  return (await agentUnder(other)).key
}
