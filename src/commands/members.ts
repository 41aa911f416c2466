// Members: inviting, listing, changing and removing people. The last owner stays an owner.
import type { SetUp } from '../../machines/member.js'
import type { Actor } from '../actor/actor.js'
import type { Page, Paging } from '../actor/query.js'
import { fieldsGiven } from '../domain/given.js'
import { newId } from '../domain/ids.js'
import type { Principal } from '../domain/principal.js'
import { refuse, type Refused } from '../domain/refusal.js'
import { ROLE_SCOPES, type Role } from '../domain/roles.js'
import { mintToken } from '../domain/token.js'
import { find, outcome, send, type Done } from './send.js'
import { memberContext } from './contexts.js'
import { oneByOne } from '../actor/oneByOne.js'
import type { Caller, Services } from './ports.js'

const SET_UP_MS = 7 * 86_400_000

/** A member with its set-up link, which is shown this once. */
export type Invited = Done & { setupUrl: string }

export interface NewMember {
  /** In its stored form. */
  email: string
  name?: string | undefined
  role: Role
}

/** A new link, and its stored form. */
function newLink(services: Services): { setUp: SetUp; setupUrl: string } {
  const token = mintToken((bytes) => services.random(bytes))
  const setUp = { hash: services.hashKey(token), expiresAt: services.now() + SET_UP_MS }
  return { setUp, setupUrl: `${services.publicUrl()}/setup?token=${token}` }
}

export async function inviteMember(
  services: Services,
  caller: Caller,
  { email, name = '', role }: NewMember,
): Promise<Invited | Refused> {
  const id = newId(services.random)
  const { setUp, setupUrl } = newLink(services)
  const created = { id, order: services.nextOrder(), email, name: name === '' ? null : name, role, setUp }
  const taken = { ALREADY_EXISTS: 'A member with this e-mail address exists already' }
  const made = outcome(await send(services, caller, `member/${id}`, 'CREATE', created), taken)
  return made.ok ? { ...made, setupUrl } : made
}

/** Replaces the unused link of an invited member. */
export async function inviteAgain(services: Services, caller: Caller, id: string): Promise<Invited | Refused> {
  const found = await find(services, caller, 'member', id)
  if (!found.ok) return found
  const { setUp, setupUrl } = newLink(services)
  const notWaiting = { INVALID_STATUS: 'This member has a password already: remove it, and invite it anew' }
  const made = outcome(await send(services, caller, found.actor.ref, 'INVITE', { setUp }), notWaiting)
  return made.ok ? { ...made, setupUrl } : made
}

/** Members, newest first, without removed ones. */
export function listMembers(services: Services, caller: Caller, paging: Paging): Promise<Page | undefined> {
  return services.query.page({ ...paging, list: `members/${caller.principal.organization}` })
}

/**
 * Serializes changes to owners by organization: of two changes at once, each could take the other's owner for the one
 * that stays.
 */
const inTurn = oneByOne()

export interface MemberChanges {
  name?: string | null | undefined
  role?: Role | undefined
}

export function updateMember(
  services: Services,
  caller: Caller,
  id: string,
  given: MemberChanges,
): Promise<Done | Refused> {
  const changes = fieldsGiven(given)
  return inTurn(caller.principal.organization, async () => {
    const found = await find(services, caller, 'member', id)
    if (!found.ok) return found
    const demoted = given.role !== undefined && given.role !== 'OWNER'
    if (demoted && isLastOwner(services, found.actor)) return refuse('INVALID_STATUS', LAST)
    return outcome(await send(services, caller, found.actor.ref, 'UPDATE', { changes }))
  })
}

/** Removes a member and ends its sessions in the same commit; its e-mail address becomes free. */
export function removeMember(services: Services, caller: Caller, id: string): Promise<Done | Refused> {
  return inTurn(caller.principal.organization, async () => {
    const found = await find(services, caller, 'member', id)
    if (!found.ok) return found
    if (isLastOwner(services, found.actor)) return refuse('INVALID_STATUS', LAST)
    return outcome(await send(services, caller, found.actor.ref, 'REMOVE'))
  })
}

const LAST = 'The last owner stays: let somebody else become an owner first'

/** An invited owner may never sign in, and does not count. */
function isLastOwner(services: Services, member: Actor): boolean {
  const { role, organization } = memberContext(member)
  if (role !== 'OWNER') return false
  const others = services.query.refs(`owners/${organization}`).filter((ref) => ref !== member.ref)
  const owners = others.map((ref) => services.host.peek(ref))
  return !owners.some((owner) => owner?.state === 'active' || member.state === 'invited')
}

export function personOf(member: Actor): Principal {
  const { id, organization, email, name, role } = memberContext(member)
  const scopes = [...ROLE_SCOPES[role]]
  return { type: 'PERSON', id, name: name ?? email, keyPrefix: '', organization, scopes, isOwner: role === 'OWNER' }
}

/** The member as a principal; undefined without a password or after removal. */
export function activeMember(services: Services, memberId: string): Principal | undefined {
  const member = services.host.peek(`member/${memberId}`)
  return member?.state === 'active' ? personOf(member) : undefined
}
