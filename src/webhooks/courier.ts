// The thread that talks to receivers: takes jobs, makes the attempts, tells what became of them. It holds no state
// besides its connections, and ends with the service.
import { lookup, Resolver } from 'node:dns/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type { Outcome } from '../domain/delivery.js'
import { Connections } from './connection.js'
import { createDeliver, type Job } from './deliver.js'
import { allowedAddress, refuseDestination } from './destination.js'
import { createResolve } from './names.js'

export interface CourierData {
  isDevelopment: boolean
  /** Of the service's clock, against this machine's. */
  clockOffsetMs: number
}

export type Order = { number: number; job: Job }
export type Report = { number: number; outcome: Outcome }

const { isDevelopment, clockOffsetMs } = workerData as CourierData
const now = (): number => Date.now() + clockOffsetMs
const connections = new Connections({
  // This machine's list of hosts, which knows localhost, is for development alone.
  resolve: isDevelopment
    ? (name) => lookup(name, { all: true, verbatim: true })
    : createResolve(new Resolver({ timeout: 2_000, tries: 2 })),
  allows: (address) => allowedAddress(address, isDevelopment),
})
const deliver = createDeliver({ connections, now })

/** A URL that was taken once is judged again: it may be from development, or from before a rule was made. */
async function attempt(job: Job): Promise<Outcome> {
  const reason = refuseDestination(job.url, isDevelopment)
  return reason === undefined ? deliver(job) : { at: now(), durationMs: 0, error: `The URL ${reason}`, refused: true }
}

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
  for (const { number, job } of orders) void attempt(job).then((outcome) => report({ number, outcome }))
})
