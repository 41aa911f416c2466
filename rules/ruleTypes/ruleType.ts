// The interface of rule types: accepted values, compilation and explanation. A type is defined over its own kind of
// value; outside of its file that value is plain JSON.
import * as v from 'valibot'
import type { Json } from '../../src/domain/values/canonical.js'
import type { LimitTerm } from '../../src/domain/limits/limit.js'
import type { Micros } from '../../src/domain/values/money.js'
import { refuseField, succeed, type Detail, type Result } from '../../src/domain/outcomes/result.js'
import type { ViolationType } from '../../src/domain/outcomes/violation.js'
import type { Rail } from '../../src/domain/payment/terms.js'
import type { Condition } from '../condition.js'
import type { FactName, Facts } from '../facts.js'
import { quoted } from '../shown.js'
import type { Counting } from '../../src/domain/limits/counting.js'
import { fault, faultsOf, type FaultCode } from './faults.js'

export const OPERATORS = [
  'LTE',
  'LT',
  'GTE',
  'GREATER_THAN',
  'EQUALS',
  'BETWEEN',
  'NOT_BETWEEN',
  'IN_LIST',
  'NOT_IN_LIST',
] as const
export type Operator = (typeof OPERATORS)[number]

export const ACTIONS = ['ALLOW', 'DENY', 'REQUIRE_APPROVAL'] as const
/** An ALLOW rule denies when its condition is false; the others act when theirs is true. */
export type Action = (typeof ACTIONS)[number]

/** A rule as it is written and stored, without its type. */
export interface Terms<Value> {
  /** Null for ALL_OF and ANY_OF, which have none. */
  operator: Operator | null
  value: Value
  action: Action
}

/** The place of a value, for messages and for checks of what may stand there. */
export interface ValuePlace {
  /** The path of the rule or condition in the body; empty for the whole body. */
  path: string
  /** The rule's action, which applies to all conditions within it. */
  action: Action
  /** The enclosing composites, outermost first. */
  within: readonly ('ALL_OF' | 'ANY_OF')[]
  /** Conditions that the rule may still have; shared by all of its places. */
  room: { conditions: number }
}

export interface Setting {
  policyId: string
  /** IANA name, for values that name none. */
  timezone: string
  /** It is a condition of a composite. */
  isPart?: true
}

/** A limit on a sum or count, enforced whatever else is decided. Its policy and rule are added later. */
export type Limit = Omit<LimitTerm, 'policyId' | 'policyVersion' | 'ruleId'>

/** A payment's position against a limit. */
export interface LimitPosition {
  limit: Micros
  /** Absent where it is above the limit, and not known further. */
  current?: Micros
  unit?: 'COUNT'
}

/** A rule bound to its setting: its condition, limits and explanation. */
export interface Bound {
  condition: Condition
  /** Facts that only the explanation needs. */
  mentions?: readonly FactName[]
  limits?: readonly Limit[]
  /** Present for rules with a limit. */
  standing?: (facts: Facts) => LimitPosition
  /** One sentence that compares the facts with the rule. `met` is the condition's result. */
  explain: (facts: Facts, met: boolean) => string
  /** What an ALLOW rule that has no objection still puts to a person. */
  asks?: Omit<Bound, 'asks'>
}

export type Read = Result<{ operator: Operator | null; value: Json }, FaultCode>

export interface RuleType {
  operators: readonly Operator[]
  /** Accepted actions; the first is the default. */
  actions: readonly [Action, ...Action[]]
  violation: ViolationType
  /** Its conditions are sums or counts, which gates enforce. */
  isSum: boolean
  /** It applies to payments on this rail alone. */
  rail?: Rail
  /** What a kept value counts of an agent's payments. */
  counting: (value: Json) => readonly Counting[]
  /** True for a kept value that limits what all agents under the policy pay together. */
  sharesBudget: (value: Json) => boolean
  /** The operator and value in stored form, or all of their faults. */
  read: (operator: unknown, value: unknown, place: ValuePlace) => Read
  /** Takes terms that `read` returned. */
  bind: (terms: Terms<Json>, setting: Setting) => Bound
}

interface Definition<Value extends Json> {
  operators: readonly [Operator, ...Operator[]]
  /** The operators that accept this value, where not all do. */
  operatorsOf?: (value: Value) => readonly [Operator, ...Operator[]]
  actions: RuleType['actions']
  violation: ViolationType
  isSum?: true
  counting?: (value: Value) => Counting
  sharesBudget?: (value: Value) => boolean
  rail?: Rail
  /** It is about the recipient, which a card does not have. */
  byRecipient?: true
  /** Converts the written form to the stored form, and leaves a stored form unchanged. */
  schema: v.GenericSchema<unknown, Value>
  bind: (terms: Terms<Value>, setting: Setting) => Bound
}

export function ruleType<Value extends Json>(definition: Definition<Value>): RuleType {
  const { operators, operatorsOf, actions, violation, isSum = false, counting, schema, bind } = definition
  const { sharesBudget = () => false, rail, byRecipient } = definition
  return {
    operators,
    actions,
    violation,
    isSum,
    ...(rail && { rail }),
    // INVARIANT: what is kept was read, here or by what keeps it.
    counting: (value) => (counting ? [counting(value as Value)] : []),
    sharesBudget: (value) => sharesBudget(value as Value),
    read(operator, written, { path }) {
      const parsed = v.safeParse(schema, written, { message: messageOf })
      if (!parsed.success) {
        return faultsOf(parsed.issues.map((issue) => fault(detailOf(issue, path), issue.expected)))!
      }
      const allowed = operatorsOf?.(parsed.output) ?? operators
      const chosen = operator ?? (allowed.length === 1 ? allowed[0] : undefined)
      if (isOneOf(allowed, chosen)) return succeed({ operator: chosen, value: parsed.output })
      return refuseField(within(path, 'operator'), wrongChoice(allowed, chosen))
    },
    // INVARIANT: bound terms were read before, here or when they were stored.
    bind(terms, setting) {
      const bound = bind(terms as Terms<Value>, setting)
      if (rail !== undefined) return onRail(bound, rail, terms.action)
      return byRecipient ? withoutRecipient(bound) : bound
    },
  }
}

/** On other rails the rule has no objection. */
function onRail(bound: Bound, rail: Rail, action: Action): Bound {
  const is = { fact: 'rail', operator: 'equal', value: rail } as const
  const { condition, asks } = bound
  return {
    ...bound,
    condition: action === 'ALLOW' ? { any: [{ not: is }, condition] } : { all: [is, condition] },
    ...(asks && { asks: { ...asks, condition: { all: [is, asks.condition] } } }),
  }
}

/** What a card pays is no match of any list of recipients, statuses or scores. */
function withoutRecipient(bound: Bound): Bound {
  return {
    ...bound,
    explain: (facts, met) => (facts.rail === 'CARD' ? NO_RECIPIENT : bound.explain(facts, met)),
  }
}

const NO_RECIPIENT = 'A payment on a card has no recipient address, as the rule needs'

/** The path of a member of the value at `path`. */
export function within(path: string, member: string): string {
  return path === '' ? member : `${path}.${member}`
}

export function isOneOf<Choice extends string>(choices: readonly Choice[], value: unknown): value is Choice {
  return (choices as readonly unknown[]).includes(value)
}

export function wrongChoice(choices: readonly string[], value: unknown): string {
  const wanted = choices.length === 1 ? `must be ${choices[0]}` : `must be one of ${choices.join(', ')}`
  return value === undefined ? `is required and ${wanted}` : `${wanted}, not ${quoted(value)}`
}

function detailOf(issue: v.BaseIssue<unknown>, path: string): Detail {
  const keys = (issue.path ?? []).map(({ key }) => String(key))
  return { path: [within(path, 'value'), ...keys].join('.'), message: issue.message }
}

/** For issues whose schema has no message of its own. */
function messageOf(issue: v.BaseIssue<unknown>): string {
  const isKey = issue.type === 'strict_object' && issue.path?.at(-1)?.origin === 'key'
  if (!isKey) return `must be ${issue.expected}, not ${quoted(issue.input)}`
  return issue.expected === 'never' ? 'is not a known field' : 'is required'
}
