// Where events are sent, the secret that signs them, and how deliveries fared.
import type { Client, Query } from '../call.js'
import { withSecret } from '../secret.js'
import type { CallOptions } from '../send.js'

export function webhooks({ call, list }: Client) {
  return {
    get: (options?: CallOptions) => call('GET /api/webhooks', {}, options),
    /** The first time the answer has the `webhookSecret`, and never again. */
    set: (url: string, options?: CallOptions) => call('PUT /api/webhooks', { body: { url } }, options),
    delete: (options?: CallOptions) => call('DELETE /api/webhooks', {}, options),
    /** The secret before signs beside the new one for a day. */
    rotateSecret: (options?: CallOptions) =>
      withSecret(call('POST /api/webhooks/rotate-secret', {}, options), 'rotate it again'),
    /** Sends an event of no payment. */
    test: (options?: CallOptions) => call('POST /api/webhooks/test', {}, options),
    deliveries: (query?: Query<'GET /api/webhooks/deliveries'>, options?: CallOptions) =>
      list('GET /api/webhooks/deliveries', 'deliveries', { query }, options),
    redeliver: (deliveryId: string, options?: CallOptions) =>
      call('POST /api/webhooks/deliveries/{deliveryId}/redeliver', { path: { deliveryId } }, options),
  }
}
