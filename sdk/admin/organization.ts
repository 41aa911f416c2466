// The organization: its settings, keys and members; and, with the operator's key, further organizations.
import type { Body, Client, Query } from '../call.js'
import { withSecret } from '../secret.js'
import type { CallOptions } from '../send.js'

export function organization({ call }: Client) {
  return {
    get: (options?: CallOptions) => call('GET /api/organization', {}, options),
    update: (body: Body<'PATCH /api/organization'>, options?: CallOptions) =>
      call('PATCH /api/organization', { body }, options),
    /** Stops all payments of the organization: none executes after the answer's `auditSequence`. */
    freeze: (reason: string, options?: CallOptions) =>
      call('POST /api/organization/freeze', { body: { reason } }, options),
    unfreeze: (options?: CallOptions) => call('POST /api/organization/unfreeze', {}, options),
  }
}

/** Requires the operator's key. */
export function organizations({ call }: Client) {
  return {
    /** Only this answer contains the `apiKey`. */
    create: (name: string, options?: CallOptions) =>
      withSecret(call('POST /api/organizations', { body: { name } }, options), 'make another organization'),
    /** Limits how many records the organization keeps; null lifts a limit, and one left out stays. */
    limit: (
      organizationId: string,
      limits: Body<'PATCH /api/organizations/{organizationId}'>['limits'],
      options?: CallOptions,
    ) => call('PATCH /api/organizations/{organizationId}', { path: { organizationId }, body: { limits } }, options),
  }
}

export interface RemovalOptions extends CallOptions {
  /** Also removes what was made by it, directly or through others; works after the removal, too. */
  cascade?: boolean | undefined
}

export function keys({ call, list }: Client) {
  return {
    list: (query?: Query<'GET /api/api-keys'>, options?: CallOptions) =>
      list('GET /api/api-keys', 'keys', { query }, options),
    /** Only this answer contains the `key`. */
    create: (body: Body<'POST /api/api-keys'>, options?: CallOptions) =>
      withSecret(call('POST /api/api-keys', { body }, options), 'revoke it and make another'),
    /** What the key made, directly or through others, and still gives access. */
    descendants: (keyId: string, options?: CallOptions) =>
      call('GET /api/api-keys/{keyId}/descendants', { path: { keyId } }, options),
    /** Answers `descendants`, or with `cascade` removes them too and answers `revoked`. */
    revoke: (keyId: string, { cascade, ...options }: RemovalOptions = {}) =>
      call('DELETE /api/api-keys', { query: { keyId, cascade } }, options),
  }
}

const INVITE_AGAIN = 'invite the member again'

export function members({ call, list }: Client) {
  return {
    list: (query?: Query<'GET /api/members'>, options?: CallOptions) =>
      list('GET /api/members', 'members', { query }, options),
    /** Only this answer contains the `setupUrl`, at which the person sets a password. */
    add: (body: Body<'POST /api/members'>, options?: CallOptions) =>
      withSecret(call('POST /api/members', { body }, options), INVITE_AGAIN),
    /** Makes a new `setupUrl` for a member who has not set a password yet. */
    invite: (memberId: string, options?: CallOptions) =>
      withSecret(call('POST /api/members/{memberId}/invite', { path: { memberId } }, options), INVITE_AGAIN),
    /** Makes a `setupUrl` at which another member sets a new password; the old one works until then. */
    resetPassword: (memberId: string, options?: CallOptions) =>
      withSecret(
        call('POST /api/members/{memberId}/reset-password', { path: { memberId } }, options),
        'reset the password again',
      ),
    update: (memberId: string, body: Body<'PATCH /api/members/{memberId}'>, options?: CallOptions) =>
      call('PATCH /api/members/{memberId}', { path: { memberId }, body }, options),
    /** What the member made, directly or through others, and would still give access without them. */
    descendants: (memberId: string, options?: CallOptions) =>
      call('GET /api/members/{memberId}/descendants', { path: { memberId } }, options),
    /** Answers `descendants`, or with `cascade` removes them too and answers `revoked`. */
    remove: (memberId: string, { cascade, ...options }: RemovalOptions = {}) =>
      call('DELETE /api/members/{memberId}', { path: { memberId }, query: { cascade } }, options),
  }
}
