// Sessions: signing in and out, setting passwords, and authenticating tokens. Every sign-in costs one computation, and
// every failed one gets the same answer.
import { sessionNamed, sessionsOf } from '../../../machines/session.js'
import { membersByEmail } from '../../../machines/member.js'
import type { Actor } from '../../actor/actor.js'
import { deliver } from '../../actor/host.js'
import { newId } from '../../domain/values/ids.js'
import { normalPassword } from '../../domain/values/password.js'
import type { Principal } from '../../domain/access/principal.js'
import { refuse, refuseField, succeed, type Refused, type Result } from '../../domain/outcomes/result.js'
import { isToken, mintToken } from '../../domain/access/sessionToken.js'
import { foreignText } from '../../domain/values/text.js'
import type { Page, Paging } from '../../actor/query.js'
import { find, outcome, send } from '../send.js'
import type { Caller, Services } from '../ports.js'
import { personOf } from './principals.js'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** Counted from sign-in. */
export const SESSION_MS = 7 * 24 * HOUR_MS
/** Counted from the last request. */
const IDLE_MS = 12 * HOUR_MS
const MAX_USER_AGENT = 300

const WRONG = 'The e-mail address or the password is wrong'

/** A new session; `token` is shown this once. */
export interface SignedIn {
  member: Actor<'member'>
  session: Actor<'session'>
  token: string
}

/** Where a session begins: the request, and what the browser says it is. */
export interface Browser {
  requestId: string
  userAgent?: string | undefined
}

export interface SignIn {
  /** In its stored form; undefined when the input is no address. */
  email: string | undefined
  password: string
  /** Selects one of a person's organizations. */
  organizationId?: string | undefined
}

/**
 * Signs a person in. Each membership has its own password; the newest that matches selects the organization. The
 * memberships of an address share its salt, so that one hash is computed whether it has none or a thousand: other
 * organizations cannot slow a person down, nor crowd out the membership that is meant.
 */
export async function signIn(
  services: Services,
  given: SignIn,
  from: Browser,
): Promise<Result<SignedIn, 'AUTH_FAILED' | 'UNAVAILABLE'>> {
  if (services.passwords.busy()) return passwordsAreBusy()
  const memberships = membershipsOf(services, given)
  const stored = memberships.map((member) => member.context.password!.hash)
  const salt = passwordSalt(services, given.email ?? '')
  const { matches, renewed } = await services.passwords.verify(normalPassword(given.password), salt, stored)
  const member = memberships[matches.indexOf(true)]
  if (!member) return refuse('AUTH_FAILED', WRONG)
  const caller = { principal: personOf(member), requestId: from.requestId }
  if (renewed !== undefined) await rehash(services, caller, member, renewed)
  return beginSession(services, caller, member, from)
}

/** Known to this installation alone, so that nobody can compute hashes before they have its data. */
export function passwordSalt({ hashKey }: Services, email: string): string {
  return hashKey(`password of ${email}`)
}

export function passwordsAreBusy(): Refused<'UNAVAILABLE'> {
  return refuse('UNAVAILABLE', 'Too many passwords are being checked: try again shortly')
}

/** The members with this address and a password, newest first. */
function membershipsOf(services: Services, { email, organizationId }: SignIn): Actor<'member'>[] {
  if (email === undefined) return []
  const members = services.query.refs(membersByEmail(email)).map((ref) => services.host.peek(ref))
  const able = members.filter((member) => member !== undefined).filter(({ state }) => state === 'active')
  return able.filter(({ context }) => organizationId === undefined || context.organization === organizationId)
}

/** Stores the same password under today's parameters. */
async function rehash(services: Services, caller: Caller, member: Actor<'member'>, hash: string): Promise<void> {
  const { generation } = member.context
  await send(services, caller, member.ref, 'REHASH', { generation, password: { hash } })
}

/** INVARIANT: every session has a new token. One that the browser sent before signing in opens nothing. */
export async function beginSession(
  services: Services,
  caller: Caller,
  member: Actor<'member'>,
  { userAgent }: Pick<Browser, 'userAgent'>,
): Promise<Result<SignedIn, 'AUTH_FAILED'>> {
  const { id: memberId, generation } = member.context
  const id = newId(services.random)
  const token = mintToken((bytes) => services.random(bytes))
  const created = {
    id,
    order: services.nextOrder(),
    memberId,
    hash: services.hashKey(token),
    generation,
    expiresAt: services.now() + SESSION_MS,
    userAgent: userAgent === undefined ? null : foreignText(userAgent).slice(0, MAX_USER_AGENT),
  }
  const made = outcome<'session', never>(await send(services, caller, `session/${id}`, 'CREATE', created))
  if (!made.ok) return made
  const noted = outcome(await send(services, caller, member.ref, 'USE'))
  // The member was removed while the password was being checked.
  return noted.ok ? succeed({ member: noted.value, session: made.value, token }) : refuse('AUTH_FAILED', WRONG)
}

/** Sets a new password. The same commit ends every session of the old one, and a new session begins. */
export async function changePassword(
  services: Services,
  caller: Caller,
  { currentPassword, newPassword, ...from }: Passwords & Pick<Browser, 'userAgent'>,
): Promise<Result<SignedIn, 'AUTH_FAILED' | 'UNAVAILABLE' | 'VALIDATION_ERROR'>> {
  if (services.passwords.busy()) return passwordsAreBusy()
  const member = services.host.peek(`member/${caller.principal.id}`)
  const { generation, password, email } = member!.context
  const salt = passwordSalt(services, email)
  const { matches } = await services.passwords.verify(normalPassword(currentPassword), salt, [password!.hash])
  if (!matches[0]) return wrongPassword()
  const hash = await services.passwords.hash(normalPassword(newPassword), salt)
  const reply = await send(services, caller, member!.ref, 'CHANGE_PASSWORD', { generation, password: { hash } })
  return reply.ok ? beginSession(services, caller, reply.actor, from) : wrongPassword()
}

interface Passwords {
  currentPassword: string
  newPassword: string
}

function wrongPassword(): Refused<'VALIDATION_ERROR'> {
  return refuseField('currentPassword', 'is not the current password')
}

export interface SessionState {
  member: Actor<'member'>
  session: Actor<'session'>
}

/** The caller's session and its member. */
export async function currentSession(services: Services, { principal }: Caller): Promise<SessionState> {
  const [member, session] = await services.host.read([`member/${principal.id}`, `session/${principal.session}`])
  return { member: member!, session: session! }
}

export async function signOut(services: Services, caller: Caller): Promise<Result<Actor<'session'>, 'INVALID_STATUS'>> {
  return outcome(await send(services, caller, `session/${caller.principal.session}`, 'END'))
}

/** The person's live sessions, newest first. */
export function listSessions(
  services: Services,
  { principal }: Caller,
  paging: Paging,
): Promise<Page<'session'> | undefined> {
  const query = { ...paging, list: sessionsOf(principal.id) }
  return services.query.filtered(query, (session) => principalOfSession(services, session) !== undefined)
}

/** Ends one of the person's sessions. */
export async function endSession(
  services: Services,
  caller: Caller,
  sessionId: string,
): Promise<Result<Actor<'session'>, 'NOT_FOUND'>> {
  const missing = refuse('NOT_FOUND', `There is no session ${sessionId}`)
  const found = await find(services, caller, 'session', sessionId)
  const isOwn = found.ok && found.value.context.memberId === caller.principal.id
  if (!isOwn || !principalOfSession(services, found.value)) return missing
  const ended = outcome(await send(services, caller, found.value.ref, 'END'))
  return ended.ok ? ended : missing
}

/** The principal of a token; undefined for every reason why it is not valid. */
export function authenticateSession(services: Services, token: string): Principal | undefined {
  const ref = isToken(token) ? services.query.lookup(sessionNamed(services.hashKey(token))) : undefined
  const session = ref && services.host.peek(ref)
  const principal = session && principalOfSession(services, session)
  if (principal) noteUse(services, session)
  return principal
}

/** The principal of a session; undefined when the session is over. */
export function principalOfSession(services: Services, session: Actor<'session'>): Principal | undefined {
  if (!isLive(session, services.now())) return undefined
  const { id, memberId, generation } = session.context
  const member = services.host.peek(`member/${memberId}`)
  if (member?.state !== 'active' || member.context.generation !== generation) return undefined
  return { ...personOf(member), session: id }
}

function isLive(session: Actor<'session'>, now: number): boolean {
  const { expiresAt, usedAt } = session.context
  return session.state === 'active' && now < expiresAt && now < usedAt + IDLE_MS
}

/** Stores the time of the last request, to the minute, in the background. */
function noteUse(services: Services, session: Actor<'session'>): void {
  const { id, organization, usedAt } = session.context
  const now = services.now()
  if (now - usedAt < MINUTE_MS) return
  deliver(services.host, { type: 'SYSTEM', id }, session.ref, { type: 'USE', now, organization }).catch(() => {})
}
