// The life of a payment as its agent and administrator see it, on the running service.
import test from 'ava'
import { start } from '../../support/service.js'
import type { Answer, Client, Failure } from '../../support/client.js'
import { wholeFile, ORGANIZATION_KEY } from '../../support/process.js'
import {
  ask,
  balanceOf,
  delegationOf,
  EVERY_DAY,
  execute,
  fundedAgent,
  made,
  RECIPIENT,
  status,
  type Agent,
  type Decision,
  type FundedAgentOptions,
  type Key,
  type Payment,
  type Wallet,
} from '../../support/payments.js'

/** No window of a day, a week or a month ends while the tests run. */
const WEDNESDAY = Date.parse('2031-07-09T12:00:00Z')
const scope = wholeFile(test)
let client: Client

test.before('the service starts', async () => {
  ;({ client } = await start(scope, { at: WEDNESDAY }))
})

let agents = 0
/** Names are unique in the organization that the tests of this file share. */
const buyer = (options: FundedAgentOptions = {}) => fundedAgent(client, { ...options, name: `Buyer ${(agents += 1)}` })

const failureOf = ({ status, body }: Answer<unknown>) => ({ status, code: (body as Failure).code })
const typesOf = ({ body }: Answer<Decision>) => (body.violations ?? []).map(({ type }) => type)

test('an approved payment is executed, and reads show it', async (t) => {
  const agent = await buyer({ balance: 100 })
  const asked = await ask(client, agent.key, 12.5, { purpose: 'Maps' })
  t.is(asked.status, 200)
  t.like(asked.body, { status: 'APPROVED', amount: 12.5, currency: 'USDC', reasons: [] })
  t.like(asked.body.wallet, { id: agent.walletId, custodyType: 'MANAGED', availableBalance: 87.5 })
  t.true(Date.parse(asked.body.expiresAt) > WEDNESDAY)
  const { requestId } = asked.body
  const done = await execute(client, agent.key, requestId)
  t.is(done.status, 200)
  t.like(done.body, { requestId, status: 'EXECUTED', amount: 12.5, settlementMode: 'test' })
  const shown = (await status(client, agent.key, requestId)).body
  t.like(shown, { id: requestId, requestId, status: 'EXECUTED' })
  t.like(shown.transaction, { id: done.body.transactionId, status: 'CONFIRMED', settlementMode: 'test' })
  t.is(await balanceOf(client, agent), 87.5)
  t.like(await delegationOf(client, agent), { spent: { day: 12.5, week: 12.5, month: 12.5 }, reserved: 0 })
})

test('a denial names reasons, violations, a hint and the wallets', async (t) => {
  const agent = await buyer({ terms: { spendLimitPerTx: 100, spendLimitDaily: 150 } })
  await ask(client, agent.key, 60)
  const { status, body } = await ask(client, agent.key, 120)
  t.is(status, 200)
  t.is(body.status, 'DENIED')
  const seen = body.violations!.map(({ type, limit, current }) => ({ type, limit, current }))
  t.deepEqual(seen, [
    { type: 'PER_TX_LIMIT', limit: 100, current: 120 },
    { type: 'DAILY_LIMIT', limit: 150, current: 60 },
  ])
  t.deepEqual(
    body.reasons,
    body.violations!.map(({ message }) => message),
  )
  t.is(typeof body.hint, 'string')
  t.is(body.context!.wallets[0]!.id, agent.walletId)
  t.is(body.context!.wallets[0]!.balance, 10_000)
  t.true(body.context!.nextSteps.every((step) => step.length > 0))
  t.true(body.context!.nextSteps.length >= 2)
})

test("reads of a denied payment have its request's context and the help of its answer", async (t) => {
  const agent = await buyer({ terms: { spendLimitPerTx: 100 } })
  const own = { order: 7, wallets: 'mine', nextSteps: ['mine'] }
  const { requestId, context: help } = (await ask(client, agent.key, 120, { context: own })).body
  const keys = { '/api/sdk/payments': agent.key, '/api/payments': ORGANIZATION_KEY }
  for (const [path, key] of Object.entries(keys)) {
    const single = (await client.get<Payment>(`${path}/${requestId}`, key)).body
    t.deepEqual(single.context as object, { order: 7, ...help }, path)
    const listed = (await client.get<{ payments: Payment[] }>(path, key)).body.payments.find(
      ({ id }) => id === requestId,
    )
    t.deepEqual(listed!.context as object, { order: 7, nextSteps: help!.nextSteps }, path)
  }
  const bare = (await ask(client, agent.key, 120)).body
  t.deepEqual((await status(client, agent.key, bare.requestId)).body.context, bare.context)
  const approved = (await ask(client, agent.key, 10, { context: own })).body
  t.deepEqual((await status(client, agent.key, approved.requestId)).body.context as object, own)
})

test('a denied request reserves nothing and cannot be executed', async (t) => {
  const agent = await buyer({ terms: { spendLimitPerTx: 10 } })
  const { body } = await ask(client, agent.key, 11)
  t.deepEqual(failureOf(await execute(client, agent.key, body.requestId)), { status: 400, code: 'INVALID_STATUS' })
  t.like(await delegationOf(client, agent), { spent: { day: 0 }, reserved: 0 })
  t.is((await status(client, agent.key, body.requestId)).body.status, 'DENIED')
})

const NOT_WEDNESDAY = EVERY_DAY.filter((day) => day !== 'Wed')
const DENIALS: [string, FundedAgentOptions, object, string[]][] = [
  ['a limit per payment', { terms: { spendLimitPerTx: 4.999999 } }, {}, ['PER_TX_LIMIT']],
  ['a daily limit', { terms: { spendLimitDaily: 4.999999 } }, {}, ['DAILY_LIMIT']],
  ['a weekly limit', { terms: { spendLimitWeekly: 4.999999 } }, {}, ['WEEKLY_LIMIT']],
  ['a monthly limit', { terms: { spendLimitMonthly: 4.999999 } }, {}, ['MONTHLY_LIMIT']],
  ['a limit of 0', { terms: { spendLimitDaily: 0 } }, {}, ['DAILY_LIMIT']],
  ['days that are not today', { terms: { allowedDays: NOT_WEDNESDAY } }, {}, ['TIME_WINDOW']],
  ['hours that are over', { terms: { allowedHoursStart: 0, allowedHoursEnd: 12 } }, {}, ['TIME_WINDOW']],
  ['hours that have not begun', { terms: { allowedHoursStart: 13 } }, {}, ['TIME_WINDOW']],
  ['hours in another time zone', { terms: { allowedHoursEnd: 18, timezone: 'Asia/Tokyo' } }, {}, ['TIME_WINDOW']],
  ['a delegation without days', { terms: { allowedDays: [] } }, {}, ['TIME_WINDOW']],
  ['a VIEW_ONLY delegation', { terms: { delegationType: 'VIEW_ONLY' } }, {}, ['DELEGATION_NOT_ALLOWED']],
  ['a recipient who is not trusted', { terms: { delegationType: 'ALLOWLIST' } }, {}, ['DELEGATION_NOT_ALLOWED']],
  ['a balance that is too low', { balance: 4.999999 }, {}, ['INSUFFICIENT_BALANCE']],
  ['an empty wallet', { balance: 0 }, {}, ['INSUFFICIENT_BALANCE']],
  ['a missing context', { agent: { allowedContexts: ['checkout'] } }, {}, ['CONTEXT_NOT_ALLOWED']],
  [
    'a context that is not allowed',
    { agent: { allowedContexts: ['checkout'] } },
    { executionContext: 'chat' },
    ['CONTEXT_NOT_ALLOWED'],
  ],
  [
    'several reasons, in the order of the checks',
    { balance: 1, agent: { allowedContexts: ['checkout'] }, terms: { spendLimitPerTx: 2, spendLimitMonthly: 3 } },
    {},
    ['CONTEXT_NOT_ALLOWED', 'PER_TX_LIMIT', 'MONTHLY_LIMIT', 'INSUFFICIENT_BALANCE'],
  ],
]

for (const [what, options, more, violations] of DENIALS) {
  test(`a request is denied for ${what}`, async (t) => {
    const agent = await buyer(options)
    const answer = await ask(client, agent.key, 5, more)
    t.like(answer, { status: 200, body: { status: 'DENIED' } })
    t.deepEqual(typesOf(answer), violations)
    t.is((await delegationOf(client, agent)).reserved, 0)
  })
}

test('an amount that meets every limit exactly is approved', async (t) => {
  const limits = { spendLimitPerTx: 5, spendLimitDaily: 5, spendLimitWeekly: 5, spendLimitMonthly: 5 }
  const agent = await buyer({ balance: 5, terms: limits, agent: { allowedContexts: ['checkout'] } })
  const { body } = await ask(client, agent.key, '5.000000', { executionContext: 'checkout' })
  t.is(body.status, 'APPROVED')
  t.is((await delegationOf(client, agent)).remaining.day, 0)
})

test('a payment under PREAPPROVED waits for a person and cannot be executed meanwhile', async (t) => {
  const agent = await buyer({ terms: { delegationType: 'PREAPPROVED' } })
  const { body } = await ask(client, agent.key, 5)
  t.is(body.status, 'REQUIRES_APPROVAL')
  t.deepEqual(failureOf(await execute(client, agent.key, body.requestId)), { status: 400, code: 'INVALID_STATUS' })
  t.is((await delegationOf(client, agent)).reserved, 5)
})

test('a second execution answers ALREADY_EXECUTED', async (t) => {
  const agent = await buyer({ balance: 100 })
  const { requestId } = (await ask(client, agent.key, 10)).body
  await execute(client, agent.key, requestId)
  const again = await execute(client, agent.key, requestId)
  t.deepEqual(failureOf(again), { status: 409, code: 'ALREADY_EXECUTED' })
  t.is(await balanceOf(client, agent), 90)
})

test('a cancelled payment releases its reservation and is final', async (t) => {
  const agent = await buyer({ terms: { spendLimitDaily: 10 } })
  const { requestId } = (await ask(client, agent.key, 10)).body
  const cancel = () => client.post<Payment>(`/api/sdk/payments/${requestId}/cancel`, agent.key)
  t.like(await cancel(), { status: 200, body: { requestId, status: 'CANCELLED' } })
  t.is((await delegationOf(client, agent)).reserved, 0)
  t.deepEqual(failureOf(await cancel()), { status: 400, code: 'INVALID_STATUS' })
  t.deepEqual(failureOf(await execute(client, agent.key, requestId)), { status: 400, code: 'INVALID_STATUS' })
  t.is((await ask(client, agent.key, 10)).body.status, 'APPROVED')
})

test('an executed payment cannot be cancelled', async (t) => {
  const agent = await buyer()
  const { requestId } = (await ask(client, agent.key, 10)).body
  await execute(client, agent.key, requestId)
  const cancelled = await client.post(`/api/sdk/payments/${requestId}/cancel`, agent.key)
  t.deepEqual(failureOf(cancelled), { status: 409, code: 'ALREADY_EXECUTED' })
})

test('autoExecute executes an approved request at once', async (t) => {
  const agent = await buyer({ balance: 100 })
  const { body } = await ask(client, agent.key, 10, { autoExecute: true })
  t.is(body.status, 'EXECUTED')
  t.like(body.execution, { status: 'CONFIRMED', settlementMode: 'test' })
  t.is(await balanceOf(client, agent), 90)
  t.deepEqual(failureOf(await execute(client, agent.key, body.requestId)), { status: 409, code: 'ALREADY_EXECUTED' })
})

test('autoExecute does not execute a denied payment', async (t) => {
  const agent = await buyer({ balance: 5 })
  const { body } = await ask(client, agent.key, 10, { autoExecute: true })
  t.is(body.status, 'DENIED')
  t.is(body.execution, undefined)
  t.is(await balanceOf(client, agent), 5)
})

const ADDRESS = '0x00000000000000000000000000000000000000b'
const CUSTODIES: [string, string, number, string][] = [
  ['EXTERNAL', `${ADDRESS}1`, 400, 'MANUAL_EXECUTION_REQUIRED'],
  ['SMART_CONTRACT', `${ADDRESS}2`, 400, 'MANUAL_EXECUTION_REQUIRED'],
  ['PROVIDER_A', `${ADDRESS}3`, 503, 'CUSTODY_NOT_CONFIGURED'],
  ['PROVIDER_B', `${ADDRESS}4`, 503, 'CUSTODY_NOT_CONFIGURED'],
]

for (const [custodyType, address, expected, code] of CUSTODIES) {
  test(`execution from a wallet of custody ${custodyType} answers ${code}`, async (t) => {
    const agent = await buyer({ wallet: { custodyType, address } })
    const { body } = await ask(client, agent.key, 10)
    t.is(body.status, 'APPROVED')
    const refused = await execute(client, agent.key, body.requestId)
    t.deepEqual(failureOf(refused), { status: expected, code })
    const auto = (await ask(client, agent.key, 10, { autoExecute: true })).body
    t.like(auto, { status: 'APPROVED', autoExecuteError: { code } })
    t.is((await status(client, agent.key, body.requestId)).body.status, 'APPROVED')
  })
}

test('a request by an agent without delegations answers NO_WALLET', async (t) => {
  const { id } = await made<Agent>(client, '/api/agents', { name: 'Without a wallet', agentType: 'CUSTOM' })
  const { key } = await made<Key>(client, `/api/agents/${id}/sdk-keys`, { name: 'Key' })
  t.deepEqual(failureOf(await ask(client, key, 5)), { status: 400, code: 'NO_WALLET' })
})

test('a wallet that is not delegated to the agent is not found', async (t) => {
  const agent = await buyer()
  const other = await buyer()
  const named = await ask(client, agent.key, 5, { walletId: other.walletId })
  t.deepEqual(failureOf(named), { status: 404, code: 'NOT_FOUND' })
  const missing = await ask(client, agent.key, 5, { walletId: 'c00000000000000000000000z' })
  t.deepEqual(failureOf(missing), { status: 404, code: 'NOT_FOUND' })
  t.is((await ask(client, agent.key, 5, { walletId: agent.walletId })).body.status, 'APPROVED')
})

test('a payment of another agent is not found', async (t) => {
  const agent = await buyer()
  const other = await buyer()
  const { requestId } = (await ask(client, agent.key, 5)).body
  for (const answer of [
    await status(client, other.key, requestId),
    await execute(client, other.key, requestId),
    await client.post(`/api/sdk/payments/${requestId}/cancel`, other.key),
  ])
    t.deepEqual(failureOf(answer), { status: 404, code: 'NOT_FOUND' })
})

test('a request uses the oldest delegation that permits it', async (t) => {
  const agent = await buyer({ terms: { spendLimitPerTx: 10 } })
  const { id: walletId } = await made<Wallet>(client, '/api/wallets', { name: 'Second', custodyType: 'MANAGED' })
  await made(client, `/api/wallets/${walletId}/fund`, { amount: 1000 })
  const delegated = { walletId, delegationType: 'FULL', allowedDays: EVERY_DAY }
  await made(client, `/api/agents/${agent.agentId}/wallets`, delegated)
  t.is((await ask(client, agent.key, 10)).body.wallet?.id, agent.walletId)
  t.is((await ask(client, agent.key, 11)).body.wallet?.id, walletId)
  t.is((await ask(client, agent.key, 5000)).body.wallet?.id, agent.walletId)
})

test('setup shows the agent what it may spend', async (t) => {
  const agent = await buyer({ balance: 100, terms: { spendLimitDaily: 50 } })
  await ask(client, agent.key, 10, { autoExecute: true })
  await ask(client, agent.key, 5)
  const { status, body } = await client.get<{
    agent: Agent
    wallets: object[]
    settlementMode: string
    key: { name: string; scopes: string[] }
  }>('/api/sdk/setup', agent.key)
  t.is(status, 200)
  t.is(body.agent.id, agent.agentId)
  t.is(body.settlementMode, 'test')
  t.is(body.key.name, 'Key')
  t.true(body.key.scopes.includes('payments:request'))
  const [wallet] = body.wallets
  t.like(wallet, { balance: 90, spent: { day: 10 }, reserved: 5, remaining: { day: 35 }, currency: 'USDC' })
})

test('API keys are accepted only by the routes of their kind', async (t) => {
  const agent = await buyer()
  const expected = { status: 401, code: 'AUTH_FAILED' }
  t.deepEqual(failureOf(await ask(client, ORGANIZATION_KEY, 5)), expected)
  t.deepEqual(failureOf(await client.get(`/api/agents/${agent.agentId}`, agent.key)), expected)
  const flipped = agent.key.slice(0, -1) + (agent.key.endsWith('0') ? '1' : '0')
  t.deepEqual(failureOf(await ask(client, flipped, 5)), expected)
})

const recipient = JSON.stringify(RECIPIENT)
// As raw text, because JSON.stringify would change some of them.
const BAD_AMOUNTS = ['1e-7', '0.1234567', '"0x10"', 'null', '1e21', '-0', '0', '-1', '"1e3"', 'true', '[]', '{}', '""']
const WORSE_AMOUNTS = ['1000000000', '"1000000000"', '"-0"', '"01"', '".5"', '"5."', '" 5"', '"NaN"', '1e400', '1E+999']

for (const amount of [...BAD_AMOUNTS, ...WORSE_AMOUNTS]) {
  test(`${amount} is not a valid amount`, async (t) => {
    const agent = await buyer({ balance: 0 })
    const body = `{"amount":${amount},"recipientAddress":${recipient}}`
    const answer = await client.post('/api/sdk/payments/request', agent.key, body)
    t.deepEqual(failureOf(answer), { status: 400, code: 'INVALID_AMOUNT' })
  })
}

for (const amount of ['0.000001', '"0.1"', '1e2', '999999999.999999', '"999999999.999999"', '1.50', '0.1e1']) {
  test(`${amount} is a valid amount`, async (t) => {
    const agent = await buyer({ balance: 0 })
    const body = `{"amount":${amount},"recipientAddress":${recipient}}`
    const answer = await client.post<Decision>('/api/sdk/payments/request', agent.key, body)
    t.is(answer.status, 200)
    t.is(answer.body.amount, Number(JSON.parse(amount)))
  })
}

test('missing, unknown or malformed fields of a request are refused', async (t) => {
  const { key } = await buyer()
  const path = '/api/sdk/payments/request'
  for (const body of [
    { recipientAddress: RECIPIENT },
    { amount: 5 },
    { amount: 5, recipientAddress: RECIPIENT, surprise: 1 },
    { amount: 5, recipientAddress: RECIPIENT, autoExecute: 'yes' },
  ])
    t.deepEqual(failureOf(await client.post(path, key, body)), { status: 400, code: 'VALIDATION_ERROR' })
  t.deepEqual(failureOf(await client.post(path, key)), { status: 400, code: 'INVALID_JSON' })
  t.deepEqual(failureOf(await client.post(path, key, '{"amount":')), { status: 400, code: 'INVALID_JSON' })
})

const BAD_ADDRESSES = ['"0x036cBD53842c5426634e7929541eC2318f3dCF7e"', '"0x1234"', '"not an address"', 'null', '5']
for (const address of BAD_ADDRESSES) {
  test(`${address} is not a valid recipient`, async (t) => {
    const { key } = await buyer()
    const answer = await client.post('/api/sdk/payments/request', key, `{"amount":5,"recipientAddress":${address}}`)
    t.deepEqual(failureOf(answer), { status: 400, code: 'INVALID_ADDRESS' })
  })
}
