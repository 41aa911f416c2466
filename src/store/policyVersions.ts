// The version history of policies: one row a version, written in the commit that made it and never changed.
import { isOf, type Actor } from '../actor/actor.js'
import type { PolicyVersion } from '../domain/parties/policy.js'

/** The version that a write of a policy creates; undefined when it creates none. */
export function newVersion(before: Actor | undefined, after: Actor): PolicyVersion | undefined {
  if (!isOf('policy', after)) return undefined
  const { id, organization, version, definition, change } = after.context
  if (isOf('policy', before) && before.context.version === version) return undefined
  return { policyId: id, organization, version, definition, ...change! }
}
