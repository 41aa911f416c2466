// Decides a payment by the policies that apply, with reasons. INVARIANT: it never throws and never fails open; any
// error, and any fact that is missing or of the wrong type, is a denial with POLICY_ERROR. Functions made of the
// conditions decide, and json-rules-engine checks them.
import type { Json } from '../src/domain/canonical.js'
import type { LimitTerm } from '../src/domain/limit.js'
import type { Outcome } from '../src/domain/payment.js'
import type { Violation } from '../src/domain/violation.js'
import type {
  CompiledPolicy,
  CompiledRule,
  CompiledSet,
  EngineRule,
  Objection,
  Origin,
  PolicySnapshot,
} from './compile.js'
import { pooledRun, type Breathe, type Run } from './engines.js'
import { factCheck, wallClockFacts, type FactCheck, type FactName, type Facts } from './facts.js'
import { policySetHash } from './hash.js'
import { preparing, type ReadySet } from './policySetCache.js'
import type { Action, Operator } from './rule.js'
import { RULE_TYPES, type RuleTypeName } from './ruleTypes/index.js'

export interface RuleTrace {
  ruleId: string
  ruleType: RuleTypeName
  operator: Operator | null
  value: Json
  action: Action
  outcome: 'PASSED' | 'DENIED' | 'REQUIRES_APPROVAL'
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

/** A rule that requires a person. */
export interface Asking extends Origin {
  message: string
}

export interface Evaluation {
  policySetHash: string
  outcome: Outcome
  /** The reasons of a denial: highest priority first, then by policy id, then in the order of the rules. */
  violations: Violation[]
  /** The rules that require a person, in the same order, also when others deny. */
  requiresApprovalBy: Asking[]
  /** Limits for the gates, whatever the outcome. */
  limits: LimitTerm[]
  /**
   * The given facts and those derived from `now`. Passed to `evaluate` again they give the same decision, even after
   * changes of time zone rules.
   */
  facts: Facts
}

/** With the result of every rule. */
export interface Explained extends Evaluation {
  trace: PolicyTrace[]
}

/** `timezone` is the IANA name for rules that name no zone. */
type Evaluate<Found> = (policies: readonly PolicySnapshot[], timezone: string, facts: Facts) => Promise<Found>

export interface Evaluator {
  /** Decides by functions; json-rules-engine checks a share of the decisions. */
  evaluate: Evaluate<Evaluation>
  /** The same with a trace; json-rules-engine checks every decision. */
  explain: Evaluate<Explained>
  /** The policies as one set, compiled once and shared; rejects where they do not compile. */
  ready: (policies: readonly PolicySnapshot[], timezone: string) => Promise<{ readonly compiled: CompiledSet }>
}

export interface EvaluatorOptions {
  /** Compiled sets to keep, most recently used. */
  cacheSize: number
  /** Whether json-rules-engine checks this decision. INVARIANT: a difference is a denial. */
  isChecked: () => boolean
  /** Called on a difference, which is a bug in one of the two. */
  onDifference: (policySetHash: string) => void
  /** The check of the functions; default json-rules-engine. */
  referenceOf?: (rules: readonly EngineRule[], breathe: Breathe) => Run
  /** Called between compiled rules. */
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
  return {
    async evaluate(policies, zone, given) {
      try {
        const set = await ready(policies, zone)
        const facts = seen(set, given)
        const objecting = objectionsOf(set, facts)
        if (isChecked()) await compare(set, facts, objecting)
        return decided(set.compiled, facts, objecting)
      } catch (error) {
        return failed(policies, given, error)
      }
    },
    async explain(policies, zone, given) {
      try {
        const set = await ready(policies, zone)
        const facts = seen(set, given)
        const objecting = objectionsOf(set, facts)
        await compare(set, facts, objecting)
        const trace = set.compiled.policies.map((policy) => traceOf(policy, facts, new Set(objecting)))
        return { ...decided(set.compiled, facts, objecting), trace }
      } catch (error) {
        return { ...failed(policies, given, error), trace: [] }
      }
    },
    ready,
  }
}

function objectionsOf({ rules }: ReadySet, facts: Facts): CompiledRule[] {
  return rules.filter(({ objects }) => objects(facts))
}

function sameNames(objecting: readonly CompiledRule[], names: ReadonlySet<string>): boolean {
  return objecting.length === names.size && objecting.every(({ engineRule }) => names.has(engineRule.name))
}

/** The given facts, plus needed ones that follow from `now`. */
function seen({ check, clock }: ReadySet, given: Facts): Facts {
  const missing = clock.filter((name) => !Object.hasOwn(given, name))
  if (missing.length > 0) refuseBadFacts(checkNow, given)
  const all = missing.length > 0 ? { ...given, ...wallClockFacts(missing, given.now!) } : given
  refuseBadFacts(check, all)
  return all
}

const checkNow = factCheck(['now'])

function refuseBadFacts(check: FactCheck, facts: Facts): void {
  const [bad] = check(facts)
  if (bad !== undefined) throw new TypeError(`The fact ${bad.path} ${bad.message}`)
}

function pick(facts: Facts, names: readonly FactName[]): Facts {
  return Object.fromEntries(names.map((name) => [name, facts[name]])) as Facts
}

function decided(compiled: CompiledSet, facts: Facts, objecting: readonly CompiledRule[]): Evaluation {
  const by = (objection: Objection): CompiledRule[] =>
    objecting.filter(({ engineRule }) => engineRule.event.type === objection)
  const [denials, approvals] = [by('DENY'), by('REQUIRE_APPROVAL')]
  return {
    policySetHash: compiled.hash,
    outcome: denials.length > 0 ? 'DENIED' : approvals.length > 0 ? 'REQUIRES_APPROVAL' : 'APPROVED',
    violations: denials.map((rule) => violationOf(rule, facts)),
    requiresApprovalBy: approvals.map((rule) => ({ ...rule.origin, message: rule.bound.explain(facts, true) })),
    limits: compiled.limits,
    facts,
  }
}

function violationOf({ rule, origin, bound }: CompiledRule, facts: Facts): Violation {
  const message = bound.explain(facts, rule.action !== 'ALLOW')
  return { type: RULE_TYPES[rule.ruleType].violation, ...origin, ...bound.standing?.(facts), message }
}

function traceOf({ policy, rules }: CompiledPolicy, facts: Facts, objecting: ReadonlySet<CompiledRule>): PolicyTrace {
  return {
    policyId: policy.id,
    policyVersion: policy.version,
    policyName: policy.name,
    contentHash: policy.contentHash,
    rules: rules.map((compiled) => ruleTraceOf(compiled, facts, objecting.has(compiled))),
  }
}

function ruleTraceOf(compiled: CompiledRule, facts: Facts, objects: boolean): RuleTrace {
  const { rule, bound, engineRule, facts: names } = compiled
  const { id: ruleId, ruleType, operator, value, action } = rule
  const objection = engineRule.event.type === 'DENY' ? 'DENIED' : 'REQUIRES_APPROVAL'
  const outcome = objects ? objection : 'PASSED'
  // An ALLOW rule objects when its condition is not met.
  const explanation = bound.explain(facts, objects === (action !== 'ALLOW'))
  return { ruleId, ruleType, operator, value, action, outcome, facts: pick(facts, names), explanation }
}

function failed(policies: readonly PolicySnapshot[], facts: Facts, error: unknown): Evaluation {
  const why = error instanceof Error ? error.message : String(error)
  return {
    policySetHash: hashOf(policies),
    outcome: 'DENIED',
    violations: [{ type: 'POLICY_ERROR', message: `The policies could not be evaluated: ${why}` }],
    requiresApprovalBy: [],
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
