// Setting the clock back allows no additional spending, whatever the zone and however often it happens.
import assert from 'node:assert/strict'
import test from 'ava'
import fc from 'fast-check'
import { paymentStatus } from '../../../src/commands/status.js'
import { requestPayment } from '../../../src/commands/payments/request.js'
import { windowsAt, type Period } from '../../../src/domain/time/windows.js'
import { runs } from '../../support/depth.js'
import { ask, delegationOf, EVERY_DAY, execute, fundedAgent } from '../../support/payments.js'
import { addressOf, done, inLanes, newOrganization, randomAddress, type Bare } from '../../support/commands.js'
import { start } from '../../support/service.js'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const LANES = 4
/** The search for a smaller counterexample stops after this. */
const PATIENCE_MS = 150_000
const RUNS = 100
const LIMITS = { day: 10_000_000, week: 25_000_000, month: 60_000_000 }
const ZONES = ['UTC', 'Asia/Tokyo', 'America/Sao_Paulo', 'Australia/Lord_Howe', 'Africa/Cairo']

const jump = fc.oneof(
  fc.integer({ min: -40 * DAY_MS, max: 3 * DAY_MS }),
  fc.integer({ min: -30 * HOUR_MS, max: 30 * HOUR_MS }),
  fc.integer({ min: 0, max: 40 * HOUR_MS }),
)
const amount = fc.integer({ min: 1, max: 10 }).map((whole) => whole * 1_000_000)
const journey = fc.record({
  at: fc.integer({ min: Date.parse('2025-01-01'), max: Date.parse('2026-12-31') }),
  timezone: fc.constantFrom(...ZONES),
  stops: fc.array(fc.record({ jump, amounts: fc.array(amount, { minLength: 1, maxLength: 3 }) }), {
    minLength: 8,
    maxLength: 12,
  }),
})
type Journey = typeof journey extends fc.Arbitrary<infer J> ? J : never

/** Each window can be spent once: when the latest time that the clock has shown first enters it. */
async function travel(bare: Bare, { at, timezone, stops }: Journey): Promise<void> {
  await bare.moveClock(at)
  const organization = await newOrganization(bare)
  const agent = await organization.agent()
  const wallet = await organization.wallet(5_000_000_000)
  await organization.delegate(agent.id, wallet, {
    delegationType: 'FULL',
    spendLimitDaily: LIMITS.day,
    spendLimitWeekly: LIMITS.week,
    spendLimitMonthly: LIMITS.month,
    allowedDays: [...EVERY_DAY] as never,
    timezone,
  })
  const seen: Record<Period, Set<number>> = { day: new Set(), week: new Set(), month: new Set() }
  let latest = at
  let spent = 0
  for (const { jump: by, amounts } of stops) {
    await bare.moveClock(Math.max(0, bare.now() + by))
    latest = Math.max(latest, bare.now())
    for (const period of ['day', 'week', 'month'] as const) seen[period].add(windowsAt(latest, timezone)[period].start)
    for (const micros of amounts) {
      const wanted = {
        amount: micros,
        recipientAddress: addressOf(randomAddress()),
        urgency: 'NORMAL',
        autoExecute: true,
      } as const
      const actor = done(await requestPayment(bare.services, agent.caller, wanted))
      if (paymentStatus(actor.payment) === 'EXECUTED') spent += actor.payment.context.terms!.amount
    }
    for (const period of ['day', 'week', 'month'] as const)
      assert.ok(spent <= LIMITS[period] * seen[period].size, period)
  }
  assert.ok(spent > 0)
}

test("each window's limit is spent at most once, however the clock jumps", async (t) => {
  const lane = (bare: Bare) =>
    fc.assert(
      fc.asyncProperty(journey, (one) => travel(bare, one)),
      { numRuns: runs(RUNS / LANES), interruptAfterTimeLimit: PATIENCE_MS, markInterruptAsFailure: true },
    )
  await inLanes(t, LANES, lane)
  t.pass()
})

const NOON = Date.parse('2031-07-09T12:00:00Z')

test('a limit that is reached stays reached when the clock is set back, even across a restart', async (t) => {
  const service = await start(t, { at: NOON })
  const agent = await fundedAgent(service.client, { terms: { spendLimitDaily: 10 } })
  t.is((await ask(service.client, agent.key, 10, { autoExecute: true })).body.status, 'EXECUTED')
  for (const back of [HOUR_MS, DAY_MS, 40 * DAY_MS]) {
    service.setClock(NOON - back)
    const { body } = await ask(service.client, agent.key, 1)
    t.deepEqual(
      body.violations!.map(({ type }) => type),
      ['DAILY_LIMIT'],
    )
  }
  await service.restart()
  t.is((await ask(service.client, agent.key, 1)).body.status, 'DENIED')
  t.like(await delegationOf(service.client, agent), { spent: { day: 10 }, remaining: { day: 0 } })
  service.setClock(NOON + DAY_MS)
  t.is((await ask(service.client, agent.key, 10)).body.status, 'APPROVED')
})

test('a reservation still counts and can be executed after the clock is set back', async (t) => {
  const service = await start(t, { at: NOON })
  const agent = await fundedAgent(service.client, { terms: { spendLimitDaily: 10 } })
  const { requestId } = (await ask(service.client, agent.key, 10)).body
  service.setClock(NOON - DAY_MS)
  t.is((await ask(service.client, agent.key, 1)).body.status, 'DENIED')
  t.is((await execute(service.client, agent.key, requestId)).status, 200)
  t.is((await ask(service.client, agent.key, 1)).body.status, 'DENIED')
})
