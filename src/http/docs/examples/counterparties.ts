// Examples of counterparties, their standing, and the sanctions list.
import { ANOTHER_RECIPIENT, RECIPIENT, type Examples } from './example.js'

export const COUNTERPARTIES: Examples = {
  'POST /api/counterparties': {
    body: { name: 'Paper Ltd', address: ANOTHER_RECIPIENT, category: 'VENDOR', website: 'https://paper.example' },
    sdk: 'admin.counterparties.create(body)',
  },
  'GET /api/counterparties': {
    query: { status: 'UNKNOWN', search: 'paper' },
    sdk: "admin.counterparties.list({ status: 'UNKNOWN', search: 'paper' })",
  },
  'GET /api/counterparties/{counterpartyId}': { sdk: 'admin.counterparties.get(counterpartyId)' },
  'PUT /api/counterparties/{counterpartyId}': {
    body: { status: 'VERIFIED', notes: 'Checked the invoice' },
    sdk: 'admin.counterparties.update(counterpartyId, body)',
  },
  'DELETE /api/counterparties/{counterpartyId}': { sdk: 'admin.counterparties.delete(counterpartyId)' },
  'POST /api/counterparties/{counterpartyId}/trust': {
    body: { reason: 'A supplier for years' },
    sdk: "admin.counterparties.trust(counterpartyId, 'A supplier for years')",
  },
  'POST /api/counterparties/{counterpartyId}/block': {
    body: { reason: 'A false invoice' },
    sdk: "admin.counterparties.block(counterpartyId, 'A false invoice')",
  },
  'POST /api/counterparties/{counterpartyId}/unblock': { sdk: 'admin.counterparties.unblock(counterpartyId)' },
  'GET /api/counterparties/lookup': {
    query: { address: RECIPIENT },
    sdk: `admin.counterparties.lookup('${RECIPIENT}')`,
  },
  'GET /api/counterparties/network-trust': {
    query: { address: RECIPIENT },
    sdk: `admin.counterparties.networkTrust('${RECIPIENT}')`,
  },
  'GET /api/counterparties/{counterpartyId}/transactions': {
    sdk: 'admin.counterparties.transactions(counterpartyId)',
  },
  'POST /api/counterparties/import': {
    body: { counterparties: [{ name: 'Cloud Inc', address: RECIPIENT, category: 'CLOUD_SERVICES' }] },
    sdk: 'admin.counterparties.import(body)',
  },
  'GET /api/sanctions': { sdk: 'admin.counterparties.sanctions()' },
  'POST /api/sdk/counterparties': {
    body: { name: 'Cloud Inc', address: RECIPIENT, category: 'CLOUD' },
    sdk: 'bursar.counterparties.upsert(body)',
  },
  'GET /api/sdk/counterparties': { query: { address: RECIPIENT }, sdk: `bursar.counterparties.find('${RECIPIENT}')` },
}
