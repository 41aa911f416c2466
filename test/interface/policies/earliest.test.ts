// The time that a denial names is right under policies, too: at that time the same request is approved, a second before
// it is not.
import assert from 'node:assert/strict'
import test from 'ava'
import fc from 'fast-check'
import { updateOrganization } from '../../../src/commands/organizations/organizations.js'
import { cancelPayment } from '../../../src/commands/payments/payments.js'
import { paymentStatus } from '../../../src/commands/status.js'
import { createPolicy } from '../../../src/commands/policies/policies.js'
import type { Caller } from '../../../src/commands/ports.js'
import { requestPayment } from '../../../src/commands/payments/request.js'
import type { GivenTerms } from '../../../src/commands/agents/delegations.js'
import type { Json } from '../../../src/domain/values/canonical.js'
import { WEEKDAYS } from '../../../src/domain/time/schedule.js'
import { isFull, runs } from '../../support/depth.js'
import {
  addressOf,
  done,
  inLanes,
  newOrganization,
  openBare,
  randomAddress,
  type Bare,
} from '../../support/commands.js'

const LANES = 4
const RUNS = 240
const SECOND_MS = 1000
const HOUR_MS = 3600 * SECOND_MS
const DAY_MS = 24 * HOUR_MS
const MICROS = 1_000_000
const ZONES = ['UTC', 'America/New_York', 'Africa/Cairo', 'Australia/Lord_Howe', 'Asia/Kathmandu']
const OPEN: GivenTerms = { delegationType: 'FULL', allowedDays: [...WEEKDAYS] }

interface Situation {
  at: number
  zone: string
  terms: GivenTerms
  rules: Json[]
  past: { agoMs: number; amount: number }[]
}

/** Sets up an agent with executed payments and policies, and returns its caller. */
async function build(bare: Bare, { at, zone, terms, rules, past }: Situation): Promise<Caller> {
  const organization = await newOrganization(bare)
  const { admin } = organization
  const { id, caller } = await organization.agent()
  await organization.delegate(id, await organization.wallet(1000 * MICROS), { ...OPEN, timezone: zone, ...terms })
  done(await updateOrganization(bare.services, admin, { timezone: zone }))
  for (const { agoMs, amount } of past.toSorted((a, b) => b.agoMs - a.agoMs)) {
    await bare.moveClock(at - agoMs)
    await ask(bare, caller, amount, true)
  }
  await bare.moveClock(at)
  const fields = { name: 'Policy', policyType: 'COMPOSITE', scope: 'assigned', priority: 50, isActive: true } as const
  for (const rule of rules) done(await createPolicy(bare.services, admin, { ...fields, rules: [rule], agentIds: [id] }))
  return caller
}

/** Requests a payment, and cancels it so that nothing stays reserved. */
async function ask(bare: Bare, caller: Caller, amount = 10, autoExecute = false) {
  const wanted = { recipientAddress: addressOf(randomAddress()), urgency: 'NORMAL', autoExecute } as const
  const actor = done(await requestPayment(bare.services, caller, { ...wanted, amount: amount * MICROS }))
  const { id, decision } = actor.payment.context
  const status = paymentStatus(actor.payment)
  if (status === 'APPROVED' || status === 'REQUIRES_APPROVAL') done(await cancelPayment(bare.services, caller, id))
  return { status, earliestAt: decision!.nearest?.earliestAt ?? undefined }
}

const clock = (text: string): number => Date.parse(`${text}Z`)
const HOURS = (start: string, end: string, more: object = {}): Json => ({
  ruleType: 'TIME_WINDOW',
  operator: 'BETWEEN',
  value: { start, end },
  ...more,
})
const DAYS = (...value: string[]): Json => ({ ruleType: 'DAY_OF_WEEK', operator: 'IN_LIST', value })
const DATES = (start: string, end: string): Json => ({ ruleType: 'DATE_RANGE', value: { start, end } })
const BLACKOUTS = (...windows: [string, string][]): Json => ({
  ruleType: 'BLACKOUT_PERIOD',
  value: { windows: windows.map(([start, end]) => ({ start, end })) },
})
const RAILS = (...value: string[]): Json => ({ ruleType: 'ALLOWED_RAILS', value })
const DAILY = (value: number): Json => ({ ruleType: 'DAILY_LIMIT', value })
const COUNT = (maxCount: number): Json => ({ ruleType: 'VELOCITY_LIMIT', value: { maxCount, period: 'HOUR' } })

/** Each case makes its request on Wednesday, 2031-07-09, at 12:00 UTC. */
const NOON = clock('2031-07-09T12:00')
const CASES: [what: string, situation: Partial<Situation>, earliest: string | undefined][] = [
  ['hours that begin later', { rules: [HOURS('15:30', '17:00')] }, '2031-07-09T15:30'],
  ['hours that are over', { rules: [HOURS('09:00', '12:00')] }, '2031-07-10T09:00'],
  [
    'hours of another zone',
    { rules: [HOURS('09:00', '17:00', { value: { start: '09:00', end: '17:00', timezone: 'Asia/Tokyo' } })] },
    '2031-07-10T00:00',
  ],
  ['hours that are closed', { rules: [HOURS('10:00', '14:15', { operator: 'NOT_BETWEEN' })] }, '2031-07-09T14:15'],
  ['hours that require approval', { rules: [HOURS('10:00', '14:15', { action: 'REQUIRE_APPROVAL' })] }, undefined],
  ['weekdays', { rules: [DAYS('Tue')] }, '2031-07-15T00:00'],
  ['weekdays and hours', { rules: [DAYS('Mon', 'Tue'), HOURS('09:00', '11:00')] }, '2031-07-14T09:00'],
  [
    'weekdays and hours that began the day before',
    { rules: [DAYS('Sun'), HOURS('22:00', '03:00')] },
    '2031-07-13T00:00',
  ],
  ['dates in the future', { rules: [DATES('2031-09-01', '2031-10-01')] }, '2031-09-01T00:00'],
  ['dates in the past', { rules: [DATES('2031-01-01', '2031-02-01')] }, undefined],
  [
    'dates, weekdays and hours',
    { rules: [DATES('2031-09-01', '2031-10-01'), DAYS('Fri'), HOURS('09:30', '17:00')] },
    '2031-09-05T09:30',
  ],
  [
    'dates in the future in another time zone',
    { zone: 'America/New_York', rules: [DATES('2031-09-01', '2031-10-01')] },
    '2031-09-01T04:00',
  ],
  [
    'a blackout of a day in another time zone',
    { zone: 'Europe/Berlin', rules: [BLACKOUTS(['2031-07-09', '2031-07-09'])] },
    '2031-07-09T22:00',
  ],
  [
    'a blackout that ends on the day on which clocks change',
    { zone: 'Europe/Berlin', rules: [BLACKOUTS(['2031-07-09', '2031-10-26'])] },
    '2031-10-26T23:00',
  ],
  ['a blackout', { rules: [BLACKOUTS(['2031-07-09T11:00:00Z', '2031-07-12T08:00:00Z'])] }, '2031-07-12T08:00'],
  [
    'blackouts one after the other',
    { rules: [BLACKOUTS(['2031-07-09', '2031-07-11'], ['2031-07-12', '2031-07-13'])] },
    '2031-07-14T00:00',
  ],
  [
    'a blackout and the hours of the delegation',
    { rules: [BLACKOUTS(['2031-07-09', '2031-07-11'])], terms: { allowedHoursStart: 9, allowedHoursEnd: 17 } },
    '2031-07-12T09:00',
  ],
  [
    'days of the delegation and hours',
    { rules: [HOURS('09:00', '17:00')], terms: { allowedDays: ['Sat'] } },
    '2031-07-12T09:00',
  ],
  [
    'one of two times',
    { rules: [{ ruleType: 'ANY_OF', value: [HOURS('15:00', '16:00'), HOURS('14:00', '14:30')] }] },
    '2031-07-09T14:00',
  ],
  [
    'hours beside the rails',
    { rules: [{ ruleType: 'ALL_OF', value: [RAILS('TRANSFER', 'CARD'), HOURS('15:00', '16:00')] }] },
    '2031-07-09T15:00',
  ],
  [
    'a used-up daily limit and hours',
    { rules: [DAILY(15), HOURS('08:00', '18:00')], past: [{ agoMs: HOUR_MS, amount: 10 }] },
    '2031-07-10T08:00',
  ],
  ['an amount above the daily limit', { rules: [DAILY(9)] }, undefined],
  [
    'more payments an hour than are allowed',
    { rules: [COUNT(2)], past: [7, 6, 5, 4, 3, 2, 1].map((minutes) => ({ agoMs: minutes * 60_000, amount: 1 })) },
    '2031-07-09T12:58',
  ],
  ['too many payments an hour', { rules: [COUNT(1)], past: [{ agoMs: HOUR_MS / 4, amount: 1 }] }, '2031-07-09T12:45'],
  ['hours that never overlap', { rules: [HOURS('09:00', '11:00'), HOURS('13:00', '15:00')] }, undefined],
  [
    'a reason that does not depend on time',
    { rules: [HOURS('15:30', '17:00'), { ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 1 }] },
    undefined,
  ],
]

async function isTrue(bare: Bare, caller: Caller, earliestAt: number): Promise<void> {
  if (earliestAt - SECOND_MS > bare.now()) await bare.moveClock(earliestAt - SECOND_MS)
  if (bare.now() < earliestAt) assert.notEqual((await ask(bare, caller)).status, 'APPROVED')
  await bare.moveClock(earliestAt)
  assert.equal((await ask(bare, caller)).status, 'APPROVED')
}

for (const [what, situation, earliest] of CASES) {
  test(`a request stopped by ${what} names ${earliest === undefined ? 'no time' : 'when'} to ask again`, async (t) => {
    const bare = openBare(t)
    const caller = await build(bare, { at: NOON, zone: 'UTC', terms: {}, rules: [], past: [], ...situation })
    const { status, earliestAt } = await ask(bare, caller)
    t.not(status, 'APPROVED')
    t.is(earliestAt && new Date(earliestAt).toISOString(), earliest && new Date(clock(earliest)).toISOString())
    if (earliestAt !== undefined) await t.notThrowsAsync(isTrue(bare, caller, earliestAt))
  })
}

const at = fc.integer({ min: Date.parse('2026-02-01'), max: Date.parse('2027-12-31') })
const time = fc.integer({ min: 0, max: 24 * 60 - 1 }).map((minute) => {
  return [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':')
})
const hours = fc
  .record({
    operator: fc.constantFrom('BETWEEN', 'NOT_BETWEEN'),
    start: time,
    end: time,
    timezone: fc.option(fc.constantFrom(...ZONES)),
  })
  .filter(({ start, end }) => start !== end)
  .map(({ operator, timezone, ...value }): Json => {
    return { ruleType: 'TIME_WINDOW', operator, value: { ...value, ...(timezone !== null && { timezone }) } }
  })
const days = fc.record({
  ruleType: fc.constant('DAY_OF_WEEK'),
  operator: fc.constantFrom('IN_LIST', 'NOT_IN_LIST'),
  value: fc.subarray([...WEEKDAYS], { minLength: 1, maxLength: 6 }),
})
const span = (from: number) =>
  fc.tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: 1, max: 5 })).map(([start, days]) => {
    const iso = (ms: number): string => new Date(Math.floor(ms / SECOND_MS) * SECOND_MS).toISOString()
    return { start: iso(from + start * DAY_MS - 7 * HOUR_MS), end: iso(from + (start + days) * DAY_MS) }
  })
const ruleAt = (from: number) => {
  const dates = span(from).map((value): Json => ({ ruleType: 'DATE_RANGE', value }))
  const windows = fc.array(span(from), { minLength: 1, maxLength: 5 })
  const blackouts = windows.map((all): Json => ({ ruleType: 'BLACKOUT_PERIOD', value: { windows: all } }))
  const times = fc.oneof(hours, days as fc.Arbitrary<Json>, dates)
  return fc.oneof(
    { weight: 4, arbitrary: times },
    { weight: 2, arbitrary: blackouts },
    {
      weight: 1,
      arbitrary: fc.array(times, { minLength: 1, maxLength: 3 }).map((value): Json => ({ ruleType: 'ANY_OF', value })),
    },
    { weight: 1, arbitrary: hours.map((rule): Json => ({ ...(rule as object), action: 'REQUIRE_APPROVAL' })) },
    { weight: 1, arbitrary: fc.constantFrom(DAILY(15), { ruleType: 'WEEKLY_LIMIT', value: 15 }, COUNT(1)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('DAILY', 'MONTHLY').map((period): Json => {
        return { ruleType: 'BUDGET_CAP', value: { amount: 15, period, of: 'POLICY' } }
      }),
    },
  )
}
const situation: fc.Arbitrary<Situation> = at.chain((from) =>
  fc.record({
    at: fc.constant(from),
    zone: fc.constantFrom(...ZONES),
    terms: fc.record({
      allowedHoursStart: fc.integer({ min: 0, max: 12 }),
      allowedHoursEnd: fc.integer({ min: 13, max: 24 }),
      allowedDays: fc.subarray([...WEEKDAYS], { minLength: 4 }),
    }),
    rules: fc.array(ruleAt(from), { minLength: 1, maxLength: 3 }),
    past: fc.array(fc.record({ agoMs: fc.integer({ min: 0, max: 2 * HOUR_MS }), amount: fc.constant(10) }), {
      maxLength: 1,
    }),
  }),
)

test('under any policies, a payment is approved at the time its denial names and not a second before', async (t) => {
  const seen = { denied: 0, times: 0 }
  const check = async (bare: Bare, given: Situation): Promise<void> => {
    const caller = await build(bare, given)
    const { status, earliestAt } = await ask(bare, caller)
    if (status !== 'DENIED') return
    seen.denied += 1
    if (earliestAt === undefined) return
    seen.times += 1
    await isTrue(bare, caller, earliestAt)
  }
  const lane = (bare: Bare) =>
    fc.assert(
      fc.asyncProperty(situation, (given) => check(bare, given)),
      { numRuns: runs(RUNS / LANES) },
    )
  await inLanes(t, LANES, lane)
  t.log(`${seen.times} of ${seen.denied} denials named a time`)
  t.true(!isFull || seen.times > 60, JSON.stringify(seen))
})
