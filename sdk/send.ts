// Sends one request over HTTP, again where the answer says that this helps, with the same idempotency key each time.
// A request without an answer is never sent again here: it may have been carried out.
import { Exchange } from './exchange.js'
import type { Opened } from './lines.js'
import { refusalOf, type Reply } from './refusal.js'
import { retryAfterIn, waitBefore } from './retry.js'

export interface ClientOptions {
  /** Where the service is: `https://bursar.example.com`. */
  baseUrl: string
  /** Milliseconds that one attempt may take, its answer included; of lines, each wait for more. Default 30000. */
  timeout?: number | undefined
  /** How often a request answered with 429 or 5xx is sent again. Default 3. */
  maxRetries?: number | undefined
  /** Instead of the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined
}

export interface CallOptions {
  /** Default: a random one. Give your own to make the same call again after a restart. POST only. */
  idempotencyKey?: string | undefined
  /** Milliseconds, instead of the client's. */
  timeout?: number | undefined
  /** Ends the call, waits included; it then rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** The version the change is meant for: VERSION_CONFLICT when another came first. */
  ifMatch?: number | undefined
}

/** What other parts of the SDK want to know besides. */
export interface Sending extends CallOptions {
  /** Called after each attempt that was answered with 5xx: it may have been carried out. */
  onUncertain?: (() => void) | undefined
}

export interface Connection extends ClientOptions {
  apiKey?: string | undefined
}

export interface Request {
  method: string
  /** With its query. */
  path: string
  body?: unknown
}

const TIMEOUT_MS = 30_000
export const MAX_RETRIES = 3

/** The whole answer. */
export async function send(connection: Connection, request: Request, options: Sending = {}): Promise<Reply> {
  return succeed(connection, request, options, replyOf)
}

/** An answer whose body is still to be read, each part of it within the time of an attempt. */
export async function open(connection: Connection, request: Request, options: Sending = {}): Promise<Opened> {
  return succeed(connection, request, options, async ({ body }, exchange) => ({ body, exchange }))
}

type Receive<T> = (response: Response, exchange: Exchange) => Promise<T>

async function succeed<T>(
  connection: Connection,
  request: Request,
  options: Sending,
  receive: Receive<T>,
): Promise<T> {
  const headers = headersOf(connection, request, options)
  for (let retry = 0; ; retry++) {
    const answer = await attempt(connection, request, headers, options, receive)
    if ('received' in answer) return answer.received
    if (answer.refused.status >= 500) options.onUncertain?.()
    const waitMs = waitBefore(retry, connection.maxRetries ?? MAX_RETRIES, answer.refused)
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

/** Not `randomUUID`, which browsers have on secure pages alone. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** One attempt, up to what `receive` takes of a success and to the last byte of a refusal. */
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
    // A redirect would repeat a POST as a GET, or take the key elsewhere.
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
