// The rows of the service with an event endpoint: each request commits the rows of its events.
import { startServer, type ChildServer } from '../childServer.js'
import { threadsOf } from '../processes.js'
import { send } from '../setup.js'
import type { RowPlan, Stage, Target } from '../target.js'
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
 * With an endpoint that accepts connections and never answers: the outbox rows are written with every request, as the
 * rivals write theirs, and hardly any event is sent.
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

/** The target for events that arrive at the receiver. */
const EVENTS_PER_SECOND = 1_000
const EVENTS_PER_REQUEST = 2
/** The factor by which requests are slower when events are sent, with a margin. */
const SLOWER = 1.25

/**
 * Requests without events, with events, and with a thousand events a second, by turns in one service, so that events
 * are the reason for any difference. The CPU time of the delivering thread is not counted, and each burst begins when
 * the events of the last one have arrived.
 */
export function eventsStage(copy: Copy): Stage {
  const names = ['request, no events', 'request, events', 'request, 1000 events/s'] as const
  return {
    rows: names.map((name) => ({ name, connections: [64] })),
    start: async (load) => {
      const { service, receiver } = await startTelling(copy, 'answers')
      const { dataSet, meter } = service
      const courier = await courierOf(service, receiver)
      const [observed, plain] = [requestBy(firstAgentOf(dataSet)), requestBy(dataSet.ruled[5]!)]
      const meters = {
        delivered: () => countOf(receiver),
        settled: () => allSent(service),
        cpuMicros: () => meter.micros((thread) => !courier.has(thread)),
        warmUps: WARM_UPS,
      }
      const plainTarget = service.target(load, names[0], { ...meters, requests: [plain] })
      let plainPerSecond = EVENTS_PER_SECOND
      const burstPlain: Target['burst'] = async (...how) => {
        const measured = await plainTarget.burst(...how)
        plainPerSecond = measured.requests / measured.seconds
        return measured
      }
      const pacedTarget = service.target(load, names[2], meters)
      const burstPaced: Target['burst'] = (...how) => {
        const share = EVENTS_PER_SECOND / EVENTS_PER_REQUEST / plainPerSecond
        return service.target(load, names[2], { requests: mixed(observed, plain, share) }).burst(...how)
      }
      return {
        targets: [
          { ...plainTarget, burst: burstPlain },
          service.target(load, names[1], { ...meters, requests: [observed] }),
          { ...pacedTarget, burst: burstPaced },
        ],
        end: () => both(receiver, service),
      }
    },
  }
}

const MIXED = 1_000

/** A list in which `share` of the requests are `one`, evenly spread. */
function mixed(one: string, other: string, share: number): string[] {
  const before = (at: number): number => Math.floor(at * Math.min(1, share * SLOWER))
  return Array.from({ length: MIXED }, (_, at) => (before(at + 1) > before(at) ? one : other))
}

/** The threads that are started for the first delivery. */
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
