// The fixture of card tests: an agent with a card and a key, and the calls that it makes.
import type { AssignedCard, Card, CardCharge, CardPermit, WholeAgent } from '../../sdk/api.js'
import type { Client, Failure } from './client.js'
import { made, type Key } from './payments.js'

export interface CardAgent {
  agentId: string
  cardId: string
  key: string
}

const MERCHANT = { merchantName: 'Hosting Ltd', merchantCategory: '7372' }

/** Cards and assignments have no limits but those given. */
export async function cardAgent(client: Client, card: object = {}, terms: object = {}): Promise<CardAgent> {
  const fields = { name: 'Ads', last4: '4242', brand: 'VISA', ...card }
  const { id: cardId } = await made<Card>(client, '/api/cards', fields)
  return { cardId, ...(await agentWith(client, cardId, terms)) }
}

let agents = 0

/** Another agent with the same card. */
export async function agentWith(client: Client, cardId: string, terms: object = {}) {
  const name = `Card agent ${(agents += 1)}`
  const { id: agentId } = await made<WholeAgent>(client, '/api/agents', { name, agentType: 'CUSTOM' })
  await made<AssignedCard>(client, `/api/agents/${agentId}/cards`, { cardId, ...terms })
  const { key } = await made<Key>(client, `/api/agents/${agentId}/sdk-keys`, { name: 'Key' })
  return { agentId, key }
}

export function approve(client: Client, { key, cardId }: CardAgent, amount: unknown, more: object = {}, headers = {}) {
  const body = { cardId, amount, ...MERCHANT, ...more }
  return client.post<CardPermit & Failure>('/api/sdk/cards/approve', key, body, headers)
}

export function confirm(client: Client, { key }: CardAgent, permit: CardPermit, more: object = {}) {
  return client.post<CardCharge & Failure>(`/api/sdk/cards/${permit.requestId}/confirm`, key, {
    approvalToken: permit.approvalToken,
    transactionReference: 'ch_1',
    amount: permit.amount,
    status: 'COMPLETED',
    ...more,
  })
}
