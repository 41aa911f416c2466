// Agents: register, pause and freeze them, hand out their keys, delegate wallets, assign policies.
import type { Body, Client, Query } from '../call.js'
import { withFirstSecret, withSecret } from '../secret.js'
import type { CallOptions } from '../send.js'

const LOST_KEY = 'revoke it and make another'

export function agents(client: Client) {
  const { call, list } = client
  return {
    list: (query?: Query<'GET /api/agents'>, options?: CallOptions) =>
      list('GET /api/agents', 'agents', { query }, options),
    get: (agentId: string, options?: CallOptions) =>
      call('GET /api/agents/{agentId}', { path: { agentId } }, options),
    create: (body: Body<'POST /api/agents'>, options?: CallOptions) => call('POST /api/agents', { body }, options),
    /**
     * Changes what is given. A `callbackUrl` may make the organization's first signing secret, which this answer alone
     * has, as `webhookSecret`. It reads first whether the agent or the organization has an endpoint; where neither has,
     * and an answer that may have had the secret was lost, it throws as `webhooks.set` does.
     */
    update: async (agentId: string, body: Body<'PATCH /api/agents/{agentId}'>, options: CallOptions = {}) => {
      const { signal, timeout } = options
      const path = { agentId }
      const hadSecret =
        typeof body.callbackUrl !== 'string' ||
        (await call('GET /api/agents/{agentId}', { path }, { signal, timeout })).webhookConfigured ||
        (await call('GET /api/webhooks', {}, { signal, timeout })).webhookConfigured
      return withFirstSecret(hadSecret, (onUncertain) =>
        call('PATCH /api/agents/{agentId}', { path, body }, { ...options, onUncertain }),
      )
    },
    /** Revokes its keys and delegations; its history stays. */
    delete: (agentId: string, options?: CallOptions) =>
      call('DELETE /api/agents/{agentId}', { path: { agentId } }, options),
    /** Nothing of the agent executes after the audit entry that the answer names. */
    freeze: (agentId: string, reason: string, options?: CallOptions) =>
      call('POST /api/agents/{agentId}/freeze', { path: { agentId }, body: { reason } }, options),
    unfreeze: (agentId: string, options?: CallOptions) =>
      call('POST /api/agents/{agentId}/unfreeze', { path: { agentId } }, options),
    import: (body: Body<'POST /api/agents/bulk-import'>, options?: CallOptions) =>
      call('POST /api/agents/bulk-import', { body }, options),
    counterparties: (
      agentId: string,
      query?: Query<'GET /api/agents/{agentId}/counterparties'>,
      options?: CallOptions,
    ) => list('GET /api/agents/{agentId}/counterparties', 'counterparties', { path: { agentId }, query }, options),
    keys: keys(client),
    wallets: delegations(client),
    policies: assignments(client),
  }
}

function keys({ call, list }: Client) {
  return {
    list: (agentId: string, query?: Query<'GET /api/agents/{agentId}/sdk-keys'>, options?: CallOptions) =>
      list('GET /api/agents/{agentId}/sdk-keys', 'keys', { path: { agentId }, query }, options),
    /** The answer alone has the `key`. */
    create: (agentId: string, body: Body<'POST /api/agents/{agentId}/sdk-keys'>, options?: CallOptions) =>
      withSecret(call('POST /api/agents/{agentId}/sdk-keys', { path: { agentId }, body }, options), LOST_KEY),
    revoke: (agentId: string, keyId: string, options?: CallOptions) =>
      call('DELETE /api/agents/{agentId}/sdk-keys', { path: { agentId }, query: { keyId } }, options),
  }
}

function delegations({ call, list }: Client) {
  return {
    list: (agentId: string, query?: Query<'GET /api/agents/{agentId}/wallets'>, options?: CallOptions) =>
      list('GET /api/agents/{agentId}/wallets', 'wallets', { path: { agentId }, query }, options),
    delegate: (agentId: string, body: Body<'POST /api/agents/{agentId}/wallets'>, options?: CallOptions) =>
      call('POST /api/agents/{agentId}/wallets', { path: { agentId }, body }, options),
    update: (
      agentId: string,
      walletId: string,
      body: Body<'PATCH /api/agents/{agentId}/wallets/{walletId}'>,
      options?: CallOptions,
    ) => call('PATCH /api/agents/{agentId}/wallets/{walletId}', { path: { agentId, walletId }, body }, options),
    revoke: (agentId: string, walletId: string, options?: CallOptions) =>
      call('DELETE /api/agents/{agentId}/wallets', { path: { agentId }, query: { walletId } }, options),
  }
}

function assignments({ call }: Client) {
  return {
    assign: (agentId: string, policyId: string, options?: CallOptions) =>
      call('POST /api/agents/{agentId}/policies', { path: { agentId }, body: { policyId } }, options),
    unassign: (agentId: string, policyId: string, options?: CallOptions) =>
      call('DELETE /api/agents/{agentId}/policies', { path: { agentId }, query: { policyId } }, options),
  }
}
