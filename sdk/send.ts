// Sends one request over HTTP, again where the answer says that this helps, with the same idempotency key each time.
// A request without an answer is never sent again here: it may have been carried out.
import { BursarError } from './error.js'
import { refusalOf, type Reply } from './refusal.js'
import { retryAfterIn, waitBefore } from './retry.js'

export interface ClientOptions {
  /** Where the service is: `https://bursar.example.com`. */
  baseUrl: string
  /** Milliseconds that one attempt may take, its answer included. Default 30000. */
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

export async function send(connection: Connection, request: Request, options: CallOptions = {}): Promise<Reply> {
  const headers = headersOf(connection, request, options)
  for (let retry = 0; ; retry++) {
    const reply = await attempt(connection, request, headers, options)
    if (reply.status >= 200 && reply.status < 300) return reply
    const waitMs = waitBefore(retry, connection.maxRetries ?? MAX_RETRIES, reply)
    if (waitMs === undefined) throw refusalOf(reply)
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

/** What a timer takes; a longer one would fire at once. */
const LONGEST_MS = 2 ** 31 - 1

/** One exchange, from the request to the last byte of its answer. */
async function attempt(
  connection: Connection,
  { method, path, body }: Request,
  headers: Headers,
  { signal, timeout = connection.timeout ?? TIMEOUT_MS }: CallOptions,
): Promise<Reply> {
  signal?.throwIfAborted()
  const url = connection.baseUrl.replace(/\/+$/, '') + path
  const text = body === undefined ? null : JSON.stringify(body)
  const controller = new AbortController()
  const onAbort = (): void => controller.abort()
  signal?.addEventListener('abort', onAbort)
  const timer = setTimeout(onAbort, Math.min(timeout, LONGEST_MS))
  const fetch = connection.fetch ?? globalThis.fetch
  try {
    // A redirect would repeat a POST as a GET, or take the key elsewhere.
    const response = await fetch(url, { method, headers, body: text, signal: controller.signal, redirect: 'manual' })
    return await replyOf(response)
  } catch (cause) {
    signal?.throwIfAborted()
    throw unanswered(`${method} ${url}`, controller.signal.aborted ? `within ${timeout} ms` : undefined, cause)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}

async function replyOf(response: Response): Promise<Reply> {
  return {
    status: response.status,
    text: await response.text(),
    requestId: response.headers.get('X-Request-Id') ?? undefined,
    retryAfter: retryAfterIn(response.headers.get('Retry-After'), Date.now()),
  }
}

/** Late or cut off, nobody here knows what became of the request: both are TIMEOUT. */
function unanswered(what: string, late: string | undefined, cause: unknown): BursarError {
  const why = late ?? `(${cause instanceof Error ? messageOf(cause) : String(cause)})`
  const message = `${what} had no answer ${why}. Ask for the status before sending it again`
  return new BursarError(message, { code: 'TIMEOUT', status: 0, cause })
}

/** The cause says more than `fetch failed`. */
function messageOf({ message, cause }: Error): string {
  return cause instanceof Error ? cause.message || message : message
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
