// Who in an organization may decide at all, counted as they count: two keys of one person are one.
import type { Actor } from '../actor/actor.js'
import { identityOf, type Principal } from '../domain/principal.js'
import { keyContext, principalOfKey } from './keys.js'
import { personOf } from './members.js'
import type { Services } from './ports.js'

/** How many different principals may decide approval requests now. */
export async function countDeciders(services: Services, organization: string): Promise<number> {
  const members = await services.query.all(`members/${organization}`)
  const people = members.filter(({ state }) => state === 'active').map(personOf)
  const keys = await Promise.all((await services.query.all(`keys/${organization}`)).map((key) => livePrincipal(services, key)))
  const all = [...people, ...keys].filter((one): one is Principal => one?.scopes.includes('approvals:write') === true)
  return new Set(all.map(identityOf).map(({ type, id }) => `${type}/${id}`)).size
}

async function livePrincipal(services: Services, key: Actor): Promise<Principal | undefined> {
  return keyContext(key).fields.agentId === null ? principalOfKey(services, key) : undefined
}
