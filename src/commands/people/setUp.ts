// Set-up links: what one is for, and redeeming it. Whoever has the link is the person whom it invites.
import { setUpNamed, type SetUp } from '../../../machines/member.js'
import type { Actor } from '../../actor/actor.js'
import { omitUndefined } from '../../domain/values/omitUndefined.js'
import { NO_ONES_EMAIL } from '../../domain/values/email.js'
import { memberEmailKey } from '../../domain/values/uniqueKeys.js'
import { normalPassword } from '../../domain/values/password.js'
import { refuse, refuseField, succeed, type Refused, type Result } from '../../domain/outcomes/result.js'
import { isToken } from '../../domain/access/sessionToken.js'
import { isFirstOwner } from '../organizations/organizations.js'
import { outcome, refusedOnDisk, sendIf } from '../send.js'
import type { Services } from '../ports.js'
import { personOf, principalNow } from './principals.js'
import { beginSession, passwordSalt, passwordsAreBusy, type Browser, type SignedIn } from './sessions.js'

const LINK_OVER =
  'This link was used or has expired: ask an owner for a new one, or, as an owner who has the organization key, run bursar owner-link'

/** A link that is good. */
export interface SetUpLink {
  member: Actor<'member'>
  setUp: SetUp
  /** True for the first owner while nobody has named an address. */
  choosesEmail: boolean
}

export interface NewPerson extends Browser {
  token: string
  password: string
  name?: string | undefined
  /** In its stored form. Only where the link's person chooses it. */
  email?: string | undefined
}

/** What the link with this token is for. */
export async function readSetUpLink(services: Services, token: string): Promise<Result<SetUpLink, 'AUTH_FAILED'>> {
  const hash = isToken(token) ? services.hashKey(token) : ''
  const ref = services.query.lookup(setUpNamed(hash))
  const member = ref && services.host.peek(ref)
  const { setUp = null } = member ? member.context : {}
  if (!member || setUp === null || setUp.expiresAt <= services.now() || !isUpheld(services, setUp)) {
    return refusedOnDisk(services, over())
  }
  return succeed({ member, setUp, choosesEmail: mayChooseEmail(member) })
}

/** Redeems a set-up link: sets the member's password, once, and signs the member in. */
export async function setUpMember(
  services: Services,
  { token, password, name, email, ...from }: NewPerson,
): Promise<Result<SignedIn, 'AUTH_FAILED' | 'UNAVAILABLE' | 'VALIDATION_ERROR' | 'ALREADY_EXISTS'>> {
  const found = await readSetUpLink(services, token)
  if (!found.ok) return found
  const { member, setUp, choosesEmail } = found.value
  if (name !== undefined && member.state !== 'invited') return refuseField('name', KEPT_NAME)
  if (email !== undefined && !choosesEmail) return refuseField('email', 'was chosen by whoever invited you')
  if (email !== undefined && isOfFormer(services, member, email)) return refuseField('email', OF_FORMER)
  if (services.passwords.busy()) return passwordsAreBusy()
  const salt = passwordSalt(services, email ?? member.context.email)
  const stored = { hash: await services.passwords.hash(normalPassword(password), salt) }
  const caller = { principal: personOf(member), requestId: from.requestId }
  // Hashing takes a while, in which the link may end and the address become that of somebody removed.
  const isGood = (): boolean =>
    isUpheld(services, setUp) && (email === undefined || !isOfFormer(services, member, email))
  const fields = omitUndefined({ hash: setUp.hash, password: stored, name, email })
  const reply = await sendIf(services, caller, isGood, member.ref, 'SET_UP', fields)
  if (reply === undefined) return over()
  const set = outcome<'member', 'ALREADY_EXISTS' | 'AUTH_FAILED'>(reply, REFUSED)
  return set.ok ? beginSession(services, caller, set.value, from) : set
}

function mayChooseEmail(member: Actor<'member'>): boolean {
  return member.state === 'invited' && member.context.email === NO_ONES_EMAIL && isFirstOwner(member)
}

/** Whoever had the address counts as that person, and the first owner counts as the first key. */
function isOfFormer({ host }: Services, { context }: Actor<'member'>, email: string): boolean {
  return host.keyOwner(memberEmailKey(context.organization, email))?.isFormer === true
}

/** A link into a member who is there already ends with the access of whoever made it: a stolen key must leave none. */
function isUpheld(services: Services, { renewedBy }: SetUp): boolean {
  return renewedBy === null || principalNow(services, renewedBy) !== undefined
}

function over(): Refused<'AUTH_FAILED'> {
  return refuse('AUTH_FAILED', LINK_OVER)
}

const KEPT_NAME = 'is set already: this link only sets a password'
const OF_FORMER = 'is that of a member who was removed: choose another'
const REFUSED = {
  AUTH_FAILED: LINK_OVER,
  ALREADY_EXISTS: { path: 'email', message: 'A member with this e-mail address exists already' },
}
