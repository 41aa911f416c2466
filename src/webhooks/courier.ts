// The thread that talks to receivers: takes jobs, makes the attempts, tells what became of them. It holds no state
// besides its connections, and ends with the service.
import { lookup } from 'node:dns/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type { Outcome } from '../domain/delivery.js'
import { Connections } from './connection.js'
import { createDeliver, type Job } from './deliver.js'
import { allowedAddress } from './destination.js'

export interface CourierData {
  isDevelopment: boolean
  /** Of the service's clock, against this machine's. */
  clockOffsetMs: number
}

export type Order = { number: number; job: Job }
export type Report = { number: number; outcome: Outcome }

const { isDevelopment, clockOffsetMs } = workerData as CourierData
const connections = new Connections({
  resolve: (name) => lookup(name, { all: true, verbatim: true }),
  allows: (address) => allowedAddress(address, isDevelopment),
})
const deliver = createDeliver({ connections, now: () => Date.now() + clockOffsetMs })

/** What ended in one stretch of the event loop goes back in one message. */
let reports: Report[] = []

function report(one: Report): void {
  reports.push(one)
  if (reports.length > 1) return
  setImmediate(() => {
    parentPort!.postMessage(reports)
    reports = []
  })
}

parentPort!.on('message', (orders: Order[]) => {
  for (const { number, job } of orders) void deliver(job).then((outcome) => report({ number, outcome }))
})
