// A rule as users write it and as it is stored. A rule that does not compile is refused when written, with the path of
// the fault and what would be right.
import { refuseField, succeed, type Refused, type Result } from '../src/domain/outcomes/result.js'
import type { Json } from '../src/domain/values/canonical.js'
import type { Counting } from '../src/domain/limits/counting.js'
import { MAX_RULES } from '../src/domain/parties/policy.js'
import { RULE_TYPES, type RuleTypeName } from './ruleTypes/index.js'
import { conditionsIn, isComposite } from './ruleTypes/composite.js'
import { isOneOf, within, wrongChoice, type Action, type Operator, type ValuePlace } from './ruleTypes/ruleType.js'
import { faultsOf, type FaultCode } from './ruleTypes/faults.js'
import {
  countingOf,
  isRecord,
  readTerms,
  isSharedBudget as sharesBudgetIn,
  typeOf,
  type StoredRule,
} from './ruleTypes/terms.js'
import { MAX_ENTRIES } from './ruleTypes/values.js'
import { quoted } from './shown.js'

export type { Action, Operator } from './ruleTypes/ruleType.js'
export type { RuleTypeName } from './ruleTypes/index.js'

export interface Rule {
  id: string
  ruleType: RuleTypeName
  /** Null for ALL_OF and ANY_OF, which have none. */
  operator: Operator | null
  /** Plain JSON: amounts as numbers, addresses in display form, categories in upper case, the rest as written. */
  value: Json
  action: Action
}

/** The content of a rule; equal content means an equal rule, whatever its id. */
export type RuleContent = Omit<Rule, 'id'>

/** Conditions inside a policy's composites: 100 rules of 1,000 would take a fifth of a second to evaluate. */
const MAX_CONDITIONS = 2_000

/**
 * The stored form of the rule in `input`, or its faults; `path` is its place in the body, empty for the whole body. The
 * operator may be left out where only one is possible, the action where the default is meant. An `id` may be present,
 * as in answers; the caller handles it.
 */
export function checkRule(input: unknown, path: string): Result<RuleContent, FaultCode> {
  return readRule(input, path, { conditions: MAX_ENTRIES })
}

/** Checks all rules of one policy: each by `checkRule`, and their number. */
export function checkRules(inputs: unknown, path: string): Result<RuleContent[], FaultCode> {
  if (!Array.isArray(inputs) || inputs.length > MAX_RULES) {
    return refuseField(path, `must be a list of at most ${MAX_RULES} rules, not ${quoted(inputs)}`)
  }
  const checked = inputs.map((input, at) => checkRule(input, within(path, String(at))))
  const faults = faultsOf(checked)
  if (faults) return faults
  const rules = checked.flatMap((rule) => (rule.ok ? [rule.value] : []))
  return checkTogether(rules, path) ?? succeed(rules)
}

/** The fault of rules that are valid one by one, but not in one policy; undefined where there is none. */
export function checkTogether(rules: readonly StoredRule[], path: string): Refused<'VALIDATION_ERROR'> | undefined {
  const conditions = rules.reduce((sum, rule) => sum + conditionsIn(rule), 0)
  if (conditions <= MAX_CONDITIONS) return undefined
  return refuseField(path, `must have at most ${MAX_CONDITIONS} conditions in all, not ${conditions}`)
}

/** What these rules count of an agent's payments. */
export function countingIn(rules: readonly StoredRule[]): Counting[] {
  return countingOf(rules, RULE_TYPES)
}

/** True where one of these rules limits what all agents under the policy pay together. */
export function sharesBudget(rules: readonly StoredRule[]): boolean {
  return sharesBudgetIn(rules, RULE_TYPES)
}

/** The hosts on the lists of allowed services, also within composites. */
export function servicesListed(rules: readonly StoredRule[]): string[] {
  return rules.flatMap(({ ruleType, value }) => {
    if (ruleType === 'X402_ALLOWED_SERVICES') return value as string[]
    return isComposite(ruleType) ? servicesListed(value as unknown as StoredRule[]) : []
  })
}

function readRule(input: unknown, path: string, room: ValuePlace['room']): Result<RuleContent, FaultCode> {
  const type = isRecord(input) ? typeOf(input['ruleType'], RULE_TYPES) : undefined
  const written = isRecord(input) && input['action'] !== undefined ? input['action'] : type?.actions[0]
  if (type !== undefined && !isOneOf(type.actions, written)) {
    return refuseField(within(path, 'action'), wrongChoice(type.actions, written))
  }
  // Without a type the action cannot be checked.
  const action = type === undefined ? 'ALLOW' : (written as Action)
  const terms = readTerms(input, ['action', 'id'], { path, action, within: [], room }, RULE_TYPES)
  if (!terms.ok) return terms
  const { ruleType, operator, value } = terms.value
  return succeed({ ruleType: ruleType as RuleTypeName, operator, value, action })
}
