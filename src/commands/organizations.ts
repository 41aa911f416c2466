// Organizations: the first of an installation, further ones by the operator.
import type { OrganizationContext, OrganizationFields } from '../../machines/organization.js'
import type { Actor } from '../actor/actor.js'
import { newId } from '../domain/ids.js'
import { mintKey } from '../domain/keys.js'
import type { Principal } from '../domain/principal.js'
import type { Refused } from '../domain/refusal.js'
import { PRESETS } from '../domain/scopes.js'
import { outcome, tell, type Done } from './ask.js'
import { storeKey, type Minted } from './keys.js'
import type { Caller, Services } from './ports.js'

const MINUTE_MS = 60_000
const DEFAULTS: Omit<OrganizationFields, 'name'> = {
  timezone: 'UTC',
  approvedForMs: 5 * MINUTE_MS,
  waitsForMs: 24 * 60 * MINUTE_MS,
}
const RANDOM_BYTES = 64

/** The service itself, as the maker of what nobody asked for with a key. */
function operator(organization: string): Principal {
  return { type: 'OPERATOR', id: 'operator', name: 'operator', keyPrefix: '', organization, scopes: [] }
}

/** Makes an organization and its first key, with all scopes. `secret` is that key, random when left out. */
export async function createOrganization(
  services: Services,
  name: string,
  secret: string = mintKey('organization', services.random(RANDOM_BYTES)),
): Promise<(Minted & { organization: Actor }) | Refused> {
  const id = newId(services.random)
  const caller = { principal: operator(id) }
  const created = { id, fields: { name, ...DEFAULTS }, order: services.nextOrder() }
  const made = outcome(await tell(services, caller, `organization/${id}`, 'CREATE', created))
  if (!made.ok) return made
  const minted = await createFirstKey(services, id, secret)
  return minted.ok ? { ...minted, organization: made.actor } : minted
}

/** A key with all scopes for an organization that has none yet. */
export function createFirstKey(
  services: Services,
  organization: string,
  secret: string = mintKey('organization', services.random(RANDOM_BYTES)),
): Promise<Minted | Refused> {
  const key = { type: 'ORGANIZATION_KEY' as const, name: 'First key', agentId: null, scopes: PRESETS.ADMIN }
  return storeKey(services, { principal: operator(organization) }, { ...key, expiresInDays: undefined }, secret)
}

export async function findOrganization(services: Services, { principal }: Caller): Promise<Actor> {
  const [organization] = await services.host.read([`organization/${principal.organization}`])
  return organization!
}

export async function updateOrganization(
  services: Services,
  caller: Caller,
  changes: Partial<OrganizationFields>,
): Promise<Done | Refused> {
  return outcome(await tell(services, caller, `organization/${caller.principal.organization}`, 'UPDATE', { changes }))
}

/** An organization as its chart keeps it. */
export function organizationContext(actor: Actor): OrganizationContext {
  return actor.context as unknown as OrganizationContext
}
