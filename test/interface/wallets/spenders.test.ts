// What lists tell of wallets and agents at a glance: who may spend from a wallet, what is reserved, what an agent may
// still spend today, its last payment, and finding wallets and policies by name.
import test from 'ava'
import { ORGANIZATION_KEY, wholeFile } from '../../support/process.js'
import { ask, execute, fundedAgent, made } from '../../support/payments.js'
import { start, type Started } from '../../support/service.js'
import type { AgentList, PolicyList, Wallet, WalletDelegationList, WalletList } from '../../../sdk/api.js'

/** No day ends while the tests run. */
const WEDNESDAY = Date.parse('2031-07-09T12:00:00Z')
const scope = wholeFile(test)
let service: Started

test.before('the service starts', async () => {
  service = await start(scope, { at: WEDNESDAY })
})

const get = async <Body>(path: string): Promise<Body> => (await service.client.get<Body>(path, ORGANIZATION_KEY)).body

test('a wallet lists who may spend from it, with the limits and what is spent and reserved', async (t) => {
  const { client } = service
  const { agentId, walletId, key } = await fundedAgent(client, { name: 'Spender', terms: { spendLimitDaily: 80 } })
  const other = await made<{ id: string }>(client, '/api/agents', { name: 'Former', agentType: 'CUSTOM' })
  await made(client, `/api/agents/${other.id}/wallets`, { walletId })
  await execute(client, key, (await ask(client, key, 20)).body.requestId)
  await ask(client, key, 5)
  const path = `/api/wallets/${walletId}/delegations`
  const { delegations, pagination } = await get<WalletDelegationList>(path)
  t.deepEqual(
    delegations.map(({ agentName }) => agentName),
    ['Former', 'Spender'],
  )
  t.is(pagination.total, 2)
  t.like(delegations[1], { agentId, spendLimitDaily: 80, reserved: 5, spent: { day: 20 }, remaining: { day: 55 } })
  t.like(await get<Wallet>(`/api/wallets/${walletId}`), { reserved: 5 })
  await client.send('DELETE', `/api/agents/${other.id}/wallets?walletId=${walletId}`, ORGANIZATION_KEY)
  t.is((await get<WalletDelegationList>(path)).pagination.total, 1)
  t.is((await client.get('/api/wallets/c000000000000000000000000/delegations', ORGANIZATION_KEY)).status, 404)
})

test('the list of agents tells on demand what each may spend today, and its last payment', async (t) => {
  const { client } = service
  const { agentId, key } = await fundedAgent(client, { name: 'Active today', terms: { spendLimitDaily: 80 } })
  await execute(client, key, (await ask(client, key, 20)).body.requestId)
  const { requestId } = (await ask(client, key, 5)).body
  await made(client, '/api/agents', { name: 'Idle today', agentType: 'CUSTOM' })
  const { agents } = await get<AgentList>('/api/agents?include=activity&search=today')
  t.deepEqual(
    agents.map(({ name }) => name),
    ['Idle today', 'Active today'],
  )
  t.deepEqual(agents[0]!.activity, { wallets: 0, spentToday: 0, reserved: 0, dailyLimit: null, lastPayment: null })
  t.like(agents[1], { id: agentId, activity: { wallets: 1, spentToday: 20, reserved: 5, dailyLimit: 80 } })
  t.like(agents[1]!.activity!.lastPayment!, { id: requestId, amount: 5, currency: 'USDC', status: 'APPROVED' })
  t.false('activity' in (await get<AgentList>('/api/agents?limit=1')).agents[0]!)
})

test('wallets and policies are found by a part of their name in any letter case', async (t) => {
  const { client } = service
  const wallet = await made<Wallet>(client, '/api/wallets', { name: 'Zebra 100%', custodyType: 'MANAGED' })
  const names = async (search: string) =>
    (await get<WalletList>(`/api/wallets?search=${encodeURIComponent(search)}`)).wallets.map(({ name }) => name)
  t.deepEqual(await names('zebra 100%'), ['Zebra 100%'])
  t.deepEqual(await names(wallet.address.toLowerCase().slice(2, 20)), ['Zebra 100%'])
  t.deepEqual(await names('zebra_'), [])
  const draft = { name: 'Nothing At Night', policyType: 'TIME_WINDOW', rules: [] }
  const { id: policyId } = await made<{ id: string }>(client, '/api/policies', draft)
  const found = (await get<PolicyList>('/api/policies?search=at%20NIGHT')).policies
  t.deepEqual(
    found.map(({ id }) => id),
    [policyId],
  )
  const assigned = () => get<PolicyList>(`/api/policies?walletId=${wallet.id}`)
  t.is((await assigned()).pagination.total, 0)
  await made(client, `/api/wallets/${wallet.id}/policies`, { policyId })
  t.is((await assigned()).policies[0]!.id, policyId)
})
