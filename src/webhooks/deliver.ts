// One delivery attempt: signs, sends, and returns the outcome. It follows no redirects, waits ten seconds for a
// response and reads up to 64 KiB of it.
import { request as httpRequest, type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { AttemptOutcome } from '../domain/outcomes/delivery.js'
import { RefusedDestination, type ReceiverConnections } from './connection.js'
import { headersOf, type Secrets, type Signed } from './sign.js'

/** Everything that an attempt needs; plain data, so that it can be posted to a thread. */
export interface Job extends Omit<Signed, 'sentAt'> {
  /** The endpoint whose connections it may reuse. */
  endpoint: string
  url: string
  /** JSON. */
  data: string
  secrets: Secrets
}

export interface DeliverPorts {
  connections: ReceiverConnections
  /** Epoch ms. */
  now(): number
  timeoutMs?: number
}

const TIMEOUT_MS = 10_000
const MAX_BYTES = 64 * 1024
const MAX_SHOWN = 200

/** The raw body of a delivery: the same bytes on every attempt. */
function bodyOf({ deliveryId, event, at, data }: Pick<Job, 'deliveryId' | 'event' | 'at' | 'data'>): string {
  const head = JSON.stringify({ deliveryId, event, timestamp: new Date(at).toISOString() })
  return `${head.slice(0, -1)},"data":${data}}`
}

/** Makes attempts; an attempt never throws. */
export function createDeliver({ connections, now, timeoutMs = TIMEOUT_MS }: DeliverPorts) {
  return async (job: Job): Promise<AttemptOutcome> => {
    const at = now()
    const startedAt = performance.now()
    const since = (): number => Math.round(performance.now() - startedAt)
    try {
      const answer = await post(connections, job, at, timeoutMs)
      return { at, durationMs: since(), statusCode: answer.statusCode, ...retryAfter(answer.retryAfter, at) }
    } catch (error) {
      const failed = { at, durationMs: since(), error: shown(error) }
      if (!(error instanceof RefusedDestination)) return failed
      return { ...failed, refused: true, detail: `${error.address} is not a public address` }
    }
  }
}

interface Received {
  statusCode: number
  retryAfter?: string | undefined
}

function post(connections: ReceiverConnections, job: Job, sentAt: number, timeoutMs: number): Promise<Received> {
  const url = new URL(job.url)
  const body = bodyOf(job)
  const headers = { ...headersOf(body, { ...job, sentAt }, job.secrets), 'Content-Length': Buffer.byteLength(body) }
  const agent = connections.agentFor(url)
  const options: RequestOptions & Pick<Job, 'endpoint'> = { method: 'POST', agent, endpoint: job.endpoint, headers }
  const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options)
  connections.guard(request)
  request.end(body)
  return received(request, timeoutMs)
}

/** The response within the time limit; the promise settles whatever the receiver does. */
function received(request: ClientRequest, timeoutMs: number): Promise<Received> {
  return new Promise((resolve, reject) => {
    let known: Received | undefined
    // Once the status is known, a connection error changes nothing.
    const end = (error: Error): void => (known ? resolve(known) : reject(error))
    const take = ({ statusCode = 0, headers }: IncomingMessage): void => {
      known = { statusCode, retryAfter: headers['retry-after'] }
    }
    const timer = setTimeout(() => {
      const late = new Error(`No answer within ${timeoutMs / 1000} s`)
      end(late)
      request.destroy(late)
    }, timeoutMs)
    request.on('error', end)
    request.on('response', (response) => {
      take(response)
      drain(response)
    })
    request.on('upgrade', (response, socket) => {
      take(response)
      socket.destroy()
    })
    request.on('close', () => {
      clearTimeout(timer)
      end(new Error('The connection was closed without an answer'))
    })
  })
}

/** Reads a response to its end or to the limit. */
function drain(response: IncomingMessage): void {
  let bytes = 0
  response.on('data', (part: Buffer) => {
    bytes += part.length
    if (bytes > MAX_BYTES) response.destroy()
  })
  response.on('error', () => {})
}

/** `Retry-After` as a wait: seconds, or a date. */
function retryAfter(text: string | undefined, now: number): { retryAfterMs?: number } {
  if (text === undefined) return {}
  const wait = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return wait > 0 ? { retryAfterMs: wait } : {}
}

function shown(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException
  return (message || code || 'The connection failed').slice(0, MAX_SHOWN)
}
