// Decides a payment by the policies that apply to it, and says why. It never throws and never fails open: whatever goes
// wrong, and any fact that is missing or of the wrong type, is a denial with POLICY_ERROR. The conditions decide as
// functions; json-rules-engine is what these are held against.
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
import { preparing, type ReadySet } from './readySets.js'
import type { Action, Operator } from './rule.js'
import { RULE_TYPES, type RuleTypeName } from './ruleTypes/index.js'

export interface RuleTrace {
  ruleId: string
  ruleType: RuleTypeName
  operator: Operator | null
  value: Json
  action: Action
  outcome: 'PASSED' | 'DENIED' | 'REQUIRES_APPROVAL'
  /** What it saw, as it was given: amounts in micro-units, times in epoch ms. */
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

/** A rule that asks for a person. */
export interface Asking extends Origin {
  message: string
}

export interface Evaluation {
  policySetHash: string
  outcome: Outcome
  /** Why it is denied: the highest priority first, then by policy id, then in the order of the rules. */
  violations: Violation[]
  /** The rules that ask for a person and why, in the same order; also when others deny. */
  requiresApprovalBy: Asking[]
  /** What the gates enforce, whatever the outcome. */
  limits: LimitTerm[]
  /**
   * The facts that were given, and those that the policies need and that follow from `now`: given back to `evaluate`,
   * they give the same decision, whatever has become of time zones since.
   */
  facts: Facts
}

/** With what every rule of every policy made of the facts. */
export interface Explained extends Evaluation {
  trace: PolicyTrace[]
}

/** `timezone` is the IANA name for times whose rule names no zone. */
type Evaluate<Found> = (
  policies: readonly PolicySnapshot[],
  timezone: string,
  facts: Facts,
) => Promise<Found>

export interface Evaluator {
  /** Decides by the conditions as functions, and now and then by json-rules-engine too. */
  evaluate: Evaluate<Evaluation>
  /** The same, always by both, and says why. */
  explain: Evaluate<Explained>
  /** The policies as one set, compiled once for all who ask; rejects where they do not compile. */
  ready: (policies: readonly PolicySnapshot[], timezone: string) => Promise<{ readonly compiled: CompiledSet }>
}

export interface EvaluatorOptions {
  /** How many compiled sets are kept, those that were used last. */
  cacheSize: number
  /** Whether json-rules-engine decides this time too. A difference between the two is a denial. */
  isChecked: () => boolean
  /** Hears of a difference: one of the two is wrong. */
  onDifference: (policySetHash: string) => void
  /** What the functions are held against; json-rules-engine. */
  referenceOf?: (rules: readonly EngineRule[], breathe: Breathe) => Run
  /** Between the rules that are compiled. */
  breathe?: Breathe
}

const NO_BREATH: Breathe = async () => {}

export function createEvaluator(options: EvaluatorOptions): Evaluator {
  const { cacheSize, isChecked, onDifference, referenceOf = pooledRun, breathe = NO_BREATH } = options
  const ready = preparing({ cacheSize, referenceOf, breathe })
  const compare = async ({ compiled, reference }: ReadySet, facts: Facts, objecting: readonly CompiledRule[]): Promise<void> => {
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

/** The facts that were given, and those that the set needs, follow from `now` and are not given. */
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

/** Empty when the policies are such that they have no hash. */
function hashOf(policies: readonly PolicySnapshot[]): string {
  try {
    return policySetHash(policies)
  } catch {
    return ''
  }
}
