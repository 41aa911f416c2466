// Where events are sent, the secret that signs them, and how deliveries fared.
import type { Client, Query } from '../call.js'
import { withFirstSecret, withSecret } from '../secret.js'
import type { CallOptions } from '../send.js'

export function webhooks({ call, list }: Client) {
  return {
    get: (options?: CallOptions) => call('GET /api/webhooks', {}, options),
    /**
     * Sets the endpoint or changes its URL. Where the organization has no signing secret yet, this answer alone has it,
     * as `webhookSecret`. It reads first whether there is an endpoint, and so a secret. Where there is none, and an
     * answer that may have had the first secret was lost, it throws: `rotateSecret` then makes one that is shown. A
     * secret that a deleted endpoint or an agent's callback URL left is not seen by reading; then too it throws where
     * an answer was lost, and that secret goes on signing.
     */
    set: async (url: string, options: CallOptions = {}) => {
      const { signal, timeout } = options
      const { webhookConfigured } = await call('GET /api/webhooks', {}, { signal, timeout })
      return withFirstSecret(webhookConfigured, (onUncertain) =>
        call('PUT /api/webhooks', { body: { url } }, { ...options, onUncertain }),
      )
    },
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
