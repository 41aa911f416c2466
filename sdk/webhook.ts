// Checks that a delivery comes from the service, unchanged and just now, and reads it. Hand it the bytes that came in:
// parsed and written again they would not be what was signed.
import { BursarError } from './error.js'

export interface WebhookEvent {
  /** The same on every attempt: what was seen before is to be left aside. */
  deliveryId: string
  /** `payment.executed`, say. */
  event: string
  /** When it happened, ISO 8601. */
  timestamp: string
  data: { [field: string]: unknown }
}

export interface VerifyOptions {
  /** How old or how far ahead a delivery may be. Default 300. */
  toleranceSeconds?: number | undefined
  /** Epoch ms; default the clock. */
  now?: number | undefined
}

/** A `Headers` object, or a plain one such as Node's `request.headers`. */
export type WebhookHeaders = Headers | { [name: string]: string | readonly string[] | undefined }

const TOLERANCE_SECONDS = 300
const PREFIX = 'whsec_'

/** Throws AUTH_FAILED (401) for a signature that is not right, EXPIRED (400) for one that is not of now. */
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
  // Only what is signed counts: the time of the attempt where that is, else the time of the event.
  const at = attemptedAt ?? Date.parse(event.timestamp)
  if (!(Math.abs(now - at) <= toleranceSeconds * 1000)) throw stale(at)
  return event
}

type Read = (name: string) => string

/** A header by its name in any letter case; empty where it is missing. */
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

/** `X-Service-Signature`, or while a secret is being replaced the one beside it: hex over the body alone. */
async function isSigned(body: Uint8Array, read: Read, secret: string): Promise<boolean> {
  const key = await keyOf(new TextEncoder().encode(secret))
  const current = await verifies(key, hexBytes(read('x-service-signature')), body)
  const previous = await verifies(key, hexBytes(read('x-service-signature-previous')), body)
  return current || previous
}

/** Epoch ms of the attempt, where one of the Standard Webhooks signatures (over id, time and body) is right. */
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

/** An empty secret would make a key that everybody has. */
function keyOf(bytes: Uint8Array): Promise<CryptoKey> {
  if (bytes.length === 0) throw new TypeError('The secret of the webhook is empty')
  const raw = bytes as Uint8Array<ArrayBuffer>
  return crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

/** WebCrypto compares in a time that does not depend on what differs. */
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
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as WebhookEvent
  } catch (cause) {
    throw new BursarError('The delivery is signed but not JSON', { code: 'INVALID_JSON', status: 400, cause })
  }
}

function unsigned(): BursarError {
  const message = 'No signature of the delivery is made with this secret over these bytes'
  return new BursarError(message, { code: 'AUTH_FAILED', status: 401 })
}

function stale(at: number): BursarError {
  const when = Number.isNaN(at) ? 'tells no time' : `is of ${new Date(at).toISOString()}`
  return new BursarError(`The delivery ${when}, which is not now`, { code: 'EXPIRED', status: 400 })
}
