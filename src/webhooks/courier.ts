// The thread that talks to receivers: takes batches, makes their attempts, tells what became of them. It holds no state
// besides its connections and what it has not begun, and ends with the service.
import { lookup, Resolver } from 'node:dns/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type { Outcome } from '../domain/delivery.js'
import { Connections } from './connection.js'
import { createDeliver, type Job } from './deliver.js'
import { allowedAddress, refuseDestination } from './destination.js'
import { Dispatch, type Batch, type Report } from './dispatch.js'
import { createResolve } from './names.js'

export interface CourierData {
  isDevelopment: boolean
  /** Of the service's clock, against this machine's. */
  clockOffsetMs: number
}

/** In the order in which they were told. */
export type Orders = ({ batch: Batch } | { withdrawn: string })[]

/** What ended, and what was not begun and will not be. */
export interface Reports {
  ended: Report[]
  returned: number[]
}

/** Long enough for many outcomes to be in one message and one commit, which cost as much as many outcomes. */
const COLLECT_MS = 50
/** How long a delivery may stand behind others of its endpoint, or twice as long. */
const TIDY_EVERY_MS = 2_000

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

let reports: Reports | undefined

/** What is reported next; it goes back together with what comes soon. */
function collected(): Reports {
  if (reports) return reports
  setTimeout(() => {
    parentPort!.postMessage(reports)
    reports = undefined
  }, COLLECT_MS)
  return (reports = { ended: [], returned: [] })
}

const dispatch = new Dispatch({
  attempt,
  ended: (report) => collected().ended.push(report),
  returned: (number) => collected().returned.push(number),
  onError: (error) => {
    throw error
  },
})
setInterval(() => dispatch.tidy(), TIDY_EVERY_MS)

parentPort!.on('message', (orders: Orders) => {
  for (const order of orders) {
    if ('batch' in order) dispatch.take(order.batch)
    else dispatch.withdraw(order.withdrawn)
  }
})
