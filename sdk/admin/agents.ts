// Agents: registration, status, keys, delegations and policy assignments.
import { cardAssignments } from './cards.js'
import type { Body, Client, Query } from '../call.js'
import { withFirstSecret, withSecret } from '../secret.js'
import type { CallOptions } from '../send.js'
import type { RemovalOptions } from './organization.js'

const LOST_KEY = 'revoke it and make another'

export function agents(client: Client) {
  const { call, list } = client
  return {
    list: (query?: Query<'GET /api/agents'>, options?: CallOptions) =>
      list('GET /api/agents', 'agents', { query }, options),
    get: (agentId: string, options?: CallOptions) => call('GET /api/agents/{agentId}', { path: { agentId } }, options),
    create: (body: Body<'POST /api/agents'>, options?: CallOptions) => call('POST /api/agents', { body }, options),
    /**
     * Changes the given fields. A `callbackUrl` may make the organization's first signing secret, which only this
     * answer contains, as `webhookSecret`. It first reads whether the agent or the organization has an endpoint. If
     * neither has one, and an answer that may have contained the secret was lost, it throws as `webhooks.set` does.
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
    /** When its limits will be used up at the rate of the last 24 hours. */
    forecast: (agentId: string, options?: CallOptions) =>
      call('GET /api/agents/{agentId}/forecast', { path: { agentId } }, options),
    limits: (agentId: string, options?: CallOptions) =>
      call('GET /api/agents/{agentId}/limits', { path: { agentId } }, options),
    /** Revokes the agent's keys and delegations; its history stays. */
    delete: (agentId: string, options?: CallOptions) =>
      call('DELETE /api/agents/{agentId}', { path: { agentId } }, options),
    /**
     * What a request of the agent would be answered now: nothing is stored or reserved. Without a recipient it is tried
     * with whom the agent has paid last, else with a test address; `recipient` says which.
     */
    testPayment: (agentId: string, body: Body<'POST /api/agents/{agentId}/test-payment'>, options?: CallOptions) =>
      call('POST /api/agents/{agentId}/test-payment', { path: { agentId }, body }, options),
    /** Stops the agent at once: none of its payments executes after the answer's `auditSequence`. */
    freeze: (agentId: string, reason: string, options?: CallOptions) =>
      call('POST /api/agents/{agentId}/freeze', { path: { agentId }, body: { reason } }, options),
    /** The reason is kept in the audit log. */
    unfreeze: (agentId: string, reason?: string, options?: CallOptions) =>
      call('POST /api/agents/{agentId}/unfreeze', { path: { agentId }, body: { reason } }, options),
    /** Registers at most 100 agents; the answer reports an error for each that was refused. */
    import: (body: Body<'POST /api/agents/bulk-import'>, options?: CallOptions) =>
      call('POST /api/agents/bulk-import', { body }, options),
    /** The counterparties that the agent has a relationship with. */
    counterparties: (
      agentId: string,
      query?: Query<'GET /api/agents/{agentId}/counterparties'>,
      options?: CallOptions,
    ) => list('GET /api/agents/{agentId}/counterparties', 'counterparties', { path: { agentId }, query }, options),
    keys: keys(client),
    wallets: delegations(client),
    cards: cardAssignments(client),
    policies: assignments(client),
  }
}

function keys({ call, list }: Client) {
  return {
    list: (agentId: string, query?: Query<'GET /api/agents/{agentId}/sdk-keys'>, options?: CallOptions) =>
      list('GET /api/agents/{agentId}/sdk-keys', 'keys', { path: { agentId }, query }, options),
    /** Only this answer contains the `key`. Throws LIMIT_REACHED if the agent has 20 live keys. */
    create: (agentId: string, body: Body<'POST /api/agents/{agentId}/sdk-keys'>, options?: CallOptions) =>
      withSecret(call('POST /api/agents/{agentId}/sdk-keys', { path: { agentId }, body }, options), LOST_KEY),
    /** An agent's key makes nothing: its `descendants` are none. */
    revoke: (agentId: string, keyId: string, { cascade, ...options }: RemovalOptions = {}) =>
      call('DELETE /api/agents/{agentId}/sdk-keys', { path: { agentId }, query: { keyId, cascade } }, options),
  }
}

function delegations({ call, list }: Client) {
  return {
    list: (agentId: string, query?: Query<'GET /api/agents/{agentId}/wallets'>, options?: CallOptions) =>
      list('GET /api/agents/{agentId}/wallets', 'wallets', { path: { agentId }, query }, options),
    /** Delegates a wallet. Limits are USDC; for those not given, the defaults of the type apply. */
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
