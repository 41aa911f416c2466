// The worker thread that talks to receivers: takes batches, makes their attempts and reports the outcomes. It holds no
// state besides its connections and the orders it has not started, and ends with the service.
import { parentPort, workerData } from 'node:worker_threads'
import type { MailServer } from '../notifications/channelType.js'
import type { AttemptOutcome } from '../domain/outcomes/delivery.js'
import { LeaseDeadline } from '../async/leaseDeadline.js'
import { createDeliver, type Job } from './deliver.js'
import { refuseDestination, refuseSlackAnswer } from './destination.js'
import { Dispatch, type Batch, type Report } from './dispatch.js'
import { post } from './post.js'
import { publicConnections } from './publicConnections.js'

export interface CourierData {
  isDevelopment: boolean
  /** The service's clock minus this machine's. */
  clockOffsetMs: number
  /** For channels. */
  mail: MailServer | null
  slackApi: string
  /** Of a LeaseDeadline: nothing is sent when it is over. */
  lease: SharedArrayBuffer | undefined
}

/** A POST outside of all queues. */
export interface OwnAnswer {
  endpoint: string
  url: string
  body: object
}

/** In the order in which they were given. */
export type Orders = ({ batch: Batch } | { withdrawn: string } | { answered: OwnAnswer })[]

/** `returned` holds the numbers of orders that were not started and will not be. */
export interface Reports {
  ended: Report[]
  returned: number[]
  /** Why answers outside of the queues were not made. */
  failures: string[]
}

/** Outcomes are collected for so long: a message or a commit costs as much as many outcomes. */
const COLLECT_MS = 50
const ANSWER_MS = 10_000
/** A delivery that waits behind others of its endpoint is returned after this time or up to twice as long. */
const TIDY_EVERY_MS = 2_000

const { isDevelopment, clockOffsetMs, mail, slackApi, lease: shared } = workerData as CourierData
const lease = shared && new LeaseDeadline(shared)
const now = (): number => Date.now() + clockOffsetMs
const connections = publicConnections(isDevelopment)
/** Checked again: it may have been accepted in development, or before a rule was added. */
const refuses = (url: string): string | undefined => refuseDestination(url, isDevelopment)
const deliver = createDeliver({
  connections,
  now,
  refuses,
  channels: { mail, slackApi },
})

async function attempt(job: Job): Promise<AttemptOutcome> {
  await lease?.held()
  return deliver(job)
}

/** Slack's users press again where no answer comes. */
async function answer({ endpoint, url, body }: OwnAnswer): Promise<void> {
  const isOther = (to: string): string | undefined => refuseSlackAnswer(to, isDevelopment)
  const sends = { connections, endpoint, timeoutMs: ANSWER_MS, sentAt: now(), refuses: isOther }
  try {
    await lease?.held()
    await post(sends, url, { 'Content-Type': 'application/json' }, JSON.stringify(body))
  } catch (error) {
    collected().failures.push((error as Error).message)
  }
}

let reports: Reports | undefined

/** The next report, which collects what ends within COLLECT_MS. */
function collected(): Reports {
  if (reports) return reports
  setTimeout(() => {
    parentPort!.postMessage(reports)
    reports = undefined
  }, COLLECT_MS)
  return (reports = { ended: [], returned: [], failures: [] })
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
    else if ('withdrawn' in order) dispatch.withdraw(order.withdrawn)
    else void answer(order.answered)
  }
})
