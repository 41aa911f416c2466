// A rule as users write it and as it is stored. A rule that does not compile is refused when written, with the path of
// the fault and what would be right.
import type { Json } from '../src/domain/canonical.js'
import { MAX_RULES } from '../src/domain/policy.js'
import type { Detail } from '../src/domain/refusal.js'
import { RULE_TYPES, type RuleTypeName } from './ruleTypes/index.js'
import { isOneOf, within, wrongChoice, type Action, type Operator, type Place } from './ruleTypes/ruleType.js'
import { isRecord, readTerms, someRule, typeOf, wrong, type StoredRule } from './ruleTypes/terms.js'
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

export type CheckedRule = { ok: true; rule: RuleContent } | { ok: false; details: Detail[] }
export type CheckedRules = { ok: true; rules: RuleContent[] } | { ok: false; details: Detail[] }

/** Conditions inside a policy's composites: 100 rules of 1,000 would take a fifth of a second to evaluate. */
const MAX_CONDITIONS = 2_000
const MAX_DETAILS = 20

/**
 * The stored form of the rule in `input`, or its faults; `path` is its place in the body, empty for the whole body. The
 * operator may be left out where only one is possible, the action where the default is meant. An `id` may be present,
 * as in answers; the caller handles it.
 */
export function checkRule(input: unknown, path: string): CheckedRule {
  return readRule(input, path, { conditions: MAX_ENTRIES })
}

/** Checks all rules of one policy, including existing ones: each by `checkRule`, and their number. */
export function checkRules(inputs: unknown, path: string): CheckedRules {
  if (!Array.isArray(inputs) || inputs.length > MAX_RULES) {
    return wrong(path, `must be a list of at most ${MAX_RULES} rules, not ${quoted(inputs)}`)
  }
  const rooms = inputs.map(() => ({ conditions: MAX_ENTRIES }))
  const checked = inputs.map((input, at) => readRule(input, within(path, String(at)), rooms[at]!))
  const details = checked.flatMap((rule) => (rule.ok ? [] : rule.details))
  if (details.length > 0) return { ok: false, details: details.slice(0, MAX_DETAILS) }
  const conditions = rooms.reduce((sum, room) => sum + MAX_ENTRIES - room.conditions, 0)
  if (conditions > MAX_CONDITIONS) {
    return wrong(path, `must have at most ${MAX_CONDITIONS} conditions in all, not ${conditions}`)
  }
  return { ok: true, rules: checked.flatMap((rule) => (rule.ok ? [rule.rule] : [])) }
}

/** True where payments have to be remembered one by one for one of these rules. */
export function countsPayments(rules: readonly StoredRule[]): boolean {
  return someRule('countsPayments', rules, RULE_TYPES)
}

/** True where one of these rules limits what all agents under the policy pay together. */
export function sharesBudget(rules: readonly StoredRule[]): boolean {
  return someRule('sharesBudget', rules, RULE_TYPES)
}

function readRule(input: unknown, path: string, room: Place['room']): CheckedRule {
  const type = isRecord(input) ? typeOf(input['ruleType'], RULE_TYPES) : undefined
  const written = isRecord(input) && input['action'] !== undefined ? input['action'] : type?.actions[0]
  if (type !== undefined && !isOneOf(type.actions, written)) {
    return wrong(within(path, 'action'), wrongChoice(type.actions, written))
  }
  // Without a type the action cannot be checked.
  const action = type === undefined ? 'ALLOW' : (written as Action)
  const terms = readTerms(input, ['action', 'id'], { path, action, within: [], room }, RULE_TYPES)
  if (!terms.ok) return terms
  const { ruleType, operator, value } = terms
  return { ok: true, rule: { ruleType: ruleType as RuleTypeName, operator, value, action } }
}
