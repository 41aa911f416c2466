// The service's rows with somebody to tell: each request commits the rows of its events.
import { startServer, type ChildServer } from '../childServer.js'
import { threadsOf } from '../processes.js'
import { send } from '../setup.js'
import type { RowPlan, Stage } from '../target.js'
import type { Copy } from './requests.js'
import { firstAgentOf, requestBy, startOver, type Started } from './start.js'

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
      return { targets: [service.target(load, row.name)], end: () => both(receiver, service) }
    },
  }
}

/** Every request's events are delivered; and those of every other one, without the CPU time of the delivering thread. */
export function eventsStage(copy: Copy): Stage {
  return {
    rows: ['request, events', 'request, events of 1 in 2'].map((name) => ({ name, connections: [64] })),
    start: async (load) => {
      const { service, receiver } = await startTelling(copy, 'answers')
      const { dataSet, pid, meter } = service
      const delivered = (): Promise<number> => countOf(receiver)
      const before = new Set(threadsOf(pid))
      await send(service, service.firstKey, 'POST', '/api/webhooks/test', {})
      while ((await delivered()) === 0);
      // The courier's thread is opened for the first delivery.
      const couriers = new Set(threadsOf(pid).filter((thread) => !before.has(thread)))
      return {
        targets: [
          service.target(load, 'request, events', { delivered }),
          service.target(load, 'request, events of 1 in 2', {
            delivered,
            requests: [requestBy(firstAgentOf(dataSet)), requestBy(dataSet.ruled[5]!)],
            cpuMicros: () => meter.micros((thread) => !couriers.has(thread)),
          }),
        ],
        end: () => both(receiver, service),
      }
    },
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
