// Channels of type WEBHOOK: the notification's facts as a signed POST.
import { createHmac } from 'node:crypto'
import * as v from 'valibot'
import { redactedUrl } from '../../domain/audit/redact.js'
import { sentUrl } from '../sentUrl.js'
import type { ChannelType } from '../channelType.js'

/** Covers the time, so that a receiver can refuse what is old: `t=<seconds>,v1=<hex>`. */
function channelSignature(body: string, secret: string, sentAt: number): string {
  const seconds = Math.floor(sentAt / 1000)
  const mac = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  return `t=${seconds},v1=${mac}`
}

export const webhook: ChannelType = {
  config: v.strictObject({ url: sentUrl }),
  secrets: ['secret'],
  urls: ['url'],
  made: 'secret',
  target: ({ url }) => redactedUrl(String(url)),
  send: async ({ body, deliveryId, event, sentAt }, { url, secret }, { post }) => {
    const headers = {
      'Content-Type': 'application/json',
      'X-Service-Channel-Signature': channelSignature(body, String(secret), sentAt),
      'X-Service-Delivery-Id': deliveryId,
      'X-Service-Event': event,
    }
    const { statusCode, retryAfterMs } = await post(String(url), headers, body)
    return { statusCode, ...(retryAfterMs !== undefined && { retryAfterMs }) }
  },
}
