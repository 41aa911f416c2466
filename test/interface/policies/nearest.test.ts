// The amount that a denial names is right under policies, too: it passes, one micro-unit more does not, and it needs a
// person exactly if the denied one did.
import assert from 'node:assert/strict'
import test from 'ava'
import fc from 'fast-check'
import { cancelPayment } from '../../../src/commands/payments/payments.js'
import { paymentStatus } from '../../../src/commands/status.js'
import { createPolicy, updatePolicy } from '../../../src/commands/policies/policies.js'
import type { Caller } from '../../../src/commands/ports.js'
import { requestPayment } from '../../../src/commands/payments/request.js'
import type { Json } from '../../../src/domain/values/canonical.js'
import { toNumber } from '../../../src/domain/values/money.js'
import { isFull, runs } from '../../support/depth.js'
import { addressOf, done, inLanes, newOrganization, randomAddress, type Bare } from '../../support/commands.js'

const LANES = 4
const RUNS = 240
const MAX_MICROS = 120_000_000

const micros = fc.oneof(
  fc.integer({ min: 1, max: MAX_MICROS }),
  fc.integer({ min: 1, max: MAX_MICROS / 1e6 }).map((whole) => whole * 1e6),
)
const limit = micros.map(toNumber)
const whole = (ruleType: string, operator: string) => limit.map((value): Json => ({ ruleType, operator, value }))
const single: fc.Arbitrary<Json> = fc.oneof(
  whole('MAX_AMOUNT', 'LTE'),
  whole('MAX_AMOUNT', 'LT'),
  whole('DAILY_LIMIT', 'LTE'),
  whole('WEEKLY_LIMIT', 'LTE'),
  whole('MONTHLY_LIMIT', 'LTE'),
  fc.record({
    ruleType: fc.constant('BUDGET_CAP'),
    value: fc.record({
      amount: limit,
      period: fc.constantFrom('DAILY', 'WEEKLY', 'MONTHLY', 'TOTAL'),
      of: fc.constantFrom('AGENT', 'POLICY'),
    }),
  }),
)
/** ANY_OF takes the widest of its bounds, ALL_OF the narrowest. */
const composite = fc.record({
  ruleType: fc.constantFrom('ANY_OF', 'ALL_OF'),
  value: fc.array(fc.oneof(whole('MAX_AMOUNT', 'LTE'), whole('MAX_AMOUNT', 'LT')), { minLength: 1, maxLength: 3 }),
})
/** Where more than the amount named is a matter for people: too rare among the others for a run to be sure of it. */
const approval = whole('REQUIRE_APPROVAL_ABOVE', 'GREATER_THAN')
const rule = fc.oneof(
  { weight: 5, arbitrary: single },
  { weight: 2, arbitrary: approval },
  { weight: 1, arbitrary: composite as fc.Arbitrary<Json> },
)
const situation = fc.record({
  policies: fc.array(fc.record({ rules: fc.array(rule, { minLength: 1, maxLength: 4 }), isLate: fc.boolean() }), {
    maxLength: 3,
  }),
  wallets: fc.array(fc.record({ perTx: fc.option(micros), balance: micros }), { minLength: 1, maxLength: 2 }),
  past: fc.array(fc.integer({ min: 1, max: 20_000_000 }), { maxLength: 2 }),
  held: fc.array(fc.integer({ min: 1, max: 20_000_000 }), { maxLength: 1 }),
  amount: micros,
})
type Situation = typeof situation extends fc.Arbitrary<infer S> ? S : never

const PAST_MICROS = 60_000_000

async function ask(bare: Bare, caller: Caller, amount: number, autoExecute = false) {
  const recipientAddress = addressOf(randomAddress())
  const wanted = { amount, recipientAddress, urgency: 'NORMAL', autoExecute } as const
  const actor = done(await requestPayment(bare.services, caller, wanted))
  const { id, decision } = actor.payment.context
  return { id, status: paymentStatus(actor.payment), nearest: decision!.nearest }
}

/** The status that such a request gets now; its reservation is released. */
async function statusOf(bare: Bare, caller: Caller, amount: number): Promise<string> {
  const { id, status } = await ask(bare, caller, amount)
  if (status !== 'DENIED') done(await cancelPayment(bare.services, caller, id))
  return status
}

/** An agent whose earlier payments no active policy limited, under policies created before or after those payments. */
async function build(bare: Bare, { policies, wallets, past, held }: Situation): Promise<Caller> {
  const organization = await newOrganization(bare)
  const { admin } = organization
  const { id, caller } = await organization.agent()
  for (const { perTx, balance } of wallets) {
    const wallet = await organization.wallet(balance + PAST_MICROS)
    const terms = {
      delegationType: 'FULL',
      spendLimitPerTx: perTx === null ? null : Math.max(perTx, 20_000_000),
    } as const
    await organization.delegate(id, wallet, {
      ...terms,
      allowedDays: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
    })
  }
  const fields = { policyType: 'COMPOSITE', scope: 'assigned', priority: 50, agentIds: [id] } as const
  const ids: string[] = []
  for (const { rules, isLate } of policies.filter(({ isLate: late }) => !late)) {
    const given = { ...fields, name: 'Policy', rules, isActive: isLate }
    ids.push(String(done(await createPolicy(bare.services, admin, given)).context['id']))
  }
  for (const amount of past) assert.equal((await ask(bare, caller, amount, true)).status, 'EXECUTED')
  for (const amount of held) assert.equal((await ask(bare, caller, amount)).status, 'APPROVED')
  for (const { rules } of policies.filter(({ isLate }) => isLate)) {
    done(await createPolicy(bare.services, admin, { ...fields, name: 'Late', rules, isActive: true }))
  }
  for (const policy of ids) done(await updatePolicy(bare.services, admin, policy, { isActive: true }, {}))
  return caller
}

/** The bounds above which a person is asked, as far as this amount is above them. */
function askingBelow({ policies }: Situation, amount: number): number[] {
  const rules = policies.flatMap(({ rules }) => rules) as { ruleType: string; value: number }[]
  const bounds = rules.filter(({ ruleType }) => ruleType === 'REQUIRE_APPROVAL_ABOVE').map(({ value }) => value * 1e6)
  return bounds.map(Math.round).filter((bound) => bound < amount)
}

test('under any policies, the amount that a denial names passes as the same matter for people, and no more does', async (t) => {
  const seen = { denied: 0, amounts: 0, kept: 0 }
  const check = async (bare: Bare, given: Situation): Promise<void> => {
    const caller = await build(bare, given)
    const { id, status, nearest: way } = await ask(bare, caller, given.amount)
    if (!way) {
      assert.notEqual(status, 'DENIED')
      return void done(await cancelPayment(bare.services, caller, id))
    }
    seen.denied += 1
    const asking = askingBelow(given, given.amount)
    // The least amount that needs as many people as the denied one.
    const least = Math.max(0, ...asking)
    const above = await statusOf(bare, caller, (way.maxAmountNow ?? least) + 1)
    assert.notEqual(above, 'APPROVED')
    if (asking.length > 0) assert.equal(above, 'DENIED')
    if (way.maxAmountNow === null) return
    seen.amounts += 1
    if (asking.length > 0) seen.kept += 1
    assert.deepEqual(askingBelow(given, way.maxAmountNow), asking)
    assert.equal(await statusOf(bare, caller, way.maxAmountNow), asking.length > 0 ? 'REQUIRES_APPROVAL' : 'APPROVED')
  }
  const lane = (bare: Bare) =>
    fc.assert(
      fc.asyncProperty(situation, (given) => check(bare, given)),
      { numRuns: runs(RUNS / LANES) },
    )
  await inLanes(t, LANES, lane)
  t.true(!isFull || (seen.denied > 40 && seen.amounts > 20 && seen.kept > 0), JSON.stringify(seen))
})

test('the allowed amount is found among a hundred bounds', async (t) => {
  await inLanes(t, 1, async (bare) => {
    const organization = await newOrganization(bare)
    const { id, caller } = await organization.agent()
    const wallet = await organization.wallet(900_000_000)
    await organization.delegate(id, wallet, { delegationType: 'FULL', allowedDays: ['Thu'] })
    const rules = Array.from({ length: 100 }, (_, index): Json => ({
      ruleType: 'MAX_AMOUNT',
      operator: 'LTE',
      value: 7 + index,
    }))
    const fields = { name: 'Many', policyType: 'COMPOSITE', scope: 'assigned', priority: 50, isActive: true } as const
    done(await createPolicy(bare.services, organization.admin, { ...fields, rules, agentIds: [id] }))
    const { nearest } = await ask(bare, caller, 500_000_000)
    t.is(nearest!.maxAmountNow, 7_000_000)
  })
})
