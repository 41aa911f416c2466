// One delivery attempt, to an endpoint or to a channel: signs, sends, and returns the outcome.
import type { AttemptOutcome } from '../domain/outcomes/delivery.js'
import type { ChannelConfig, ChannelPorts } from '../notifications/channelType.js'
import { channelTypeOf } from '../notifications/channels/index.js'
import type { ChannelEvent, Notice } from '../notifications/notice.js'
import { RefusedDestination, type ReceiverConnections } from './connection.js'
import { post, RefusedUrl, type Posting } from './post.js'
import { headersOf, type Secrets, type Signed } from './sign.js'

/** A channel with its secrets opened. */
export interface OpenedChannel {
  type: string
  config: ChannelConfig
}

/** Where a delivery goes; plain data, so that it can be posted to a thread. */
export interface Receiving {
  /** The URL of an endpoint; of a channel, what shows where it sends. */
  url: string
  /** Of an endpoint of events. */
  secrets?: Secrets
  channel?: OpenedChannel
}

/** Everything that an attempt needs. */
export interface Job extends Omit<Signed, 'sentAt'>, Receiving {
  /** The endpoint whose connections it may reuse. */
  endpoint: string
  /** JSON. */
  data: string
  /** What receivers called the earlier messages on the subject. */
  earlier?: readonly string[]
}

export interface DeliverPorts {
  connections: ReceiverConnections
  /** Epoch ms. */
  now(): number
  timeoutMs?: number
  /** Why nothing is sent to this URL; absent where that is checked before. */
  refuses?: (url: string) => string | undefined
  /** What channels need; absent where there are none. */
  channels?: Omit<ChannelPorts, 'post'>
}

const TIMEOUT_MS = 10_000
const MAX_SHOWN = 200

/** The raw body of a delivery: the same bytes on every attempt. */
function bodyOf({ deliveryId, event, at, data }: Pick<Job, 'deliveryId' | 'event' | 'at' | 'data'>): string {
  const head = JSON.stringify({ deliveryId, event, timestamp: new Date(at).toISOString() })
  return `${head.slice(0, -1)},"data":${data}}`
}

/** Makes attempts; an attempt never throws. */
export function createDeliver({ connections, now, timeoutMs = TIMEOUT_MS, refuses, channels }: DeliverPorts) {
  return async (job: Job): Promise<AttemptOutcome> => {
    const at = now()
    const startedAt = performance.now()
    const since = (): number => Math.round(performance.now() - startedAt)
    const sends: Posting = { connections, endpoint: job.endpoint, timeoutMs, sentAt: at, ...(refuses && { refuses }) }
    try {
      const outcome = await (job.channel ? sendToChannel(job, job.channel, sends, channels!) : sendEvent(job, sends))
      return { at, durationMs: since(), ...outcome }
    } catch (error) {
      const failed = { at, durationMs: since(), error: shown(error) }
      if (error instanceof RefusedUrl) return { ...failed, refused: true }
      if (!(error instanceof RefusedDestination)) return failed
      return { ...failed, refused: true, detail: `${error.address} is not a public address` }
    }
  }
}

type Sent = Omit<AttemptOutcome, 'at' | 'durationMs'>

/** INVARIANT: nothing is sent unsigned. */
async function sendEvent(job: Job, sends: Posting): Promise<Sent> {
  const body = bodyOf(job)
  const headers = headersOf(body, { ...job, sentAt: sends.sentAt }, job.secrets!)
  const { body: _unread, ...answer } = await post(sends, job.url, headers, body)
  return answer
}

function sendToChannel(
  job: Job,
  { type, config }: OpenedChannel,
  sends: Posting,
  ports: Omit<ChannelPorts, 'post'>,
): Promise<Sent> {
  const { deliveryId, data, earlier = [] } = job
  const told = {
    deliveryId,
    event: job.event as ChannelEvent,
    body: bodyOf(job),
    notice: JSON.parse(data) as Notice,
    sentAt: sends.sentAt,
    earlier,
  }
  const withBody = { ...sends, keepsBody: true }
  return channelTypeOf(type).send(told, config, {
    ...ports,
    post: (url, headers, body) => post(withBody, url, { 'User-Agent': 'Bursar-Channels/1', ...headers }, body),
  })
}

function shown(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException
  return (message || code || 'The connection failed').slice(0, MAX_SHOWN)
}
