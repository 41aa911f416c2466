// For every route one request that succeeds: those that change nothing that exists on one population, each other on its
// own.
import { randomBytes } from 'node:crypto'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { newId } from '../../src/domain/values/ids.js'
import type { Client } from './client.js'
import { ORGANIZATION_KEY } from './process.js'
import { ask, EVERY_DAY, fundedAgent, made, type Key } from './payments.js'
import { signedPress, tokenOfLink } from './channels.js'
import { newRequest } from './oauth.js'
import { invite, newPerson, PASSWORD, tokenIn } from './people.js'
import { randomAddress } from './commands.js'
import { idsFor, populate, type Population } from './population.js'
import { bodyOf, urlOf, type Ids, type Row } from './routes.js'
import { OPERATOR_KEY } from './service.js'
import { authorizeFor } from './x402.js'
import type { OwnSessionList } from '../../sdk/api.js'

type Prepare = (client: Client, ids: Ids) => Promise<Ids | void>

/** A payment that waits for a person. */
const withRequest: Prepare = async (client, ids) => {
  const agent = await fundedAgent(client, { name: newId(randomBytes), terms: { delegationType: 'PREAPPROVED' } })
  const { body } = await ask(client, agent.key, 5)
  return { ...ids, approvalRequestId: (body as { approvalRequestId?: string }).approvalRequestId! }
}

const withWorkflow: Prepare = async (client, ids) => {
  return {
    ...ids,
    workflowId: (await made<{ id: string }>(client, '/api/approval-workflows', { name: 'Workflow' })).id,
  }
}

const withChannel: Prepare = async (client, ids) => {
  const config = { url: 'https://hooks.bursar.zz/' }
  const channel = { name: 'Channel', type: 'WEBHOOK', events: ['alert.raised'], config }
  return { ...ids, channelId: (await made<{ id: string }>(client, '/api/channels', channel)).id }
}

/** The token of the link that the press of a button is answered with. */
const withSlackToken: Prepare = async (client, ids) => {
  const config = { botToken: 'xoxb-1', channel: 'C1', signingSecret: 'secret' }
  const channel = { name: 'Slack', type: 'SLACK', events: ['alert.raised'], config }
  const { id, createdAt } = await made<{ id: string; createdAt: string }>(client, '/api/channels', channel)
  const { body, headers } = signedPress({
    action: 'approve',
    value: 'a.b',
    secret: 'secret',
    at: Date.parse(createdAt),
  })
  const answer = await client.send<{ text: string }>('POST', `/api/channels/${id}/slack/actions`, '-', body, headers)
  return { ...ids, slackToken: tokenOfLink(answer.body.text) }
}

/** An external wallet, and its owner's answer to the challenge. */
const withSignature: Prepare = async (client, ids) => {
  const owner = privateKeyToAccount(generatePrivateKey())
  const fields = { name: 'External', custodyType: 'EXTERNAL', address: owner.address }
  const { id: walletId } = await made<{ id: string }>(client, '/api/wallets', fields)
  const { challenge } = await made<{ challenge: string }>(client, `/api/wallets/${walletId}/proof`, {})
  return { ...ids, walletId, signature: await owner.signMessage({ message: challenge }) }
}

/** An external wallet of the agent's own. */
async function externalWallet(
  client: Client,
  { agentId }: Ids,
): Promise<{ walletId: string; address: string; key: string }> {
  const address = randomAddress()
  const wallet = { name: 'External', custodyType: 'EXTERNAL', address }
  const { id: walletId } = await made<{ id: string }>(client, '/api/wallets', wallet)
  await made(client, `/api/wallets/${walletId}/fund`, { amount: 100 })
  await made(client, `/api/agents/${agentId}/wallets`, { walletId, allowedDays: EVERY_DAY })
  const { key } = await made<Key>(client, `/api/agents/${agentId}/sdk-keys`, { name: 'Another' })
  return { walletId, address, key }
}

const withSender: Prepare = async (client, ids) => {
  const { address } = await externalWallet(client, ids)
  return { ...ids, senderAddress: address, recipientAddress: randomAddress(), chainId: '84532' }
}

const withExternalPayment: Prepare = async (client, ids) => {
  const { walletId, key } = await externalWallet(client, ids)
  return { ...ids, paymentId: (await ask(client, key, 5, { walletId })).body.requestId }
}

const withPermit: Prepare = async (client, ids) => {
  const { walletId, key } = await externalWallet(client, ids)
  const { requestId } = (await ask(client, key, 5, { walletId })).body
  const { body } = await client.post<{ approvalToken: string }>(`/api/sdk/payments/${requestId}/approve`, key)
  const txHash = `0x${randomBytes(32).toString('hex')}`
  return { ...ids, approvalId: requestId, approvalToken: body.approvalToken, txHash }
}

const aCard: Prepare = async (client, ids) => {
  const card = { name: 'Card', last4: '4242', brand: 'VISA' }
  return { ...ids, cardId: (await made<{ id: string }>(client, '/api/cards', card)).id }
}

const withCard: Prepare = async (client, ids) => {
  const { cardId } = (await aCard(client, ids)) as Ids
  await made(client, `/api/agents/${ids.agentId}/cards`, { cardId })
  return { ...ids, cardId: cardId! }
}

const withCardPermit: Prepare = async (client, ids) => {
  const { cardId, agentId } = (await withCard(client, ids)) as Ids
  const { key } = await made<Key>(client, `/api/agents/${agentId}/sdk-keys`, { name: 'Another' })
  const wanted = { cardId, amount: 20, merchantName: 'Hosting Ltd', merchantCategory: '7372' }
  const { body } = await client.post<{ requestId: string; approvalToken: string }>(
    '/api/sdk/cards/approve',
    key,
    wanted,
  )
  return { ...ids, cardId: cardId!, requestId: body.requestId, approvalToken: body.approvalToken }
}

const withCardPolicy: Prepare = async (client, ids) => {
  const known = (await aCard(client, ids)) as Ids
  await made(client, `/api/cards/${known.cardId}/policies`, { policyId: known.policyId })
  return known
}

/** A payment that is signed for x402, and not paid yet. */
const withAuthorization: Prepare = async (client, ids) => {
  const { key } = await made<Key>(client, `/api/agents/${ids.agentId}/sdk-keys`, { name: 'Another' })
  const { body } = await authorizeFor(client, key, 0.01)
  return { ...ids, requestId: body.requestId }
}

/** A change that was requested while it was governed; governance is off again. */
async function governedChange(
  client: Client,
  action: string,
  ask: (person: string) => Promise<{ body: unknown }>,
): Promise<Ids> {
  const { cookie } = await newPerson(client, 'OWNER')
  const settings = (governance: object) =>
    client.send<Held>('PATCH', '/api/organization', ORGANIZATION_KEY, { governance })
  await settings({ enabled: true, actions: [action] })
  const asked = (await ask(cookie)).body as Held
  const off = (await settings({ enabled: false })).body.governanceApprovalRequestId
  await client.post(`/api/approval-requests/${off}/decision`, cookie, { decision: 'APPROVED' })
  return { governanceApprovalRequestId: asked.governanceApprovalRequestId }
}

interface Held {
  governanceApprovalRequestId: string
}

const withChange: Prepare = async (client, ids) => {
  const policy = { name: 'Policy', policyType: 'COMPOSITE' }
  const held = await governedChange(client, 'policy.create', (person) => client.post('/api/policies', person, policy))
  return { ...ids, ...held }
}

const withApprovedKey: Prepare = async (client, ids) => {
  const key = { name: 'Approved', scopePreset: 'READ_ONLY' }
  const held = await governedChange(client, 'key.create', async (person) => {
    const asked = await client.post<Held>('/api/api-keys', ORGANIZATION_KEY, key)
    const path = `/api/approval-requests/${asked.body.governanceApprovalRequestId}/decision`
    await client.post(path, person, { decision: 'APPROVED' })
    return asked
  })
  return { ...ids, ...held }
}

/** An endpoint of the organization, which an earlier request may have removed. */
const withEndpoint: Prepare = async (client) => {
  await client.send('PUT', '/api/webhooks', ORGANIZATION_KEY, { url: 'https://events.bursar.zz/' })
}

/** The alert of a suspension that is over. */
const withAlert: Prepare = async (client, ids) => {
  await made(client, `/api/agents/${ids.agentId}/freeze`, { reason: 'Test' })
  await made(client, `/api/agents/${ids.agentId}/unfreeze`, {})
  const path = `/api/alerts?agentId=${ids.agentId}&type=AGENT_SUSPENDED&status=ACTIVE`
  const { body } = await client.get<{ alerts: { id: string }[] }>(path, ORGANIZATION_KEY)
  return { ...ids, alertId: body.alerts[0]!.id }
}

/** What must exist before a route can succeed, besides what every population has. */
const PREPARED: { [title: string]: Prepare } = {
  'PATCH /api/organizations/{organizationId}': async (client, ids) => {
    const { body } = await client.post<{ id: string }>('/api/organizations', OPERATOR_KEY, { name: 'Limited' })
    return { ...ids, organizationId: body.id }
  },
  // A filter is on one dimension alone.
  'GET /api/stats': async (_client, { agentId }) => ({ agentId: agentId! }),
  'POST /api/wallets/{walletId}/proof': withSignature,
  'GET /api/audit-logs/{sequence}/proof': async (_client, ids) => ({ ...ids, sequence: '1' }),
  'POST /api/agents/{agentId}/unfreeze': async (client, { agentId }) => {
    await made(client, `/api/agents/${agentId}/freeze`, { reason: 'Test' })
  },
  'POST /api/agents/{agentId}/wallets': async (client, ids) => {
    const wallet = await made<{ id: string }>(client, '/api/wallets', { name: 'Another', custodyType: 'MANAGED' })
    return { ...ids, walletId: wallet.id }
  },
  'POST /api/organization/unfreeze': async (client) => {
    await made(client, '/api/organization/freeze', { reason: 'Test' })
  },
  'GET /api/approval-requests/{approvalRequestId}': withRequest,
  'POST /api/approval-requests/{approvalRequestId}/decision': withRequest,
  'GET /api/governance/approvals/{governanceApprovalRequestId}': withChange,
  'POST /api/governance/approvals/{governanceApprovalRequestId}/decision': withChange,
  'POST /api/governance/approvals/{governanceApprovalRequestId}/collect': withApprovedKey,
  'GET /api/approval-workflows/{workflowId}': withWorkflow,
  'PATCH /api/approval-workflows/{workflowId}': withWorkflow,
  'DELETE /api/approval-workflows/{workflowId}': withWorkflow,
  'GET /api/alerts/{alertId}': withAlert,
  'POST /api/alerts/{alertId}/acknowledge': withAlert,
  'POST /api/alerts/{alertId}/resolve': withAlert,
  'GET /api/channels/{channelId}': withChannel,
  'PATCH /api/channels/{channelId}': withChannel,
  'DELETE /api/channels/{channelId}': withChannel,
  'POST /api/channels/{channelId}/test': withChannel,
  'POST /api/members/me/slack': withSlackToken,
  'DELETE /api/members/me/slack': withSlackToken,
  'GET /api/cards/{cardId}': aCard,
  'PATCH /api/cards/{cardId}': aCard,
  'POST /api/cards/{cardId}/policies': aCard,
  'DELETE /api/cards/{cardId}/policies': withCardPolicy,
  'POST /api/agents/{agentId}/cards': aCard,
  'DELETE /api/agents/{agentId}/cards': withCard,
  'POST /api/sdk/cards/approve': withCard,
  'POST /api/sdk/cards/{requestId}/approve': withCardPermit,
  'POST /api/sdk/cards/{requestId}/confirm': withCardPermit,
  'POST /api/sdk/payments/approve': withSender,
  'POST /api/sdk/payments/{paymentId}/approve': withExternalPayment,
  'POST /api/sdk/payments/{approvalId}/confirm': withPermit,
  'POST /api/sdk/x402/{requestId}/settle': withAuthorization,
  'POST /api/webhooks/test': withEndpoint,
  'POST /api/webhooks/rotate-secret': withEndpoint,
  'POST /api/counterparties/{counterpartyId}/unblock': async (client, { counterpartyId }) => {
    await made(client, `/api/counterparties/${counterpartyId}/block`, { reason: 'Test' })
  },
  'DELETE /api/wallets/{walletId}': async (client, { paymentId }) => {
    await made(client, `/api/payments/${paymentId}/release`, { reason: 'Test' })
  },
  'DELETE /api/policies/{policyId}': async (client, { agentId, policyId }) => {
    await client.send('DELETE', `/api/agents/${agentId}/policies?policyId=${policyId}`, ORGANIZATION_KEY)
  },
  'POST /api/session': async (client) => {
    const { email, password } = await newPerson(client, 'VIEWER')
    return { email, password }
  },
  'POST /api/session/setup-link': async (client) => ({ token: tokenIn(await invite(client, 'VIEWER')) }),
  'POST /api/session/setup': async (client) => {
    return { token: tokenIn(await invite(client, 'VIEWER')), newPassword: PASSWORD }
  },
  'POST /api/session/password': async () => ({ currentPassword: PASSWORD, newPassword: 'another password' }),
  'DELETE /api/wallets/{walletId}/policies': async (client, { walletId, policyId }) => {
    await made(client, `/api/wallets/${walletId}/policies`, { policyId })
  },
}

/** One request that succeeds. */
export interface Deed {
  row: Row
  path: string
  key: string
  body: { [field: string]: unknown } | undefined
}

/** What a route needs to succeed: ids and other values by name, and a credential of each kind. */
export interface Stage {
  ids: Ids
  keys: { [Kind in Row['key']]: string }
}

export async function stageFor(client: Client, row: Row): Promise<Stage> {
  // The previous request may have frozen it.
  await client.post('/api/organization/unfreeze', ORGANIZATION_KEY)
  const population = await (changesNothing(row) ? common(client) : populate(client, ORGANIZATION_KEY))
  const ids = (await PREPARED[row.title]?.(client, population.ids)) ?? population.ids
  const isConsent = row.title.endsWith('/api/oauth/consent')
  const person = row.key === 'person' ? (await newPerson(client, isConsent ? 'MANAGER' : 'VIEWER')).cookie : ''
  const { agentKey } = population
  const keys = { organization: ORGANIZATION_KEY, person, agent: agentKey, operator: OPERATOR_KEY, none: '' }
  const own = person === '' ? {} : { ...(await sessionOf(client, person)), ...(await slackUserOf(client, person, ids)) }
  const asked: Ids = isConsent ? { request: await newRequest(client, person) } : {}
  return { ids: { ...idsFor(row, ids), ...own, ...asked }, keys }
}

const shared = new WeakMap<Client, Promise<Population>>()

/** Whether it leaves what exists as it is: it reads, or names nothing that it could change. */
const changesNothing = ({ method, params }: Row): boolean =>
  method === 'GET' || (method !== 'DELETE' && params.length === 0)

/** One population for all such routes. */
function common(client: Client): Promise<Population> {
  const population = shared.get(client) ?? populate(client, ORGANIZATION_KEY)
  shared.set(client, population)
  return population
}

async function sessionOf(client: Client, person: string): Promise<Ids> {
  const { sessions } = (await client.get<OwnSessionList>('/api/members/me/sessions', person)).body
  return { sessionId: sessions[0]!.id }
}

/** The Slack user that the person has linked, where there is a token to do so. */
async function slackUserOf(client: Client, person: string, { slackToken }: Ids): Promise<Ids> {
  if (slackToken === undefined) return {}
  const { body } = await client.post<{ id: string }>('/api/members/me/slack', person, { token: slackToken })
  return { slackUserId: body.id }
}

export async function deedFor(client: Client, row: Row): Promise<Deed> {
  const { ids, keys } = await stageFor(client, row)
  return { row, path: urlOf(row, ids), key: keys[row.key], body: bodyOf(row, { ...ids, ...UNIQUE[row.title]?.() }) }
}

/** Values that must be unique. */
const UNIQUE: { [title: string]: () => Ids } = {
  'POST /api/agents': () => ({ name: newId(randomBytes) }),
  'POST /api/members': () => ({ email: `${newId(randomBytes)}@example.com` }),
  'POST /api/counterparties': () => ({ address: randomAddress() }),
}
