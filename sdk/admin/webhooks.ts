// The organization's event endpoint, its signing secret, and its deliveries.
import type { Client, Query } from '../call.js'
import { withFirstSecret, withSecret } from '../secret.js'
import type { CallOptions } from '../send.js'

export function webhooks({ call, list }: Client) {
  return {
    get: (options?: CallOptions) => call('GET /api/webhooks', {}, options),
    /**
     * Sets the endpoint or changes its URL. If the organization has no signing secret yet, this makes one, and only
     * this answer contains it, as `webhookSecret`. It first reads whether there is an endpoint, and so a secret. If
     * there is none, and an answer that may have contained the first secret was lost, it throws TIMEOUT: `rotateSecret`
     * then makes and shows another. Reading does not show a secret that a deleted endpoint or an agent's callback URL
     * left behind: then, too, a lost answer makes it throw, and that secret continues to sign.
     */
    set: async (url: string, options: CallOptions = {}) => {
      const { signal, timeout } = options
      const { webhookConfigured } = await call('GET /api/webhooks', {}, { signal, timeout })
      return withFirstSecret(webhookConfigured, (onUncertain) =>
        call('PUT /api/webhooks', { body: { url } }, { ...options, onUncertain }),
      )
    },
    delete: (options?: CallOptions) => call('DELETE /api/webhooks', {}, options),
    /** Makes and shows a new secret. The previous one also signs for 24 hours. */
    rotateSecret: (options?: CallOptions) =>
      withSecret(call('POST /api/webhooks/rotate-secret', {}, options), 'rotate it again'),
    /** Sends a synthetic event, whose payment does not exist. */
    test: (options?: CallOptions) => call('POST /api/webhooks/test', {}, options),
    deliveries: (query?: Query<'GET /api/webhooks/deliveries'>, options?: CallOptions) =>
      list('GET /api/webhooks/deliveries', 'deliveries', { query }, options),
    /** Sends the event again, as a new delivery. Throws INVALID_STATUS if its endpoint was removed. */
    redeliver: (deliveryId: string, options?: CallOptions) =>
      call('POST /api/webhooks/deliveries/{deliveryId}/redeliver', { path: { deliveryId } }, options),
  }
}
