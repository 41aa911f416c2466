// Members: inviting, listing, changing and removing people. The last owner stays an owner.
import type { Actor } from '../../actor/actor.js'
import { membersOf, type SetUp } from '../../../machines/member.js'
import type { Page, Paging } from '../../actor/query.js'
import { omitUndefined } from '../../domain/values/omitUndefined.js'
import type { Ref } from '../../domain/limits/gate.js'
import { identityOf, type Identity } from '../../domain/access/principal.js'
import { refuse, refuseAt, succeed, type Result } from '../../domain/outcomes/result.js'
import type { Role } from '../../domain/access/roles.js'
import { mintToken } from '../../domain/access/sessionToken.js'
import { memberEmailKey } from '../../domain/values/uniqueKeys.js'
import { find, newIdFor, outcome, send } from '../send.js'
import { findDescendants, removeMaker, type Removal } from './descendants.js'
import { LAST_OWNER, leavesNoOwner, ownersInTurn } from './owners.js'
import type { Caller, Services } from '../ports.js'
import { makerOf, personOf } from './principals.js'

const SET_UP_MS = 7 * 86_400_000

/** A member with its set-up link, which is shown this once. */
export interface Invited {
  actor: Actor<'member'>
  setupUrl: string
}

export interface NewMember {
  /** In its stored form. */
  email: string
  name?: string | undefined
  role: Role
  /** New when left out. */
  id?: string
}

/** A new link, and its stored form. */
function newLink(services: Services, renewedBy: Identity | null): { setUp: SetUp; setupUrl: string } {
  const token = mintToken((bytes) => services.random(bytes))
  const setUp = { hash: services.hashKey(token), expiresAt: services.now() + SET_UP_MS, renewedBy }
  return { setUp, setupUrl: `${services.publicUrl()}/setup?token=${token}` }
}

export async function inviteMember(
  services: Services,
  caller: Caller,
  { email, name = '', role, id = newIdFor(services, caller) }: NewMember,
): Promise<Result<Invited, 'ALREADY_EXISTS'>> {
  const { principal } = caller
  // Whoever removes the inviter sees the member among what it made.
  const { setUp, setupUrl } = newLink(services, null)
  const created = {
    id,
    order: services.nextOrder(),
    email,
    name: name === '' ? null : name,
    role,
    createdBy: makerOf(principal),
    countsAs: formerPerson(services, principal.organization, email),
    setUp,
  }
  const taken = { ALREADY_EXISTS: { path: 'email', message: 'A member with this e-mail address exists already' } }
  const made = outcome<'member', 'ALREADY_EXISTS'>(
    await send(services, caller, `member/${id}`, 'CREATE', created),
    taken,
  )
  return made.ok ? succeed({ actor: made.value, setupUrl }) : made
}

/**
 * The identity of the removed member that had this address last: whoever is removed and invited again is no second
 * person. Null where nobody had it.
 */
function formerPerson({ host }: Services, organization: string, email: string): Identity | null {
  const known = host.keyOwner(memberEmailKey(organization, email))
  return known?.isFormer ? identityOf(personOf(host.peek(known.owner as Ref<'member'>)!)) : null
}

const HAS_PASSWORD =
  'This person has a password already: give them a link for a new one with POST /api/members/{memberId}/reset-password'

/** Replaces the unused link of an invited member. */
export async function inviteAgain(
  services: Services,
  caller: Caller,
  id: string,
): Promise<Result<Invited, 'INVALID_STATUS' | 'NOT_FOUND'>> {
  const found = await find(services, caller, 'member', id)
  if (!found.ok) return found
  const { setUp, setupUrl } = newLink(services, makerOf(caller.principal))
  const notWaiting = { INVALID_STATUS: HAS_PASSWORD }
  const made = outcome<'member', 'INVALID_STATUS'>(
    await send(services, caller, found.value.ref, 'INVITE', { setUp }),
    notWaiting,
  )
  return made.ok ? succeed({ actor: made.value, setupUrl }) : made
}

/**
 * A link with which another member may set a new password. The old one goes on until the link is used, which ends every
 * session; nobody resets their own, because that would need no password.
 */
export async function resetPassword(
  services: Services,
  caller: Caller,
  id: string,
): Promise<Result<Invited, 'INVALID_STATUS' | 'NOT_FOUND'>> {
  const found = await find(services, caller, 'member', id)
  if (!found.ok) return found
  if (caller.principal.memberId === id) return refuse('INVALID_STATUS', OWN)
  const { setUp, setupUrl } = newLink(services, makerOf(caller.principal))
  const made = outcome<'member', 'INVALID_STATUS'>(
    await send(services, caller, found.value.ref, 'RESET_PASSWORD', { setUp }),
  )
  return made.ok ? succeed({ actor: made.value, setupUrl }) : made
}

const OWN = 'Another owner resets your password; change it yourself with the present one'

/** Members, newest first, without removed ones. */
export function listMembers(services: Services, caller: Caller, paging: Paging): Promise<Page<'member'> | undefined> {
  return services.query.page({ ...paging, list: membersOf(caller.principal.organization) })
}

export interface MemberChanges {
  name?: string | null | undefined
  role?: Role | undefined
}

export function updateMember(
  services: Services,
  caller: Caller,
  id: string,
  given: MemberChanges,
): Promise<Result<Actor<'member'>, 'INVALID_STATUS' | 'NOT_FOUND'>> {
  const changes = omitUndefined(given)
  const { organization } = caller.principal
  return ownersInTurn(organization, async () => {
    const found = await find(services, caller, 'member', id)
    if (!found.ok) return found
    const isDemoted = given.role !== undefined && given.role !== 'OWNER'
    if (isDemoted && leavesNoOwner(services, organization, [found.value.ref])) {
      return refuseAt('INVALID_STATUS', 'role', LAST_OWNER)
    }
    return outcome(await send(services, caller, found.value.ref, 'UPDATE', { changes }))
  })
}

/** Removes a member and ends its sessions and keys in the same commit; its e-mail address becomes free. */
export async function removeMember(
  services: Services,
  caller: Caller,
  { memberId, ...removal }: Removal & { memberId: string },
): Promise<Result<Actor<'member'>, 'INSUFFICIENT_SCOPE' | 'INVALID_STATUS' | 'NOT_FOUND'>> {
  const found = await findDescendants(services, caller, 'member', memberId)
  return found.ok ? removeMaker(services, caller, found.value.root as Actor<'member'>, removal) : found
}
