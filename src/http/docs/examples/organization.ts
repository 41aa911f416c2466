// Examples of the organization, its keys and people, sessions, wallets, events and audit log, and of the service.
import type { Examples } from './example.js'

export const ORGANIZATION: Examples = {
  'GET /api/organization': { sdk: 'admin.organization.get()' },
  'PATCH /api/organization': {
    body: { name: 'Acme', paymentTimeouts: { approvalHours: 48 } },
    sdk: 'admin.organization.update(body)',
  },
  'POST /api/organization/freeze': {
    body: { reason: 'A key was stolen' },
    sdk: "admin.organization.freeze('A key was stolen')",
  },
  'POST /api/organization/unfreeze': { sdk: 'admin.organization.unfreeze()' },
  'POST /api/organizations': { body: { name: 'Another' }, sdk: "admin.organizations.create('Another')" },
  'PATCH /api/organizations/{organizationId}': {
    body: { limits: { agents: 100, payments: null } },
    sdk: 'admin.organizations.limit(organizationId, { agents: 100, payments: null })',
  },
  'POST /api/api-keys': {
    body: { name: 'deployment', scopePreset: 'STANDARD', expiresInDays: 90 },
    sdk: 'admin.keys.create(body)',
  },
  'GET /api/api-keys': { sdk: 'admin.keys.list()' },
  'DELETE /api/api-keys': { query: { keyId: '{keyId}' }, sdk: 'admin.keys.revoke(keyId)' },
  'GET /api/api-keys/{keyId}/descendants': { sdk: 'admin.keys.descendants(keyId)' },
  'GET /api/members': { sdk: 'admin.members.list()' },
  'POST /api/members': {
    body: { email: 'ada@example.com', name: 'Ada', role: 'MANAGER' },
    sdk: 'admin.members.add(body)',
  },
  'POST /api/members/{memberId}/invite': { sdk: 'admin.members.invite(memberId)' },
  'POST /api/members/{memberId}/reset-password': { sdk: 'admin.members.resetPassword(memberId)' },
  'PATCH /api/members/{memberId}': { body: { role: 'ADMIN' }, sdk: 'admin.members.update(memberId, body)' },
  'DELETE /api/members/{memberId}': { sdk: 'admin.members.remove(memberId)' },
  'GET /api/members/{memberId}/descendants': { sdk: 'admin.members.descendants(memberId)' },
  'POST /api/session': { body: { email: '{email}', password: '{password}' }, sdk: 'admin.session.signIn(body)' },
  'GET /api/session': {},
  'DELETE /api/session': {},
  'GET /api/members/me/sessions': {},
  'DELETE /api/members/me/sessions': { query: { sessionId: '{sessionId}' } },
  'GET /api/members/me/slack': {},
  'POST /api/members/me/slack': { body: { token: '{slackToken}' } },
  'DELETE /api/members/me/slack': { query: { slackUserId: '{slackUserId}' } },
  'POST /api/session/setup-link': { body: { token: '{token}' }, sdk: 'admin.session.readSetUpLink(token)' },
  'POST /api/session/setup': {
    body: { token: '{token}', password: '{newPassword}' },
    sdk: 'admin.session.setUp(body)',
  },
  'POST /api/session/password': { body: { currentPassword: '{currentPassword}', newPassword: '{newPassword}' } },
}

export const WALLETS: Examples = {
  'POST /api/wallets': { body: { name: 'operations', custodyType: 'MANAGED' }, sdk: 'admin.wallets.create(body)' },
  'GET /api/wallets': { query: { status: 'ACTIVE' }, sdk: "admin.wallets.list({ status: 'ACTIVE' })" },
  'GET /api/wallets/{walletId}': { sdk: 'admin.wallets.get(walletId)' },
  'GET /api/wallets/{walletId}/delegations': { sdk: 'admin.wallets.delegations(walletId)' },
  'PATCH /api/wallets/{walletId}': { body: { status: 'FROZEN' }, sdk: 'admin.wallets.update(walletId, body)' },
  'DELETE /api/wallets/{walletId}': { sdk: 'admin.wallets.delete(walletId)' },
  'POST /api/wallets/{walletId}/fund': { body: { amount: 100 }, sdk: 'admin.wallets.fund(walletId, 100)' },
  'POST /api/wallets/{walletId}/proof': {
    body: { signature: '{signature}' },
    sdk: 'admin.wallets.prove(walletId, body)',
  },
  'POST /api/wallets/{walletId}/policies': {
    body: { policyId: '{policyId}' },
    sdk: 'admin.wallets.policies.assign(walletId, policyId)',
  },
  'DELETE /api/wallets/{walletId}/policies': {
    query: { policyId: '{policyId}' },
    sdk: 'admin.wallets.policies.unassign(walletId, policyId)',
  },
}

export const WEBHOOKS: Examples = {
  'PUT /api/webhooks': {
    body: { url: 'https://events.example.com/bursar' },
    sdk: "admin.webhooks.set('https://events.example.com/bursar')",
  },
  'GET /api/webhooks': { sdk: 'admin.webhooks.get()' },
  'DELETE /api/webhooks': { sdk: 'admin.webhooks.delete()' },
  'POST /api/webhooks/rotate-secret': { sdk: 'admin.webhooks.rotateSecret()' },
  'POST /api/webhooks/test': { sdk: 'admin.webhooks.test()' },
  'GET /api/webhooks/deliveries': {
    query: { status: 'FAILED' },
    sdk: "admin.webhooks.deliveries({ status: 'FAILED' })",
  },
  'POST /api/webhooks/deliveries/{deliveryId}/redeliver': { sdk: 'admin.webhooks.redeliver(deliveryId)' },
}

export const ALERTS: Examples = {
  'GET /api/alerts': { query: { status: 'ACTIVE' }, sdk: "admin.alerts.list({ status: 'ACTIVE' })" },
  'GET /api/alerts/{alertId}': { sdk: 'admin.alerts.get(alertId)' },
  'POST /api/alerts/{alertId}/acknowledge': { sdk: 'admin.alerts.acknowledge(alertId)' },
  'POST /api/alerts/{alertId}/resolve': { sdk: 'admin.alerts.resolve(alertId)' },
  'GET /api/alerts/settings': { sdk: 'admin.alerts.settings()' },
  'PATCH /api/alerts/settings': {
    body: { spendWarningAt: 75, lowBalanceBelow: 100 },
    sdk: 'admin.alerts.updateSettings(body)',
  },
}

export const CHANNELS: Examples = {
  'GET /api/channels': { sdk: 'admin.channels.list()' },
  'POST /api/channels': {
    body: {
      name: 'Operations',
      type: 'WEBHOOK',
      events: ['alert.raised', 'approval.requested'],
      config: { url: 'https://hooks.example.com/bursar' },
    },
    sdk: 'admin.channels.create(body)',
  },
  'GET /api/channels/{channelId}': { sdk: 'admin.channels.get(channelId)' },
  'PATCH /api/channels/{channelId}': {
    body: { events: ['approval.requested', 'approval.decided'] },
    sdk: 'admin.channels.update(channelId, body)',
  },
  'DELETE /api/channels/{channelId}': { sdk: 'admin.channels.delete(channelId)' },
  'POST /api/channels/{channelId}/test': { sdk: 'admin.channels.test(channelId)' },
}

export const AUDIT: Examples = {
  'GET /api/audit-logs': {
    query: { action: 'payment.execute', limit: '20' },
    sdk: "admin.audit.list({ action: 'payment.execute', limit: 20 })",
  },
  'GET /api/audit-logs/verify': { sdk: 'admin.audit.verify()' },
  'GET /api/audit-logs/export': { sdk: 'admin.audit.export()' },
  'GET /api/audit-logs/checkpoint': { sdk: 'admin.audit.checkpoint()' },
  'GET /api/audit-logs/public-key': { sdk: 'admin.audit.publicKey()' },
  'GET /api/audit-logs/consistency': {
    query: { from: '1', to: '2' },
    sdk: 'admin.audit.consistency({ from: 1, to: 2 })',
  },
  'GET /api/audit-logs/{sequence}/proof': { sdk: 'admin.audit.proof(sequence)' },
}

export const SERVICE: Examples = {
  'GET /healthz': { sdk: 'admin.service.health()' },
  'GET /readyz': { sdk: 'admin.service.ready()' },
  'GET /metrics': { sdk: 'admin.service.metrics()' },
  'GET /openapi.json': { sdk: 'admin.service.openapi()' },
}
