// The rule types and their values, for people who write rules. The service checks the rules; this file only determines
// which fields are shown.
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
  | 'hours'
  | 'days'
  | 'dates'
  | 'blackouts'
  | 'categories'
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
const AT_MOST: Choice = [['LTE', 'at most']]
const WITHIN: Choice = [['IN_LIST', 'one of']]
const YEAR = new Date().getUTCFullYear()

export const RULE_TYPES: { [ruleType: string]: RuleType } = {
  MAX_AMOUNT: {
    label: 'Payment amount',
    fields: 'amount',
    operators: [
      ['LTE', 'at most'],
      ['LT', 'less than'],
    ],
    actions: ONLY,
    start: 100,
  },
  DAILY_LIMIT: { label: 'Daily spending', fields: 'amount', operators: AT_MOST, actions: ONLY, start: 1000 },
  WEEKLY_LIMIT: { label: 'Weekly spending', fields: 'amount', operators: AT_MOST, actions: ONLY, start: 5000 },
  MONTHLY_LIMIT: { label: 'Monthly spending', fields: 'amount', operators: AT_MOST, actions: ONLY, start: 20_000 },
  BUDGET_CAP: {
    label: 'Budget',
    fields: 'budget',
    operators: AT_MOST,
    actions: ONLY,
    start: { amount: 1000, period: 'MONTHLY', of: 'POLICY' },
  },
  VELOCITY_LIMIT: {
    label: 'Number of payments',
    fields: 'velocity',
    operators: AT_MOST,
    actions: ONLY,
    start: { maxCount: 10, period: 'HOUR' },
  },
  REQUIRE_APPROVAL_ABOVE: {
    label: 'Approval above an amount',
    fields: 'amount',
    operators: [['GREATER_THAN', 'more than']],
    actions: ['REQUIRE_APPROVAL'],
    start: 500,
  },
  TIME_WINDOW: {
    label: 'Time of day',
    fields: 'hours',
    operators: [
      ['BETWEEN', 'between'],
      ['NOT_BETWEEN', 'not between'],
    ],
    actions: ANY,
    start: { start: '09:00', end: '17:00' },
  },
  DAY_OF_WEEK: {
    label: 'Days of the week',
    fields: 'days',
    operators: [
      ['IN_LIST', 'one of'],
      ['NOT_IN_LIST', 'none of'],
    ],
    actions: ANY,
    start: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'],
  },
  DATE_RANGE: {
    label: 'Date range',
    fields: 'dates',
    operators: [['BETWEEN', 'between']],
    actions: ANY,
    start: { start: `${YEAR}-01-01`, end: `${YEAR}-12-31` },
  },
  BLACKOUT_PERIOD: {
    label: 'Blackout periods',
    fields: 'blackouts',
    operators: [['BETWEEN', 'within']],
    actions: OBJECTING,
    start: { windows: [{ start: `${YEAR}-12-24`, end: `${YEAR}-12-26`, reason: 'Holidays' }] },
  },
  ALLOWED_CATEGORIES: {
    label: 'Allowed categories',
    fields: 'categories',
    operators: WITHIN,
    actions: ANY,
    start: ['CLOUD'],
  },
  BLOCKED_CATEGORIES: {
    label: 'Blocked categories',
    fields: 'categories',
    operators: WITHIN,
    actions: OBJECTING,
    start: ['GAMBLING'],
  },
  ALLOWED_COUNTERPARTIES: {
    label: 'Allowed recipients',
    fields: 'addresses',
    operators: WITHIN,
    actions: ANY,
    start: [],
  },
  BLOCKED_COUNTERPARTIES: {
    label: 'Blocked recipients',
    fields: 'addresses',
    operators: WITHIN,
    actions: OBJECTING,
    start: [],
  },
  CONTRACT_ALLOWLIST: { label: 'Allowed contracts', fields: 'addresses', operators: WITHIN, actions: ANY, start: [] },
  COUNTERPARTY_STATUS: {
    label: 'Counterparty status',
    fields: 'statuses',
    operators: WITHIN,
    actions: ANY,
    start: ['TRUSTED', 'VERIFIED'],
  },
  TRUST_SCORE: {
    label: 'Trust score',
    fields: 'score',
    operators: [['GTE', 'at least']],
    actions: ONLY,
    start: 50,
  },
  NEW_COUNTERPARTY: {
    label: 'First payment to a recipient',
    fields: 'first',
    operators: [['EQUALS', 'is']],
    actions: ['REQUIRE_APPROVAL', 'DENY', 'ALLOW'],
    start: true,
  },
  ALL_OF: { label: 'All of (AND)', fields: 'conditions', operators: [], actions: ANY, start: [] },
  ANY_OF: { label: 'Any of (OR)', fields: 'conditions', operators: [], actions: ANY, start: [] },
}

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
