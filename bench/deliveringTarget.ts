// The service as a target while it delivers events: one of eight connections asks for an organization with an event
// endpoint, the others for one without. What the delivering thread uses is left out of the CPU time of a request.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { startChild } from '../src/cli/child.js'
import type { ReceiverMessage } from './receiver.js'
import { agentUnder, send } from './setup.js'
import { postOf, type Target } from './target.js'
import { REQUEST_PATH, WISH } from './wish.js'

const RECEIVER = fileURLToPath(new URL('receiver.js', import.meta.url))
const OPERATOR_KEY = 'the-operator-of-the-bench-and-nobody-else'
const SETTINGS = { BURSAR_RATE_LIMITS: 'off', BURSAR_DEV_LOOPBACK_WEBHOOKS: '1', BURSAR_OPERATOR_KEY: OPERATOR_KEY }
const SILENT = 7
/** Of Linux; in ticks of 10 ms. */
const MICROS_PER_TICK = 10_000

export async function startDelivering(folder: string): Promise<Target> {
  const receiver = fork(RECEIVER)
  const [{ port }] = (await once(receiver, 'message')) as [ReceiverMessage & { port: number }]
  const received = async (): Promise<number> => {
    const answer = once(receiver, 'message')
    receiver.send('count')
    return ((await answer) as [ReceiverMessage & { received: number }])[0].received
  }
  const { url, pid, firstKey, end } = await startChild(folder, SETTINGS)
  const server = { url, firstKey: firstKey! }
  const silent = await agentUnder(server)
  const other = await send(server, OPERATOR_KEY, 'POST', '/api/organizations', { name: 'told' })
  const { apiKey } = (await other.json()) as { apiKey: string }
  const told = await agentUnder({ url, firstKey: apiKey })
  const before = new Set(threadsOf(pid))
  await send(server, apiKey, 'PUT', '/api/webhooks', { url: `http://127.0.0.1:${port}/` })
  await send(server, apiKey, 'POST', '/api/webhooks/test', {})
  while ((await received()) === 0);
  // The courier's thread is opened for the first delivery.
  const couriers = new Set(threadsOf(pid).filter((thread) => !before.has(thread)))
  return {
    name: 'deliver',
    port: Number(new URL(url).port),
    requests: [told, ...Array.from({ length: SILENT }, () => silent)].map(({ key }) => postOf(REQUEST_PATH, WISH, key)),
    expected: '"status":"APPROVED"',
    cpuMicros: async () => {
      const others = threadsOf(pid).filter((thread) => !couriers.has(thread))
      return others.reduce((sum, thread) => sum + cpuMicrosOf(pid, thread), 0)
    },
    delivered: received,
    end: async () => {
      await end('SIGTERM')
      const gone = once(receiver, 'exit')
      receiver.disconnect()
      await gone
    },
  }
}

function threadsOf(pid: number): string[] {
  return readdirSync(`/proc/${pid}/task`)
}

/** User and system time: the 14th and 15th field, counted behind the name, which may hold anything. */
function cpuMicrosOf(pid: number, thread: string): number {
  const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * MICROS_PER_TICK
}
