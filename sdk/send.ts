// Sends one HTTP request, and retries it after 429 and 5xx under the same idempotency key. It never retries a request
// that was sent and had no answer, because it may have been carried out.
import { isAway, isUndone, isUnsent, type Addresses } from './addresses.js'
import { BursarError } from './error.js'
import { Exchange } from './exchange.js'
import type { Opened } from './lines.js'
import { refusalOf, type Reply } from './refusal.js'
import { retryAfterIn, waitBefore } from './retry.js'

export interface ClientOptions {
  /**
   * The URL of the service: `https://bursar.example.com`; or those of its nodes, of which one that cannot be reached, or
   * that knows no owner, is passed over.
   */
  baseUrl: string | readonly string[]
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

export interface Connection extends Omit<ClientOptions, 'baseUrl'> {
  addresses: Addresses
  apiKey?: string | undefined
}

export interface Request {
  method: string
  /** Includes the query. */
  path: string
  body?: unknown
}

export const TIMEOUT_MS = 30_000
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
/** A success as far as `receive` reads it, or why there is none: a refusal, or no answer. */
type Outcome<T> = { received: T } | { failed: BursarError }

async function succeed<T>(connection: Connection, request: Request, options: Sending, receive: Receive<T>): Promise<T> {
  const { addresses, maxRetries = MAX_RETRIES } = connection
  const headers = headersOf(connection, request, options)
  const ask = (url: string) => attempt(connection, { ...request, url, headers }, options, receive)
  for (let retry = 0; ; retry++) {
    const outcome = await askInTurn(addresses, ask)
    if ('received' in outcome) return outcome.received
    const { failed } = outcome
    if (failed.status >= 500 && !isUndone(failed)) options.onUncertain?.()
    // Where there is another node, one may be there by then.
    const refusal = isUnsent(failed) && addresses.count > 1 ? { status: 503 } : failed
    const waitMs = waitBefore(retry, options.maxRetries ?? maxRetries, refusal)
    if (waitMs === undefined) throw failed
    await pause(waitMs, options.signal)
  }
}

/** Asks one node after the other, as long as those before have certainly done nothing. */
async function askInTurn<T>(
  addresses: Addresses,
  ask: (url: string) => Promise<Outcome<T>>,
  [url, ...others]: readonly string[] = addresses.inOrder(),
): Promise<Outcome<T>> {
  const outcome = await ask(url!)
  if ('received' in outcome || !isAway(outcome.failed)) return outcome
  addresses.leave(url!)
  return isUndone(outcome.failed) && others.length > 0 ? askInTurn(addresses, ask, others) : outcome
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

interface Attempted extends Request {
  url: string
  headers: Headers
}

/** One attempt at one node. Throws only what ends the call: the caller's reason. */
async function attempt<T>(
  connection: Connection,
  { method, url, path, headers, body }: Attempted,
  { signal, timeout = connection.timeout ?? TIMEOUT_MS }: CallOptions,
  receive: Receive<T>,
): Promise<Outcome<T>> {
  const whole = url + path
  const text = body === undefined ? null : JSON.stringify(body)
  const fetch = connection.fetch ?? globalThis.fetch
  const exchange = new Exchange(`${method} ${whole}`, timeout, signal)
  const answer = exchange.step('answer', async () => {
    // Following a redirect could repeat a POST as a GET, or send the key to another host.
    const response = await fetch(whole, { method, headers, body: text, signal: exchange.signal, redirect: 'manual' })
    return response.ok
      ? { received: await receive(response, exchange) }
      : { failed: refusalOf(await replyOf(response)) }
  })
  return answer.catch((error: unknown) => {
    if (error instanceof BursarError) return { failed: error }
    throw error
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
