// The impact of an edit is how the same payments would have been decided under it, compared with a model and with
// agents that really had the edited policy.
import assert from 'node:assert/strict'
import test, { type ExecutionContext } from 'ava'
import fc from 'fast-check'
import { decideApproval } from '../../../src/commands/approvals/approvals.js'
import { impactOf, type Edited, type Impact } from '../../../src/commands/policies/impact.js'
import { cancelPayment, executePayment } from '../../../src/commands/payments/payments.js'
import { paymentStatus } from '../../../src/commands/status.js'
import { createPolicy, type NewPolicy } from '../../../src/commands/policies/policies.js'
import { assign } from '../../../src/commands/policies/assignments.js'
import type { Caller } from '../../../src/commands/ports.js'
import { requestPayment } from '../../../src/commands/payments/request.js'
import type { Json } from '../../../src/domain/values/canonical.js'
import { runs } from '../../support/depth.js'
import { EVERY_DAY } from '../../support/payments.js'
import { addressOf, done, inLanes, newOrganization, openBare, type Bare } from '../../support/commands.js'

const MICROS = 1_000_000
const HOUR_MS = 3_600_000
const START = Date.parse('2026-03-02T09:00:00Z')
const RECIPIENT = addressOf('0x00000000000000000000000000000000000000a1')
const LANES = 4
const RUNS = 48

interface Stage {
  bare: Bare
  admin: Caller
  agent(): Promise<Agent>
  policy(rules: Json[], agents?: Agent[], more?: Partial<NewPolicy>): Promise<string>
}

interface Agent {
  id: string
  caller: Caller
  walletId: string
}

async function stageOn(bare: Bare): Promise<Stage> {
  const organization = await newOrganization(bare)
  const { admin } = organization
  return {
    bare,
    admin,
    agent: async () => {
      const { id, caller } = await organization.agent()
      const walletId = await organization.wallet(1_000_000 * MICROS)
      await organization.delegate(id, walletId, { delegationType: 'FULL', allowedDays: [...EVERY_DAY] as never })
      return { id, caller, walletId }
    },
    policy: async (rules, agents = [], more = {}) => {
      const fields = {
        name: 'Policy',
        policyType: 'COMPOSITE',
        scope: 'assigned',
        priority: 50,
        isActive: true,
      } as const
      const given = { ...fields, rules, agentIds: agents.map(({ id }) => id), ...more }
      return String(done(await createPolicy(bare.services, admin, given)).context['id'])
    },
  }
}

async function build(t: ExecutionContext): Promise<Stage> {
  const bare = openBare(t)
  await bare.moveClock(START)
  return stageOn(bare)
}

interface Made {
  id: string
  status: string
  outcome: string
  /** Of the approval request, if there is one. */
  approvalId: string | undefined
}

async function ask(
  { services }: Bare,
  { caller }: Agent,
  amount: number,
  more: { category?: string; autoExecute?: boolean } = {},
) {
  const wanted = {
    amount: amount * MICROS,
    recipientAddress: RECIPIENT,
    urgency: 'NORMAL',
    autoExecute: false,
    ...more,
  } as const
  const actor = done(await requestPayment(services, caller, wanted))
  const { id, decision, approval } = actor.payment.context
  const made: Made = { id, status: paymentStatus(actor.payment), outcome: decision!.outcome, approvalId: approval?.id }
  return made
}

const pay = (bare: Bare, agent: Agent, amount: number, category?: string) =>
  ask(bare, agent, amount, { autoExecute: true, ...(category !== undefined && { category }) })

const later = (bare: Bare, hours: number): Promise<void> => bare.moveClock(bare.now() + hours * HOUR_MS)

async function impact({ bare, admin }: Stage, policyId: string, edited: Edited): Promise<Impact> {
  return done(await impactOf(bare.services, admin, policyId, edited))
}

const changes = ({ compared }: Impact): [id: string, before: string, after: string][] =>
  compared
    .filter(({ before, after }) => before.outcome !== after.outcome)
    .map(({ past, before, after }) => [past.id, before.outcome, after.outcome])

const DAILY = (value: number): Json => ({ ruleType: 'DAILY_LIMIT', operator: 'LTE', value })
const VELOCITY = (maxCount: number, period: string): Json => ({
  ruleType: 'VELOCITY_LIMIT',
  value: { maxCount, period },
})

test('an edit that changes nothing has no impact', async (t) => {
  const stage = await build(t)
  const agent = await stage.agent()
  const id = await stage.policy([DAILY(10)], [agent])
  for (const amount of [4, 4, 4, 2]) await pay(stage.bare, agent, amount)
  for (const edited of [{}, { name: 'Other' }, { rules: [DAILY(10)] }, { priority: 9 }]) {
    const found = await impact(stage, id, edited)
    t.deepEqual(changes(found), [])
    t.deepEqual(
      found.compared.map(({ before }) => before.outcome),
      ['APPROVED', 'APPROVED', 'DENIED', 'APPROVED'],
    )
    t.true(found.isComplete)
  }
})

test('a lower daily limit denies exactly the payments that a model of it denies', async (t) => {
  const stage = await build(t)
  const agent = await stage.agent()
  const id = await stage.policy([DAILY(1000)], [agent])
  const asked: { id: string; day: number; amount: number }[] = []
  for (let at = 0; at < 40; at += 1) {
    const amount = 1 + ((at * 7) % 13)
    const { id: paymentId } = await pay(stage.bare, agent, amount)
    asked.push({ id: paymentId, day: Math.floor(stage.bare.now() / (24 * HOUR_MS)), amount })
    await later(stage.bare, 3)
  }
  const spent = new Map<number, number>()
  const denied = asked.filter(({ day, amount }) => {
    const before = spent.get(day) ?? 0
    if (before + amount > 20) return true
    spent.set(day, before + amount)
    return false
  })
  t.true(denied.length > 5)
  const found = await impact(stage, id, { rules: [DAILY(20)] })
  t.deepEqual(
    changes(found),
    denied.map((one) => [one.id, 'APPROVED', 'DENIED']),
  )
  const [first] = found.compared.filter(({ after }) => after.outcome === 'DENIED')
  t.like(first!.after.violations[0], { type: 'DAILY_LIMIT', policyId: id, policyVersion: 2, limit: 20 * MICROS })
})

test('a velocity limit does not count payments that the edit would have denied', async (t) => {
  const stage = await build(t)
  const agent = await stage.agent()
  const id = await stage.policy([], [agent])
  const made: string[] = []
  for (let at = 0; at < 6; at += 1) {
    made.push((await pay(stage.bare, agent, 1)).id)
    await stage.bare.moveClock(stage.bare.now() + 25 * 60_000)
  }
  // At 0, 25, 50, 75, 100 and 125 minutes: two an hour leave 0, 25, 75 and 100.
  const found = await impact(stage, id, { rules: [VELOCITY(2, 'HOUR')] })
  t.deepEqual(
    changes(found),
    [made[2], made[5]].map((paymentId) => [paymentId!, 'APPROVED', 'DENIED']),
  )
})

test('a wider rule approves a payment that was denied, which then counts against limits', async (t) => {
  const stage = await build(t)
  const agent = await stage.agent()
  const CLOUD: Json = { ruleType: 'ALLOWED_CATEGORIES', value: ['CLOUD'] }
  const id = await stage.policy([CLOUD, DAILY(10)], [agent])
  const cloud = await pay(stage.bare, agent, 4, 'cloud')
  const games = await pay(stage.bare, agent, 4, 'games')
  const more = await pay(stage.bare, agent, 4, 'cloud')
  t.deepEqual(
    [cloud, games, more].map(({ status }) => status),
    ['EXECUTED', 'DENIED', 'EXECUTED'],
  )
  const both: Json = { ruleType: 'ALLOWED_CATEGORIES', value: ['CLOUD', 'GAMES'] }
  t.deepEqual(changes(await impact(stage, id, { rules: [both, DAILY(10)] })), [
    [games.id, 'DENIED', 'APPROVED'],
    [more.id, 'APPROVED', 'DENIED'],
  ])
  const asks: Json = { ruleType: 'REQUIRE_APPROVAL_ABOVE', operator: 'GREATER_THAN', value: 3 }
  t.deepEqual(changes(await impact(stage, id, { rules: [CLOUD, DAILY(10), asks] })), [
    [cloud.id, 'APPROVED', 'REQUIRES_APPROVAL'],
    [more.id, 'APPROVED', 'REQUIRES_APPROVAL'],
  ])
  t.deepEqual(changes(await impact(stage, id, { isActive: false })), [[games.id, 'DENIED', 'APPROVED']])
})

test('reasons outside the policies still deny a payment', async (t) => {
  const stage = await build(t)
  const agent = await stage.agent()
  const id = await stage.policy([DAILY(10)], [agent])
  const tooMuch = await pay(stage.bare, agent, 2_000_000)
  t.is(tooMuch.status, 'DENIED')
  t.deepEqual(changes(await impact(stage, id, { rules: [] })), [])
})

test('the impact covers all agents under a shared policy, and every agent once it is organization-wide', async (t) => {
  const stage = await build(t)
  const [one, two, other] = [await stage.agent(), await stage.agent(), await stage.agent()]
  const id = await stage.policy([], [one, two])
  const made: Made[] = []
  for (const agent of [one, two, one, other, two]) {
    made.push(await pay(stage.bare, agent, 4))
    await later(stage.bare, 1)
  }
  const shared: Json = { ruleType: 'BUDGET_CAP', value: { amount: 9, period: 'DAILY', of: 'POLICY' } }
  const found = await impact(stage, id, { rules: [shared] })
  t.is(found.compared.length, 4)
  t.deepEqual(
    changes(found).map(([paymentId]) => paymentId),
    [made[2]!.id, made[4]!.id],
  )
  const all = await impact(stage, id, { rules: [shared], scope: 'organization' })
  t.is(all.compared.length, 5)
  t.deepEqual(
    changes(all).map(([paymentId]) => paymentId),
    [made[2]!.id, made[3]!.id, made[4]!.id],
  )
})

test("the impact of a wallet's policy covers only payments from that wallet", async (t) => {
  const stage = await build(t)
  const [one, two] = [await stage.agent(), await stage.agent()]
  const id = await stage.policy([])
  done(await assign(stage.bare.services, stage.admin, id, 'wallets', one.walletId))
  const first = await pay(stage.bare, one, 5)
  await pay(stage.bare, two, 5)
  const found = await impact(stage, id, { rules: [{ ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 3 }] })
  t.deepEqual(changes(found), [[first.id, 'APPROVED', 'DENIED']])
  t.is(found.compared.length, 1)
})

test("the impact covers only policies and payments of the caller's organization", async (t) => {
  const mine = await build(t)
  const theirs = await stageOn(mine.bare)
  for (const stage of [mine, theirs]) await pay(stage.bare, await stage.agent(), 5)
  const rules: Json[] = [{ ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 3 }]
  const id = await mine.policy([], [], { scope: 'organization' })
  t.is((await impact(mine, id, { rules })).compared.length, 1)
  const refused = await impactOf(theirs.bare.services, theirs.admin, id, { rules })
  t.like(refused, { ok: false, refusal: { code: 'NOT_FOUND' } })
})

test('only the last 1,000 payments are replayed, on top of what was spent before', async (t) => {
  const stage = await build(t)
  const agent = await stage.agent()
  const id = await stage.policy([], [agent])
  for (let at = 0; at < 11; at += 1) await pay(stage.bare, agent, 1)
  await later(stage.bare, 0.1)
  await Promise.all(Array.from({ length: 999 }, () => pay(stage.bare, agent, 1)))
  const total: Json = { ruleType: 'BUDGET_CAP', value: { amount: 1005, period: 'TOTAL' } }
  const found = await impact(stage, id, { rules: [total] })
  t.is(found.compared.length, 1000)
  t.is(changes(found).length, 5)
  t.is(changes(await impact(stage, id, { rules: [DAILY(1009)] })).length, 1)
})

test('a replay that takes too long is reported as incomplete', async (t) => {
  const stage = await build(t)
  const agent = await stage.agent()
  const id = await stage.policy([DAILY(10)], [agent])
  for (let at = 0; at < 5; at += 1) await pay(stage.bare, agent, 1)
  let looked = 0
  const now = (): number => stage.bare.now() + (looked += 1) * 1500
  const found = done(await impactOf({ ...stage.bare.services, now }, stage.admin, id, { rules: [DAILY(2)] }))
  t.false(found.isComplete)
  t.true(found.compared.length > 0 && found.compared.length < 5)
})

test('the replay yields to other work between decisions', async (t) => {
  const stage = await build(t)
  const agent = await stage.agent()
  const id = await stage.policy([DAILY(10)], [agent])
  for (let at = 0; at < 30; at += 1) await pay(stage.bare, agent, 1)
  let breaths = 0
  const breathe = async (): Promise<void> => void (breaths += 1)
  done(await impactOf({ ...stage.bare.services, breathe }, stage.admin, id, { rules: [DAILY(2)] }))
  t.true(breaths >= 30)
})

const rule: fc.Arbitrary<Json> = fc.oneof(
  fc.integer({ min: 5, max: 40 }).map(DAILY),
  fc.integer({ min: 10, max: 80 }).map((value): Json => ({ ruleType: 'WEEKLY_LIMIT', operator: 'LTE', value })),
  fc.integer({ min: 1, max: 9 }).map((value): Json => ({ ruleType: 'MAX_AMOUNT', operator: 'LTE', value })),
  fc.integer({ min: 1, max: 9 }).map((value): Json => ({ ruleType: 'REQUIRE_APPROVAL_ABOVE', value })),
  fc.tuple(fc.integer({ min: 1, max: 5 }), fc.constantFrom('HOUR', 'DAY')).map((velocity) => VELOCITY(...velocity)),
  fc
    .integer({ min: 10, max: 90 })
    .map((amount): Json => ({ ruleType: 'BUDGET_CAP', value: { amount, period: 'TOTAL', of: 'POLICY' } })),
  fc.constant<Json>({ ruleType: 'ALLOWED_CATEGORIES', value: ['CLOUD'] }),
  fc.constant<Json>({ ruleType: 'TIME_WINDOW', operator: 'BETWEEN', value: { start: '08:00', end: '20:00' } }),
)
const rules = fc.array(rule, { maxLength: 3 })
const payment = fc.record({
  who: fc.integer({ min: 0, max: 1 }),
  amount: fc.integer({ min: 1, max: 10 }),
  category: fc.constantFrom('cloud', 'games'),
  hours: fc.integer({ min: 0, max: 12 }),
})

/** Moves the clock by at least a millisecond, because requests are ordered by their times. */
const onward = (bare: Bare, hours: number): Promise<void> => bare.moveClock(bare.now() + hours * HOUR_MS + 1)

/** Requests a payment and approves it if necessary, so that it is paid at once. */
async function payWithPerson({ bare, admin }: Stage, agent: Agent, amount: number, category: string): Promise<Made> {
  const made = await pay(bare, agent, amount, category)
  const agreed = { decision: 'APPROVED', comment: null } as const
  if (made.status === 'REQUIRES_APPROVAL') done(await decideApproval(bare.services, admin, made.approvalId!, agreed))
  return made
}

test('the impact matches the decisions that agents under the edited policy really received', async (t) => {
  t.timeout(120_000)
  const history = fc.record({
    before: rules,
    after: rules,
    payments: fc.array(payment, { minLength: 4, maxLength: 14 }),
  })
  await inLanes(t, LANES, async (bare) => {
    await bare.moveClock(START)
    await fc.assert(
      fc.asyncProperty(history, async ({ before, after, payments }) => {
        const stage = await stageOn(bare)
        const [these, those] = [
          [await stage.agent(), await stage.agent()],
          [await stage.agent(), await stage.agent()],
        ]
        const id = await stage.policy(before, these)
        await stage.policy(after, those)
        const expected: [string, string, string][] = []
        for (const { who, amount, category, hours } of payments) {
          await onward(bare, hours)
          const was = await payWithPerson(stage, these[who]!, amount, category)
          const would = await payWithPerson(stage, those[who]!, amount, category)
          if (was.outcome !== would.outcome) expected.push([was.id, was.outcome, would.outcome])
        }
        assert.deepEqual(changes(await impact(stage, id, { rules: after })), expected)
      }),
      { numRuns: runs(RUNS / LANES) },
    )
  })
  t.pass()
})

test('replayed under the unchanged policy, every payment gets its original decision', async (t) => {
  t.timeout(120_000)
  const fate = fc.constantFrom('pay', 'hold', 'cancel', 'execute')
  const steps = fc.array(fc.tuple(payment, fate), { minLength: 4, maxLength: 14 })
  await inLanes(t, LANES, async (bare) => {
    await bare.moveClock(START)
    await fc.assert(
      fc.asyncProperty(rules, steps, async (given, all) => {
        const stage = await stageOn(bare)
        const agents = [await stage.agent(), await stage.agent()]
        const id = await stage.policy(given, agents)
        const made: [string, string][] = []
        const open: [Agent, string, string][] = []
        for (const [{ who, amount, category, hours }, fateOf] of all) {
          await onward(bare, hours)
          for (const [{ caller }, paymentId, how] of open.splice(0)) {
            await (how === 'cancel' ? cancelPayment : executePayment)(bare.services, caller, paymentId)
          }
          await onward(bare, 0)
          const one = await ask(bare, agents[who]!, amount, { category, autoExecute: fateOf === 'pay' })
          made.push([one.id, one.outcome])
          if (fateOf === 'cancel' || fateOf === 'execute') open.push([agents[who]!, one.id, fateOf])
        }
        const { compared } = await impact(stage, id, { rules: given })
        assert.deepEqual(
          compared.map(({ past, before }) => [past.id, before.outcome]),
          made,
        )
        assert.deepEqual(
          compared.map(({ past, after }) => [past.id, after.outcome]),
          made,
        )
      }),
      { numRuns: runs(RUNS / LANES) },
    )
  })
  t.pass()
})
