// The organization: its settings, its keys and people, and, with the operator's key, further organizations.
import type { Body, Client, Query } from '../call.js'
import { withSecret } from '../secret.js'
import type { CallOptions } from '../send.js'

export function organization({ call }: Client) {
  return {
    get: (options?: CallOptions) => call('GET /api/organization', {}, options),
    update: (body: Body<'PATCH /api/organization'>, options?: CallOptions) =>
      call('PATCH /api/organization', { body }, options),
    /** No agent of the organization executes anything any more. */
    freeze: (reason: string, options?: CallOptions) =>
      call('POST /api/organization/freeze', { body: { reason } }, options),
    unfreeze: (options?: CallOptions) => call('POST /api/organization/unfreeze', {}, options),
  }
}

/** Takes the operator's key. */
export function organizations({ call }: Client) {
  return {
    create: (name: string, options?: CallOptions) => call('POST /api/organizations', { body: { name } }, options),
  }
}

export function keys({ call, list }: Client) {
  return {
    list: (query?: Query<'GET /api/api-keys'>, options?: CallOptions) =>
      list('GET /api/api-keys', 'keys', { query }, options),
    /** The answer alone has the `key`. */
    create: (body: Body<'POST /api/api-keys'>, options?: CallOptions) =>
      withSecret(call('POST /api/api-keys', { body }, options), 'key', 'revoke it and make another'),
    revoke: (keyId: string, options?: CallOptions) => call('DELETE /api/api-keys', { query: { keyId } }, options),
  }
}

export function members({ call, list }: Client) {
  return {
    list: (query?: Query<'GET /api/members'>, options?: CallOptions) =>
      list('GET /api/members', 'members', { query }, options),
    /** The answer has the link with which the person sets a password. */
    add: (body: Body<'POST /api/members'>, options?: CallOptions) => call('POST /api/members', { body }, options),
    invite: (memberId: string, options?: CallOptions) =>
      call('POST /api/members/{memberId}/invite', { path: { memberId } }, options),
    update: (memberId: string, body: Body<'PATCH /api/members/{memberId}'>, options?: CallOptions) =>
      call('PATCH /api/members/{memberId}', { path: { memberId }, body }, options),
    remove: (memberId: string, options?: CallOptions) =>
      call('DELETE /api/members/{memberId}', { path: { memberId } }, options),
  }
}
