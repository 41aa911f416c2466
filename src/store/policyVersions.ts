// The version history of policies: one row a version, written in the commit that made it and never changed.
import { kindOf, type Actor } from '../actor/actor.js'
import type { PolicyChange, PolicyDefinition, PolicyVersion } from '../domain/parties/policy.js'

/** The fields of a policy that its version records. */
interface Versioned {
  id: string
  organization: string
  version: number
  definition: PolicyDefinition
  change: PolicyChange
}

/** The version that a write of a policy creates; undefined when it creates none. */
export function newVersion(before: Actor | undefined, after: Actor): PolicyVersion | undefined {
  if (kindOf(after.ref) !== 'policy' || before?.context['version'] === after.context['version']) return undefined
  const { id, organization, version, definition, change } = after.context as unknown as Versioned
  return { policyId: id, organization, version, definition, ...change }
}
