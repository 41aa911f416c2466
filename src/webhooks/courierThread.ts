// The courier, seen from the service: orders go out and reports come back in bundles. A courier that fails is replaced;
// what it had under way counts as not attempted.
import { Worker } from 'node:worker_threads'
import type { Outcome } from '../domain/delivery.js'
import type { CourierData, Order, Report } from './courier.js'
import type { Job } from './deliver.js'

export interface Courier {
  /** Makes an attempt; rejects when nobody knows what became of it. */
  send(job: Job): Promise<Outcome>
  stop(): Promise<void>
}

interface Waiting {
  resolve(outcome: Outcome): void
  reject(error: unknown): void
}

const ENTRY = new URL('courier.js', import.meta.url)

export function startCourier(data: () => CourierData): Courier {
  const waiting = new Map<number, Waiting>()
  let number = 0
  let orders: Order[] = []
  let worker: Worker | undefined
  let stopped = false
  const lose = (lost: Worker, error: unknown): void => {
    if (worker !== lost) return
    worker = undefined
    // Those whose senders are told of the loss now, so that nobody sends them a second time.
    orders = []
    const all = [...waiting.values()]
    waiting.clear()
    for (const { reject } of all) reject(error)
  }
  const open = (): Worker => {
    const opened = new Worker(ENTRY, { workerData: data() })
    opened.on('message', (reports: Report[]) => {
      for (const { number, outcome } of reports) {
        waiting.get(number)?.resolve(outcome)
        waiting.delete(number)
      }
    })
    opened.on('error', (error) => lose(opened, error))
    opened.on('exit', () => lose(opened, new Error('The courier ended')))
    return opened
  }
  const post = (): void => {
    // Nobody would end a thread that is opened now; whoever still waits is not heard any more.
    if (stopped || orders.length === 0) return
    worker ??= open()
    worker.postMessage(orders)
    orders = []
  }
  return {
    send: (job) =>
      new Promise((resolve, reject) => {
        number += 1
        waiting.set(number, { resolve, reject })
        orders.push({ number, job })
        if (orders.length === 1) setImmediate(post)
      }),
    stop: async () => {
      stopped = true
      await worker?.terminate()
    },
  }
}
