// The rule types and their values, for people who write rules. The service checks the rules; this file only determines
// which fields are shown.
import type { Body } from '../api.js'

export interface Condition {
  ruleType: string
  operator: string | null
  value: unknown
}

export interface Rule extends Condition {
  /** Absent until the service has stored the rule. */
  id?: string
  action: string
}

/** The kinds of fields for the values of rule types. */
export type FieldKind =
  | 'amount'
  | 'budget'
  | 'velocity'
  | 'serviceLimit'
  | 'services'
  | 'hours'
  | 'days'
  | 'dates'
  | 'blackouts'
  | 'categories'
  | 'merchantCategories'
  | 'rails'
  | 'addresses'
  | 'statuses'
  | 'score'
  | 'first'
  | 'conditions'

export type Choice = readonly (readonly [code: string, says: string])[]

export interface RuleType {
  label: string
  fields: FieldKind
  /** The first is the default; empty if the rule has none. */
  operators: Choice
  actions: readonly Action[]
  /** The initial value of a new rule. */
  start: unknown
}

export type Action = 'ALLOW' | 'DENY' | 'REQUIRE_APPROVAL'

export const ACTIONS: { [action in Action]: string } = {
  ALLOW: 'Allow only if',
  DENY: 'Deny if',
  REQUIRE_APPROVAL: 'Require approval if',
}

const ONLY: readonly Action[] = ['ALLOW']
const ANY: readonly Action[] = ['ALLOW', 'DENY', 'REQUIRE_APPROVAL']
const OBJECTING: readonly Action[] = ['DENY', 'REQUIRE_APPROVAL']

const AT_MOST = ['LTE', 'at most'] as const
const LESS = ['LT', 'less than'] as const
const MORE = ['GREATER_THAN', 'more than'] as const
const AT_LEAST = ['GTE', 'at least'] as const
const BETWEEN = ['BETWEEN', 'between'] as const
const NOT_BETWEEN = ['NOT_BETWEEN', 'not between'] as const
const WITHIN = ['BETWEEN', 'within'] as const
const ONE_OF = ['IN_LIST', 'one of'] as const
const NONE_OF = ['NOT_IN_LIST', 'none of'] as const
const IS = ['EQUALS', 'is'] as const

const WORKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri']
const YEAR = new Date().getUTCFullYear()
const THIS_YEAR = { start: `${YEAR}-01-01`, end: `${YEAR}-12-31` }
const HOLIDAYS = { windows: [{ start: `${YEAR}-12-24`, end: `${YEAR}-12-26`, reason: 'Holidays' }] }
const MONTHLY = { amount: 1000, period: 'MONTHLY', of: 'POLICY' }
const HOURLY = { maxCount: 10, period: 'HOUR' }
const OFFICE_HOURS = { start: '09:00', end: '17:00' }

type RuleTypeRow = readonly [
  label: RuleType['label'],
  fields: FieldKind,
  operators: Choice,
  actions: RuleType['actions'],
  start: RuleType['start'],
]

/** One for each rule type of the service. */
export type OfEach<Value> = {
  [type in NonNullable<Body<'PATCH /api/policies/{policyId}/rules/{ruleId}'>['ruleType']>]: Value
}

const ROWS: OfEach<RuleTypeRow> = {
  MAX_AMOUNT: ['Payment amount', 'amount', [AT_MOST, LESS], ONLY, 100],
  DAILY_LIMIT: ['Daily spending', 'amount', [AT_MOST], ONLY, 1000],
  WEEKLY_LIMIT: ['Weekly spending', 'amount', [AT_MOST], ONLY, 5000],
  MONTHLY_LIMIT: ['Monthly spending', 'amount', [AT_MOST], ONLY, 20_000],
  BUDGET_CAP: ['Budget', 'budget', [AT_MOST], ONLY, MONTHLY],
  VELOCITY_LIMIT: ['Number of payments', 'velocity', [AT_MOST], ONLY, HOURLY],
  REQUIRE_APPROVAL_ABOVE: ['Approval above an amount', 'amount', [MORE], ['REQUIRE_APPROVAL'], 500],
  TIME_WINDOW: ['Time of day', 'hours', [BETWEEN, NOT_BETWEEN], ANY, OFFICE_HOURS],
  DAY_OF_WEEK: ['Days of the week', 'days', [ONE_OF, NONE_OF], ANY, WORKDAYS],
  DATE_RANGE: ['Date range', 'dates', [BETWEEN], ANY, THIS_YEAR],
  BLACKOUT_PERIOD: ['Blackout periods', 'blackouts', [WITHIN], OBJECTING, HOLIDAYS],
  ALLOWED_CATEGORIES: ['Allowed categories', 'categories', [ONE_OF], ANY, ['CLOUD']],
  BLOCKED_CATEGORIES: ['Blocked categories', 'categories', [ONE_OF], OBJECTING, ['GAMBLING']],
  ALLOWED_COUNTERPARTIES: ['Allowed recipients', 'addresses', [ONE_OF], ANY, []],
  BLOCKED_COUNTERPARTIES: ['Blocked recipients', 'addresses', [ONE_OF], OBJECTING, []],
  CONTRACT_ALLOWLIST: ['Allowed contracts', 'addresses', [ONE_OF], ANY, []],
  COUNTERPARTY_STATUS: ['Counterparty status', 'statuses', [ONE_OF], ANY, ['TRUSTED', 'VERIFIED']],
  TRUST_SCORE: ['Trust score', 'score', [AT_LEAST], ONLY, 50],
  NEW_COUNTERPARTY: ['First payment to a recipient', 'first', [IS], ['REQUIRE_APPROVAL', 'DENY', 'ALLOW'], true],
  ALLOWED_RAILS: ['Allowed rails', 'rails', [ONE_OF], ONLY, ['TRANSFER', 'CARD']],
  CARD_ALLOWED_MCCS: ['Allowed merchant categories of cards', 'merchantCategories', [ONE_OF], ONLY, ['5734']],
  CARD_BLOCKED_MCCS: ['Blocked merchant categories of cards', 'merchantCategories', [ONE_OF], ['DENY'], ['7995']],
  CARD_MAX_AMOUNT: ['Payment amount on a card', 'amount', [AT_MOST], ONLY, 100],
  X402_MAX_PER_REQUEST: ['Payment amount by x402', 'amount', [AT_MOST], ONLY, 1],
  X402_MAX_PER_SERVICE: [
    'Spending at one x402 service',
    'serviceLimit',
    [AT_MOST],
    ONLY,
    { amount: 10, period: 'DAILY' },
  ],
  X402_ALLOWED_SERVICES: ['Allowed x402 services', 'services', [ONE_OF], ONLY, ['api.example.com']],
  X402_BLOCKED_SERVICES: ['Blocked x402 services', 'services', [ONE_OF], ['DENY'], ['api.example.com']],
  ALL_OF: ['All of (AND)', 'conditions', [], ANY, []],
  ANY_OF: ['Any of (OR)', 'conditions', [], ANY, []],
}

export const RULE_TYPES: { [ruleType: string]: RuleType } = Object.fromEntries(
  Object.entries(ROWS).map(([name, [label, fields, operators, actions, start]]) => [
    name,
    { label, fields, operators, actions, start },
  ]),
)

/** A rule as a request may contain it: defaults may be omitted, and the value may be JSON in a string. */
export interface WrittenRule {
  ruleType: string
  operator?: string | null
  value: unknown
  action?: string
}

/** The rule as the service reads it. */
export function readRule({ ruleType, operator = null, value, action, ...rest }: WrittenRule): Rule {
  const usual = RULE_TYPES[ruleType]?.actions[0] ?? 'ALLOW'
  return { ...rest, ruleType, operator, value: readValue(value), action: action ?? usual }
}

function readValue(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

const COMPOSITES = ['ALL_OF', 'ANY_OF']
const SUMS = ['DAILY_LIMIT', 'WEEKLY_LIMIT', 'MONTHLY_LIMIT', 'BUDGET_CAP', 'VELOCITY_LIMIT']

/** The types that a condition inside composites may have, by the action of the rule. */
export function typesWithin(composites: readonly string[], action: string): string[] {
  return Object.entries(RULE_TYPES).flatMap(([name, { actions }]) => {
    const isLost = composites.includes('ANY_OF') && SUMS.includes(name)
    const isOpposite = action === 'ALLOW' ? !actions.includes('ALLOW') : actions.every((one) => one === 'ALLOW')
    return isLost || isOpposite ? [] : [name]
  })
}

export function newCondition(ruleType: string): Condition {
  const { operators, start } = RULE_TYPES[ruleType]!
  const value = COMPOSITES.includes(ruleType) ? [newCondition('MAX_AMOUNT')] : start
  return { ruleType, operator: operators[0]?.[0] ?? null, value }
}

export function newRule(ruleType: string): Rule {
  return { ...newCondition(ruleType), action: RULE_TYPES[ruleType]!.actions[0]! }
}

/** Undefined for a type of a newer service that this page does not know: such rules are shown and kept unchanged. */
export const typeOf = (ruleType: string): RuleType | undefined =>
  Object.hasOwn(RULE_TYPES, ruleType) ? RULE_TYPES[ruleType] : undefined
