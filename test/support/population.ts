// One object of every kind that has an id, for tests that go through all routes.
import { randomBytes } from 'node:crypto'
import { newId } from '../../src/domain/values/ids.js'
import type { Client } from './client.js'
import { ask, EVERY_DAY, type Agent, type Key, type Wallet } from './payments.js'
import { randomAddress } from './commands.js'
import { RULE, type Ids, type Row } from './routes.js'
import type { AlertList, CardPermit, ChannelList, Policy, QueuedDelivery } from '../../sdk/api.js'

export interface Population {
  ids: Ids
  /** The organization key that created it, and the agent's key. */
  key: string
  agentKey: string
}

/** Creates an agent, its wallet, keys, policy and payments with this organization key. */
export async function populate(client: Client, key: string): Promise<Population> {
  const post = async <Body>(path: string, body: unknown): Promise<Body> => {
    const answer = await client.post<Body>(path, key, body)
    if (answer.status >= 300) throw new Error(`${path} answered ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const { id: agentId } = await post<Agent>('/api/agents', { name: newId(randomBytes), agentType: 'CUSTOM' })
  const { id: walletId } = await post<Wallet>('/api/wallets', { name: 'Wallet', custodyType: 'MANAGED' })
  await post(`/api/wallets/${walletId}/fund`, { amount: 1000 })
  await post(`/api/agents/${agentId}/wallets`, { walletId, allowedDays: EVERY_DAY })
  const agentKey = await post<Key>(`/api/agents/${agentId}/sdk-keys`, { name: 'Agent' })
  const organizationKey = await post<Key>('/api/api-keys', { name: 'Key', scopePreset: 'READ_ONLY' })
  const email = `${newId(randomBytes)}@example.com`
  const { id: memberId } = await post<{ id: string }>('/api/members', { email, role: 'VIEWER' })
  const paid = (await ask(client, agentKey.key, 5, { autoExecute: true })).body
  const open = (await ask(client, agentKey.key, 5)).body
  const rules = [RULE]
  const policy = await post<Policy>('/api/policies', {
    name: 'Policy',
    policyType: 'SPEND_LIMIT',
    rules,
    agentIds: [agentId],
  })
  const recipient = { name: 'Paper Ltd', address: randomAddress() }
  const { id: counterpartyId } = await post<{ id: string }>('/api/counterparties', recipient)
  const card = { name: 'Card', provider: 'MANUAL', last4: '4242', brand: 'VISA' }
  const { id: cardId } = await post<{ id: string }>('/api/cards', card)
  await post(`/api/agents/${agentId}/cards`, { cardId })
  const purchase = { cardId, amount: 5, merchantName: 'Hosting Ltd', merchantCategory: '7372' }
  const { body: permit } = await client.post<CardPermit>('/api/sdk/cards/approve', agentKey.key, purchase)
  // An agent that may have paid cannot be deleted.
  await client.post(`/api/sdk/cards/${permit.requestId}/confirm`, agentKey.key, {
    approvalToken: permit.approvalToken,
    transactionReference: 'none',
    amount: 0,
    status: 'VOIDED',
  })
  await ask(client, agentKey.key, 101)
  const alerts = await client.get<AlertList>(`/api/alerts?agentId=${agentId}`, key)
  const config = { url: 'https://events.bursar.zz/' }
  const channel = { name: 'Channel', type: 'WEBHOOK', events: ['alert.raised'], config }
  // An organization has few channels, and may be populated often.
  const { channels } = (await client.get<ChannelList>('/api/channels', key)).body
  const { id: channelId } = channels[0] ?? (await post<{ id: string }>('/api/channels', channel))
  // A name that no resolver knows, so that nothing leaves this machine.
  await client.send('PUT', '/api/webhooks', key, { url: 'https://events.bursar.zz/' })
  const { deliveryId } = await post<QueuedDelivery>('/api/webhooks/test', undefined)
  const ids = {
    deliveryId,
    agentId,
    cardId,
    requestId: permit.requestId,
    alertId: alerts.body.alerts[0]!.id,
    channelId,
    counterpartyId,
    walletId,
    policyId: policy.id,
    ruleId: policy.rules[0]!.id,
    memberId,
    version: '1',
    paymentId: open.requestId,
    transactionId: paid.execution!.transactionId,
    agentKeyId: agentKey.id,
    organizationKeyId: organizationKey.id,
  }
  return { ids, key, agentKey: agentKey.key }
}

/** Well-formed ids that no object has. */
export function absentIds(): Ids {
  const people = ['agentKeyId', 'organizationKeyId', 'memberId']
  const asked = ['approvalId', 'approvalRequestId', 'governanceApprovalRequestId', 'workflowId']
  const names = [
    ...people,
    ...asked,
    'agentId',
    'walletId',
    'paymentId',
    'policyId',
    'ruleId',
    'deliveryId',
    'channelId',
    'cardId',
    'requestId',
    'alertId',
    'slackUserId',
  ]
  return {
    version: '1',
    machine: 'nothing',
    ...Object.fromEntries(names.map((name) => [name, newId(randomBytes)])),
    transactionId: `tx_${newId(randomBytes)}`,
    counterpartyId: `cpty_${newId(randomBytes)}`,
  }
}

/** Values in the place of ids that are the same for everybody; with `seconds` 0 a stream ends at once. */
export const FIXED: Ids = { version: '1', machine: 'payment', seconds: '0' }

/** The ids by the names that the route uses: a `keyId` is an agent's or the organization's. */
export function idsFor({ path }: Row, { agentKeyId, organizationKeyId, ...ids }: Ids): Ids {
  const keyId = path.includes('/sdk-keys') ? agentKeyId : organizationKeyId
  const actorId = path.startsWith('/api/machines/') ? ids['paymentId'] : undefined
  return { ...FIXED, ...ids, ...(keyId !== undefined && { keyId }), ...(actorId !== undefined && { actorId }) }
}
