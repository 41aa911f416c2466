// Examples of cards and of payments on them.
import type { Examples } from './example.js'

export const CARDS: Examples = {
  'POST /api/cards': {
    body: { name: 'Advertising', last4: '4242', brand: 'VISA', spendLimitPerTx: 200, spendLimitDaily: 1000 },
    sdk: 'admin.cards.create(body)',
  },
  'GET /api/cards': { query: { status: 'ACTIVE' }, sdk: "admin.cards.list({ status: 'ACTIVE' })" },
  'GET /api/cards/{cardId}': { sdk: 'admin.cards.get(cardId)' },
  'PATCH /api/cards/{cardId}': { body: { spendLimitDaily: 500 }, sdk: 'admin.cards.update(cardId, body)' },
  'POST /api/cards/{cardId}/policies': {
    body: { policyId: '{policyId}' },
    sdk: 'admin.cards.policies.assign(cardId, policyId)',
  },
  'DELETE /api/cards/{cardId}/policies': {
    query: { policyId: '{policyId}' },
    sdk: 'admin.cards.policies.unassign(cardId, policyId)',
  },
  'POST /api/agents/{agentId}/cards': {
    body: { cardId: '{cardId}', spendLimitDaily: 100, blockedCategories: ['7995'] },
    sdk: 'admin.agents.cards.assign(agentId, body)',
  },
  'GET /api/agents/{agentId}/cards': { sdk: 'admin.agents.cards.list(agentId)' },
  'DELETE /api/agents/{agentId}/cards': {
    query: { cardId: '{cardId}' },
    sdk: 'admin.agents.cards.unassign(agentId, cardId)',
  },
  'GET /api/sdk/cards': { sdk: 'bursar.cards.list()' },
  'POST /api/sdk/cards/approve': {
    body: { cardId: '{cardId}', amount: 20, merchantName: 'Hosting Ltd', merchantCategory: '7372' },
    sdk: 'bursar.cards.approve(body)',
  },
  'POST /api/sdk/cards/{requestId}/approve': { sdk: 'bursar.cards.approve(requestId)' },
  'POST /api/sdk/cards/{requestId}/confirm': {
    body: { approvalToken: '{approvalToken}', transactionReference: 'ch_1', amount: 19.5, status: 'COMPLETED' },
    sdk: 'bursar.cards.confirm(requestId, body)',
  },
}
