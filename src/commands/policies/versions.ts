// The history of a policy: its versions, their differences, and rollback.
import type { Actor } from '../../actor/actor.js'
import { diffFields, diffRules } from '../../../rules/diff.js'
import type { Rule } from '../../../rules/rule.js'
import type { Paging } from '../../actor/query.js'
import type { PolicyDefinition, PolicyVersion } from '../../domain/parties/policy.js'
import { refuse, succeed, type Result } from '../../domain/outcomes/result.js'
import { isId } from '../../domain/values/ids.js'
import { edit, type EditOptions, type ScopeCode } from './policies.js'
import type { Caller, Services } from '../ports.js'

export interface VersionPage {
  versions: PolicyVersion[]
  total: number
  nextCursor?: string
}

const noPolicy = (id: string) => refuse('NOT_FOUND', `There is no policy ${id}`)

/** The newest version's number, also of a deleted policy; undefined where the policy never existed. */
async function newestVersion({ host }: Services, { principal }: Caller, policyId: string): Promise<number | undefined> {
  const [actor] = isId(policyId) ? await host.read([`policy/${policyId}`]) : []
  return actor?.context.organization === principal.organization ? actor.context.version : undefined
}

/** The first version of a page; its number is the cursor. Undefined for one that the policy does not have. */
function newestFrom(cursor: string, total: number): number | undefined {
  const version = /^[1-9]\d{0,8}$/.test(cursor) ? Number(cursor) : Infinity
  return version <= total ? version : undefined
}

/** Versions, newest first. Their numbers have no gaps, so a page is found without a search. */
export async function listVersions(
  services: Services,
  caller: Caller,
  policyId: string,
  { limit, offset, cursor }: Paging,
): Promise<Result<VersionPage | undefined, 'NOT_FOUND'>> {
  const total = await newestVersion(services, caller, policyId)
  if (total === undefined) return noPolicy(policyId)
  const newest = cursor === undefined ? total - offset : newestFrom(cursor, total)
  if (newest === undefined) return succeed(undefined)
  const oldest = Math.max(1, newest - limit + 1)
  const numbers = Array.from({ length: Math.max(0, newest - oldest + 1) }, (_, back) => newest - back)
  const versions = await Promise.all(numbers.map((number) => services.query.version(policyId, number)))
  return succeed({
    versions: versions.filter((version) => version !== undefined),
    total,
    ...(oldest > 1 && newest >= oldest && { nextCursor: String(oldest - 1) }),
  })
}

export async function findVersion(
  services: Services,
  caller: Caller,
  policyId: string,
  version: number,
): Promise<Result<PolicyVersion, 'NOT_FOUND'>> {
  if ((await newestVersion(services, caller, policyId)) === undefined) return noPolicy(policyId)
  const found = await services.query.version(policyId, version)
  return found ? succeed(found) : refuse('NOT_FOUND', 'The policy has no such version')
}

export async function compareVersions(services: Services, caller: Caller, policyId: string, from: number, to: number) {
  const before = await findVersion(services, caller, policyId, from)
  if (!before.ok) return before
  const after = await findVersion(services, caller, policyId, to)
  if (!after.ok) return after
  const [old, current] = [before.value.definition, after.value.definition]
  const rules = diffRules(old.rules as Rule[], current.rules as Rule[])
  return succeed({ fields: diffFields(old, current), ...rules })
}

/**
 * Appends a version with the definition and rules of an earlier one. Whether the policy is active stays as it is.
 * INVARIANT: a policy's type never changes.
 */
export async function rollBack(
  services: Services,
  caller: Caller,
  policyId: string,
  version: number,
  { note, ...options }: EditOptions & { note?: string | undefined },
): Promise<
  Result<
    Actor<'policy'>,
    | 'INVALID_STATUS'
    | 'LIMIT_REACHED'
    | 'NOT_FOUND'
    | 'POLICY_HAS_ASSIGNMENTS'
    | 'POLICY_TESTS_FAILED'
    | 'VALIDATION_ERROR'
    | 'VERSION_CONFLICT'
  >
> {
  const plan = async ({ isActive }: PolicyDefinition) => {
    const target = await findVersion(services, caller, policyId, version)
    if (!target.ok) return target
    const { definition } = target.value
    const fields = { definition, ...(note !== undefined && { note }) }
    return succeed({ next: { ...definition, isActive }, type: 'ROLL_BACK', fields })
  }
  return edit<ScopeCode | 'NOT_FOUND'>(services, caller, policyId, plan, options)
}
