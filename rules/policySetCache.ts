// A cache of compiled policy sets: each is compiled once for all callers, and kept while it is used. The engines that
// check them are kept by policy.
import {
  compiling,
  type CompiledPolicy,
  type CompiledRule,
  type CompiledSet,
  type EngineRule,
  type PolicySnapshot,
} from './compile.js'
import type { Breathe, RunEngine } from './engines.js'
import { BoundedCache } from '../src/domain/values/boundedCache.js'
import { sha256Hex } from '../src/domain/values/digest.js'
import { factCheck, isWallClock, type FactCheck, type FactName } from './facts.js'

export interface ReadySet {
  compiled: CompiledSet
  rules: readonly CompiledRule[]
  /** Checks the facts that the set needs. */
  check: FactCheck
  /** The needed facts that follow from `now`. */
  clock: readonly FactName[]
  /** Checks the functions. */
  reference: RunEngine
}

interface Preparing {
  /** The largest number of compiled sets to keep. */
  cacheSize: number
  /** The check of one policy's functions. */
  referenceOf: (rules: readonly EngineRule[], breathe: Breathe) => RunEngine
  /** Called between compiled rules. */
  breathe: Breathe
}

/** Rejects for policies that do not compile. */
export type Ready = (policies: readonly PolicySnapshot[], zone: string) => Promise<ReadySet>

export function preparing({ cacheSize, referenceOf, breathe }: Preparing): Ready {
  const sets = new BoundedCache<string, Promise<ReadySet>>(cacheSize)
  // By policy: an organization's are in the sets of all its wallets, and engines are large.
  const runs = new BoundedCache<CompiledPolicy, RunEngine>(MAX_POLICIES_CHECKED)
  const runOf = (policy: CompiledPolicy): RunEngine => {
    return runs.getOrInsertComputed(policy, () => referenceOf(engineRulesOf(policy), breathe))
  }
  const prepare = async (policies: readonly PolicySnapshot[], zone: string): Promise<ReadySet> => {
    const compiled = await compiledInSteps(policies, zone, breathe)
    const rules = compiled.policies.flatMap((policy) => policy.rules)
    const [check, clock] = [factCheck(compiled.needs), compiled.needs.filter(isWallClock)]
    return { compiled, rules, check, clock, reference: inTurn(compiled.policies, runOf, breathe) }
  }
  return (policies, zone) => sets.getOrInsertComputed(keyOf(policies, zone), () => prepare(policies, zone))
}

/** Policies whose engines are kept: most of them have few rules. */
const MAX_POLICIES_CHECKED = 500

function engineRulesOf({ rules }: CompiledPolicy): EngineRule[] {
  return rules.map(({ engineRule }) => engineRule)
}

/** An engine does not yield while it runs: other work comes between policies. */
function inTurn(
  policies: readonly CompiledPolicy[],
  runOf: (policy: CompiledPolicy) => RunEngine,
  breathe: Breathe,
): RunEngine {
  return async (facts, names) => {
    const objecting = new Set<string>()
    for (const [at, policy] of policies.entries()) {
      if (at > 0) await breathe()
      for (const name of await runOf(policy)(facts, names)) objecting.add(name)
    }
    return objecting
  }
}

async function compiledInSteps(
  policies: readonly PolicySnapshot[],
  zone: string,
  breathe: Breathe,
): Promise<CompiledSet> {
  const steps = compiling(policies, zone)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    await breathe()
  }
}

const keys = new WeakMap<readonly PolicySnapshot[], { zone: string; key: string }>()

/** The key of a list of policies, computed once: lists never change, and the same list recurs. */
function keyOf(policies: readonly PolicySnapshot[], zone: string): string {
  const known = keys.get(policies)
  if (known?.zone === zone) return known.key
  const key = [zone, ...policies.map(fingerprint)].join('\n')
  keys.set(policies, { zone, key })
  return key
}

const fingerprints = new WeakMap<PolicySnapshot, string>()

/** Includes names and rule ids, which traces show but the set's hash does not cover. */
function fingerprint(policy: PolicySnapshot): string {
  const known = fingerprints.get(policy)
  if (known !== undefined) return known
  const { id, version, contentHash, priority, name, rules } = policy
  const made = sha256Hex(JSON.stringify([id, version, contentHash, priority, name, rules.map((rule) => rule.id)]))
  fingerprints.set(policy, made)
  return made
}
