// The way out that a denial names is true: the amount in it passes when it is requested, one micro-unit more does not,
// and neither does the same amount a second before the time in it.
import assert from 'node:assert/strict'
import test from 'ava'
import fc from 'fast-check'
import type { Address } from '../../../src/domain/values/address.js'
import { configureDelegation, type GivenTerms } from '../../../src/commands/agents/delegations.js'
import { cancelPayment } from '../../../src/commands/payments/payments.js'
import { paymentStatus } from '../../../src/commands/status.js'
import type { Caller } from '../../../src/commands/ports.js'
import { requestPayment } from '../../../src/commands/payments/request.js'
import type { Nearest } from '../../../src/domain/payment/terms.js'
import { isFull, runs } from '../../support/depth.js'
import type { Answer, Client } from '../../support/client.js'
import { fundedAgent, made, RECIPIENT, type Decision } from '../../support/payments.js'
import {
  addressOf,
  done,
  inLanes,
  newOrganization,
  randomAddress,
  randomSolanaAddress,
  type Bare,
} from '../../support/commands.js'
import { start } from '../../support/service.js'
import type {} from '../../../sdk/api.js'

const LANES = 4
/** The search for a smaller counterexample stops after this. */
const PATIENCE_MS = 150_000
const RUNS = 600
const SECOND_MS = 1000
const HOUR_MS = 3600 * SECOND_MS
const DAY_MS = 24 * HOUR_MS
const ALL_DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const
/** Zones whose clocks change at midnight or by half an hour, and ordinary ones. */
const ZONES = [
  'UTC',
  'America/New_York',
  'Africa/Cairo',
  'Australia/Lord_Howe',
  'Asia/Beirut',
  'America/Havana',
  'Asia/Kathmandu',
]
const OPEN: GivenTerms = {
  delegationType: 'FULL',
  spendLimitPerTx: null,
  spendLimitDaily: null,
  spendLimitWeekly: null,
  spendLimitMonthly: null,
  allowedHoursStart: 0,
  allowedHoursEnd: 24,
  allowedDays: [...ALL_DAYS],
}

const micros = (max: number) =>
  fc.oneof(
    fc.integer({ min: 1, max }),
    fc.integer({ min: 1, max: max / 1e6 }).map((whole) => whole * 1e6),
  )
const limit = (max: number) =>
  fc.option(fc.oneof({ weight: 1, arbitrary: fc.constant(0) }, { weight: 20, arbitrary: micros(max) }), { freq: 2 })
/** Mostly the usual value. */
const mostly = <T>(usual: T, other: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: other })
const someHours = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 1, max: 24 }))
  .filter(([start, end]) => start !== end)
const TYPES = [
  ...Array<string>(8).fill('LIMITED'),
  'PREAPPROVED',
  'PREAPPROVED',
  'PREAPPROVED',
  'VIEW_ONLY',
  'ALLOWLIST',
]

const ago = fc.oneof(...[20 * HOUR_MS, 6 * DAY_MS, 20 * DAY_MS].map((max) => fc.integer({ min: 0, max })))

const route = fc.record({
  timezone: fc.constantFrom(...ZONES),
  terms: fc.record({
    delegationType: fc.constantFrom(...TYPES),
    spendLimitPerTx: limit(150_000_000),
    spendLimitDaily: limit(150_000_000),
    spendLimitWeekly: limit(200_000_000),
    spendLimitMonthly: limit(300_000_000),
    hours: mostly([0, 24], someHours),
    allowedDays: mostly([...ALL_DAYS], fc.subarray([...ALL_DAYS])),
  }),
  balance: mostly(500_000_000, micros(300_000_000)),
  isSolana: fc.constantFrom(...Array<boolean>(8).fill(false), true),
  past: fc.array(fc.record({ agoMs: ago, amount: micros(40_000_000) }), { maxLength: 3 }),
  held: mostly([], fc.array(micros(40_000_000), { maxLength: 1 })),
})
const requested = fc.record({
  amount: micros(150_000_000),
  which: fc.option(fc.nat({ max: 2 }), { freq: 3 }),
  isSolana: fc.constantFrom(...Array<boolean>(12).fill(false), true),
})
const NO_LIMITS = { spendLimitPerTx: null, spendLimitDaily: null, spendLimitWeekly: null, spendLimitMonthly: null }

/** A route that has spent nearly all of one of its limits. */
const busyRoute = fc
  .record({
    timezone: fc.constantFrom(...ZONES),
    spent: fc.integer({ min: 40_000_000, max: 60_000_000 }),
    limit: fc.constantFrom('spendLimitDaily', 'spendLimitWeekly', 'spendLimitMonthly'),
    agoMs: fc.integer({ min: 0, max: 6 * HOUR_MS }),
    hours: mostly([0, 24], someHours),
    allowedDays: mostly([...ALL_DAYS], fc.subarray([...ALL_DAYS], { minLength: 3 })),
  })
  .map(({ timezone, spent, limit: which, agoMs, hours, allowedDays }) => ({
    timezone,
    terms: { ...NO_LIMITS, [which]: 70_000_000, delegationType: 'LIMITED', hours, allowedDays },
    balance: 500_000_000,
    isSolana: false,
    past: [{ agoMs, amount: spent }],
    held: [],
  }))

const at = fc.integer({ min: Date.parse('2024-02-01'), max: Date.parse('2027-12-31') })
const anything = fc.record({
  at,
  routes: fc.array(route, { minLength: 1, maxLength: 3 }),
  requested,
  context: fc.constantFrom(...Array<string>(15).fill('given'), 'wrong'),
})
/** Every route allows the amount again, each at its own time. */
const busy = fc.record({
  at,
  routes: fc.array(busyRoute, { minLength: 2, maxLength: 3 }),
  requested: fc.record({ amount: fc.constant(55_000_000), which: fc.constant(null), isSolana: fc.constant(false) }),
  context: fc.constant('given'),
})
const situation = fc.oneof({ weight: 5, arbitrary: anything }, { weight: 1, arbitrary: busy })
type Situation = typeof anything extends fc.Arbitrary<infer S> ? S : never

interface Stage {
  bare: Bare
  agent: Caller
  wallets: string[]
  recipient: Address
  isHeld: boolean
}

async function ask({ bare, agent, recipient }: Stage, amount: number, executionContext: string, walletId?: string) {
  const wanted = {
    amount,
    recipientAddress: recipient,
    urgency: 'NORMAL',
    autoExecute: false,
    walletId,
    executionContext,
  } as const
  const actor = done(await requestPayment(bare.services, agent, wanted))
  const { id, decision } = actor.payment.context
  return { id, status: paymentStatus(actor.payment), nearest: decision!.nearest }
}

/** The status that such a request gets now; its reservation is released. */
async function statusOf(stage: Stage, amount: number, context: string, walletId?: string): Promise<string> {
  const { id, status } = await ask(stage, amount, context, walletId)
  if (status !== 'DENIED') done(await cancelPayment(stage.bare.services, stage.agent, id))
  return status
}

/** Every wallet is delegated without limits first, so that it can have past payments; then it gets its terms. */
async function build(bare: Bare, { at, routes, requested: { isSolana } }: Situation): Promise<Stage> {
  await bare.moveClock(at - 21 * DAY_MS)
  const organization = await newOrganization(bare)
  const { id, caller } = await organization.agent(['given'])
  const wallets: string[] = []
  for (const { balance, isSolana: onSolana, timezone, past } of routes) {
    const spent = past.reduce((sum, { amount }) => sum + amount, 0)
    const wallet = await organization.wallet(balance + spent, onSolana ? 'SOLANA' : 'EVM')
    wallets.push(wallet)
    await organization.delegate(id, wallet, { ...OPEN, timezone })
  }
  const recipient = addressOf(isSolana ? randomSolanaAddress() : randomAddress())
  const stage = { bare, agent: caller, wallets, recipient, isHeld: routes.some(({ held }) => held.length > 0) }
  await spendPast(stage, at, routes)
  await bare.moveClock(at)
  await holdSome(stage, routes)
  for (const [index, { terms }] of routes.entries()) {
    const {
      hours: [allowedHoursStart, allowedHoursEnd],
      ...rest
    } = terms
    const changes = { ...rest, allowedHoursStart, allowedHoursEnd } as GivenTerms
    done(await configureDelegation(bare.services, organization.admin, id, wallets[index]!, changes))
  }
  return stage
}

async function pay(
  { bare, agent, wallets }: Stage,
  index: number,
  isSolana: boolean,
  amount: number,
  autoExecute: boolean,
) {
  const recipientAddress = addressOf(isSolana ? randomSolanaAddress() : randomAddress())
  const more = { walletId: wallets[index]!, executionContext: 'given', urgency: 'NORMAL' } as const
  return done(await requestPayment(bare.services, agent, { amount, recipientAddress, autoExecute, ...more }))
}

async function spendPast(stage: Stage, at: number, routes: Situation['routes']): Promise<void> {
  const payments = routes.flatMap(({ past, isSolana }, index) => past.map((paid) => ({ ...paid, index, isSolana })))
  for (const { agoMs, amount, index, isSolana } of payments.sort((a, b) => b.agoMs - a.agoMs)) {
    await stage.bare.moveClock(at - agoMs)
    assert.equal(paymentStatus((await pay(stage, index, isSolana, amount, true)).payment), 'EXECUTED')
  }
}

async function holdSome(stage: Stage, routes: Situation['routes']): Promise<void> {
  for (const [index, { held, isSolana }] of routes.entries()) {
    for (const amount of held) await pay(stage, index, isSolana, amount, false)
  }
}

/** Where every route needs a person, so does the amount that is named. */
async function checkAmount(
  stage: Stage,
  { maxAmountNow }: Nearest,
  context: string,
  asksPerson: boolean,
  walletId?: string,
): Promise<void> {
  const above = await statusOf(stage, (maxAmountNow ?? 0) + 1, context, walletId)
  if (asksPerson) assert.equal(above, 'DENIED')
  assert.notEqual(above, 'APPROVED')
  const passes = asksPerson ? 'REQUIRES_APPROVAL' : 'APPROVED'
  if (maxAmountNow !== null) assert.equal(await statusOf(stage, maxAmountNow, context, walletId), passes)
}

/** Skips times that are too early if there is a hold, which ends by itself and may allow the amount sooner. */
async function checkTime(
  stage: Stage,
  way: Nearest,
  amount: number,
  context: string,
  walletId?: string,
): Promise<void> {
  const { bare, isHeld } = stage
  const now = bare.now()
  const { earliestAt } = way
  const tooEarly =
    earliestAt === null ? LATER_MS.map((ms) => now + ms) : [Math.max(now, earliestAt - SECOND_MS), earliestAt - 1]
  for (const at of isHeld ? [] : tooEarly) {
    await bare.moveClock(at)
    assert.notEqual(
      await statusOf(stage, amount, context, walletId),
      'APPROVED',
      `approved at ${new Date(at).toISOString()}`,
    )
  }
  if (earliestAt === null) return
  assert.ok(earliestAt > now)
  await bare.moveClock(earliestAt)
  assert.equal(await statusOf(stage, amount, context, walletId), 'APPROVED')
}

const LATER_MS = [HOUR_MS, 7 * HOUR_MS, DAY_MS, 2.5 * DAY_MS, 5.8 * DAY_MS, 9.3 * DAY_MS, 31 * DAY_MS]

/** A person could approve it if one of the agent's wallets on the recipient's kind of chain requires approval. */
async function checkApproval(
  stage: Stage,
  way: Nearest,
  { routes, requested: { amount, isSolana }, context }: Situation,
): Promise<void> {
  const statuses: string[] = []
  for (const [index, { isSolana: onSolana }] of routes.entries()) {
    if (onSolana === isSolana) statuses.push(await statusOf(stage, amount, context, stage.wallets[index]!))
  }
  assert.equal(way.approvalWouldAllow, statuses.includes('REQUIRES_APPROVAL'))
}

test('the amount and the time in a denial pass, and nothing more or earlier does', async (t) => {
  const seen = { amounts: 0, times: 0 }
  const check = async (bare: Bare, given: Situation): Promise<void> => {
    const stage = await build(bare, given)
    const { routes, context } = given
    const { amount, which, isSolana } = given.requested
    const at = which === null ? -1 : which % routes.length
    const suitable = routes.filter((one) => one.isSolana === isSolana)
    if (suitable.length === 0 || (at >= 0 && routes[at]!.isSolana !== isSolana)) return
    const walletId = stage.wallets[at]
    const { status, nearest: way, id } = await ask(stage, amount, context, walletId)
    if (!way) {
      assert.notEqual(status, 'DENIED')
      return void done(await cancelPayment(bare.services, stage.agent, id))
    }
    if (way.maxAmountNow !== null) seen.amounts += 1
    if (way.earliestAt !== null) seen.times += 1
    const open = at >= 0 ? [routes[at]!] : suitable
    const asksPerson = open.every(({ terms }) => terms.delegationType === 'PREAPPROVED')
    await checkAmount(stage, way, context, asksPerson, walletId)
    await checkApproval(stage, way, given)
    await checkTime(stage, way, amount, context, walletId)
  }
  const lane = (bare: Bare) =>
    fc.assert(
      fc.asyncProperty(situation, (given) => check(bare, given as Situation)),
      { numRuns: runs(RUNS / LANES), interruptAfterTimeLimit: PATIENCE_MS, markInterruptAsFailure: true },
    )
  await inLanes(t, LANES, lane)
  t.true(!isFull || (seen.amounts > 20 && seen.times > 5), JSON.stringify(seen))
})

const WEDNESDAY = Date.parse('2031-07-09T12:00:00Z')

test('a denial names the way out in amounts and times that can be used as they are', async (t) => {
  const { client } = await start(t, { at: WEDNESDAY })
  const agent = await fundedAgent(client, { terms: { spendLimitDaily: 100, timezone: 'Asia/Tokyo' } })
  await askOver(client, agent.key, '60.6', { autoExecute: true })
  const { body } = await askOver(client, agent.key, 50)
  const way = { maxAmountNow: 39.4, earliestAt: '2031-07-09T15:00:00.000Z', approvalWouldAllow: false }
  t.deepEqual(body.nearest, way)
  const steps = body.context!.nextSteps.join('\n')
  for (const fact of ['39.4', way.earliestAt]) t.true(steps.includes(fact), steps)
  t.is((await askOver(client, agent.key, '39.400001')).body.status, 'DENIED')
  t.is((await askOver(client, agent.key, 39.4)).body.status, 'APPROVED')
  const none = await askOver(client, agent.key, 0.1)
  t.deepEqual(none.body.nearest, { earliestAt: way.earliestAt, approvalWouldAllow: false })
})

test("approvalWouldAllow counts other wallets only on the recipient's kind of chain", async (t) => {
  const { client } = await start(t, { at: WEDNESDAY })
  const agent = await fundedAgent(client, { terms: { spendLimitPerTx: 10 } })
  const second = async (wallet: object): Promise<string> => {
    const { id } = await made<{ id: string }>(client, '/api/wallets', { name: 'Second', ...wallet })
    await made(client, `/api/wallets/${id}/fund`, { amount: 100 })
    await made(client, `/api/agents/${agent.agentId}/wallets`, { walletId: id, delegationType: 'PREAPPROVED' })
    return id
  }
  const walletId = agent.walletId
  await second({ custodyType: 'EXTERNAL', chainType: 'SOLANA', address: randomSolanaAddress() })
  t.false((await askOver(client, agent.key, 11, { walletId })).body.nearest!.approvalWouldAllow)
  const other = await second({ custodyType: 'MANAGED' })
  t.true((await askOver(client, agent.key, 11, { walletId })).body.nearest!.approvalWouldAllow)
  t.is((await askOver(client, agent.key, 11, { walletId: other })).body.status, 'REQUIRES_APPROVAL')
})

function askOver(client: Client, key: string, amount: unknown, more: object = {}): Promise<Answer<Decision>> {
  return client.post('/api/sdk/payments/request', key, { amount, recipientAddress: RECIPIENT, ...more })
}
