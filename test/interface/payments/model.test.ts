// Random sequences of what agents and administrators do, on a real store under a virtual clock, next to a plain model:
// every status, code, violation and sum has to be the same after every step.
import { causesOf } from '../../../src/domain/payment/terms.js'
import assert from 'node:assert/strict'
import test from 'ava'
import fc from 'fast-check'
import { updateAgent } from '../../../src/commands/agents/agents.js'
import { configureDelegation, type GivenTerms } from '../../../src/commands/agents/delegations.js'
import { cancelPayment, executePayment } from '../../../src/commands/payments/payments.js'
import { paymentStatus } from '../../../src/commands/status.js'
import type { Caller } from '../../../src/commands/ports.js'
import { requestPayment } from '../../../src/commands/payments/request.js'
import { fundWallet, updateWallet } from '../../../src/commands/agents/wallets.js'
import { toNumber } from '../../../src/domain/values/money.js'
import type { Result } from '../../../src/domain/outcomes/result.js'
import { delegationRecord } from '../../../src/http/routes/delegations.js'
import { runs } from '../../support/depth.js'
import { addressOf, done, inLanes, newOrganization, randomAddress, type Bare } from '../../support/commands.js'
import { DAY_MS, Model, OFFSETS, type Limit, type ModelTerms } from './model.js'

const RUNS = 480
const STEPS = 30
/** The search for a shorter counterexample stops after this. */
const PATIENCE_MS = 150_000
const FUNDS = 250_000_000
const NO_TIME = { do: 'pass', ms: 0 } as const

const units = fc.oneof(
  fc.integer({ min: 1, max: 40 }).map((whole) => whole * 1_000_000),
  fc.integer({ min: 1, max: 40_000_000 }),
)
const agentIndex = fc.integer({ min: 0, max: 1 })
/** Mostly limits that allow some payments, sometimes limits that allow hardly any. */
const limit = (most: number) =>
  fc.option(
    fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: most / 4, max: most }) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: most / 4 }) },
    ),
    { freq: 3 },
  )
const limits: { [name in Limit]: fc.Arbitrary<number | null> } = {
  spendLimitPerTx: limit(60_000_000),
  spendLimitDaily: limit(150_000_000),
  spendLimitWeekly: limit(250_000_000),
  spendLimitMonthly: limit(400_000_000),
}
const ALL_DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const terms = (types: string[]): fc.Arbitrary<ModelTerms> =>
  fc
    .record({
      ...limits,
      delegationType: fc.constantFrom(...types),
      hours: fc.constantFrom([0, 24], [0, 24], [0, 24], [0, 24], [8, 20], [22, 6]),
      allowedDays: fc.oneof(fc.constant(ALL_DAYS), fc.constant(ALL_DAYS), fc.subarray(ALL_DAYS, { minLength: 4 })),
      timezone: fc.constantFrom(...Object.keys(OFFSETS)),
    })
    .map(({ hours: [start, end], ...rest }) => ({ ...rest, allowedHoursStart: start!, allowedHoursEnd: end! }))

const request = fc.record({
  do: fc.constant('request' as const),
  agent: agentIndex,
  amount: units,
  auto: fc.constantFrom(false, false, true),
})
/** Mostly an open payment. */
const payment = fc.record({ index: fc.nat({ max: 1000 }), isOpen: fc.constantFrom(true, true, true, false) })
const execute = fc.record({ do: fc.constant('execute' as const), payment })
const isOn = fc.constantFrom(true, true, false)
const step = fc.oneof(
  fc.constant(NO_TIME),
  ...Array<typeof request>(5).fill(request),
  ...Array<typeof execute>(5).fill(execute),
  fc.record({ do: fc.constant('cancel' as const), payment }),
  fc.record({ do: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 300_000 }) }),
  fc.record({ do: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 2 * DAY_MS }) }),
  fc.record({ do: fc.constant('midnight' as const), agent: agentIndex, early: fc.boolean() }),
  fc.record({ do: fc.constant('expire' as const), payment, early: fc.boolean() }),
  fc.record({ do: fc.constant('limit' as const), agent: agentIndex, changes: fc.record(limits, { requiredKeys: [] }) }),
  fc.record({
    do: fc.constant('type' as const),
    type: fc.constantFrom('LIMITED', 'LIMITED', 'LIMITED', 'FULL', 'VIEW_ONLY'),
  }),
  fc.record({ do: fc.constant('status' as const), agent: agentIndex, active: isOn }),
  fc.record({ do: fc.constant('wallet' as const), active: isOn }),
  fc.record({ do: fc.constant('fund' as const), amount: units }),
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** The service and the model, side by side. */
interface Pair {
  bare: Bare
  model: Model
  admin: Caller
  walletId: string
  agents: { id: string; caller: Caller; delegation: string }[]
  /** The model's payments by index. */
  ids: string[]
}

async function begin(bare: Bare, start: number, given: ModelTerms[]): Promise<Pair> {
  await bare.moveClock(start)
  const organization = await newOrganization(bare)
  const walletId = await organization.wallet(FUNDS)
  const agents: Pair['agents'] = []
  for (const one of given) {
    const agent = await organization.agent()
    agents.push({ ...agent, delegation: await organization.delegate(agent.id, walletId, one as GivenTerms) })
  }
  const model = new Model(
    bare.now(),
    given.map((one) => ({ active: true, terms: { ...one } })),
  )
  model.funded = FUNDS
  return { bare, model, admin: organization.admin, walletId, agents, ids: [] }
}

const codeOf = (outcome: Result<unknown>, status: string): string => (outcome.ok ? status : outcome.refusal.code)

async function ask(
  { bare, model, agents, ids }: Pair,
  { agent, amount, auto }: Step & { do: 'request' },
): Promise<void> {
  const wanted = { amount, recipientAddress: addressOf(randomAddress()), urgency: 'NORMAL', autoExecute: auto } as const
  const actor = done(await requestPayment(bare.services, agents[agent]!.caller, wanted))
  const payment = actor.payment.context
  const { id } = payment
  assert.deepEqual(causesOf(payment).map(({ type }) => type) as string[], model.request(agent, amount, auto))
  ids.push(id)
}

async function settle(pair: Pair, { do: act, payment }: Step & { do: 'execute' | 'cancel' }): Promise<void> {
  const { bare, model, agents, ids } = pair
  const at = chosen(model, payment)
  if (at === undefined) return
  const { caller } = agents[model.payments[at]!.agent]!
  const expected = act === 'execute' ? model.execute(at) : model.cancel(at)
  const run = act === 'execute' ? executePayment : cancelPayment
  const outcome = await run(bare.services, caller, ids[at]!)
  assert.equal(codeOf(outcome, outcome.ok ? paymentStatus(outcome.value) : ''), expected, act)
}

async function pass({ bare, model }: Pair, ms: number): Promise<void> {
  model.passTime(ms)
  await bare.moveClock(model.now)
}

/** The time to the end of the agent's local day, or a millisecond less. */
function untilMidnight({ model }: Pair, agent: number, early: boolean): number {
  return model.starts(agent).day + DAY_MS - model.now - (early ? 1 : 0)
}

/** The index of the chosen payment; undefined while there is none. */
function chosen({ payments }: Model, { index, isOpen }: { index: number; isOpen: boolean }): number | undefined {
  const all = payments.map((_, at) => at)
  const open = all.filter((at) => ['APPROVED', 'REQUIRES_APPROVAL'].includes(payments[at]!.status))
  const some = isOpen && open.length > 0 ? open : all
  return some[index % some.length]
}

/** The time to the expiry of an open payment, or a millisecond less. */
function untilExpiry({ model }: Pair, { payment, early }: Step & { do: 'expire' }): number {
  const at = chosen(model, payment)
  return at === undefined ? 0 : Math.max(0, model.payments[at]!.at - model.now - (early ? 1 : 0))
}

async function configure(
  { bare, model, admin, agents, walletId }: Pair,
  agent: number,
  changes: object,
): Promise<void> {
  Object.assign(model.agents[agent]!.terms, changes)
  done(await configureDelegation(bare.services, admin, agents[agent]!.id, walletId, changes))
}

async function carryOut(pair: Pair, one: Step): Promise<void> {
  const { bare, model, admin, agents, walletId } = pair
  const { services } = bare
  switch (one.do) {
    case 'request':
      return ask(pair, one)
    case 'execute':
    case 'cancel':
      return settle(pair, one)
    case 'pass':
      return pass(pair, one.ms)
    case 'midnight':
      return pass(pair, untilMidnight(pair, one.agent, one.early))
    case 'expire':
      return pass(pair, untilExpiry(pair, one))
    case 'limit':
      return configure(pair, one.agent, one.changes)
    case 'type':
      return configure(pair, 0, { delegationType: one.type })
    case 'status':
      model.agents[one.agent]!.active = one.active
      return void done(
        await updateAgent(services, admin, agents[one.agent]!.id, { status: one.active ? 'ACTIVE' : 'PAUSED' }),
      )
    case 'wallet':
      model.walletActive = one.active
      return void done(await updateWallet(services, admin, walletId, { status: one.active ? 'ACTIVE' : 'FROZEN' }))
    case 'fund':
      model.funded += one.amount
      return void done(await fundWallet(services, admin, walletId, one.amount))
  }
}

const inUnits = (sums: { [period: string]: number }) =>
  Object.fromEntries(Object.entries(sums).map(([period, micros]) => [period, toNumber(micros)]))

async function compare({ bare, model, agents, ids, walletId }: Pair): Promise<void> {
  const { host } = bare.services
  const payments = ids.map((id) => host.peek(`payment/${id}`))
  assert.deepEqual(
    payments.map((actor) => paymentStatus(actor!)) as string[],
    model.payments.map(({ status }) => status),
  )
  const wallet = host.peek(`wallet/${walletId}`)
  const delegations = agents.map(({ delegation }) => host.peek(`delegation/${delegation}`))
  const { balance, held } = wallet!.context
  assert.deepEqual({ balance, held }, { balance: model.balance, held: model.held() })
  for (const [agent, delegation] of delegations.entries()) {
    const { spent, reserved } = delegationRecord(delegation!, wallet!, bare.now())
    assert.deepEqual({ spent, reserved }, { spent: inUnits(model.spent(agent)), reserved: toNumber(model.held(agent)) })
  }
}

const LANES = 4

test('the service agrees with a plain model, whatever agents and administrators do', async (t) => {
  const start = fc.integer({ min: Date.parse('2026-01-01'), max: Date.parse('2026-12-31') })
  const both = fc.tuple(terms(['LIMITED', 'FULL']), terms(['LIMITED', 'PREAPPROVED']))
  const sequence = fc.array(step, { minLength: STEPS, maxLength: STEPS })
  const property = (bare: Bare) =>
    fc.asyncProperty(start, both, sequence, async (at, given, steps) => {
      const pair = await begin(bare, at, given)
      for (const one of steps) {
        await carryOut(pair, one)
        await compare(pair)
      }
    })
  const lane = (bare: Bare) =>
    fc.assert(property(bare), {
      numRuns: runs(RUNS / LANES),
      interruptAfterTimeLimit: PATIENCE_MS,
      markInterruptAsFailure: true,
    })
  await inLanes(t, LANES, lane)
  t.pass()
})
