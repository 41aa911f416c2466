// Compiles the policies that apply to a payment into one set of json-rules-engine rules; each fires when its rule
// objects. It reads no facts. A policy that cannot be enforced as written fails the whole set.
import { tightest, type LimitTerm } from '../src/domain/limits/limit.js'
import { asRoot, leavesOf, predicateOf, type Junction, type Leaf, type Predicate } from './condition.js'
import { changesWithTime, growsWithAmount, type FactName } from './facts.js'
import { contentHash, policySetHash } from './hash.js'
import { checkRule, type Rule, type RuleContent } from './rule.js'
import { RULE_TYPES, type RuleTypeName } from './ruleTypes/index.js'
import type { Action, Bound } from './ruleTypes/ruleType.js'

/** The deciding part of one version of a policy. */
export interface PolicySnapshot {
  id: string
  version: number
  name: string
  /** 0-100, highest first. */
  priority: number
  /** Of `rules`, by `contentHash`. */
  contentHash: string
  rules: readonly Rule[]
}

/** The effect of a rule that objects. A rule that does not object passes the payment. */
export type Objection = Exclude<Action, 'ALLOW'>

export interface Origin {
  policyId: string
  policyVersion: number
  ruleId: string
}

/** A rule for the plain library, with built-in operators only. */
export interface EngineRule {
  /** `<policyId>/<ruleId>`, and `/person` after that of a companion. */
  name: string
  conditions: Junction
  event: { type: Objection; params: Origin & { ruleType: RuleTypeName } }
}

export interface CompiledRule {
  rule: Rule
  /** It is the part of an ALLOW rule that requires a person, not the one that denies. */
  isCompanion: boolean
  origin: Origin
  bound: Bound
  engineRule: EngineRule
  /** The engine rule's conditions as a function. */
  objects: Predicate
  /** Every comparison in these conditions: what an evaluation of the rule costs. */
  leaves: readonly Leaf[]
  /** One of them compares what grows with the payment's amount. */
  grows: boolean
  /** One of them compares what may change by time alone. */
  passes: boolean
  /** The facts that the explanation shows. */
  facts: FactName[]
}

export function objectionOf({ engineRule }: CompiledRule): Objection {
  return engineRule.event.type
}

export interface CompiledPolicy {
  policy: PolicySnapshot
  rules: CompiledRule[]
}

export interface CompiledSet {
  /** The policySetHash. */
  hash: string
  /** json-rules-engine rules, plain JSON, in the order of the policies and their rules. */
  rules: EngineRule[]
  /** The facts that the set reads, sorted, without repetitions. */
  needs: FactName[]
  /** Limits for the gates, whatever other rules decide: the smallest on each number. */
  limits: LimitTerm[]
  /** Highest priority first, then by id. */
  policies: CompiledPolicy[]
}

/**
 * Compiles the policies as one set; `timezone` (IANA name) applies to times that name none. Throws TypeError for a
 * repeated policy, a content hash that does not match, or a rule that `checkRule` refuses.
 */
export function compilePolicySet(policies: readonly PolicySnapshot[], timezone: string): CompiledSet {
  const steps = compiling(policies, timezone)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** The same step by step, so that callers can yield: a large set takes a tenth of a second. */
export function* compiling(policies: readonly PolicySnapshot[], timezone: string): Generator<void, CompiledSet, void> {
  const ordered = [...policies].sort((a, b) => b.priority - a.priority || (a.id < b.id ? -1 : 1))
  if (new Set(policies.map(({ id }) => id)).size < policies.length) throw new TypeError('A policy is there twice')
  const compiled: CompiledPolicy[] = []
  for (const policy of ordered)
    compiled.push(compiledBefore(policy, timezone) ?? (yield* compilingPolicy(policy, timezone)))
  const rules = compiled.flatMap((policy) => policy.rules)
  return {
    hash: policySetHash(policies),
    rules: rules.map(({ engineRule }) => engineRule),
    needs: [...new Set(rules.flatMap(({ facts }) => facts))].sort(),
    limits: tightest(rules.flatMap(limitsOf)),
    policies: compiled,
  }
}

function limitsOf({ bound, origin }: CompiledRule): LimitTerm[] {
  return (bound.limits ?? []).map((limit) => ({ ...limit, ...origin }))
}

/** By policy, then by zone: a policy that is in many sets is compiled once. */
const known = new WeakMap<PolicySnapshot, Map<string, CompiledPolicy>>()

function compiledBefore(policy: PolicySnapshot, timezone: string): CompiledPolicy | undefined {
  return known.get(policy)?.get(timezone)
}

function* compilingPolicy(policy: PolicySnapshot, timezone: string): Generator<void, CompiledPolicy, void> {
  const { id, rules } = policy
  if (contentHash(rules) !== policy.contentHash) throw new TypeError(`Policy ${id} has other rules than its hash says`)
  if (new Set(rules.map((rule) => rule.id)).size < rules.length) throw new TypeError(`Policy ${id} has a rule twice`)
  const compiled: CompiledRule[] = []
  for (const rule of rules) {
    yield
    const checked = checkedAgain(rule, id)
    yield
    compiled.push(...compileRule(rule, checked, policy, timezone))
  }
  const whole = { policy, rules: compiled }
  const zones = known.get(policy) ?? new Map<string, CompiledPolicy>()
  known.set(policy, zones.set(timezone, whole))
  return whole
}

function checkedAgain(rule: Rule, policyId: string): RuleContent {
  const checked = checkRule(rule, '')
  if (checked.ok) return checked.value
  const why = checked.refusal.details!.map(({ path, message }) => `${path} ${message}`)
  throw new TypeError(`Rule ${rule.id} of policy ${policyId} does not compile: ${why.join('; ')}`)
}

/** The rule, and its companion where it has one. */
function compileRule(rule: Rule, checked: RuleContent, policy: PolicySnapshot, timezone: string): CompiledRule[] {
  const { id: policyId, version: policyVersion } = policy
  const bound = RULE_TYPES[rule.ruleType].bind(checked, { policyId, timezone })
  const origin: Origin = { policyId, policyVersion, ruleId: rule.id }
  const { asks } = bound
  const companion = asks && rule.action === 'ALLOW' ? [compiledOf(rule, asks, origin, true)] : []
  return [compiledOf(rule, bound, origin, false), ...companion]
}

function compiledOf(rule: Rule, bound: Bound, origin: Origin, isCompanion: boolean): CompiledRule {
  const leaves = leavesOf(bound.condition)
  const facts = [...new Set([...leaves.map(({ fact }) => fact), ...(bound.mentions ?? [])])].sort()
  const compiled = isCompanion ? companionRule(rule, bound, origin) : engineRule(rule, bound, origin)
  return {
    rule,
    isCompanion,
    origin,
    bound,
    engineRule: compiled,
    objects: predicateOf(compiled.conditions),
    leaves,
    grows: leaves.some(({ fact }) => growsWithAmount(fact)),
    passes: leaves.some(({ fact }) => changesWithTime(fact)),
    facts,
  }
}

function engineRule({ ruleType, action }: Rule, { condition }: Bound, origin: Origin): EngineRule {
  return {
    name: `${origin.policyId}/${origin.ruleId}`,
    conditions: action === 'ALLOW' ? { not: condition } : asRoot(condition),
    event: { type: action === 'ALLOW' ? 'DENY' : action, params: { ...origin, ruleType } },
  }
}

function companionRule({ ruleType }: Rule, { condition }: Bound, origin: Origin): EngineRule {
  return {
    name: `${origin.policyId}/${origin.ruleId}/person`,
    conditions: asRoot(condition),
    event: { type: 'REQUIRE_APPROVAL', params: { ...origin, ruleType } },
  }
}
