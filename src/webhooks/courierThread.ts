// The courier, seen from the service: orders go out and reports come back in bundles. A courier that fails is replaced;
// nobody knows what became of what it had.
import { Worker } from 'node:worker_threads'
import type { CourierData, Orders, Reports } from './courier.js'
import type { Batch } from './dispatch.js'

export interface Courier {
  send(batch: Batch): void
  /** Sends back what has not begun of an endpoint. */
  withdraw(endpoint: string): void
  stop(): Promise<void>
}

export interface CourierPorts {
  data(): CourierData
  onReports(reports: Reports): void
  /** Everything that it was sent and has not reported is lost. */
  onLost(error: unknown): void
}

/** A message costs as much as what is in many. */
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
    // Lost like the others, so that nobody sends them a second time.
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
    // Nobody would end a thread that is opened now.
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
      // Before the one who changed it hears that it is changed.
      post()
    },
    stop: async () => {
      stopped = true
      await worker?.terminate()
    },
  }
}
