// What the first start makes: the first organization with its key, and the set-up link of its owner.
import { organizationKeysOf } from '../../machines/key.js'
import { membersOf } from '../../machines/member.js'
import { ORGANIZATIONS } from '../../machines/organization.js'
import { idOf } from '../actor/actor.js'
import { createFirstKey, createOrganization, inviteFirstOwner } from '../commands/organizations/organizations.js'
import type { Services } from '../commands/ports.js'
import type { Config } from '../config/config.js'
import type { Query } from '../store/query.js'

export interface FirstCredentials {
  /** The first organization's key; only on the first start. */
  firstKey?: string
  /** The first owner's set-up link; only on the first start. */
  ownerLink?: string
}

/** What the first start shows, once: a key that the configuration names is known already. */
export async function firstCredentials(services: Services, query: Query, config: Config): Promise<FirstCredentials> {
  const { bootstrapOrgKey, ownerEmail } = config
  const firstKey = await bootstrapKey(services, query, bootstrapOrgKey)
  const ownerLink = await bootstrapOwner(services, query, ownerEmail)
  return {
    ...(firstKey !== undefined && bootstrapOrgKey === undefined && { firstKey }),
    ...(ownerLink !== undefined && { ownerLink }),
  }
}

/**
 * The key of the first organization in a new data folder; undefined when both exist. A start interrupted between the
 * two is completed, also before the owner was invited.
 */
async function bootstrapKey(services: Services, query: Query, key: string | undefined): Promise<string | undefined> {
  const first = query.refs(ORGANIZATIONS).at(-1)
  if (first && query.refs(organizationKeysOf(idOf(first))).length > 0) return undefined
  const made = first
    ? await createFirstKey(services, idOf(first), key)
    : await createOrganization(services, 'My organization', { isInstalled: true, secret: key })
  if (!made.ok) throw new Error(`The first organization could not be made: ${made.refusal.message}`)
  return made.value.secret
}

/** The set-up link of the first organization's owner; undefined when it has members. */
async function bootstrapOwner(services: Services, query: Query, email: string): Promise<string | undefined> {
  const first = idOf(query.refs(ORGANIZATIONS).at(-1)!)
  if (query.refs(membersOf(first)).length > 0) return undefined
  const invited = await inviteFirstOwner(services, first, email)
  if (!invited.ok) throw new Error(`The first owner could not be invited: ${invited.refusal.message}`)
  return invited.value.setupUrl
}
