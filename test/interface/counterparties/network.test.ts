// Network trust: sums over all organizations that never reveal what another organization did.
import test from 'ava'
import { NO_HISTORY, withPayment, type PaymentHistory } from '../../../src/domain/parties/paymentHistory.js'
import {
  NO_ROW,
  networkWith,
  NO_NETWORK,
  rangeOf,
  rowWith,
  visibleNetwork,
  type NetworkShare,
} from '../../../src/domain/parties/networkTotals.js'
import { globalScore, trustScoreOf } from '../../../src/domain/parties/trust.js'
import { inspect } from '../../support/integrity.js'
import { ask } from '../../support/payments.js'
import { OPERATOR_KEY } from '../../support/service.js'
import { randomAddress } from '../../support/commands.js'
import { DAY_MS, NOON, openStage, type NetworkTrust, type Stage } from './stage.js'
import type { CounterpartyLookup, NetworkHistory } from '../../../sdk/api.js'

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

const seenBy = async (stage: Stage, by: Organization, address: string): Promise<[number, number, number]> => {
  const { transactionCount, organizationCount, averageAmount }: NetworkHistory = (await trustSeenBy(stage, by, address))
    .networkTrust
  return [transactionCount, organizationCount, averageAmount]
}

const NAMES = ['One', 'Two', 'Three', 'Four', 'Five']

test('what five organizations have paid is seen as ranges, from the next day on and as the day began', async (t) => {
  const stage = await openStage(t)
  const address = randomAddress()
  const organizations: Organization[] = []
  for (const name of NAMES) organizations.push(await newOrganization(stage, name))
  const [one, two, , , five] = organizations as [Organization, Organization, Organization, Organization, Organization]
  const onlooker = await newOrganization(stage, 'Onlooker')
  const seen = (by: Organization) => seenBy(stage, by, address)
  const pay = async ({ agentKey }: Organization, amount: number) => {
    const { body } = await ask(stage.client, agentKey, amount, { recipientAddress: address, autoExecute: true })
    t.is(body.status, 'EXECUTED')
  }
  for (const by of organizations.slice(0, 4)) await pay(by, 37)
  stage.setClock(NOON + DAY_MS)
  for (const by of organizations.slice(0, 4)) t.deepEqual(await seen(by), [1, 1, 37], 'four see their own')
  t.deepEqual(await seen(onlooker), [0, 0, 0])
  await pay(five, 37)
  await pay(two, 51)
  t.deepEqual(
    [await seen(one), await seen(two)],
    [
      [1, 1, 37],
      [2, 1, 44],
    ],
    'a fifth shows nothing on the day it pays',
  )
  stage.setClock(NOON + 2 * DAY_MS)
  const shown = [5, 5, 20]
  for (const by of [...organizations, onlooker]) t.deepEqual(await seen(by), shown)
  const { networkTrust } = await trustSeenBy(stage, onlooker, address)
  t.like(networkTrust, { successRate: 100, globalScore: 38, status: 'UNKNOWN', flags: ['NEW_ADDRESS'] })
  t.is(networkTrust.firstSeen, new Date(NOON).toISOString().replace(/T.*/, 'T00:00:00.000Z'))
  t.is(networkTrust.lastSeen, new Date(NOON + DAY_MS).toISOString().replace(/T.*/, 'T00:00:00.000Z'))
  const whole = JSON.stringify(await trustSeenBy(stage, onlooker, address))
  for (const name of NAMES) t.false(whole.includes(name))
  // Two that work together pay until every range must have changed: nobody can tell what the others had paid.
  for (let paid = 0; paid < 10; paid += 1) await pay(paid % 2 === 0 ? one : two, 900)
  t.deepEqual(await seen(one), shown, 'the figures stay for the day')
  await stage.restart()
  t.deepEqual(await seen(onlooker), shown, 'and over a restart')
  stage.setClock(NOON + 3 * DAY_MS)
  t.deepEqual(await seen(onlooker), [10, 5, 500])
  const { id } = (await stage.client.get<CounterpartyLookup>(`/api/counterparties/lookup?address=${address}`, one.key))
    .body.counterparty!
  await stage.client.send('DELETE', `/api/counterparties/${id}`, one.key)
  t.deepEqual(await seen(onlooker), [10, 5, 500])
  await stage.stop()
  t.deepEqual((await inspect(stage.folder)).problems, [])
})

test('a block shows in the network from the next day on, without revealing whose it is', async (t) => {
  const stage = await openStage(t)
  const address = randomAddress()
  const organizations: Organization[] = []
  for (const name of NAMES) organizations.push(await newOrganization(stage, name))
  for (const { agentKey } of organizations) {
    await ask(stage.client, agentKey, 1, { recipientAddress: address, autoExecute: true })
  }
  let days = 0
  const shown = async () => {
    const { status, flags } = (await trustSeenBy(stage, organizations[4]!, address)).networkTrust
    return [status, flags.includes('BLOCKED')]
  }
  const tomorrow = () => stage.setClock(NOON + (days += 1) * DAY_MS)
  const judge = async ({ key }: Organization, verb: string, body?: object) => {
    const before = await shown()
    const path = `/api/counterparties/lookup?address=${address}`
    const { id } = (await stage.client.get<{ counterparty: { id: string } }>(path, key)).body.counterparty!
    t.is((await stage.client.post(`/api/counterparties/${id}/${verb}`, key, body)).status, 200)
    t.deepEqual(await shown(), before)
    tomorrow()
    return shown()
  }
  tomorrow()
  t.deepEqual(await shown(), ['UNKNOWN', false])
  t.deepEqual(await judge(organizations[0]!, 'block', { reason: 'Fraud' }), ['UNKNOWN', true])
  t.deepEqual(await judge(organizations[1]!, 'block', { reason: 'Fraud' }), ['UNKNOWN', true])
  t.deepEqual(await judge(organizations[2]!, 'block', { reason: 'Fraud' }), ['BLOCKED', true])
  t.deepEqual(await judge(organizations[2]!, 'unblock'), ['UNKNOWN', true])
  await judge(organizations[1]!, 'unblock')
  t.deepEqual(await judge(organizations[0]!, 'unblock'), ['UNKNOWN', false])
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
const paid = (count: number, failedCount = 0): PaymentHistory => {
  let history: PaymentHistory = { ...NO_HISTORY, failedCount }
  for (let made = 0; made < count; made += 1) history = withPayment(history, 1_000_000, NOON)
  return history
}

const SCORES: [title: string, history: PaymentHistory, days: number, own: number, global: number][] = [
  ['nothing', NO_HISTORY, 0, 20, 0],
  ['one payment', paid(1), 0, 24, 26],
  ['seven payments', paid(7), 0, 32, 34],
  ['seven payments a year ago', paid(7), 365, 52, 54],
  ['more payments than count', paid(1023), 365, 80, 82],
  ['half of them failed', paid(7, 7), 365, 26, 28],
]

for (const [title, history, days, own, global] of SCORES) {
  test(`the score of ${title} follows the formula`, (t) => {
    t.is(trustScoreOf(history, 'UNKNOWN', DAYS(days)), own)
    t.is(trustScoreOf(history, 'VERIFIED', DAYS(days)), own + 10)
    t.is(trustScoreOf(history, 'TRUSTED', DAYS(days)), own + 20)
    t.is(trustScoreOf(history, 'BLOCKED', DAYS(days)), 0)
    const seen = visibleNetwork([NO_ROW], { ...history, isBlocked: false }, DAYS(days))
    t.is(globalScore(seen, DAYS(days)), global)
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

const SHARE: NetworkShare = { ...paid(1), isBlocked: false }

test('a clock that is set back neither begins a day nor shows what that day brought', (t) => {
  let row = NO_ROW
  for (let made = 0; made < 6; made += 1) row = rowWith(row, undefined, SHARE, DAYS(made < 5 ? 1 : 2))
  t.is(visibleNetwork([row], undefined, DAYS(2)).organizationCount, 5)
  for (let made = 0; made < 10; made += 1) row = rowWith(row, undefined, SHARE, DAYS(1))
  for (const day of [0, 1, 2]) t.is(visibleNetwork([row], undefined, DAYS(day)).organizationCount, 5)
  t.is(visibleNetwork([row], undefined, DAYS(3)).organizationCount, 10)
})

test('organizations of several shards are counted together, as the day began in each', (t) => {
  const rowOf = (organizations: number, day: number) => {
    let row = NO_ROW
    for (let made = 0; made < organizations; made += 1) row = rowWith(row, undefined, SHARE, DAYS(day))
    return row
  }
  const [three, two, one] = [rowOf(3, 0), rowOf(2, 1), rowOf(1, 0)]
  const blocked = rowWith(three, SHARE, { ...SHARE, isBlocked: true }, DAYS(1))
  const own = { ...paid(2), isBlocked: false }
  const counts = (rows: (typeof three)[], day: number) => visibleNetwork(rows, own, DAYS(day)).organizationCount
  t.deepEqual([counts([three, two], 1), counts([three, two], 2)], [1, 5])
  t.deepEqual([counts([three, one], 2), counts([three, one, one], 2), counts([], 2)], [1, 5, 1])
  t.is(visibleNetwork([blocked, two], own, DAYS(2)).blockedBy, 'SOME')
  t.is(visibleNetwork([blocked, one, one], own, DAYS(1)).blockedBy, 'NOBODY')
  t.like(visibleNetwork([two, three], own, DAYS(2)), {
    transactionCount: 5,
    averageAmount: 1_000_000,
    successRate: 100,
    firstTransactionAt: Math.floor(NOON / DAY_MS) * DAY_MS,
  })
})

const RANGES: [value: number, range: number][] = [
  [0, 0],
  [1, 1],
  [4, 2],
  [5, 5],
  [9, 5],
  [10, 10],
  [19, 10],
  [20, 20],
  [49_999_999, 20_000_000],
  [Number.MAX_SAFE_INTEGER, 5_000_000_000_000_000],
]

for (const [value, range] of RANGES) {
  test(`${value} is in the range that begins with ${range}`, (t) => t.is(rangeOf(value), range))
}
