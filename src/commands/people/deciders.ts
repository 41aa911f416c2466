// Counts the principals that may decide approval requests, and tells what a stored identity may do now. Two keys of one
// person count as one.
import { membersOf } from '../../../machines/member.js'
import { organizationKeysOf } from '../../../machines/key.js'
import type { Actor } from '../../actor/actor.js'
import type { Approval } from '../../domain/payment/approval.js'
import { identityOf, type Principal } from '../../domain/access/principal.js'
import type { Services } from '../ports.js'
import { personOf, principalNow, principalOfKey } from './principals.js'

/** The number of different principals that may decide approval requests now. */
export async function countDeciders(services: Services, organization: string): Promise<number> {
  const members = await services.query.all(membersOf(organization))
  const people = members.filter(({ state }) => state === 'active').map(personOf)
  const keys = await services.query.all(organizationKeysOf(organization))
  const all = [...people, ...keys.map((key) => livePrincipal(services, key))].filter(mayDecide)
  return new Set(all.map(identityOf).map(({ type, id }) => `${type}/${id}`)).size
}

/** Ids of deciders of this request that may decide none any more. */
export function lapsedIn(services: Services, { decisions }: Approval): string[] {
  return decisions.filter(({ by }) => !mayDecide(principalNow(services, by))).map(({ by }) => by.id)
}

export const mayDecide = (one: Principal | undefined): one is Principal =>
  one?.scopes.includes('approvals:write') === true

function livePrincipal(services: Services, key: Actor<'key'>): Principal | undefined {
  return key.context.fields.agentId === null ? principalOfKey(services, key) : undefined
}
