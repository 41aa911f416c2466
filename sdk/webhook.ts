// Verifies that a delivery comes from the service, is unchanged and recent, and parses it. It needs the received bytes:
// a body that was parsed and serialized again is not what was signed.
import { BursarError } from './error.js'

export interface WebhookEvent {
  /** The same at every attempt: ignore a delivery that you have processed. */
  deliveryId: string
  /** The name of the event, such as `payment.executed`. */
  event: string
  /** When it happened, ISO 8601. */
  timestamp: string
  /** The payload; docs/events/ has a schema for each event. */
  data: { [field: string]: unknown }
}

export interface VerifyOptions {
  /** How many seconds old, or ahead of `now`, a delivery may be. Default 300. */
  toleranceSeconds?: number | undefined
  /** The present time, in epoch ms. Default: the system clock. */
  now?: number | undefined
}

/** A `Headers` object, or a plain object such as Node's `request.headers`. */
export type WebhookHeaders = Headers | { [name: string]: string | readonly string[] | undefined }

const TOLERANCE_SECONDS = 300
const PREFIX = 'whsec_'

/**
 * Verifies and parses a delivery. `rawBody` is the body as it was received, `secret` the signing secret (`whsec_…`).
 * Throws `BursarError`: AUTH_FAILED (401) if no signature is valid, EXPIRED (400) if the delivery is too old or too far
 * ahead, INVALID_JSON (400) if the signed body is not JSON. Throws a TypeError for an empty secret.
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const body = typeof rawBody === 'string' ? new TextEncoder().encode(rawBody) : rawBody
  const read = readerOf(headers)
  const attemptedAt = await standardTime(body, read, secret)
  if (attemptedAt === undefined && !(await isSigned(body, read, secret))) throw unsigned()
  const event = parsed(body)
  // Only signed times count: the attempt's if it is signed, else the event's.
  const at = attemptedAt ?? Date.parse(event.timestamp)
  if (!(Math.abs(now - at) <= toleranceSeconds * 1000)) throw stale(at)
  return event
}

type Read = (name: string) => string

/** Reads a header by its lower-case name, whatever case it was sent in; empty text if it is missing. */
function readerOf(headers: WebhookHeaders): Read {
  if (typeof headers.get === 'function') {
    const of = headers as Headers
    return (name) => of.get(name) ?? ''
  }
  const byName = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  return (name) => {
    const value = byName.get(name)
    return typeof value === 'string' ? value : ((value as readonly string[] | undefined)?.[0] ?? '')
  }
}

/**
 * Checks `X-Service-Signature` and, sent while a secret is being rotated, `X-Service-Signature-Previous`: hex
 * signatures of the body alone.
 */
async function isSigned(body: Uint8Array, read: Read, secret: string): Promise<boolean> {
  const key = await keyOf(new TextEncoder().encode(secret))
  const current = await verifies(key, hexBytes(read('x-service-signature')), body)
  const previous = await verifies(key, hexBytes(read('x-service-signature-previous')), body)
  return current || previous
}

/** The time of the attempt in epoch ms, if a Standard Webhooks signature (of id, time and body) is valid. */
async function standardTime(body: Uint8Array, read: Read, secret: string): Promise<number | undefined> {
  const [id, seconds] = [read('webhook-id'), read('webhook-timestamp')]
  const keyBytes = secret.startsWith(PREFIX) ? base64Bytes(secret.slice(PREFIX.length)) : undefined
  if (id === '' || !/^\d{1,12}$/.test(seconds) || keyBytes === undefined) return undefined
  const key = await keyOf(keyBytes)
  const signed = joined(new TextEncoder().encode(`${id}.${seconds}.`), body)
  for (const signature of read('webhook-signature').split(' ').slice(0, 10)) {
    const bytes = signature.startsWith('v1,') ? base64Bytes(signature.slice(3)) : undefined
    if (await verifies(key, bytes, signed)) return Number(seconds) * 1000
  }
  return undefined
}

/** Refuses an empty secret, because anybody could sign with its key. */
function keyOf(bytes: Uint8Array): Promise<CryptoKey> {
  if (bytes.length === 0) throw new TypeError('The webhook secret is empty')
  const raw = bytes as Uint8Array<ArrayBuffer>
  return crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

/** WebCrypto compares in constant time. */
async function verifies(key: CryptoKey, signature: Uint8Array | undefined, data: Uint8Array): Promise<boolean> {
  if (signature === undefined) return false
  return crypto.subtle.verify('HMAC', key, signature as Uint8Array<ArrayBuffer>, data as Uint8Array<ArrayBuffer>)
}

function hexBytes(text: string): Uint8Array | undefined {
  if (!/^([0-9a-f]{2})+$/.test(text)) return undefined
  return Uint8Array.from(text.match(/../g)!, (pair) => Number.parseInt(pair, 16))
}

function base64Bytes(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(first.length + second.length)
  bytes.set(first)
  bytes.set(second, first.length)
  return bytes
}

function parsed(body: Uint8Array): WebhookEvent {
  let event: unknown
  try {
    event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch (cause) {
    throw noEvent('JSON', cause)
  }
  if (typeof event !== 'object' || event === null) throw noEvent('an object', event)
  return event as WebhookEvent
}

function noEvent(what: string, cause: unknown): BursarError {
  return new BursarError(`The delivery is signed but not ${what}`, { code: 'INVALID_JSON', status: 400, cause })
}

function unsigned(): BursarError {
  const message = 'No signature of the delivery matches this secret and this body'
  return new BursarError(message, { code: 'AUTH_FAILED', status: 401 })
}

function stale(at: number): BursarError {
  const sent = Number.isNaN(at) ? '' : `was sent at ${new Date(at).toISOString()}, too far from now to be accepted`
  return new BursarError(`The delivery ${sent || 'has no valid time'}`, { code: 'EXPIRED', status: 400 })
}
