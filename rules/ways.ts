// Looks for a way past the rules that object: the largest amount that they leave, and the time until which they stand.
// INVARIANT: a search says what a step costs before it does the step, in comparisons of a fact with a constant, so that
// its caller can end it or yield to other work.
import type { Micros } from '../src/domain/values/money.js'
import { nextChange, type Moment } from './changes.js'
import { objectionOf, type CompiledRule } from './compile.js'
import { growsWithAmount, type Facts } from './facts.js'

export type Search<Found> = Generator<number, Found, void>

/** The result of all rules for one payment. */
export interface RuleOutcomes {
  facts: Facts
  objecting: readonly CompiledRule[]
}

/**
 * The largest amount up to `most` to which no rule says no; a rule that requires a person does, unless one `mayAsk`. 0
 * where there is none. INVARIANT: a rule that objects to an amount objects to every larger one.
 */
export function* largestAmount(
  rules: readonly CompiledRule[],
  { facts, objecting }: RuleOutcomes,
  { most, mayAsk }: { most: Micros; mayAsk: boolean },
): Search<Micros> {
  const saysNo = (rule: CompiledRule): boolean => !mayAsk || objectionOf(rule) === 'DENY'
  if (objecting.some((rule) => saysNo(rule) && !rule.grows)) return 0
  let amount = most
  for (const rule of rules) {
    if (!rule.grows || !saysNo(rule)) continue
    yield rule.leaves.length
    if (rule.objects(factsAt(rule, facts, amount))) amount = yield* largestFor(rule, facts, amount)
    if (amount <= 0) return 0
  }
  return amount
}

/** Below an amount to which the rule objects. A binary search: the result is the same between two of its constants. */
function* largestFor(rule: CompiledRule, facts: Facts, above: Micros): Search<Micros> {
  const amounts = thresholdsOf(rule, facts).filter((amount) => amount > 0 && amount < above)
  amounts.sort((a, b) => a - b)
  let passing = -1
  let failing = amounts.length
  while (failing - passing > 1) {
    const middle = (passing + failing) >> 1
    yield rule.leaves.length
    if (rule.objects(factsAt(rule, facts, amounts[middle]!))) failing = middle
    else passing = middle
  }
  return amounts[passing] ?? 0
}

function thresholdsOf({ leaves }: CompiledRule, facts: Facts): Micros[] {
  return leaves.flatMap(({ fact, value }) => {
    if (!growsWithAmount(fact) || typeof value !== 'number') return []
    const amount = value - Number(facts[fact]) + facts.amount!
    return [amount, amount - 1]
  })
}

/** The facts of this rule for the same payment with another amount. */
function factsAt({ leaves }: CompiledRule, facts: Facts, amount: Micros): Facts {
  const changed = Object.create(facts) as { [fact: string]: unknown }
  for (const { fact } of leaves) if (growsWithAmount(fact)) changed[fact] = Number(facts[fact]) - facts.amount! + amount
  return changed as Facts
}

/** The names of the rules that would require a person for another amount. */
export function* askingAt(
  rules: readonly CompiledRule[],
  { facts, objecting }: RuleOutcomes,
  amount: Micros,
): Search<string[]> {
  const asking = objecting.filter((rule) => asks(rule) && !rule.grows)
  for (const rule of rules) {
    if (!rule.grows || !asks(rule)) continue
    yield rule.leaves.length
    if (rule.objects(factsAt(rule, facts, amount))) asking.push(rule)
  }
  return namesOf(asking)
}

/** The names of those that require a person, sorted. */
export function askingOf({ objecting }: RuleOutcomes): string[] {
  return namesOf(objecting.filter(asks))
}

function asks(rule: CompiledRule): boolean {
  return objectionOf(rule) === 'REQUIRE_APPROVAL'
}

function namesOf(rules: readonly CompiledRule[]): string[] {
  return rules.map(({ engineRule }) => engineRule.name).sort()
}

/** Those of the rules that object to these facts. */
export function* objectingAt(rules: readonly CompiledRule[], facts: Facts): Search<CompiledRule[]> {
  const objecting: CompiledRule[] = []
  for (const rule of rules) {
    yield rule.leaves.length
    if (rule.objects(facts)) objecting.push(rule)
  }
  return objecting
}

/** Epoch ms until which one of the rules that object certainly does; Infinity forever. */
export function* standsUntil(objecting: readonly CompiledRule[], moment: Moment): Search<number> {
  if (objecting.some(({ passes }) => !passes)) return Infinity
  let until = moment.now
  for (const { leaves } of objecting) {
    yield leaves.length
    until = Math.max(until, nextChange(leaves, moment))
    if (until === Infinity) break
  }
  return until
}
