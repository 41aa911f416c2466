// Delegations: their defaults, what they refuse, and how limits, types and changes apply to payments, including those
// under way.
import test from 'ava'
import type { Answer, Failure } from '../../support/client.js'
import { ORGANIZATION_KEY, wholeFile } from '../../support/process.js'
import { ask, EVERY_DAY, execute, fundedAgent, made, type Decision, type FundedAgent } from '../../support/payments.js'
import { randomAddress } from '../../support/commands.js'
import { start, type Started } from '../../support/service.js'
import type { Delegation, DelegationList, Wallet, WholeAgent } from '../../../sdk/api.js'

/** A Wednesday; no day, week or month ends while the tests run. */
const WEDNESDAY = Date.parse('2031-07-09T12:00:00Z')
const scope = wholeFile(test)
let service: Started

test.before('the service starts', async () => {
  service = await start(scope, { at: WEDNESDAY })
})

let named = 0
const newName = (): string => `Agent ${(named += 1)}`
const buyer = (terms: object = {}, balance = 10_000): Promise<FundedAgent> =>
  fundedAgent(service.client, { name: newName(), balance, terms })
const failureOf = ({ status, body }: Answer<unknown>) => ({ status, code: (body as Failure).code })
const typesOf = ({ body }: Answer<Decision>) => (body.violations ?? []).map(({ type }) => type)

/** An agent and a wallet without a delegation between them. */
async function strangers(): Promise<{ agentId: string; walletId: string }> {
  const agent = await made<{ id: string }>(service.client, '/api/agents', { name: newName(), agentType: 'CUSTOM' })
  const wallet = await made<{ id: string }>(service.client, '/api/wallets', { name: 'Wallet', custodyType: 'MANAGED' })
  return { agentId: agent.id, walletId: wallet.id }
}

const delegate = (agentId: string, body: object) =>
  service.client.post<Delegation>(`/api/agents/${agentId}/wallets`, ORGANIZATION_KEY, body)
const patch = ({ agentId, walletId }: { agentId: string; walletId: string }, body: object) =>
  service.client.send<Delegation>('PATCH', `/api/agents/${agentId}/wallets/${walletId}`, ORGANIZATION_KEY, body)
const revoke = ({ agentId, walletId }: { agentId: string; walletId: string }) =>
  service.client.send<{ success: true }>(
    'DELETE',
    `/api/agents/${agentId}/wallets?walletId=${walletId}`,
    ORGANIZATION_KEY,
  )
const listed = async (agentId: string): Promise<Delegation[]> =>
  (await service.client.get<DelegationList>(`/api/agents/${agentId}/wallets`, ORGANIZATION_KEY)).body.wallets
const only = async ({ agentId }: { agentId: string }): Promise<Delegation> => (await listed(agentId))[0]!

test('a delegation is by default LIMITED to 100 a payment and 1000 a day, Monday to Friday', async (t) => {
  const { agentId, walletId } = await strangers()
  const { status, body } = await delegate(agentId, { walletId })
  t.is(status, 201)
  t.regex(body.id, /^c[a-z0-9]{24}$/)
  const { id, createdAt, updatedAt, resetsAt, wallet, ...rest } = body
  t.deepEqual(rest, {
    agentId,
    walletId,
    delegationType: 'LIMITED',
    spendLimitPerTx: 100,
    spendLimitDaily: 1000,
    spendLimitWeekly: null,
    spendLimitMonthly: null,
    allowedHoursStart: 0,
    allowedHoursEnd: 24,
    allowedDays: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'],
    timezone: 'UTC',
    status: 'ACTIVE',
    spent: { day: 0, week: 0, month: 0 },
    reserved: 0,
    remaining: { day: 1000, week: null, month: null },
  })
  t.deepEqual(resetsAt, {
    day: '2031-07-10T00:00:00.000Z',
    week: '2031-07-14T00:00:00.000Z',
    month: '2031-08-01T00:00:00.000Z',
  })
  t.deepEqual(Object.keys(wallet).sort(), ['address', 'chainId', 'chainType', 'custodyType', 'id', 'name', 'status'])
  t.is(updatedAt, createdAt)
  t.deepEqual(await listed(agentId), [body])
  const { wallets } = (await service.client.get<WholeAgent>(`/api/agents/${agentId}`, ORGANIZATION_KEY)).body
  t.deepEqual(
    wallets.map((one) => one.id),
    [id],
  )
})

for (const delegationType of ['LIMITED', 'VIEW_ONLY', 'PREAPPROVED', 'ALLOWLIST']) {
  test(`a ${delegationType} delegation has the default limits`, async (t) => {
    const { agentId, walletId } = await strangers()
    t.like((await delegate(agentId, { walletId, delegationType })).body, {
      delegationType,
      spendLimitPerTx: 100,
      spendLimitDaily: 1000,
    })
  })
}

test('a FULL delegation has only the limits that it is given, and enforces them', async (t) => {
  const { agentId, walletId } = await strangers()
  const { body } = await delegate(agentId, { walletId, delegationType: 'FULL' })
  t.like(body, { spendLimitPerTx: null, spendLimitDaily: null, remaining: { day: null, week: null, month: null } })
  const agent = await buyer({ delegationType: 'FULL', spendLimitPerTx: null, spendLimitDaily: 10 })
  t.deepEqual(typesOf(await ask(service.client, agent.key, 11)), ['DAILY_LIMIT'])
})

test('limits may be null from the start, and a limit of 0 allows nothing', async (t) => {
  const free = await buyer({ spendLimitPerTx: null, spendLimitDaily: null })
  t.is((await ask(service.client, free.key, 5000)).body.status, 'APPROVED')
  for (const [limit, type] of [
    ['PerTx', 'PER_TX_LIMIT'],
    ['Daily', 'DAILY_LIMIT'],
    ['Weekly', 'WEEKLY_LIMIT'],
    ['Monthly', 'MONTHLY_LIMIT'],
  ]) {
    const agent = await buyer({ [`spendLimit${limit}`]: 0 })
    t.is((await only(agent))[`spendLimit${limit}` as 'spendLimitDaily'], 0)
    t.deepEqual(typesOf(await ask(service.client, agent.key, '0.000001')), [type])
  }
})

const REFUSED: [why: string, body: object, code: string][] = [
  ['hours that are equal', { allowedHoursStart: 9, allowedHoursEnd: 9 }, 'VALIDATION_ERROR'],
  ['a start of 24', { allowedHoursStart: 24 }, 'VALIDATION_ERROR'],
  ['a start below 0', { allowedHoursStart: -1 }, 'VALIDATION_ERROR'],
  ['an end of 0', { allowedHoursEnd: 0 }, 'VALIDATION_ERROR'],
  ['an end of 25', { allowedHoursEnd: 25 }, 'VALIDATION_ERROR'],
  ['half an hour', { allowedHoursStart: 9.5 }, 'VALIDATION_ERROR'],
  ['an unknown day', { allowedDays: ['Mon', 'Someday'] }, 'VALIDATION_ERROR'],
  ['a day in lower case', { allowedDays: ['mon'] }, 'VALIDATION_ERROR'],
  ['eight days', { allowedDays: [...EVERY_DAY, 'Mon'] }, 'VALIDATION_ERROR'],
  ['an unknown zone', { timezone: 'Mars/Olympus' }, 'VALIDATION_ERROR'],
  ['an offset as zone', { timezone: '+02:00' }, 'VALIDATION_ERROR'],
  ['an unknown type', { delegationType: 'SOME' }, 'VALIDATION_ERROR'],
  ['a negative limit', { spendLimitDaily: -1 }, 'INVALID_AMOUNT'],
  ['a limit with 7 decimals', { spendLimitPerTx: '1.0000001' }, 'INVALID_AMOUNT'],
  ['a limit that is not an amount', { spendLimitWeekly: 'lots' }, 'INVALID_AMOUNT'],
  ['a status', { status: 'ACTIVE' }, 'VALIDATION_ERROR'],
]

for (const [why, body, code] of REFUSED) {
  test(`creating or changing a delegation with ${why} is refused before any lookup`, async (t) => {
    const { agentId, walletId } = await strangers()
    t.deepEqual(failureOf(await delegate(agentId, { walletId, ...body })), { status: 400, code })
    t.deepEqual(failureOf(await delegate(walletId, { walletId: agentId, ...body })), { status: 400, code })
    await delegate(agentId, { walletId })
    t.deepEqual(failureOf(await patch({ agentId, walletId }, body)), { status: 400, code })
    t.deepEqual(failureOf(await patch({ agentId: walletId, walletId }, body)), { status: 400, code })
  })
}

test('a wallet has at most one active delegation to an agent', async (t) => {
  const { agentId, walletId } = await strangers()
  const answers = await Promise.all(Array.from({ length: 10 }, () => delegate(agentId, { walletId })))
  t.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array<number>(9).fill(409)])
  t.deepEqual((await revoke({ agentId, walletId })).body, { success: true })
  t.deepEqual(failureOf(await revoke({ agentId, walletId })), { status: 404, code: 'NOT_FOUND' })
  t.deepEqual(failureOf(await patch({ agentId, walletId }, {})), { status: 404, code: 'NOT_FOUND' })
  t.is((await delegate(agentId, { walletId })).status, 201)
  t.deepEqual(
    (await listed(agentId)).map(({ status }) => status),
    ['ACTIVE', 'REVOKED'],
  )
  const other = await strangers()
  t.is((await delegate(other.agentId, { walletId })).status, 201)
})

test('a change affects only its fields, and null removes a limit or restores a default', async (t) => {
  const agent = await buyer({ spendLimitDaily: 50, spendLimitWeekly: 60, spendLimitMonthly: 70 })
  const before = await only(agent)
  const { body } = await patch(agent, {
    spendLimitDaily: null,
    spendLimitWeekly: '61.5',
    allowedHoursStart: 22,
    allowedHoursEnd: 6,
    allowedDays: ['Sun'],
    timezone: 'Asia/Tokyo',
  })
  t.like(body, {
    spendLimitPerTx: before.spendLimitPerTx,
    spendLimitDaily: null,
    spendLimitWeekly: 61.5,
    spendLimitMonthly: 70,
    allowedHoursStart: 22,
    allowedHoursEnd: 6,
    allowedDays: ['Sun'],
    timezone: 'Asia/Tokyo',
    remaining: { day: null, week: 61.5, month: 70 },
  })
  const initial = {
    allowedHoursStart: 0,
    allowedHoursEnd: 24,
    allowedDays: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'],
    timezone: 'UTC',
  }
  const unset = await patch(agent, {
    allowedHoursStart: null,
    allowedHoursEnd: null,
    allowedDays: null,
    timezone: null,
  })
  t.like(unset.body, { ...initial, spendLimitMonthly: 70 })
  t.like((await patch(agent, { delegationType: 'FULL' })).body, { delegationType: 'FULL' })
  t.like((await patch(agent, { delegationType: null })).body, { delegationType: 'LIMITED', spendLimitMonthly: 70 })
  t.is((await patch(agent, {})).status, 200)
  t.deepEqual(failureOf(await patch(agent, { walletId: agent.walletId })), { status: 400, code: 'VALIDATION_ERROR' })
  t.is((await patch(agent, { allowedHoursStart: 22 })).status, 200)
  t.deepEqual(failureOf(await patch(agent, { allowedHoursEnd: 22 })), { status: 400, code: 'VALIDATION_ERROR' })
})

test('spent, reserved and remaining follow the payments', async (t) => {
  const agent = await buyer({ spendLimitDaily: 100, spendLimitWeekly: 150, spendLimitMonthly: 90 })
  const first = (await ask(service.client, agent.key, 30.5)).body.requestId
  await ask(service.client, agent.key, 20)
  t.like(await only(agent), {
    spent: { day: 0, week: 0, month: 0 },
    reserved: 50.5,
    remaining: { day: 49.5, week: 99.5, month: 39.5 },
  })
  await execute(service.client, agent.key, first)
  t.like(await only(agent), {
    spent: { day: 30.5, week: 30.5, month: 30.5 },
    reserved: 20,
    remaining: { day: 49.5, week: 99.5, month: 39.5 },
  })
  t.deepEqual(typesOf(await ask(service.client, agent.key, 39.500001)), ['MONTHLY_LIMIT'])
  t.deepEqual(typesOf(await ask(service.client, agent.key, 49.6)), ['DAILY_LIMIT', 'MONTHLY_LIMIT'])
  t.is((await ask(service.client, agent.key, 39.5)).body.status, 'APPROVED')
  await patch(agent, { spendLimitDaily: 40 })
  t.like(await only(agent), { remaining: { day: 0 } })
})

test('a lower limit denies approved payments at execution, a higher one allows more at once', async (t) => {
  const agent = await buyer({ spendLimitDaily: 100 })
  const [kept, ended] = [
    (await ask(service.client, agent.key, 40)).body.requestId,
    (await ask(service.client, agent.key, 60)).body.requestId,
  ]
  await patch(agent, { spendLimitDaily: 99.999999 })
  const refused = (await execute(service.client, agent.key, ended)) as Answer<unknown> as Answer<Failure>
  t.deepEqual(failureOf(refused), { status: 400, code: 'LIMIT_EXCEEDED' })
  t.is(refused.body.reasons!.length, 1)
  t.like(await only(agent), { reserved: 40, spent: { day: 0 } })
  t.is((await service.client.get<Decision>(`/api/sdk/payments/${ended}`, agent.key)).body.status, 'DENIED')
  t.is((await execute(service.client, agent.key, kept)).status, 200)
  t.is((await ask(service.client, agent.key, 60)).body.status, 'DENIED')
  await patch(agent, { spendLimitDaily: 100 })
  t.is((await ask(service.client, agent.key, 60)).body.status, 'APPROVED')
})

test('a revoked delegation denies its approved payments at execution', async (t) => {
  const agent = await buyer()
  const { requestId } = (await ask(service.client, agent.key, 5)).body
  await revoke(agent)
  t.deepEqual(failureOf(await ask(service.client, agent.key, 5)), { status: 400, code: 'NO_WALLET' })
  t.deepEqual(failureOf(await ask(service.client, agent.key, 5, { walletId: agent.walletId })), {
    status: 404,
    code: 'NOT_FOUND',
  })
  t.deepEqual(failureOf(await execute(service.client, agent.key, requestId)), { status: 400, code: 'LIMIT_EXCEEDED' })
  t.is((await service.client.get<Decision>(`/api/sdk/payments/${requestId}`, agent.key)).body.status, 'DENIED')
  t.is((await service.client.get<Wallet>(`/api/wallets/${agent.walletId}`, ORGANIZATION_KEY)).body.balance, 10_000)
  t.like(await only(agent), { status: 'REVOKED', reserved: 0 })
})

test('concurrent changes and payments never exceed a limit', async (t) => {
  const agent = await buyer({ spendLimitDaily: 50 })
  const asked = await Promise.all(
    Array.from({ length: 30 }, (_, at) =>
      at % 6 === 5
        ? patch(agent, { spendLimitDaily: at % 12 === 5 ? 30 : 50 })
        : ask(service.client, agent.key, 4, { autoExecute: true }),
    ),
  )
  t.true(asked.every(({ status }) => status === 200))
  const { spent, reserved } = await only(agent)
  t.true(spent.day <= 50 && spent.day > 0)
  t.is(reserved, 0)
})

test('a VIEW_ONLY delegation never pays, and does not prevent payment by another one', async (t) => {
  const agent = await buyer({ delegationType: 'VIEW_ONLY' })
  t.deepEqual(typesOf(await ask(service.client, agent.key, 1)), ['DELEGATION_NOT_ALLOWED'])
  const wallet = await made<{ id: string }>(service.client, '/api/wallets', { name: 'Second', custodyType: 'MANAGED' })
  await made(service.client, `/api/wallets/${wallet.id}/fund`, { amount: 5 })
  await delegate(agent.agentId, { walletId: wallet.id })
  const { body } = await ask(service.client, agent.key, 1)
  t.deepEqual([body.status, body.wallet?.id], ['APPROVED', wallet.id])
})

test('an approved payment belongs to its own delegation, and ends with it, even if the wallet is delegated again', async (t) => {
  const agent = await buyer()
  const { requestId } = (await ask(service.client, agent.key, 5)).body
  await revoke(agent)
  const { agentId, walletId } = agent
  t.is((await delegate(agentId, { walletId, delegationType: 'PREAPPROVED', allowedDays: EVERY_DAY })).status, 201)
  t.deepEqual(failureOf(await execute(service.client, agent.key, requestId)), { status: 400, code: 'LIMIT_EXCEEDED' })
  const { body } = await service.client.get<Decision>(`/api/sdk/payments/${requestId}`, agent.key)
  t.is(body.status, 'DENIED')
})

test('a PREAPPROVED delegation needs a person for every payment within its limits', async (t) => {
  const agent = await buyer({ delegationType: 'PREAPPROVED', spendLimitDaily: 10 })
  const { body } = await ask(service.client, agent.key, 6, { autoExecute: true })
  t.is(body.status, 'REQUIRES_APPROVAL')
  t.deepEqual(body.reasons, ['The delegation is PREAPPROVED: a person approves each of its payments'])
  t.like(await only(agent), { reserved: 6, remaining: { day: 4 } })
  t.deepEqual(typesOf(await ask(service.client, agent.key, 5)), ['DAILY_LIMIT'])
})

test('an ALLOWLIST delegation pays no unknown recipient', async (t) => {
  const agent = await buyer({ delegationType: 'ALLOWLIST' })
  t.deepEqual(typesOf(await ask(service.client, agent.key, 1)), ['DELEGATION_NOT_ALLOWED'])
  t.deepEqual(typesOf(await ask(service.client, agent.key, 1, { recipientAddress: randomAddress() })), [
    'DELEGATION_NOT_ALLOWED',
  ])
})

test('an agent with allowed contexts must name one of them', async (t) => {
  const agent = await fundedAgent(service.client, { name: newName(), agent: { allowedContexts: ['prod', 'staging'] } })
  for (const more of [{}, { executionContext: 'dev' }, { executionContext: 'PROD' }]) {
    t.deepEqual(typesOf(await ask(service.client, agent.key, 1, more)), ['CONTEXT_NOT_ALLOWED'])
  }
  t.is((await ask(service.client, agent.key, 1, { executionContext: 'staging' })).body.status, 'APPROVED')
  const free = await buyer()
  t.is((await ask(service.client, free.key, 1, { executionContext: 'anything' })).body.status, 'APPROVED')
})
