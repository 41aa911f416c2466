// Examples of agents, their delegations and their keys.
import type { Examples } from './example.js'

export const AGENTS: Examples = {
  'POST /api/agents': {
    body: { name: 'buyer', agentType: 'CUSTOM', description: 'Buys data and computing time' },
    sdk: 'admin.agents.create(body)',
  },
  'GET /api/agents': {
    query: { status: 'ACTIVE', limit: '20' },
    sdk: "admin.agents.list({ status: 'ACTIVE', limit: 20 })",
  },
  'GET /api/agents/{agentId}': { sdk: 'admin.agents.get(agentId)' },
  'GET /api/agents/{agentId}/forecast': { sdk: 'admin.agents.forecast(agentId)' },
  'GET /api/agents/{agentId}/limits': { sdk: 'admin.agents.limits(agentId)' },
  'POST /api/agents/{agentId}/test-payment': {
    body: { amount: 12.5 },
    sdk: 'admin.agents.testPayment(agentId, body)',
  },
  'GET /api/oauth/consent': { query: { request: '{request}' } },
  'POST /api/oauth/consent': {
    body: { request: '{request}', clientName: 'Desk', redirectHost: '127.0.0.1:33418', agentId: '{agentId}' },
  },
  'PATCH /api/agents/{agentId}': {
    body: { description: 'Buys data', callbackUrl: 'https://agent.example.com/events' },
    sdk: 'admin.agents.update(agentId, body)',
  },
  'DELETE /api/agents/{agentId}': { sdk: 'admin.agents.delete(agentId)' },
  'POST /api/agents/{agentId}/freeze': {
    body: { reason: 'It pays strangers' },
    sdk: "admin.agents.freeze(agentId, 'It pays strangers')",
  },
  'POST /api/agents/{agentId}/unfreeze': { sdk: 'admin.agents.unfreeze(agentId)' },
  'POST /api/agents/bulk-import': {
    body: {
      agents: [
        { name: 'crawler', publicKey: '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB' },
        { name: 'planner', publicKey: '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb', agentType: 'CUSTOM' },
      ],
    },
    sdk: 'admin.agents.import(body)',
  },
  'GET /api/agents/{agentId}/counterparties': { sdk: 'admin.agents.counterparties(agentId)' },
  'POST /api/agents/{agentId}/wallets': {
    body: { walletId: '{walletId}', spendLimitPerTx: 50, spendLimitDaily: 200, allowedDays: ['Mon', 'Tue', 'Wed'] },
    sdk: 'admin.agents.wallets.delegate(agentId, body)',
  },
  'GET /api/agents/{agentId}/wallets': { sdk: 'admin.agents.wallets.list(agentId)' },
  'PATCH /api/agents/{agentId}/wallets/{walletId}': {
    body: { spendLimitDaily: 500, spendLimitMonthly: null },
    sdk: 'admin.agents.wallets.update(agentId, walletId, body)',
  },
  'DELETE /api/agents/{agentId}/wallets': {
    query: { walletId: '{walletId}' },
    sdk: 'admin.agents.wallets.revoke(agentId, walletId)',
  },
  'POST /api/agents/{agentId}/policies': {
    body: { policyId: '{policyId}' },
    sdk: 'admin.agents.policies.assign(agentId, policyId)',
  },
  'DELETE /api/agents/{agentId}/policies': {
    query: { policyId: '{policyId}' },
    sdk: 'admin.agents.policies.unassign(agentId, policyId)',
  },
  'POST /api/agents/{agentId}/sdk-keys': {
    body: { name: 'production', expiresInDays: 90, scopes: ['payments:request', 'payments:execute', 'payments:read'] },
    sdk: 'admin.agents.keys.create(agentId, body)',
  },
  'GET /api/agents/{agentId}/sdk-keys': { sdk: 'admin.agents.keys.list(agentId)' },
  'DELETE /api/agents/{agentId}/sdk-keys': {
    query: { keyId: '{keyId}' },
    sdk: 'admin.agents.keys.revoke(agentId, keyId)',
  },
}
