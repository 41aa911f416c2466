// A policy as the rules see it: one version, under the hash of its rules. Stored rules are not checked again; they were
// checked when written.
import type { PolicySnapshot } from '../../../rules/compile.js'
import { contentHash } from '../../../rules/hash.js'
import type { Rule } from '../../../rules/rule.js'
import type { Actor } from '../../actor/actor.js'
import type { Decision } from '../../domain/payment/terms.js'
import type { PolicyDefinition, PolicyRule } from '../../domain/parties/policy.js'
import type { Services } from '../ports.js'

const hashes = new WeakMap<readonly PolicyRule[], string>()

/** The content hash of a rule set, computed once: rule sets never change. */
export function rulesHash(rules: readonly PolicyRule[]): string {
  const known = hashes.get(rules)
  if (known !== undefined) return known
  const hash = contentHash(rules as readonly Rule[])
  hashes.set(rules, hash)
  return hash
}

export function snapshot(id: string, version: number, { name, priority, rules }: PolicyDefinition): PolicySnapshot {
  return { id, version, name, priority, contentHash: rulesHash(rules), rules: rules as Rule[] }
}

const snapshots = new WeakMap<Actor, PolicySnapshot>()

/** The policy's current version. */
export function snapshotOf(actor: Actor<'policy'>): PolicySnapshot {
  let known = snapshots.get(actor)
  if (known === undefined) {
    const { id, version, definition } = actor.context
    known = snapshot(id, version, definition)
    snapshots.set(actor, known)
  }
  return known
}

/** The policies of a decision, in the versions that made it. */
export async function versionsOf({ query }: Services, { policies }: Decision): Promise<PolicySnapshot[]> {
  const versions = await Promise.all(policies.map(({ id, version }) => query.version(id, version)))
  return versions.map((found) => snapshot(found!.policyId, found!.version, found!.definition))
}
