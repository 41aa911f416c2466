// For every route one request that succeeds, on a population of its own.
import type { Client } from '../service/client.js'
import { ORGANIZATION_KEY } from '../service/service.js'
import { made } from '../service/setup.js'
import { invite, newPerson, PASSWORD, tokenIn } from './people.js'
import { randomAddress } from './bare.js'
import { idsFor, populate } from './population.js'
import { bodyOf, urlOf, type Ids, type Row } from './rows.js'
import { OPERATOR_KEY } from './started.js'

type Prepare = (client: Client, ids: Ids) => Promise<Ids | void>

/** What has to be there before a route can succeed, besides what every population has. */
const PREPARED: { [title: string]: Prepare } = {
  'GET /api/audit-logs/{sequence}/proof': async (_client, ids) => ({ ...ids, sequence: '1' }),
  'POST /api/agents/{agentId}/unfreeze': async (client, { agentId }) => {
    await made(client, `/api/agents/${agentId}/freeze`, { reason: 'Test' })
  },
  'POST /api/agents/{agentId}/wallets': async (client, ids) => {
    const wallet = await made<{ id: string }>(client, '/api/wallets', { name: 'Another', custodyType: 'MANAGED' })
    return { ...ids, walletId: wallet.id }
  },
  'POST /api/counterparties': async (_, ids) => ({ ...ids, address: randomAddress() }),
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
  'POST /api/session/setup': async (client) => {
    return { token: tokenIn(await invite(client, 'VIEWER')), password: PASSWORD }
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

export async function deedFor(client: Client, row: Row): Promise<Deed> {
  const population = await populate(client, ORGANIZATION_KEY)
  const ids = (await PREPARED[row.title]?.(client, population.ids)) ?? population.ids
  const own = idsFor(row, ids)
  const person = row.key === 'person' ? (await newPerson(client, 'VIEWER')).cookie : ''
  const { agentKey } = population
  const keys = { organization: ORGANIZATION_KEY, person, agent: agentKey, operator: OPERATOR_KEY, none: '' }
  return { row, path: urlOf(row, own), key: keys[row.key], body: bodyOf(row, own) }
}
