// Counterparties and payments: the record that a first payment creates, how blocks and deletions affect payments, and
// what rules see.
import test from 'ava'
import { ORGANIZATION_KEY, wholeFile } from '../../support/process.js'
import { ask, status, type FundedAgent } from '../../support/payments.js'
import { randomAddress } from '../../support/commands.js'
import { DAY_MS, failureOf, NOON, openStage, type Counterparty, type Stage } from './stage.js'
import type { CounterpartyTransactions } from '../../../sdk/api.js'

const scope = wholeFile(test)
let stage: Stage

test.before('the service starts', async () => {
  stage = await openStage(scope)
})

const root = '/api/counterparties'

const historyOf = async (id: string, query = ''): Promise<CounterpartyTransactions> =>
  (await stage.client.get<CounterpartyTransactions>(`${root}/${id}/transactions${query}`, ORGANIZATION_KEY)).body

async function at(address: string): Promise<Counterparty | null> {
  const { body } = await stage.client.get<{ counterparty: Counterparty | null }>(
    `${root}/lookup?address=${address}`,
    ORGANIZATION_KEY,
  )
  return body.counterparty
}

const typesOf = (decision: { violations?: { type: string }[] }) => (decision.violations ?? []).map(({ type }) => type)

test('the first payment to an address creates its counterparty, named as in the payment', async (t) => {
  const address = randomAddress()
  await stage.pay(address, 5, { recipientName: 'Corner shop' })
  const met = await at(address)
  t.like(met, { name: 'Corner shop', status: 'UNKNOWN', address })
  const { body } = await stage.counterparty(met!.id)
  t.like(body, { transactionCount: 1, totalVolume: 5, averageAmount: 5, category: 'OTHER', trustScore: 24 })
})

test('a denied request creates no counterparty', async (t) => {
  const address = randomAddress()
  const decision = await stage.request(address, 100_000_000)
  t.is(decision.status, 'DENIED')
  t.is(await at(address), null)
})

test('the history lists executed payments, newest first, with their sums', async (t) => {
  const { id, address } = await stage.register()
  for (const amount of [1, 2, 4]) await stage.pay(address, amount, { purpose: `No ${amount}` })
  await stage.request(address, 8)
  const all = await historyOf(id)
  t.deepEqual(
    all.transactions.map(({ amount }) => amount),
    [4, 2, 1],
  )
  t.like(all.transactions[0], { currency: 'USDC', status: 'CONFIRMED', agentName: 'Buyer', purpose: 'No 4' })
  t.deepEqual(all.summary, { totalVolume: 7, transactionCount: 3, averageAmount: 2.333333 })
  const page = await historyOf(id, '?limit=2')
  t.like(page.pagination, { total: 3, hasMore: true })
  const next = await historyOf(id, `?cursor=${page.pagination.nextCursor}`)
  t.deepEqual(
    next.transactions.map(({ amount }) => amount),
    [1],
  )
})

test('a block denies new requests and stops the execution of approved payments', async (t) => {
  const { id, address } = await stage.register()
  const approved = await stage.request(address)
  await stage.post(`${root}/${id}/block`, { reason: 'Fraud' })
  t.deepEqual(typesOf(await stage.request(address)), ['BLOCKED_COUNTERPARTY'])
  const stopped = await stage.execute(approved.requestId)
  t.deepEqual(failureOf(stopped), { status: 400, code: 'INVALID_STATUS' })
  t.deepEqual((stopped.body as unknown as { reasons: string[] }).reasons, ['The recipient is blocked'])
  t.is((await status(stage.client, stage.agent.key, approved.requestId)).body.status, 'DENIED')
  await stage.post(`${root}/${id}/unblock`)
  t.is((await stage.pay(address)).status, 'EXECUTED')
})

test('no execution that starts after a block was answered succeeds', async (t) => {
  const { id, address } = await stage.register()
  const approved = await Promise.all(Array.from({ length: 60 }, () => stage.request(address, 1)))
  let blockedAt = Infinity
  let late = 0
  const executions = approved.map(async ({ requestId }, index) => {
    if (index === 30)
      void stage.post(`${root}/${id}/block`, { reason: 'Fraud' }).then(() => (blockedAt = performance.now()))
    const startedAt = performance.now()
    const answer = await stage.execute(requestId)
    if (answer.status === 200 && startedAt > blockedAt) late += 1
    return answer.status === 200
  })
  const executed = (await Promise.all(executions)).filter(Boolean).length
  t.is(late, 0)
  const again = await Promise.all(approved.map(({ requestId }) => stage.execute(requestId)))
  t.is(again.filter((answer) => answer.status === 200).length, 0)
  t.is((await stage.counterparty(id)).body.transactionCount, executed)
})

test('a deleted counterparty is gone, and the next payment creates it again', async (t) => {
  const { id, address } = await stage.register({ status: 'TRUSTED', category: 'TOOLS', notes: 'Old' })
  await stage.pay(address, 3)
  t.deepEqual((await stage.remove(id)).body as object, { success: true })
  t.is((await stage.counterparty(id)).status, 404)
  t.is((await stage.remove(id)).status, 404)
  t.is(await at(address), null)
  await stage.pay(address, 4)
  const { body } = await stage.counterparty(id)
  t.like(body, { status: 'UNKNOWN', category: 'OTHER', notes: null, transactionCount: 2, totalVolume: 7 })
  t.deepEqual(
    (await historyOf(id)).transactions.map(({ amount }) => amount),
    [4, 3],
  )
})

test('a payment that was approved before its counterparty is deleted can still be executed', async (t) => {
  const { id, address } = await stage.register()
  const { requestId } = await stage.request(address, 6)
  await stage.remove(id)
  t.is((await stage.execute(requestId)).status, 200)
  t.like((await stage.counterparty(id)).body, { status: 'UNKNOWN', transactionCount: 1 })
})

for (const [how, create] of [
  ['created', (address: string) => stage.post(root, { name: 'Back', address, status: 'TRUSTED' })],
  [
    'imported',
    (address: string) =>
      stage.post(`${root}/import`, { counterparties: [{ name: 'Back', address, status: 'TRUSTED' }] }),
  ],
  [
    'upserted',
    (address: string) => stage.client.post('/api/sdk/counterparties', stage.agent.key, { name: 'Back', address }),
  ],
] as const) {
  test(`a blocked counterparty that was deleted is blocked again when it is ${how}`, async (t) => {
    const { id, address } = await stage.register()
    const approved = await stage.request(address)
    await stage.post(`${root}/${id}/block`, { reason: 'Fraud' })
    await stage.remove(id)
    t.is((await stage.counterparty(id)).status, 404)
    t.deepEqual(typesOf(await stage.request(address)), ['BLOCKED_COUNTERPARTY'])
    t.is((await stage.execute(approved.requestId)).status, 400)
    t.is(await at(address), null)
    t.true((await create(address)).status < 300)
    t.like((await stage.counterparty(id)).body, { status: 'BLOCKED', name: 'Back' })
    t.deepEqual(typesOf(await stage.request(address)), ['BLOCKED_COUNTERPARTY'])
    await stage.post(`${root}/${id}/unblock`)
    t.is((await stage.pay(address)).status, 'EXECUTED')
  })
}

test('the trust score grows with payments, their age and the status', async (t) => {
  const own = await openStage(t)
  const { id, address } = await own.register()
  const score = async (): Promise<number> => (await own.counterparty(id)).body.trustScore
  const scores: number[] = [await score()]
  for (const count of [1, 2, 4]) {
    for (let paid = 0; paid < count; paid += 1) await own.pay(address, 1)
    scores.push(await score())
  }
  own.setClock(NOON + 91 * DAY_MS)
  scores.push(await score())
  await own.put(id, { status: 'VERIFIED' })
  scores.push(await score())
  await own.put(id, { status: 'TRUSTED' })
  scores.push(await score())
  t.deepEqual(scores, [20, 24, 28, 32, 38, 48, 58])
})

const RULES: [title: string, rule: object, before: string[], change: object, after: string][] = [
  [
    'COUNTERPARTY_STATUS',
    { ruleType: 'COUNTERPARTY_STATUS', operator: 'IN_LIST', value: ['TRUSTED', 'VERIFIED'] },
    ['COUNTERPARTY_STATUS'],
    { status: 'VERIFIED' },
    'APPROVED',
  ],
  [
    'TRUST_SCORE',
    { ruleType: 'TRUST_SCORE', operator: 'GTE', value: 40 },
    ['TRUST_SCORE'],
    { status: 'TRUSTED' },
    'APPROVED',
  ],
  [
    'ALLOWED_CATEGORIES',
    { ruleType: 'ALLOWED_CATEGORIES', operator: 'IN_LIST', value: ['TOOLS', 'OFFICE'] },
    [],
    { category: 'REFUND' },
    'DENIED',
  ],
  [
    'BLOCKED_CATEGORIES',
    { ruleType: 'BLOCKED_CATEGORIES', operator: 'IN_LIST', value: ['REFUND'] },
    [],
    { category: 'REFUND' },
    'DENIED',
  ],
]

for (const [title, rule, before, change, after] of RULES) {
  test(`the rule ${title} uses the counterparty's fields as an administrator set them`, async (t) => {
    const own = await openStage(t)
    const body = { name: title, policyType: 'COUNTERPARTY', scope: 'organization', rules: [rule] }
    t.is((await own.post('/api/policies', body)).status, 201)
    const { id, address } = await own.register()
    const pay = async () =>
      (await ask(own.client, (own.agent as FundedAgent).key, 1, { recipientAddress: address, category: 'office' })).body
    t.deepEqual(typesOf(await pay()), before)
    await own.put(id, change)
    t.is<string, string>((await pay()).status, after)
  })
}
