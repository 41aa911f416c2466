// Examples of payments, for agents and organizations, and of transactions.
import { RECIPIENT, type Examples } from './example.js'

export const PAYMENTS: Examples = {
  'POST /api/sdk/payments/request': {
    body: { amount: 12.5, recipientAddress: RECIPIENT, purpose: 'Order 17', category: 'CLOUD', autoExecute: true },
    sdk: 'bursar.payments.request(body)',
  },
  'POST /api/sdk/payments/{paymentId}/execute': { sdk: 'bursar.payments.execute(paymentId)' },
  'POST /api/sdk/payments/{paymentId}/cancel': { sdk: 'bursar.payments.cancel(paymentId)' },
  'GET /api/sdk/payments': {
    query: { status: 'EXECUTED', limit: '20' },
    sdk: "bursar.payments.list({ status: 'EXECUTED', limit: 20 })",
  },
  'GET /api/sdk/payments/{paymentId}': { sdk: 'bursar.payments.status(paymentId)' },
  'POST /api/sdk/payments/approve': {
    body: { amount: 12.5, recipientAddress: RECIPIENT, senderAddress: '{senderAddress}', chainId: '84532' },
    sdk: 'bursar.payments.approve(body)',
  },
  'POST /api/sdk/payments/{paymentId}/approve': { sdk: 'bursar.payments.approve(paymentId)' },
  'POST /api/sdk/payments/{approvalId}/confirm': {
    body: { txHash: '{txHash}', approvalToken: '{approvalToken}' },
    sdk: 'bursar.payments.confirm(approvalId, body)',
  },
  'GET /api/sdk/transactions': { sdk: 'bursar.transactions()' },
  'GET /api/sdk/setup': { sdk: 'bursar.setup()' },
  'GET /api/sdk/limits': { sdk: 'bursar.limits()' },
  'GET /api/sdk/wallets': { sdk: 'bursar.wallets()' },
  'GET /api/sdk/policies': { sdk: 'bursar.policies()' },
  'GET /api/payments': {
    query: { status: 'DENIED', from: '2026-01-01T00:00:00Z' },
    sdk: "admin.payments.list({ status: 'DENIED', from: '2026-01-01T00:00:00Z' })",
  },
  'GET /api/payments/export': {
    query: { search: 'cloud', amountMin: '100', from: '2026-01-01T00:00:00Z' },
    sdk: "admin.payments.export({ search: 'cloud', amountMin: 100, from: '2026-01-01T00:00:00Z' })",
  },
  'GET /api/payments/{paymentId}': { sdk: 'admin.payments.get(paymentId)' },
  'POST /api/payments/{paymentId}/replay': {
    body: { policies: 'current' },
    sdk: "admin.payments.replay(paymentId, 'current')",
  },
  'POST /api/payments/{paymentId}/release': {
    body: { reason: 'The agent did not pay' },
    sdk: "admin.payments.release(paymentId, 'The agent did not pay')",
  },
  'GET /api/payments/{paymentId}/receipt': { sdk: 'admin.payments.receipt(paymentId)' },
  'GET /api/stats': { query: { by: 'agent,day' }, sdk: "admin.stats.get({ by: 'agent,day' })" },
  'GET /api/transactions': { query: { limit: '20' }, sdk: 'admin.transactions.list({ limit: 20 })' },
  'GET /api/transactions/{transactionId}': { sdk: 'admin.transactions.get(transactionId)' },
}
