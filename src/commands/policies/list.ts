// The list of policies, and searching it.
import { policiesOf } from '../../../machines/policy.js'
import type { Page, Paging } from '../../actor/query.js'
import type { PolicyType } from '../../domain/parties/policy.js'
import { folded } from '../../domain/values/text.js'
import type { Caller, Services } from '../ports.js'

interface PolicyList extends Paging {
  search?: string | undefined
  /** Assigned to this wallet. */
  walletId?: string | undefined
  isActive?: boolean | undefined
  policyType?: PolicyType | undefined
}

/** Policies, newest first; `search` is a literal part of name or description, ignoring case. */
export function listPolicies(
  services: Services,
  caller: Caller,
  query: PolicyList,
): Promise<Page<'policy'> | undefined> {
  const { isActive, policyType, search, walletId, ...paging } = query
  const part = folded(search ?? '')
  const list = policiesOf(caller.principal.organization)
  return services.query.filtered({ ...paging, list }, (actor) => {
    const { definition, wallets } = actor.context
    if (walletId !== undefined && wallets.every(({ subjectId }) => subjectId !== walletId)) return false
    if (!folded(`${definition.name}\n${definition.description ?? ''}`).includes(part)) return false
    if (isActive !== undefined && definition.isActive !== isActive) return false
    return policyType === undefined || definition.policyType === policyType
  })
}
