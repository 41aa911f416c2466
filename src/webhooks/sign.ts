// Signs a delivery's body, in the service's own header and in those of Standard Webhooks (standardwebhooks.com).
import { createHmac } from 'node:crypto'
import type { Random } from '../domain/values/ids.js'

const SECRET_BYTES = 32
const PREFIX = 'whsec_'

/** The signing secrets; the previous one only during the overlap after a rotation. */
export interface Secrets {
  current: string
  previous?: string
}

export interface Signed {
  deliveryId: string
  event: string
  /** When the event happened, epoch ms. */
  at: number
  attempt: number
  /** When this attempt is sent, epoch ms. */
  sentAt: number
}

/** A signing secret: `whsec_` and 32 bytes in base64. */
export function newSecret(random: Random): string {
  return PREFIX + Buffer.from(random(SECRET_BYTES)).toString('base64')
}

/** HMAC-SHA256 over the raw body, in lower-case hex; the key is the text of the secret. */
function signatureOf(body: string, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('hex')
}

/** `v1,` and the base64 HMAC-SHA256 over id, time and body; the key is the decoded bytes of the secret. */
function standardSignatureOf(signed: string, body: string, secret: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  return `v1,${createHmac('sha256', key).update(signed).update(body).digest('base64')}`
}

/** The headers of a delivery, without those that every HTTP request has. */
export function headersOf(body: string, signed: Signed, { current, previous }: Secrets): Record<string, string> {
  const { deliveryId, event, at, attempt, sentAt } = signed
  const seconds = String(Math.floor(sentAt / 1000))
  const standard = (secret: string): string => standardSignatureOf(`${deliveryId}.${seconds}.`, body, secret)
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Bursar-Webhooks/1',
    'X-Service-Signature': signatureOf(body, current),
    ...(previous !== undefined && { 'X-Service-Signature-Previous': signatureOf(body, previous) }),
    'X-Service-Delivery-Id': deliveryId,
    'X-Service-Event': event,
    'X-Service-Timestamp': new Date(at).toISOString(),
    'X-Service-Delivery-Attempt': String(attempt),
    'webhook-id': deliveryId,
    'webhook-timestamp': seconds,
    'webhook-signature': [current, ...(previous === undefined ? [] : [previous])].map(standard).join(' '),
  }
}
