// Network trust: sums over all organizations that never reveal what another organization did.
import test from 'ava'
import { NO_HISTORY, withPayment, type History } from '../../src/domain/history.js'
import { networkWith, NO_NETWORK } from '../../src/domain/network.js'
import { globalScore, trustScore } from '../../src/domain/trust.js'
import { inspect } from '../service/integrity.js'
import { ask } from '../service/setup.js'
import { OPERATOR_KEY } from '../interface/started.js'
import { randomAddress } from '../interface/bare.js'
import { DAY_MS, NOON, openStage, type NetworkTrust, type Stage } from './stage.js'

interface Organization {
  key: string
  agentKey: string
}

/** Another organization with an agent that can pay. */
async function newOrganization({ client }: Stage, name: string): Promise<Organization> {
  const { apiKey: key } = (await client.post<{ apiKey: string }>('/api/organizations', OPERATOR_KEY, { name })).body
  const made = async (path: string, body: object) =>
    (await client.post<{ id: string; key: string }>(path, key, body)).body
  const { id: agentId } = await made('/api/agents', { name: 'Buyer', agentType: 'CUSTOM' })
  const { id: walletId } = await made('/api/wallets', { name: 'Wallet', custodyType: 'MANAGED' })
  await made(`/api/wallets/${walletId}/fund`, { amount: 1_000_000 })
  await made(`/api/agents/${agentId}/wallets`, {
    walletId,
    delegationType: 'FULL',
    allowedDays: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
  })
  return { key, agentKey: (await made(`/api/agents/${agentId}/sdk-keys`, { name: 'Key' })).key }
}

const trustSeenBy = async ({ client }: Stage, { key }: Organization, address: string): Promise<NetworkTrust> =>
  (await client.get<NetworkTrust>(`/api/counterparties/network-trust?address=${address}`, key)).body

const NOTHING = {
  networkTrust: {
    globalScore: 0,
    transactionCount: 0,
    organizationCount: 0,
    successRate: 0,
    averageAmount: 0,
    firstSeen: null,
    lastSeen: null,
    status: 'UNKNOWN',
    flags: [],
  },
  riskIndicators: { ofacMatch: false, highRiskCountry: false, unusualPattern: false },
}

test('an address that was never paid has empty figures, registered or not', async (t) => {
  const stage = await openStage(t)
  const address = randomAddress()
  t.deepEqual(await stage.networkTrust(address), { address, ...NOTHING })
  await stage.register({ address, status: 'BLOCKED' })
  await stage.request(address)
  t.deepEqual(await stage.networkTrust(address.toLowerCase()), { address, ...NOTHING })
})

test('with fewer than three organizations each sees its own payments only, then the sums of all', async (t) => {
  const stage = await openStage(t)
  const address = randomAddress()
  const [one, two, three, onlooker] = [
    await newOrganization(stage, 'One'),
    await newOrganization(stage, 'Two'),
    await newOrganization(stage, 'Three'),
    await newOrganization(stage, 'Onlooker'),
  ]
  const pay = async ({ agentKey }: Organization, amount: number) => {
    const { body } = await ask(stage.client, agentKey, amount, { recipientAddress: address, autoExecute: true })
    t.is(body.status, 'EXECUTED')
  }
  const seen = async (by: Organization) => {
    const { transactionCount, organizationCount, averageAmount } = (await trustSeenBy(stage, by, address)).networkTrust
    return [transactionCount, organizationCount, averageAmount]
  }
  await pay(one, 10)
  await pay(two, 20)
  await pay(two, 30)
  t.deepEqual(await seen(one), [1, 1, 10])
  t.deepEqual(await seen(two), [2, 1, 25])
  t.deepEqual(await seen(three), [0, 0, 0])
  await pay(three, 40)
  for (const by of [one, two, three, onlooker]) t.deepEqual(await seen(by), [4, 3, 25])
  const { networkTrust } = await trustSeenBy(stage, onlooker, address)
  t.like(networkTrust, { successRate: 100, globalScore: 34, status: 'UNKNOWN', flags: ['NEW_ADDRESS'] })
  t.true(Date.parse(networkTrust.firstSeen!) <= Date.parse(networkTrust.lastSeen!))
  const whole = JSON.stringify(await trustSeenBy(stage, onlooker, address))
  for (const name of ['One', 'Two', 'Three']) t.false(whole.includes(name))
  await stage.restart()
  t.deepEqual(await seen(onlooker), [4, 3, 25])
  const { id } = (
    await stage.client.get<{ counterparty: { id: string } }>(`/api/counterparties/lookup?address=${address}`, one.key)
  ).body.counterparty
  await stage.client.send('DELETE', `/api/counterparties/${id}`, one.key)
  t.deepEqual(await seen(onlooker), [4, 3, 25])
  await stage.stop()
  t.deepEqual((await inspect(stage.folder)).problems, [])
})

test('a block shows in the network without revealing whose it is', async (t) => {
  const stage = await openStage(t)
  const address = randomAddress()
  const organizations: Organization[] = []
  for (const name of ['One', 'Two', 'Three']) organizations.push(await newOrganization(stage, name))
  for (const { agentKey } of organizations) {
    await ask(stage.client, agentKey, 1, { recipientAddress: address, autoExecute: true })
    const { networkTrust } = await trustSeenBy(stage, organizations[2]!, address)
    t.false(networkTrust.flags.includes('BLOCKED'))
  }
  const block = async ({ key }: Organization, verb: string, body?: object) => {
    const path = `/api/counterparties/lookup?address=${address}`
    const { id } = (await stage.client.get<{ counterparty: { id: string } }>(path, key)).body.counterparty
    t.is((await stage.client.post(`/api/counterparties/${id}/${verb}`, key, body)).status, 200)
    const { status, flags } = (await trustSeenBy(stage, organizations[2]!, address)).networkTrust
    return [status, flags.includes('BLOCKED')]
  }
  t.deepEqual(await block(organizations[0]!, 'block', { reason: 'Fraud' }), ['UNKNOWN', true])
  t.deepEqual(await block(organizations[1]!, 'block', { reason: 'Fraud' }), ['BLOCKED', true])
  t.deepEqual(await block(organizations[1]!, 'unblock'), ['UNKNOWN', true])
  t.deepEqual(await block(organizations[0]!, 'unblock'), ['UNKNOWN', false])
})

test('a payment far above the previous average is an unusual pattern for 30 days', async (t) => {
  const stage = await openStage(t)
  const address = randomAddress()
  const unusual = async () => {
    const { networkTrust, riskIndicators } = await stage.networkTrust(address)
    t.is(networkTrust.flags.includes('UNUSUAL_PATTERN'), riskIndicators.unusualPattern)
    return riskIndicators.unusualPattern
  }
  for (let paid = 0; paid < 5; paid += 1) await stage.pay(address, 10)
  await stage.pay(address, 100)
  t.false(await unusual())
  await stage.pay(address, 251)
  t.true(await unusual())
  stage.setClock(NOON + 29 * DAY_MS)
  t.true(await unusual())
  stage.setClock(NOON + 31 * DAY_MS)
  t.false(await unusual())
})

test("a payment by another organization does not change this organization's record", async (t) => {
  const stage = await openStage(t)
  const other = await newOrganization(stage, 'Other')
  const { id, address } = await stage.register()
  const before = (await stage.counterparty(id)).body
  await ask(stage.client, other.agentKey, 1, { recipientAddress: address, autoExecute: true })
  t.deepEqual((await stage.counterparty(id)).body, before)
})

const DAYS = (days: number): number => NOON + days * DAY_MS
const paid = (count: number, failedCount = 0): History => {
  let history: History = { ...NO_HISTORY, failedCount }
  for (let made = 0; made < count; made += 1) history = withPayment(history, 1_000_000, NOON)
  return history
}

const SCORES: [title: string, history: History, days: number, own: number, global: number][] = [
  ['nothing', NO_HISTORY, 0, 20, 0],
  ['one payment', paid(1), 0, 24, 26],
  ['seven payments', paid(7), 0, 32, 34],
  ['seven payments a year ago', paid(7), 365, 52, 54],
  ['more payments than count', paid(1023), 365, 80, 82],
  ['half of them failed', paid(7, 7), 365, 26, 28],
]

for (const [title, history, days, own, global] of SCORES) {
  test(`the score of ${title} follows the formula`, (t) => {
    t.is(trustScore(history, 'UNKNOWN', DAYS(days)), own)
    t.is(trustScore(history, 'VERIFIED', DAYS(days)), own + 10)
    t.is(trustScore(history, 'TRUSTED', DAYS(days)), own + 20)
    t.is(trustScore(history, 'BLOCKED', DAYS(days)), 0)
    t.is(globalScore(history, 1, DAYS(days)), global)
  })
}

test("removing one organization's share leaves the figures of the others", (t) => {
  const share = { ...paid(3), isBlocked: true }
  const both = networkWith(networkWith(NO_NETWORK, undefined, share), undefined, share)
  t.like(both, { transactionCount: 6, organizationCount: 2, blockedCount: 2, totalVolume: 6_000_000 })
  const left = networkWith(both, share, { ...NO_HISTORY, isBlocked: false })
  t.like(left, { transactionCount: 3, organizationCount: 1, blockedCount: 1, totalVolume: 3_000_000 })
  t.is(networkWith(left, share, { ...share }), left)
})
