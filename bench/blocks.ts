// The longest time that the event loop of the service is blocked by requests that are meant to keep it busy: hostile
// rules, and policies of the largest size.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { NODE_FLAGS } from '../src/cli/terminal/child.js'
import { HOSTILE } from './hostileRules.js'
import type { WatchMessage } from './watchedService.js'
import { agentUnder, send, type Server } from './setup.js'
import { REQUEST_PATH, WISH } from './wish.js'

export interface Block {
  what: string
  longestMs: number
}

const SERVICE = fileURLToPath(new URL('watchedService.js', import.meta.url))
const EACH = 1_000
const IDLE_MS = 500
const many = (make: (index: number) => unknown): unknown[] => Array.from({ length: EACH }, (_, index) => make(index))
const amounts = many((index) => ({ ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 1_000 + index }))
const clock = (minute: number): string =>
  [Math.floor(minute / 60), minute % 60].map((n) => String(n).padStart(2, '0')).join(':')
const hours = many((index) => ({
  ruleType: 'TIME_WINDOW',
  operator: 'BETWEEN',
  value: { start: clock(index), end: clock(index + 1) },
}))
/** Two thousand conditions, all of which have to be evaluated. */
const RULES = [
  { ruleType: 'ALL_OF', value: amounts },
  { ruleType: 'ANY_OF', value: [...hours.slice(1), { ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 900_000 }] },
]
const POLICY = { name: 'Large', policyType: 'COMPOSITE' }

/** Starts the service on a new folder, sends it everything and ends it. */
export async function longestBlocks(folder: string): Promise<Block[]> {
  const env = { ...process.env, PORT: '0', BURSAR_DATA_DIR: join(folder, 'watched'), BURSAR_RATE_LIMITS: 'off' }
  const child = fork(SERVICE, { env, execArgv: NODE_FLAGS })
  const gone = once(child, 'exit')
  const told = async <Message extends WatchMessage>(): Promise<Message> =>
    ((await once(child, 'message')) as [Message])[0]
  const server = await told<WatchMessage & Server>()
  const blocks: Block[] = []
  const watch = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    await work()
    const answer = told<WatchMessage & { longestMs: number }>()
    child.send('longest')
    blocks.push({ what, longestMs: (await answer).longestMs })
  }
  const agent = await agentUnder(server)
  const ask = (amount: number) => (): Promise<unknown> =>
    send(server, agent.key, 'POST', REQUEST_PATH, { ...WISH, amount })
  const admin = (method: string, path: string, body: unknown): Promise<Response> =>
    send(server, server.firstKey, method, path, body)
  let policy = { id: '' }
  await watch('warming up', ask(1))
  // How much a busy machine adds to every row.
  await watch('nothing', () => setTimeout(IDLE_MS))
  await watch('hostile rules', async () => {
    for (const [, body] of HOSTILE) await admin('POST', '/api/policies', body)
  })
  await watch('writing 2,000 conditions', async () => {
    const made = await admin('POST', '/api/policies', { ...POLICY, rules: RULES, agentIds: [agent.id] })
    policy = (await made.json()) as { id: string }
  })
  await watch('the first decision under them', ask(1))
  await watch('a denial under them', ask(100_000))
  await watch('changing one of them', () =>
    admin('PUT', `/api/policies/${policy.id}/rules`, { rules: RULES.toReversed() }),
  )
  await watch('the decision after that', ask(1))
  child.disconnect()
  await gone
  return blocks.slice(1)
}
