// Sends one HTTP request, and retries it after 429 and 5xx under the same idempotency key. It never retries a request
// that had no answer, because it may have been carried out.
import { Exchange } from './exchange.js'
import type { Opened } from './lines.js'
import { refusalOf, type Reply } from './refusal.js'
import { retryAfterIn, waitBefore } from './retry.js'

export interface ClientOptions {
  /** The URL of the service: `https://bursar.example.com`. */
  baseUrl: string
  /** Milliseconds for one attempt, its whole answer included; for lines, for each wait for more. Default 30000. */
  timeout?: number | undefined
  /** How many times a request that was answered 429 or 5xx is retried. Default 3. */
  maxRetries?: number | undefined
  /** Used instead of the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined
}

export interface CallOptions {
  /** POST only. Default: a random one. Pass your own to be able to repeat the call after a restart. */
  idempotencyKey?: string | undefined
  /** Milliseconds; overrides the client's `timeout`. */
  timeout?: number | undefined
  /**
   * Ends the call, waits between attempts included; it then rejects with the signal's reason. `pay`, once it has sent
   * something, rejects with a TIMEOUT whose `cause` is the reason.
   */
  signal?: AbortSignal | undefined
  /** The policy version that the edit is based on. Throws VERSION_CONFLICT if there is a later one. */
  ifMatch?: number | undefined
}

/** Options for other parts of the SDK. */
export interface Sending extends CallOptions {
  /** Overrides the client's `maxRetries`. */
  maxRetries?: number | undefined
  /** Called after each attempt that was answered 5xx: it may have been carried out. */
  onUncertain?: (() => void) | undefined
}

export interface Connection extends ClientOptions {
  apiKey?: string | undefined
}

export interface Request {
  method: string
  /** Includes the query. */
  path: string
  body?: unknown
}

const TIMEOUT_MS = 30_000
export const MAX_RETRIES = 3

/** The answer, read to its end. */
export async function send(connection: Connection, request: Request, options: Sending = {}): Promise<Reply> {
  return succeed(connection, request, options, replyOf)
}

/** An answer whose body is still to be read. The timeout of an attempt then applies to each part of it. */
export async function open(connection: Connection, request: Request, options: Sending = {}): Promise<Opened> {
  return succeed(connection, request, options, async ({ body }, exchange) => ({ body, exchange }))
}

type Receive<T> = (response: Response, exchange: Exchange) => Promise<T>

async function succeed<T>(connection: Connection, request: Request, options: Sending, receive: Receive<T>): Promise<T> {
  const headers = headersOf(connection, request, options)
  for (let retry = 0; ; retry++) {
    const answer = await attempt(connection, request, headers, options, receive)
    if ('received' in answer) return answer.received
    if (answer.refused.status >= 500) options.onUncertain?.()
    const waitMs = waitBefore(retry, options.maxRetries ?? connection.maxRetries ?? MAX_RETRIES, answer.refused)
    if (waitMs === undefined) throw refusalOf(answer.refused)
    await pause(waitMs, options.signal)
  }
}

function headersOf({ apiKey }: Connection, { method, body }: Request, options: CallOptions): Headers {
  const headers = new Headers({ Accept: 'application/json' })
  if (apiKey !== undefined) headers.set('Authorization', `Bearer ${apiKey}`)
  if (body !== undefined) headers.set('Content-Type', 'application/json')
  if (method === 'POST') headers.set('Idempotency-Key', options.idempotencyKey ?? newIdempotencyKey())
  if (options.ifMatch !== undefined) headers.set('If-Match', String(options.ifMatch))
  return headers
}

/** 32 hex digits. Not `randomUUID`, which browsers provide only on secure pages. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** One attempt: a success as far as `receive` reads it, or a refusal, read to its end. */
async function attempt<T>(
  connection: Connection,
  { method, path, body }: Request,
  headers: Headers,
  { signal, timeout = connection.timeout ?? TIMEOUT_MS }: CallOptions,
  receive: Receive<T>,
): Promise<{ received: T } | { refused: Reply }> {
  const url = connection.baseUrl.replace(/\/+$/, '') + path
  const text = body === undefined ? null : JSON.stringify(body)
  const fetch = connection.fetch ?? globalThis.fetch
  const exchange = new Exchange(`${method} ${url}`, timeout, signal)
  return exchange.step('answer', async () => {
    // Following a redirect could repeat a POST as a GET, or send the key to another host.
    const response = await fetch(url, { method, headers, body: text, signal: exchange.signal, redirect: 'manual' })
    return response.ok ? { received: await receive(response, exchange) } : { refused: await replyOf(response) }
  })
}

async function replyOf(response: Response): Promise<Reply> {
  return {
    status: response.status,
    text: await response.text(),
    requestId: response.headers.get('X-Request-Id') ?? undefined,
    retryAfter: retryAfterIn(response.headers.get('Retry-After'), Date.now()),
  }
}

/** Rejects with the signal's reason when the signal is aborted. */
export function pause(ms: number, signal?: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer)
      reject(signal!.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    if (signal?.aborted) onAbort()
    else signal?.addEventListener('abort', onAbort, { once: true })
  })
}
