// Policies as sets that are ready to decide: compiled once for all who ask, and kept for as long as they are used.
import { compiling, type CompiledRule, type CompiledSet, type EngineRule, type PolicySnapshot } from './compile.js'
import type { Breathe, Run } from './engines.js'
import { factCheck, isWallClock, type FactCheck, type FactName } from './facts.js'

export interface ReadySet {
  compiled: CompiledSet
  rules: readonly CompiledRule[]
  /** Of the facts that the set needs. */
  check: FactCheck
  /** Those that follow from `now`. */
  clock: readonly FactName[]
  /** What the functions are held against. */
  reference: Run
}

interface Preparing {
  /** How many sets are kept, those that were used last. */
  cacheSize: number
  referenceOf: (rules: readonly EngineRule[], breathe: Breathe) => Run
  /** Between the rules that are compiled. */
  breathe: Breathe
}

/** Rejects for policies that do not compile. */
export type Ready = (policies: readonly PolicySnapshot[], zone: string) => Promise<ReadySet>

export function preparing({ cacheSize, referenceOf, breathe }: Preparing): Ready {
  // A Map keeps the order of insertion, so the first key is the set used longest ago.
  const sets = new Map<string, Promise<ReadySet>>()
  const prepare = async (policies: readonly PolicySnapshot[], zone: string): Promise<ReadySet> => {
    const compiled = await compiledInSteps(policies, zone, breathe)
    const rules = compiled.policies.flatMap((policy) => policy.rules)
    const [check, clock] = [factCheck(compiled.needs), compiled.needs.filter(isWallClock)]
    return { compiled, rules, check, clock, reference: referenceOf(compiled.rules, breathe) }
  }
  return (policies, zone) => {
    const key = keyOf(policies, zone)
    const ready = sets.get(key) ?? prepare(policies, zone)
    sets.delete(key)
    sets.set(key, ready)
    const [oldest] = sets.keys()
    if (sets.size > cacheSize && oldest !== undefined) sets.delete(oldest)
    return ready
  }
}

async function compiledInSteps(policies: readonly PolicySnapshot[], zone: string, breathe: Breathe): Promise<CompiledSet> {
  const steps = compiling(policies, zone)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    await breathe()
  }
}

const keys = new WeakMap<readonly PolicySnapshot[], { zone: string; key: string }>()

/** Made once for a list of policies, which is not changed: whoever asks often asks with the same one. */
function keyOf(policies: readonly PolicySnapshot[], zone: string): string {
  const known = keys.get(policies)
  if (known?.zone === zone) return known.key
  const key = [zone, ...policies.map(fingerprint)].join('\n')
  keys.set(policies, { zone, key })
  return key
}

/** The set's hash covers what decides; a trace also shows names and rule ids. */
function fingerprint({ id, version, contentHash, priority, name, rules }: PolicySnapshot): string {
  return JSON.stringify([id, version, contentHash, priority, name, rules.map((rule) => rule.id)])
}
