// The service's side of the courier thread: orders go out and reports come back in bundles. A courier that fails is
// replaced; the outcomes of its orders are unknown.
import { Worker } from 'node:worker_threads'
import type { CourierData, Orders, Reports } from './courier.js'
import type { Batch } from './dispatch.js'

export interface Courier {
  send(batch: Batch): void
  /** Returns the orders of an endpoint that have not started. */
  withdraw(endpoint: string): void
  /** One POST outside of all queues, whose failure is only reported. */
  answer(organization: string, url: string, body: object): void
  stop(): Promise<void>
}

export interface CourierPorts {
  data(): CourierData
  onReports(reports: Reports): void
  /** Called when the thread fails: all orders that it has not reported are lost. */
  onLost(error: unknown): void
}

/** Orders are bundled for so long: a message costs as much as many orders. */
const PAUSE_MS = 20

const ENTRY = new URL('courier.js', import.meta.url)

export function startCourier({ data, onReports, onLost }: CourierPorts): Courier {
  let orders: Orders = []
  let worker: Worker | undefined
  let stopped = false
  let isPaused = false
  const lose = (lost: Worker, error: unknown): void => {
    if (worker !== lost) return
    worker = undefined
    // Orders not yet posted count as lost too: the relay queues them again, and posting them would send them twice.
    orders = []
    if (!stopped) onLost(error)
  }
  const open = (): Worker => {
    const opened = new Worker(ENTRY, { workerData: data() })
    opened.on('message', (reports: Reports) => {
      if (worker === opened) onReports(reports)
    })
    opened.on('error', (error) => lose(opened, error))
    opened.on('exit', () => lose(opened, new Error('The courier ended')))
    return opened
  }
  const post = (): void => {
    // A thread opened after `stop` would never be terminated.
    if (stopped || orders.length === 0) return
    worker ??= open()
    worker.postMessage(orders)
    orders = []
    pause()
  }
  const pause = (): void => {
    isPaused = true
    setTimeout(() => {
      isPaused = false
      post()
    }, PAUSE_MS)
  }
  const tell = (order: Orders[number]): void => {
    orders.push(order)
    if (orders.length === 1 && !isPaused) setImmediate(post)
  }
  return {
    send: (batch) => tell({ batch }),
    withdraw: (endpoint) => {
      tell({ withdrawn: endpoint })
      // At once, before the request that changed the endpoint is answered.
      post()
    },
    answer: (organization, url, body) => tell({ answered: { endpoint: `${organization}::answers`, url, body } }),
    stop: async () => {
      stopped = true
      await worker?.terminate()
    },
  }
}
