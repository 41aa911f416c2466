// The service's rows with somebody to tell: each request commits the rows of its events.
import { startServer, type ChildServer } from '../childServer.js'
import { threadsOf } from '../processes.js'
import { send } from '../setup.js'
import type { RowPlan, Stage } from '../target.js'
import type { Copy } from './requests.js'
import { firstAgentOf, requestBy, startOver, WARM_UPS, type Started } from './start.js'

const RECEIVER = new URL('receiver.js', import.meta.url)
const LOOPBACK = { BURSAR_DEV_LOOPBACK_WEBHOOKS: '1' }

interface Telling {
  service: Started
  receiver: ChildServer
}

async function startTelling(copy: Copy, answers: 'answers' | 'silent'): Promise<Telling> {
  const receiver = await startServer(RECEIVER, answers)
  const service = await startOver(copy(), LOOPBACK)
  const url = `http://127.0.0.1:${receiver.port}/`
  const answer = await send(service, service.firstKey, 'PUT', '/api/webhooks', { url })
  if (!answer.ok) throw new Error(`PUT /api/webhooks answered ${answer.status}`)
  return { service, receiver }
}

/**
 * With an endpoint that takes connections and never answers: the rows of the outbox are written with every request, as
 * the rivals write theirs, and hardly one is sent.
 */
export function outboxStage(row: RowPlan, copy: Copy): Stage {
  return {
    rows: [row],
    start: async (load) => {
      const { service, receiver } = await startTelling(copy, 'silent')
      return { targets: [service.target(load, row.name, { warmUps: WARM_UPS })], end: () => both(receiver, service) }
    },
  }
}

/**
 * Nobody is told of a request, everybody is, and half of them are, by turns in one service: of what differs, events are
 * the reason. All without the CPU time of the delivering thread, and each begins when the events of the last arrived.
 */
export function eventsStage(copy: Copy): Stage {
  return {
    rows: ['request, untold', 'request, events', 'request, events of 1 in 2'].map((name) => ({ name, connections: [64] })),
    start: async (load) => {
      const { service, receiver } = await startTelling(copy, 'answers')
      const { dataSet, meter } = service
      const courier = await courierOf(service, receiver)
      const [told, untold] = [requestBy(firstAgentOf(dataSet)), requestBy(dataSet.ruled[5]!)]
      const meters = {
        delivered: () => countOf(receiver),
        settled: () => allSent(service),
        cpuMicros: () => meter.micros((thread) => !courier.has(thread)),
        warmUps: WARM_UPS,
      }
      return {
        targets: [
          service.target(load, 'request, untold', { ...meters, requests: [untold] }),
          service.target(load, 'request, events', { ...meters, requests: [told] }),
          service.target(load, 'request, events of 1 in 2', { ...meters, requests: [told, untold] }),
        ],
        end: () => both(receiver, service),
      }
    },
  }
}

/** What is opened for the first delivery. */
async function courierOf(service: Started, receiver: ChildServer): Promise<ReadonlySet<string>> {
  const before = threadsOf(service.pid)
  await send(service, service.firstKey, 'POST', '/api/webhooks/test', {})
  while ((await countOf(receiver)) === 0);
  return new Set(threadsOf(service.pid).filter((thread) => !before.includes(thread)))
}

async function allSent(service: Started): Promise<void> {
  for (;;) {
    const answer = await send(service, service.firstKey, 'GET', '/api/webhooks/deliveries?status=PENDING&limit=1')
    const { pagination } = (await answer.json()) as { pagination: { total: number } }
    if (pagination.total === 0) return
  }
}

async function both(receiver: ChildServer, service: Started): Promise<void> {
  await receiver.end()
  await service.end()
}

async function countOf({ child }: ChildServer): Promise<number> {
  const answer = new Promise<number>((resolve) => child.once('message', resolve))
  child.send('count')
  return answer
}
