// One POST within the destination rules. It follows no redirects, waits a bounded time for a response and reads up to
// 64 KiB of it.
import { request as httpRequest, type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { PostAnswer } from '../notifications/channelType.js'
import type { ReceiverConnections } from './connection.js'

export interface Posting {
  connections: ReceiverConnections
  /** The endpoint whose connections it may reuse. */
  endpoint: string
  timeoutMs: number
  /** Epoch ms. */
  sentAt: number
  /** Keeps the text of the response. */
  keepsBody?: boolean
  /** Why nothing is sent to this URL; absent where that is checked before. */
  refuses?: (url: string) => string | undefined
}

const MAX_BYTES = 64 * 1024

/** The URL is not one that anything is sent to. */
export class RefusedUrl extends Error {
  constructor(reason: string) {
    super(`The URL ${reason}`)
  }
}

/** Rejects where nothing was answered: with RefusedUrl or RefusedDestination where nothing may be sent. */
export async function post(
  { connections, endpoint, timeoutMs, sentAt, keepsBody = false, refuses }: Posting,
  to: string,
  headers: { [name: string]: string },
  body: string,
): Promise<PostAnswer> {
  const reason = refuses?.(to)
  if (reason !== undefined) throw new RefusedUrl(reason)
  const url = new URL(to)
  const agent = connections.agentFor(url)
  const sent = { ...headers, 'Content-Length': Buffer.byteLength(body) }
  const options: RequestOptions & { endpoint: string } = { method: 'POST', agent, endpoint, headers: sent }
  const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options)
  connections.guard(request)
  request.end(body)
  const answer = await received(request, timeoutMs, keepsBody)
  return { statusCode: answer.statusCode, body: answer.body, ...retryAfter(answer.retryAfter, sentAt) }
}

interface Received {
  statusCode: number
  retryAfter?: string | undefined
  body: string
}

/** The response within the time limit; the promise settles whatever the receiver does. */
function received(request: ClientRequest, timeoutMs: number, keepsBody: boolean): Promise<Received> {
  return new Promise((resolve, reject) => {
    let known: Received | undefined
    // Once the status is known, a connection error changes nothing.
    const end = (error: Error): void => (known ? resolve(known) : reject(error))
    const take = ({ statusCode = 0, headers }: IncomingMessage): void => {
      known = { statusCode, retryAfter: headers['retry-after'], body: '' }
    }
    const timer = setTimeout(() => {
      const late = new Error(`No answer within ${timeoutMs / 1000} s`)
      end(late)
      request.destroy(late)
    }, timeoutMs)
    request.on('error', end)
    request.on('response', (response) => {
      take(response)
      drain(response, (text) => {
        if (keepsBody && known) known.body = text
      })
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

/** Reads a response to its end or to the limit; `read` gets the text of one that ended within it. */
function drain(response: IncomingMessage, read: (text: string) => void): void {
  let bytes = 0
  const parts: Buffer[] = []
  response.on('data', (part: Buffer) => {
    bytes += part.length
    parts.push(part)
    if (bytes > MAX_BYTES) response.destroy()
  })
  response.on('end', () => read(Buffer.concat(parts).toString()))
  response.on('error', () => {})
}

/** `Retry-After` as a wait: seconds, or a date. */
function retryAfter(text: string | undefined, now: number): { retryAfterMs?: number } {
  if (text === undefined) return {}
  const wait = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return wait > 0 ? { retryAfterMs: wait } : {}
}
