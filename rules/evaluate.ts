// Decides a payment by the policies that apply, with reasons. INVARIANT: it never throws and never fails open; any
// error, and any fact that is missing or of the wrong type, is a denial with POLICY_ERROR. Functions made of the
// conditions decide, and json-rules-engine checks them.
import type { Json } from '../src/domain/values/canonical.js'
import type { LimitTerm } from '../src/domain/limits/limit.js'
import type { Outcome } from '../src/domain/payment/terms.js'
import type { Violation } from '../src/domain/outcomes/violation.js'
import {
  objectionOf,
  type CompiledPolicy,
  type CompiledRule,
  type CompiledSet,
  type EngineRule,
  type Objection,
  type Origin,
  type PolicySnapshot,
} from './compile.js'
import { pooledRun, type Breathe, type RunEngine } from './engines.js'
import { factCheck, isBudget, leftOut, wallClockFacts, type FactCheck, type FactName, type Facts } from './facts.js'
import { policySetHash } from './hash.js'
import { preparing, type ReadySet } from './policySetCache.js'
import type { Action, Operator } from './rule.js'
import { RULE_TYPES, type RuleTypeName } from './ruleTypes/index.js'
import type { Bound } from './ruleTypes/ruleType.js'
import { clipped } from './shown.js'

export interface RuleTrace {
  ruleId: string
  ruleType: RuleTypeName
  operator: Operator | null
  value: Json
  action: Action
  /** NOT_APPLICABLE: the rule is about another rail. */
  outcome: 'PASSED' | 'DENIED' | 'REQUIRES_APPROVAL' | 'NOT_APPLICABLE'
  /** The facts as given: amounts in micro-units, times in epoch ms. */
  facts: Facts
  explanation: string
}

export interface PolicyTrace {
  policyId: string
  policyVersion: number
  policyName: string
  contentHash: string
  rules: RuleTrace[]
}

export interface RuleEvaluation {
  policySetHash: string
  outcome: Outcome
  /**
   * The reasons of a denial: highest priority first, then by policy id, then in the order of the rules. Only the first,
   * where they are very many.
   */
  violations: Violation[]
  /** The number of rules that deny. */
  violationsTotal: number
  /** The rules that require a person, in the same order, also when others deny. */
  requiresApprovalBy: Origin[]
  /** Why they do, in the same order. Only the first, where they are very many, and how many others there are. */
  approvalReasons: string[]
  /** The rules that object, for questions about other amounts and times. None where the policies cannot be evaluated. */
  objecting: readonly CompiledRule[]
  /** Limits for the gates, whatever the outcome: the smallest on each number. */
  limits: LimitTerm[]
  /**
   * The given facts and those derived from `now`, without budgets that no rule reads. Passed to `evaluate` again they
   * give the same decision, even after changes of time zone rules.
   */
  facts: Facts
}

/** With the result of every rule. */
export interface Explained extends RuleEvaluation {
  trace: PolicyTrace[]
}

/** `timezone` is the IANA name for rules that name no zone. */
type Asked = [policies: readonly PolicySnapshot[], timezone: string, facts: Facts]
type Evaluate<Found> = (...asked: Asked) => Promise<Found>

export interface Evaluator {
  /** Decides by functions; json-rules-engine checks a share of the decisions. */
  evaluate: Evaluate<RuleEvaluation>
  /** The same, and json-rules-engine checks every decision. */
  check: Evaluate<RuleEvaluation>
  /** The same with a trace. */
  explain: Evaluate<Explained>
  /** The policies as one set, compiled once and shared; rejects where they do not compile. */
  ready: (policies: readonly PolicySnapshot[], timezone: string) => Promise<ReadySet>
}

export interface EvaluatorOptions {
  /** Compiled sets to keep, most recently used. */
  cacheSize: number
  /** Whether json-rules-engine checks this decision. INVARIANT: a difference is a denial. */
  isChecked: () => boolean
  /** Called on a difference, which is a bug in one of the two. */
  onDifference: (policySetHash: string) => void
  /** The check of one policy's functions; default json-rules-engine. */
  referenceOf?: (rules: readonly EngineRule[], breathe: Breathe) => RunEngine
  /** Called between compiled rules, and between stretches of rules that are evaluated. */
  breathe?: Breathe
}

const NO_BREATH: Breathe = async () => {}

export function createEvaluator(options: EvaluatorOptions): Evaluator {
  const { cacheSize, isChecked, onDifference, referenceOf = pooledRun, breathe = NO_BREATH } = options
  const ready = preparing({ cacheSize, referenceOf, breathe })
  const compare = async (
    { compiled, reference }: ReadySet,
    facts: Facts,
    objecting: readonly CompiledRule[],
  ): Promise<void> => {
    if (sameNames(objecting, await reference(facts, compiled.needs))) return
    onDifference(compiled.hash)
    throw new Error('json-rules-engine decides otherwise')
  }
  const decide = async ([policies, zone, given]: Asked, isCompared: boolean): Promise<[ReadySet, RuleEvaluation]> => {
    const set = await ready(policies, zone)
    const facts = seen(set, given)
    const objecting = await objectionsOf(set, facts, breathe)
    if (isCompared) await compare(set, facts, objecting)
    return [set, decided(set.compiled, facts, objecting)]
  }
  const evaluate = async (asked: Asked, isCompared: boolean): Promise<RuleEvaluation> => {
    try {
      const [, evaluation] = await decide(asked, isCompared)
      return evaluation
    } catch (error) {
      return failed(asked, error)
    }
  }
  return {
    evaluate: (...asked) => evaluate(asked, isChecked()),
    check: (...asked) => evaluate(asked, true),
    async explain(...asked) {
      try {
        const [{ compiled }, evaluation] = await decide(asked, true)
        return { ...evaluation, trace: await traceOf(compiled, evaluation, breathe) }
      } catch (error) {
        return { ...failed(asked, error), trace: [] }
      }
    },
    ready,
  }
}

/** Rules evaluated in one go: few thousandths of a second, also where they have many conditions. */
const STRETCH = 500

async function objectionsOf({ rules }: ReadySet, facts: Facts, breathe: Breathe): Promise<CompiledRule[]> {
  if (rules.length <= STRETCH) return rules.filter(({ objects }) => objects(facts))
  const objecting: CompiledRule[] = []
  for (const [at, rule] of rules.entries()) {
    if (at % STRETCH === 0) await breathe()
    if (rule.objects(facts)) objecting.push(rule)
  }
  return objecting
}

function sameNames(objecting: readonly CompiledRule[], names: ReadonlySet<string>): boolean {
  return objecting.length === names.size && objecting.every(({ engineRule }) => names.has(engineRule.name))
}

/** The given facts, plus needed ones that follow from `now`, and those that are not kept of payments on this rail. */
function seen({ compiled, check, clock }: ReadySet, asked: Facts): Facts {
  const given = withLeftOut(compiled, asked)
  const missing = clock.filter((name) => !Object.hasOwn(given, name))
  if (missing.length > 0) refuseBadFacts(checkNow, given)
  const all = missing.length > 0 ? { ...given, ...wallClockFacts(missing, given.now!) } : given
  refuseBadFacts(check, all)
  return all
}

function withLeftOut({ needs }: CompiledSet, asked: Facts): Facts {
  const left = leftOut(asked)
  const missing = needs.filter((name) => Object.hasOwn(left, name))
  return missing.length > 0 ? { ...pick(left, missing), ...asked } : asked
}

const checkNow = factCheck(['now'])

function refuseBadFacts(check: FactCheck, facts: Facts): void {
  const [bad] = check(facts)
  if (bad !== undefined) throw new TypeError(`The fact ${bad.path} ${bad.message}`)
}

function pick(facts: Facts, names: readonly FactName[]): Facts {
  return Object.fromEntries(names.map((name) => [name, facts[name]])) as Facts
}

function decided(compiled: CompiledSet, facts: Facts, objecting: readonly CompiledRule[]): RuleEvaluation {
  const by = (objection: Objection): CompiledRule[] => objecting.filter((rule) => objectionOf(rule) === objection)
  const [denials, approvals] = [by('DENY'), by('REQUIRE_APPROVAL')]
  return {
    policySetHash: compiled.hash,
    outcome: denials.length > 0 ? 'DENIED' : approvals.length > 0 ? 'REQUIRES_APPROVAL' : 'APPROVED',
    violations: firstOf(denials, (rule) => violationOf(rule, facts)),
    violationsTotal: denials.length,
    requiresApprovalBy: approvals.map(({ origin }) => origin),
    approvalReasons: reasonsOf(approvals, facts),
    objecting,
    limits: compiled.limits,
    facts: keptOf(compiled, facts),
  }
}

/** Without the budgets that the policies do not read, of which there are four for each policy. */
function keptOf({ needs }: CompiledSet, facts: Facts): Facts {
  if (!Object.keys(facts).some(isBudget)) return facts
  const read = new Set<string>(needs)
  const kept = Object.entries(facts).filter(([name]) => !isBudget(name) || read.has(name))
  return Object.fromEntries(kept) as Facts
}

/** What is told of the rules that object, and kept with the decision: at most so many, and so many bytes in all. */
const MAX_TOLD = 50
const MAX_TOLD_BYTES = 10_000
const utf8 = new TextEncoder()

/** Of the first rules, and at least of one. */
function firstOf<Told>(rules: readonly CompiledRule[], tell: (rule: CompiledRule) => Told): Told[] {
  const told: Told[] = []
  let bytes = 0
  for (const rule of rules.slice(0, MAX_TOLD)) {
    const next = tell(rule)
    bytes += utf8.encode(JSON.stringify(next)).length
    if (told.length > 0 && bytes > MAX_TOLD_BYTES) break
    told.push(next)
  }
  return told
}

function reasonsOf(approvals: readonly CompiledRule[], facts: Facts): string[] {
  const reasons = firstOf(approvals, ({ bound }) => explanationOf(bound, facts, true))
  const more = approvals.length - reasons.length
  return more > 0 ? [...reasons, `${more} more rules require a person`] : reasons
}

/** In the answers of payments; traces have the whole of it. */
function explanationOf({ explain }: Bound, facts: Facts, met: boolean): string {
  return clipped(explain(facts, met), MAX_EXPLANATION)
}

const MAX_EXPLANATION = 500

function violationOf({ rule, origin, bound }: CompiledRule, facts: Facts): Violation {
  const message = explanationOf(bound, facts, rule.action !== 'ALLOW')
  return { type: RULE_TYPES[rule.ruleType].violation, ...origin, ...bound.standing?.(facts), message }
}

/** An ALLOW rule objects when its condition is not met; its companion, like all others, when it is. */
function firesWhenMet({ rule, isCompanion }: CompiledRule): boolean {
  return rule.action !== 'ALLOW' || isCompanion
}

async function traceOf(
  { policies }: CompiledSet,
  { facts, objecting }: RuleEvaluation,
  breathe: Breathe,
): Promise<PolicyTrace[]> {
  const objects = new Set(objecting)
  const trace: PolicyTrace[] = []
  for (const policy of policies) {
    trace.push(policyTraceOf(policy, facts, objects))
    await breathe()
  }
  return trace
}

function policyTraceOf(
  { policy, rules }: CompiledPolicy,
  facts: Facts,
  objecting: ReadonlySet<CompiledRule>,
): PolicyTrace {
  return {
    policyId: policy.id,
    policyVersion: policy.version,
    policyName: policy.name,
    contentHash: policy.contentHash,
    rules: rules
      .filter(({ isCompanion }) => !isCompanion)
      .map((compiled) => ruleTraceOf(deciding(compiled, rules, objecting), facts, objecting)),
  }
}

/** The companion of a rule, where that alone objects. */
function deciding(
  compiled: CompiledRule,
  rules: readonly CompiledRule[],
  objecting: ReadonlySet<CompiledRule>,
): CompiledRule {
  if (objecting.has(compiled)) return compiled
  const { ruleId } = compiled.origin
  return rules.find((one) => one.isCompanion && one.origin.ruleId === ruleId && objecting.has(one)) ?? compiled
}

function ruleTraceOf(compiled: CompiledRule, facts: Facts, objecting: ReadonlySet<CompiledRule>): RuleTrace {
  const { rule, bound, facts: names } = compiled
  const objects = objecting.has(compiled)
  const { id: ruleId, ruleType, operator, value, action } = rule
  const objection = objectionOf(compiled) === 'DENY' ? 'DENIED' : 'REQUIRES_APPROVAL'
  const { rail } = RULE_TYPES[ruleType]
  const isOfAnother = rail !== undefined && rail !== facts.rail
  const outcome = isOfAnother ? 'NOT_APPLICABLE' : objects ? objection : 'PASSED'
  const explained = bound.explain(facts, objects === firesWhenMet(compiled))
  const explanation = isOfAnother ? `The rule is about the rail ${rail}, not ${facts.rail}` : explained
  return { ruleId, ruleType, operator, value, action, outcome, facts: pick(facts, names), explanation }
}

function failed([policies, , facts]: Asked, error: unknown): RuleEvaluation {
  const why = error instanceof Error ? error.message : String(error)
  return {
    policySetHash: hashOf(policies),
    outcome: 'DENIED',
    violations: [{ type: 'POLICY_ERROR', message: `The policies could not be evaluated: ${why}` }],
    violationsTotal: 1,
    requiresApprovalBy: [],
    approvalReasons: [],
    objecting: [],
    limits: [],
    facts,
  }
}

/** Empty when the policies have no hash. */
function hashOf(policies: readonly PolicySnapshot[]): string {
  try {
    return policySetHash(policies)
  } catch {
    return ''
  }
}
