// Notification channels: where people are told of alerts and approval requests.
import type { Body, Client, Query } from '../call.js'
import { withSecret } from '../secret.js'
import type { CallOptions } from '../send.js'

export function channels({ call, list }: Client) {
  return {
    list: (query?: Query<'GET /api/channels'>, options?: CallOptions) =>
      list('GET /api/channels', 'channels', { query }, options),
    /**
     * For a WEBHOOK, only this answer has the signing secret, as `secret`. Throws TIMEOUT if the channel was made, and the
     * answer with the secret was lost.
     */
    create: async (body: Body<'POST /api/channels'>, options?: CallOptions) => {
      const made = call('POST /api/channels', { body }, options)
      return body.type === 'WEBHOOK' ? withSecret(made, 'remove the channel and create it again') : made
    },
    get: (channelId: string, options?: CallOptions) =>
      call('GET /api/channels/{channelId}', { path: { channelId } }, options),
    /** `config` is replaced as a whole; a value as it was shown stands for the stored one. */
    update: (channelId: string, body: Body<'PATCH /api/channels/{channelId}'>, options?: CallOptions) =>
      call('PATCH /api/channels/{channelId}', { path: { channelId }, body }, options),
    delete: (channelId: string, options?: CallOptions) =>
      call('DELETE /api/channels/{channelId}', { path: { channelId } }, options),
    /** Sends a message that says that the channel works. */
    test: (channelId: string, options?: CallOptions) =>
      call('POST /api/channels/{channelId}/test', { path: { channelId } }, options),
  }
}
