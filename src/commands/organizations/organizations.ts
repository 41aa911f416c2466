// Organizations: the first of an installation, and more by the operator.
import { organizationKeysOf } from '../../../machines/key.js'
import type { OrganizationFields } from '../../../machines/organization.js'
import type { Actor } from '../../actor/actor.js'
import { keyedMutex } from '../../async/keyedMutex.js'
import { omitUndefined } from '../../domain/values/omitUndefined.js'
import { GOVERNED_ACTIONS, type GovernanceSettings } from '../../domain/outcomes/governance.js'
import { derivedId, newId } from '../../domain/values/ids.js'
import { mintKey } from '../../domain/access/apiKey.js'
import type { IdempotencyRecord } from '../../domain/outcomes/idempotencyRecord.js'
import type { Identity, Principal } from '../../domain/access/principal.js'
import type { OrganizationLimits } from '../../domain/parties/organizationLimits.js'
import { refuse, refuseAt, succeed, type Result } from '../../domain/outcomes/result.js'
import { find, outcome, send } from '../send.js'
import { countDeciders } from '../people/deciders.js'
import { storeKey, type Minted } from '../people/keys.js'
import { inviteMember, type Invited } from '../people/members.js'
import type { Caller, Services } from '../ports.js'

const MINUTE_MS = 60_000
/** What an organization has where nothing is said. */
export const DEFAULTS: Omit<OrganizationFields, 'name'> = {
  timezone: 'UTC',
  approvedForMs: 5 * MINUTE_MS,
  waitsForMs: 24 * 60 * MINUTE_MS,
  strictLineage: false,
  governance: { enabled: false, actions: [], requiredApprovals: 1, timeoutHours: 24 },
  limits: { payments: null, agents: null, policies: null, counterparties: null },
}

/** The service as a principal, for what no key requests. */
export function operator(organization: string): Principal {
  return { type: 'OPERATOR', id: 'operator', name: 'operator', keyPrefix: '', organization, scopes: [] }
}

/**
 * The first member of an installation, and the identity that its first key counts as: both are shown to whoever installs
 * it, who must not have two votes.
 */
function firstOwner(organization: string): Identity {
  return { type: 'PERSON', id: derivedId('first-owner', organization) }
}

export function isFirstOwner({ context: { id, organization } }: Actor<'member'>): boolean {
  return id === firstOwner(organization).id
}

export interface CreateOptions {
  /** The organization of the first start: its first key counts as its first owner. */
  isInstalled?: boolean
  /** The first key's secret; random when left out. */
  secret?: string | undefined
  /** A repetition under this key continues where the first attempt stopped. */
  idempotencyKey?: string | undefined
  /** The idempotency record, committed with the key that completes the organization. */
  record?: ((organization: Actor<'organization'>) => IdempotencyRecord | undefined) | undefined
  requestId?: string | undefined
}

/** Makes an organization and its first key, which has all scopes. */
export async function createOrganization(
  services: Services,
  name: string,
  { isInstalled = false, secret, idempotencyKey, record, requestId }: CreateOptions = {},
): Promise<Result<Minted & { organization: Actor<'organization'> }, 'AUTH_FAILED' | 'NOT_FOUND'>> {
  const id = idempotencyKey === undefined ? newId(services.random) : unfinished(services, name, idempotencyKey)
  const created = { id, fields: { name, ...DEFAULTS }, order: services.nextOrder() }
  const caller = { principal: operator(id), requestId }
  const { actor } = await send(services, caller, `organization/${id}`, 'CREATE', created)
  const recorded = { ...caller, ...(record && { record: () => record(actor) }) }
  const minted = await storeFirstKey(services, recorded, isInstalled ? firstOwner(id) : null, secret)
  return minted.ok ? succeed({ ...minted.value, organization: actor }) : minted
}

/** The id of the organization that this request may have begun; a new id when that one is complete. */
function unfinished({ query, random }: Services, name: string, idempotencyKey: string): string {
  const id = derivedId('organization', name, idempotencyKey)
  return query.refs(organizationKeysOf(id)).length === 0 ? id : newId(random)
}

/** A key with all scopes for the organization of the first start, where it has none yet. */
export function createFirstKey(
  services: Services,
  organization: string,
  secret?: string,
): Promise<Result<Minted, 'AUTH_FAILED' | 'NOT_FOUND'>> {
  const caller = { principal: operator(organization), requestId: undefined }
  return storeFirstKey(services, caller, firstOwner(organization), secret)
}

function storeFirstKey(
  services: Services,
  caller: Caller,
  countsAs: Identity | null,
  secret: string = mintKey('organization', services.random),
): Promise<Result<Minted, 'AUTH_FAILED' | 'NOT_FOUND'>> {
  const key = {
    type: 'ORGANIZATION_KEY',
    name: 'First key',
    agentId: null,
    scopePreset: 'ADMIN',
    scopes: [],
    expiresInDays: undefined,
  } as const
  return storeKey(services, caller, key, secret, countsAs)
}

/** Invites the first owner of the organization of the first start; `email` is in its stored form. */
export function inviteFirstOwner(
  services: Services,
  organization: string,
  email: string,
): Promise<Result<Invited, 'ALREADY_EXISTS'>> {
  const { id } = firstOwner(organization)
  const caller = { principal: operator(organization), requestId: undefined }
  return inviteMember(services, caller, { id, email, role: 'OWNER' })
}

export async function findOrganization(
  services: Services,
  { principal }: Pick<Caller, 'principal'>,
): Promise<Actor<'organization'>> {
  const [organization] = await services.host.read([`organization/${principal.organization}`])
  return organization!
}

/** Serializes updates by organization: each sends the whole governance, merged with what it found. */
const inTurn = keyedMutex()

export async function updateOrganization(
  services: Services,
  caller: Caller,
  { governance: given, ...rest }: OrganizationChanges,
): Promise<Result<Actor<'organization'>, 'INSUFFICIENT_SCOPE' | 'INVALID_STATUS'>> {
  const { organization, isOwner } = caller.principal
  const isGovernance = given !== undefined || rest.strictLineage !== undefined
  if (isGovernance && isOwner !== true) return refuse('INSUFFICIENT_SCOPE', 'Only an owner may change the governance')
  return inTurn(organization, async () => {
    const governance = given && (await governanceAfter(services, caller, given))
    if (governance?.ok === false) return governance
    const changes = { ...rest, ...(governance && { governance: governance.value }) }
    return outcome(await send(services, caller, `organization/${organization}`, 'UPDATE', { changes }))
  })
}

/** Changes the given limits of any organization, as the operator. What it has beyond them stays. */
export function limitOrganization(
  services: Services,
  caller: Pick<Caller, 'requestId' | 'record'>,
  id: string,
  given: Partial<OrganizationLimits>,
): Promise<Result<Actor<'organization'>, 'INVALID_STATUS' | 'NOT_FOUND'>> {
  const own: Caller = { ...caller, principal: operator(id) }
  return inTurn(id, async () => {
    const found = await find(services, own, 'organization', id)
    if (!found.ok) return found
    const limits = { ...found.value.context.fields.limits, ...given }
    return outcome(await send(services, own, found.value.ref, 'UPDATE', { changes: { limits } }))
  })
}

export interface OrganizationChanges extends Partial<Omit<OrganizationFields, 'governance' | 'limits'>> {
  governance?: GovernanceChanges | undefined
}

interface GovernanceChanges extends Given<Omit<GovernanceSettings, 'actions'>> {
  /** Null names none any more. */
  actions?: GovernanceSettings['actions'] | null | undefined
}
type Given<Fields> = { [Field in keyof Fields]?: Fields[Field] | undefined }

/** The settings after the change; all actions are governed until some are named. */
async function governanceAfter(
  services: Services,
  caller: Caller,
  given: GovernanceChanges,
): Promise<Result<GovernanceSettings, 'INVALID_STATUS'>> {
  const { fields } = (await findOrganization(services, caller)).context
  const { actions: named, ...said } = omitUndefined(given)
  const kept = named === undefined ? fields.governance.actions : (named ?? [])
  const next: GovernanceSettings = { ...fields.governance, ...said, actions: kept }
  if (!next.enabled) return succeed(next)
  const actions = kept.length > 0 || Array.isArray(named) ? kept : [...GOVERNED_ACTIONS]
  const needed = next.requiredApprovals + 1
  if ((await countDeciders(services, caller.principal.organization)) < needed) {
    const say = `requiredApprovals ${next.requiredApprovals} needs ${needed} different people or keys who may decide`
    return refuseAt('INVALID_STATUS', 'governance.requiredApprovals', say)
  }
  return succeed({ ...next, actions })
}

/** Freezes the organization; no payment of it executes after the audit entry whose sequence is the answer. */
export async function freezeOrganization(
  services: Services,
  caller: Caller,
  reason: string,
): Promise<Result<Actor<'organization'>, 'INVALID_STATUS'>> {
  return outcome(await send(services, caller, `organization/${caller.principal.organization}`, 'FREEZE', { reason }))
}

export async function unfreezeOrganization(
  services: Services,
  caller: Caller,
): Promise<Result<Actor<'organization'>, 'INVALID_STATUS'>> {
  const notFrozen = { INVALID_STATUS: 'The organization is not frozen' }
  return outcome(await send(services, caller, `organization/${caller.principal.organization}`, 'UNFREEZE'), notFrozen)
}
