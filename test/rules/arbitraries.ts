// Random rules and facts, each from few values, so that conditions are met about half of the time.
import fc from 'fast-check'
import type { Facts } from '../../rules/facts.js'
import { hostScopes } from '../../src/domain/payment/x402.js'
import { WEEKDAYS } from '../../src/domain/time/timezone.js'
import { RECIPIENT, SOLANA, STRANGER } from './policies.js'

type Input = { [field: string]: unknown }

const ADDRESSES = [RECIPIENT, STRANGER, SOLANA]
const CATEGORIES = ['CLOUD', 'TOOLS', 'VENDOR', 'OTHER']
const STATUSES = ['TRUSTED', 'VERIFIED', 'UNKNOWN', 'BLOCKED'] as const
const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York']
const DAYS = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05']

const some = <T>(...values: T[]): fc.Arbitrary<T[]> => fc.subarray(values, { minLength: 1 })
const amount = fc.integer({ min: 0, max: 10 })
const time = fc.tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom('00', '30')).map(([hour, minute]) => {
  return `${String(hour).padStart(2, '0')}:${minute}`
})
const objecting = fc.constantFrom('DENY', 'REQUIRE_APPROVAL')
const anyAction = fc.constantFrom('ALLOW', 'DENY', 'REQUIRE_APPROVAL')
const range = fc
  .tuple(fc.nat(4), fc.nat(4))
  .map(([a, b]) => ({ start: DAYS[Math.min(a, b)]!, end: DAYS[Math.max(a, b)]! }))

/** A condition, with the actions that a rule of its type may have. */
type Kind = [condition: fc.Arbitrary<Input>, action: fc.Arbitrary<string>]

const kind = (
  ruleType: string,
  operator: readonly string[],
  value: fc.Arbitrary<unknown>,
  action: fc.Arbitrary<string>,
): Kind => [fc.record({ ruleType: fc.constant(ruleType), operator: fc.constantFrom(...operator), value }), action]

const ALLOW = fc.constant('ALLOW')
const APPROVE = fc.constant('REQUIRE_APPROVAL')

const SUMS: Kind[] = [
  kind('DAILY_LIMIT', ['LTE'], amount, ALLOW),
  kind('WEEKLY_LIMIT', ['LTE'], amount, ALLOW),
  kind('MONTHLY_LIMIT', ['LTE'], amount, ALLOW),
  kind(
    'BUDGET_CAP',
    ['LTE'],
    fc.record({
      amount,
      period: fc.constantFrom('DAILY', 'WEEKLY', 'MONTHLY', 'TOTAL'),
      of: fc.constantFrom('AGENT', 'POLICY'),
    }),
    ALLOW,
  ),
  kind(
    'VELOCITY_LIMIT',
    ['LTE'],
    fc.record({ maxCount: fc.nat(4), period: fc.constantFrom('MINUTE', 'HOUR', 'DAY', 'WEEK') }),
    ALLOW,
  ),
]

const PERMITTING: Kind[] = [
  kind('MAX_AMOUNT', ['LTE', 'LT'], amount, ALLOW),
  kind('ALLOWED_RAILS', ['IN_LIST'], some('TRANSFER', 'CARD', 'X402'), ALLOW),
  kind('TRUST_SCORE', ['GTE'], fc.integer({ min: 0, max: 100 }), ALLOW),
]

const OBJECTING: Kind[] = [
  kind('BLOCKED_CATEGORIES', ['IN_LIST'], some(...CATEGORIES), objecting),
  kind('BLOCKED_COUNTERPARTIES', ['IN_LIST'], some(...ADDRESSES), objecting),
  kind(
    'BLACKOUT_PERIOD',
    ['BETWEEN'],
    fc.array(range, { minLength: 1, maxLength: 12 }).map((windows) => ({ windows })),
    objecting,
  ),
  kind('REQUIRE_APPROVAL_ABOVE', ['GREATER_THAN'], amount, APPROVE),
]

const EITHER: Kind[] = [
  kind(
    'TIME_WINDOW',
    ['BETWEEN', 'NOT_BETWEEN'],
    fc
      .record({ start: time, end: time, timezone: fc.constantFrom(...ZONES) }, { requiredKeys: ['start', 'end'] })
      .filter(({ start, end }) => start !== end),
    anyAction,
  ),
  kind('DAY_OF_WEEK', ['IN_LIST', 'NOT_IN_LIST'], some(...WEEKDAYS), anyAction),
  kind('DATE_RANGE', ['BETWEEN'], range, anyAction),
  kind('ALLOWED_CATEGORIES', ['IN_LIST'], some(...CATEGORIES), anyAction),
  kind('ALLOWED_COUNTERPARTIES', ['IN_LIST'], some(...ADDRESSES), anyAction),
  kind('CONTRACT_ALLOWLIST', ['IN_LIST'], some(...ADDRESSES), anyAction),
  kind('COUNTERPARTY_STATUS', ['IN_LIST'], some(...STATUSES), anyAction),
  kind('COUNTERPARTY_STATUS', ['EQUALS'], fc.constantFrom(...STATUSES), anyAction),
  kind('NEW_COUNTERPARTY', ['EQUALS'], fc.boolean(), anyAction),
]

/** Never within a composite. */
const ON_CARDS: Kind[] = [
  kind('CARD_ALLOWED_MCCS', ['IN_LIST'], some('7372', '7995'), ALLOW),
  kind('CARD_BLOCKED_MCCS', ['IN_LIST'], some('7372', '7995'), fc.constant('DENY')),
  kind('CARD_MAX_AMOUNT', ['LTE'], amount, ALLOW),
]

const HOSTS = ['shop.example', 'api.shop.example', 'other.example']

/** The same. */
const BY_X402: Kind[] = [
  kind('X402_MAX_PER_REQUEST', ['LTE'], amount, ALLOW),
  kind(
    'X402_MAX_PER_SERVICE',
    ['LTE'],
    fc.record({ amount, period: fc.constantFrom('DAILY', 'WEEKLY', 'MONTHLY', 'TOTAL') }),
    ALLOW,
  ),
  kind('X402_ALLOWED_SERVICES', ['IN_LIST'], some('*.shop.example', ...HOSTS), ALLOW),
  kind('X402_BLOCKED_SERVICES', ['IN_LIST'], some('*.shop.example', ...HOSTS), fc.constant('DENY')),
]

const simple = fc.oneof(
  ...[...ON_CARDS, ...BY_X402, ...SUMS, ...PERMITTING, ...OBJECTING, ...EITHER].map(([condition, action]) =>
    fc.tuple(condition, action).map(([fields, act]): Input => ({ ...fields, action: act })),
  ),
)

/** Conditions that a composite with this action may contain; sums only in ALL_OF. */
function conditions(action: string, depth: number, isInAny: boolean): fc.Arbitrary<Input> {
  const kinds = [...EITHER, ...(action === 'ALLOW' ? [...PERMITTING, ...(isInAny ? [] : SUMS)] : OBJECTING)]
  const leaves = kinds.map(([condition]) => condition)
  return depth === 0 ? fc.oneof(...leaves) : fc.oneof(...leaves, composite(action, depth, isInAny))
}

function composite(action: string, depth: number, isInAny: boolean): fc.Arbitrary<Input> {
  const within = (ruleType: string, inAny: boolean): fc.Arbitrary<Input> =>
    fc.array(conditions(action, depth - 1, inAny), { minLength: 1, maxLength: 4 }).map((value) => ({ ruleType, value }))
  return fc.oneof(within('ALL_OF', isInAny), within('ANY_OF', true))
}

const compound = fc
  .constantFrom('ALLOW', 'DENY', 'REQUIRE_APPROVAL')
  .chain((action) => composite(action, 3, false).map((fields): Input => ({ ...fields, action })))

/** A rule as users write it. */
export const ruleInput: fc.Arbitrary<Input> = fc.oneof({ weight: 3, arbitrary: simple }, compound)

const micro = fc.integer({ min: 0, max: 12 }).map((units) => units * 1_000_000)
const count = fc.integer({ min: 1, max: 5 })
const BUDGETS = ['DAILY', 'WEEKLY', 'MONTHLY', 'TOTAL'] as const

/** All facts that the rules of these policies may need, except those that follow from `now`. */
export function allFacts(policyIds: readonly string[]): fc.Arbitrary<Facts> {
  const budgets = [...policyIds, 'service'].flatMap((id) =>
    BUDGETS.map((period) => [`budget:${id}:${period}`, micro] as const),
  )
  const asked = fc.constantFrom(...HOSTS).map((host) => ({ resourceHost: host, resourceScopes: hostScopes(host) }))
  const others = fc.record({
    recipientApproved: fc.boolean(),
    amount: micro,
    category: fc.constantFrom('', '7372', ...CATEGORIES),
    rail: fc.constantFrom('TRANSFER', 'CARD', 'X402'),
    counterpartyCategory: fc.constantFrom(...CATEGORIES),
    recipient: fc.constantFrom(...ADDRESSES.map((address) => (address === SOLANA ? SOLANA : address.toLowerCase()))),
    counterpartyStatus: fc.constantFrom(...STATUSES),
    trustScore: fc.integer({ min: 0, max: 100 }),
    newCounterparty: fc.boolean(),
    now: fc.integer({ min: Date.parse('2026-02-28T12:00:00Z'), max: Date.parse('2026-03-07T12:00:00Z') }),
    dayTotal: micro,
    weekTotal: micro,
    monthTotal: micro,
    total: micro,
    'count:MINUTE': count,
    'count:HOUR': count,
    'count:DAY': count,
    'count:WEEK': count,
    ...Object.fromEntries(budgets),
  })
  return fc.tuple(asked, others).map(([service, facts]) => ({ ...service, ...facts })) as unknown as fc.Arbitrary<Facts>
}
