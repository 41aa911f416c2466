// Each rule type decides payments end to end: what it allows and denies, its exact boundary, and the violation of a
// denial.
import test from 'ava'
import { wholeFile } from '../../support/process.js'
import type { FundedAgent } from '../../support/payments.js'
import {
  anotherAddress,
  DAY_MS,
  HOUR_MS,
  NOON,
  SECOND_MS,
  startStage,
  type PolicyViolation,
  type Stage,
} from '../../support/policies.js'

const scope = wholeFile(test)
let stage: Stage
test.before('the service runs', async () => {
  stage = await startStage(scope)
})
test.afterEach.always('the clock is reset', () => stage.setClock(NOON))

const [VENDOR, STRANGER] = ['0x00000000000000000000000000000000000000b1', '0x00000000000000000000000000000000000000b2']
const SOLANA = '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV'

interface Trial {
  amount?: number
  more?: object
  /** The clock, epoch ms. */
  at?: number
  expect: 'APPROVED' | 'DENIED' | 'REQUIRES_APPROVAL'
  /** Fields of the violation besides its type. */
  says?: Partial<PolicyViolation>
}

interface Case {
  rule: { ruleType: string; operator?: string; value: unknown; action?: string }
  violation?: string
  /** Payments executed before the trials. */
  past?: number[]
  trials: Trial[]
}

const at = (time: string): number => Date.parse(time)
const passes = (amount: number): Trial => ({ amount, expect: 'APPROVED' })
const fails = (amount: number, says?: Partial<PolicyViolation>): Trial => ({
  amount,
  expect: 'DENIED',
  ...(says && { says }),
})
const asks = (amount: number): Trial => ({ amount, expect: 'REQUIRES_APPROVAL' })
const when = (time: string, expect: Trial['expect']): Trial => ({ at: at(time), expect })
const whom = (recipientAddress: string, expect: Trial['expect']): Trial => ({ more: { recipientAddress }, expect })
const forWhat = (category: string | undefined, expect: Trial['expect']): Trial => ({
  more: category === undefined ? {} : { category },
  expect,
})

const sum = (ruleType: string, value: unknown, violation: string): Case => ({
  rule: { ruleType, operator: 'LTE', value },
  violation,
  past: [30, 20],
  trials: [passes(50), fails(50.000001, { limit: 100, current: 50 }), passes(0.000001)],
})

const CASES: Case[] = [
  {
    rule: { ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 200 },
    violation: 'AMOUNT_LIMIT',
    trials: [passes(199.999999), passes(200), fails(200.000001, { limit: 200, current: 200.000001 })],
  },
  {
    rule: { ruleType: 'MAX_AMOUNT', operator: 'LT', value: '200' },
    violation: 'AMOUNT_LIMIT',
    trials: [passes(199.999999), fails(200, { limit: 200, current: 200 })],
  },
  { rule: { ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 0 }, violation: 'AMOUNT_LIMIT', trials: [fails(0.000001)] },
  sum('DAILY_LIMIT', 100, 'DAILY_LIMIT'),
  sum('WEEKLY_LIMIT', 100, 'WEEKLY_LIMIT'),
  sum('MONTHLY_LIMIT', '100', 'MONTHLY_LIMIT'),
  ...['DAILY', 'WEEKLY', 'MONTHLY', 'TOTAL'].flatMap((period) => [
    sum('BUDGET_CAP', { amount: 100, period }, 'BUDGET_EXCEEDED'),
    sum('BUDGET_CAP', { amount: 100, period, of: 'POLICY' }, 'BUDGET_EXCEEDED'),
  ]),
  ...['MINUTE', 'HOUR', 'DAY', 'WEEK'].map((period): Case => ({
    rule: { ruleType: 'VELOCITY_LIMIT', operator: 'LTE', value: { maxCount: 2, period } },
    violation: 'VELOCITY_LIMIT',
    past: [1],
    trials: [passes(1), { ...fails(1, { limit: 2, current: 2 }) }],
  })),
  {
    rule: { ruleType: 'TIME_WINDOW', operator: 'BETWEEN', value: { start: '09:00', end: '17:00' } },
    violation: 'TIME_WINDOW',
    trials: [
      when('2031-07-09T08:59:50Z', 'DENIED'),
      when('2031-07-09T09:00:00Z', 'APPROVED'),
      when('2031-07-09T16:59:50Z', 'APPROVED'),
      when('2031-07-09T17:00:00Z', 'DENIED'),
    ],
  },
  {
    rule: {
      ruleType: 'TIME_WINDOW',
      operator: 'NOT_BETWEEN',
      value: { start: '22:00', end: '06:00', timezone: 'Asia/Tokyo' },
    },
    violation: 'TIME_WINDOW',
    trials: [
      when('2031-07-09T12:59:50Z', 'APPROVED'),
      when('2031-07-09T13:00:00Z', 'DENIED'),
      when('2031-07-09T20:59:50Z', 'DENIED'),
      when('2031-07-09T21:00:00Z', 'APPROVED'),
    ],
  },
  {
    rule: { ruleType: 'DAY_OF_WEEK', operator: 'IN_LIST', value: ['Mon', 'Tue', 'Wed'] },
    violation: 'TIME_WINDOW',
    trials: [when('2031-07-09T23:59:50Z', 'APPROVED'), when('2031-07-10T00:00:00Z', 'DENIED')],
  },
  {
    rule: { ruleType: 'DAY_OF_WEEK', operator: 'NOT_IN_LIST', value: ['Sat', 'Sun'] },
    violation: 'TIME_WINDOW',
    trials: [when('2031-07-11T23:59:50Z', 'APPROVED'), when('2031-07-12T00:00:00Z', 'DENIED')],
  },
  {
    rule: { ruleType: 'DATE_RANGE', operator: 'BETWEEN', value: { start: '2031-07-09', end: '2031-07-09T18:00:00Z' } },
    violation: 'EXPIRED_PERMISSION',
    trials: [
      when('2031-07-08T23:59:50Z', 'DENIED'),
      when('2031-07-09T00:00:00Z', 'APPROVED'),
      when('2031-07-09T17:59:50Z', 'APPROVED'),
      when('2031-07-09T18:00:00Z', 'DENIED'),
    ],
  },
  {
    rule: {
      ruleType: 'BLACKOUT_PERIOD',
      operator: 'BETWEEN',
      value: { windows: [{ start: '2031-07-10T00:00:00Z', end: '2031-07-11T00:00:00Z', reason: 'Stocktaking' }] },
    },
    violation: 'BLACKOUT_PERIOD',
    trials: [
      when('2031-07-09T23:59:50Z', 'APPROVED'),
      when('2031-07-10T00:00:00Z', 'DENIED'),
      when('2031-07-10T23:59:50Z', 'DENIED'),
      when('2031-07-11T00:00:00Z', 'APPROVED'),
    ],
  },
  {
    rule: { ruleType: 'ALLOWED_CATEGORIES', operator: 'IN_LIST', value: ['CLOUD', 'Tools'] },
    violation: 'CATEGORY_RESTRICTION',
    trials: [
      forWhat('cloud', 'APPROVED'),
      forWhat('TOOLS', 'APPROVED'),
      forWhat('CLOUDS', 'DENIED'),
      forWhat(undefined, 'DENIED'),
    ],
  },
  {
    rule: { ruleType: 'BLOCKED_CATEGORIES', operator: 'IN_LIST', value: ['GAMBLING'] },
    violation: 'CATEGORY_RESTRICTION',
    trials: [forWhat('Gambling', 'DENIED'), forWhat('CLOUD', 'APPROVED'), forWhat(undefined, 'DENIED')],
  },
  {
    rule: { ruleType: 'ALLOWED_COUNTERPARTIES', operator: 'IN_LIST', value: [VENDOR] },
    violation: 'WHITELIST_VIOLATION',
    trials: [
      whom(VENDOR, 'APPROVED'),
      whom(VENDOR.toUpperCase().replace('0X', '0x'), 'APPROVED'),
      whom(STRANGER, 'DENIED'),
    ],
  },
  {
    rule: { ruleType: 'BLOCKED_COUNTERPARTIES', operator: 'IN_LIST', value: [VENDOR, SOLANA] },
    violation: 'BLOCKED_COUNTERPARTY',
    trials: [whom(VENDOR, 'DENIED'), whom(STRANGER, 'APPROVED')],
  },
  {
    rule: { ruleType: 'CONTRACT_ALLOWLIST', operator: 'IN_LIST', value: [VENDOR] },
    violation: 'CONTRACT_NOT_ALLOWED',
    trials: [whom(VENDOR, 'APPROVED'), whom(STRANGER, 'DENIED')],
  },
  {
    rule: { ruleType: 'COUNTERPARTY_STATUS', operator: 'EQUALS', value: 'UNKNOWN' },
    trials: [{ expect: 'APPROVED' }],
  },
  {
    rule: { ruleType: 'COUNTERPARTY_STATUS', operator: 'IN_LIST', value: ['TRUSTED', 'VERIFIED'] },
    violation: 'COUNTERPARTY_STATUS',
    trials: [{ expect: 'DENIED' }],
  },
  { rule: { ruleType: 'TRUST_SCORE', operator: 'GTE', value: 20 }, trials: [whom(anotherAddress(), 'APPROVED')] },
  {
    rule: { ruleType: 'TRUST_SCORE', operator: 'GTE', value: 21 },
    violation: 'TRUST_SCORE',
    trials: [whom(anotherAddress(), 'DENIED')],
  },
  {
    rule: { ruleType: 'REQUIRE_APPROVAL_ABOVE', operator: 'GREATER_THAN', value: 500 },
    trials: [passes(500), asks(500.000001), asks(5000)],
  },
  {
    rule: { ruleType: 'NEW_COUNTERPARTY', operator: 'EQUALS', value: true },
    trials: [whom(anotherAddress(), 'REQUIRES_APPROVAL')],
  },
  {
    rule: { ruleType: 'NEW_COUNTERPARTY', operator: 'EQUALS', value: true, action: 'DENY' },
    violation: 'COUNTERPARTY_STATUS',
    trials: [whom(anotherAddress(), 'DENIED')],
  },
  {
    rule: {
      ruleType: 'ANY_OF',
      value: [
        { ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 10 },
        { ruleType: 'ALLOWED_COUNTERPARTIES', operator: 'IN_LIST', value: [VENDOR] },
      ],
    },
    violation: 'COMPOSITE',
    trials: [passes(10), fails(10.000001), { amount: 1000, ...whom(VENDOR, 'APPROVED') }],
  },
  {
    rule: {
      ruleType: 'ALL_OF',
      value: [
        { ruleType: 'BLOCKED_CATEGORIES', operator: 'IN_LIST', value: ['TRAVEL'] },
        { ruleType: 'ALLOWED_COUNTERPARTIES', operator: 'IN_LIST', value: [VENDOR] },
      ],
      action: 'DENY',
    },
    violation: 'COMPOSITE',
    trials: [
      { more: { category: 'travel', recipientAddress: VENDOR }, expect: 'DENIED' },
      { more: { category: 'cloud', recipientAddress: VENDOR }, expect: 'APPROVED' },
      { more: { category: 'travel', recipientAddress: STRANGER }, expect: 'APPROVED' },
    ],
  },
  {
    rule: {
      ruleType: 'ALL_OF',
      value: [
        { ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 1000 },
        { ruleType: 'DAILY_LIMIT', operator: 'LTE', value: 100 },
      ],
    },
    violation: 'COMPOSITE',
    past: [40],
    trials: [passes(60), fails(60.000001)],
  },
]

/** Releases what a trial reserved, so that the trials are independent. */
async function undo(agent: FundedAgent, requestId: string): Promise<void> {
  const { status } = await stage.client.post(`/api/sdk/payments/${requestId}/cancel`, agent.key)
  if (status !== 200) throw new Error(`not cancelled: ${status}`)
}

for (const { rule, violation, past = [], trials } of CASES) {
  const title = `${rule.ruleType} ${rule.operator ?? ''} ${JSON.stringify(rule.value)} ${rule.action ?? ''}`
  test.serial(`${title} allows and denies exactly at its boundary`, async (t) => {
    stage.setClock(NOON)
    const { agent, policy } = await stage.governed([rule])
    for (const amount of past) t.is((await stage.pay(agent, amount)).status, 'EXECUTED')
    const counts = rule.ruleType === 'VELOCITY_LIMIT'
    for (const { amount = 1, more, at: time = NOON + SECOND_MS, expect, says } of trials) {
      stage.setClock(time)
      const decided = await stage.ask(agent, amount, more)
      const what = `${amount} ${JSON.stringify(more ?? {})} at ${new Date(time).toISOString()}`
      t.is(decided.status, expect, `${what}: ${decided.reasons.join()}`)
      if (expect === 'DENIED') {
        t.is(decided.violations!.length, 1)
        const [found] = decided.violations!
        const origin = { policyId: policy.id, policyVersion: 1, ruleId: policy.rules[0]!.id }
        t.like(found, { type: violation!, ...origin, ...says })
        t.deepEqual(decided.reasons, [found!.message])
      } else if (!counts) await undo(agent, decided.requestId)
    }
  })
}

test.serial('a limit is free again in its next window, and a total budget never', async (t) => {
  const limits: [object, number][] = [
    [{ ruleType: 'DAILY_LIMIT', value: 10 }, at('2031-07-10T00:00:00Z')],
    [{ ruleType: 'WEEKLY_LIMIT', value: 10 }, at('2031-07-14T00:00:00Z')],
    [{ ruleType: 'MONTHLY_LIMIT', value: 10 }, at('2031-08-01T00:00:00Z')],
    [{ ruleType: 'BUDGET_CAP', value: { amount: 10, period: 'WEEKLY', of: 'POLICY' } }, at('2031-07-14T00:00:00Z')],
    [{ ruleType: 'VELOCITY_LIMIT', value: { maxCount: 1, period: 'HOUR' } }, NOON + HOUR_MS + SECOND_MS],
  ]
  for (const [rule, opens] of limits) {
    stage.setClock(NOON)
    const { agent } = await stage.governed([rule])
    t.is((await stage.pay(agent, 10)).status, 'EXECUTED')
    stage.setClock(opens - 5 * SECOND_MS)
    t.is((await stage.ask(agent, 10)).status, 'DENIED', JSON.stringify(rule))
    stage.setClock(opens)
    t.is((await stage.ask(agent, 10)).status, 'APPROVED', JSON.stringify(rule))
  }
  stage.setClock(NOON)
  const { agent } = await stage.governed([{ ruleType: 'BUDGET_CAP', value: { amount: 10, period: 'TOTAL' } }])
  t.is((await stage.pay(agent, 10)).status, 'EXECUTED')
  stage.setClock(NOON + 400 * DAY_MS)
  t.is((await stage.ask(agent, 0.000001)).status, 'DENIED')
})

test.serial('a recipient is new until a payment to it is executed', async (t) => {
  const recipientAddress = anotherAddress()
  const { agent, policy } = await stage.governed([{ ruleType: 'NEW_COUNTERPARTY', value: true }])
  const free = await stage.agent()
  const open = await stage.ask(free, 1, { recipientAddress })
  t.is((await stage.ask(agent, 1, { recipientAddress })).status, 'REQUIRES_APPROVAL')
  t.is((await stage.execute(free, open.requestId)).status, 200)
  t.is((await stage.ask(agent, 1, { recipientAddress })).status, 'APPROVED')
  t.is(policy.rules[0]!.action, 'REQUIRE_APPROVAL')
})

test.serial('DENY overrides REQUIRE_APPROVAL, which overrides ALLOW', async (t) => {
  const rules = {
    ALLOW: { ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 1000 },
    REQUIRE_APPROVAL: { ruleType: 'REQUIRE_APPROVAL_ABOVE', value: 1 },
    DENY: { ruleType: 'BLOCKED_CATEGORIES', value: ['CLOUD'] },
  }
  const agent = await stage.agent()
  for (const [rule, priority] of [
    [rules.ALLOW, 90],
    [rules.REQUIRE_APPROVAL, 50],
  ] as const) {
    await stage.assign((await stage.policy([rule], { priority })).id, agent)
  }
  const waiting = await stage.ask(agent, 5, { category: 'CLOUD' })
  t.is(waiting.status, 'REQUIRES_APPROVAL')
  t.is(waiting.violations, undefined)
  await stage.assign((await stage.policy([rules.DENY], { priority: 10 })).id, agent)
  t.is((await stage.ask(agent, 5, { category: 'CLOUD' })).status, 'DENIED')
  t.is((await stage.ask(agent, 5, { category: 'TOOLS' })).status, 'REQUIRES_APPROVAL')
  t.is((await stage.ask(agent, 1, { category: 'TOOLS' })).status, 'APPROVED')
  const stored = await stage.traced(waiting.requestId)
  t.is(stored.status, 'REQUIRES_APPROVAL')
  const refused = await stage.execute(agent, waiting.requestId)
  t.like(refused, { status: 400, body: { code: 'INVALID_STATUS' } })
})

test.serial('all violations are returned, those of the highest priority first', async (t) => {
  const agent = await stage.agent()
  const priorities = [10, 90, 50, 100, 0]
  for (const priority of priorities) {
    const rules = [
      { ruleType: 'MAX_AMOUNT', operator: 'LTE', value: priority },
      { ruleType: 'ALLOWED_CATEGORIES', value: ['NONE'] },
    ]
    await stage.assign((await stage.policy(rules, { priority })).id, agent)
  }
  const { violations } = await stage.ask(agent, 500)
  t.is(violations!.length, 10)
  const limits = violations!.filter(({ type }) => type === 'AMOUNT_LIMIT').map(({ limit }) => limit)
  t.deepEqual(limits, [100, 90, 50, 10, 0])
  const types = violations!.map(({ type }) => type)
  t.deepEqual(
    types,
    limits.flatMap(() => ['AMOUNT_LIMIT', 'CATEGORY_RESTRICTION']),
  )
})
