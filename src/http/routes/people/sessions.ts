// Routes to sign in and out. A session's token is only in its cookie, and these routes keep no idempotency record.
import type { Code } from '../../../domain/outcomes/codes.js'
import { refuse, succeed, type Result } from '../../../domain/outcomes/result.js'
import * as v from 'valibot'
import { findOrganization } from '../../../commands/organizations/organizations.js'
import type { Services } from '../../../commands/ports.js'
import { personOf } from '../../../commands/people/principals.js'
import {
  changePassword,
  currentSession,
  endSession,
  listSessions,
  SESSION_MS,
  signIn,
  signOut,
  type SignedIn,
  type SessionState,
} from '../../../commands/people/sessions.js'
import type { Actor } from '../../../actor/actor.js'
import { parseEmail } from '../../../domain/values/email.js'
import { PASSWORD_LENGTH, passwordProblem } from '../../../domain/values/password.js'
import type { Principal } from '../../../domain/access/principal.js'
import { memberRecord, memberSchema } from './members.js'
import { page } from '../../input/querySchemas.js'
import { answered, iso, ok, pageAnswer, paginationSchema, succeeded, success } from '../../server/respond.js'
import { route } from '../../server/route.js'
import { id, readAs, recordSchema } from '../../input/schemas.js'
import { cookieOf, endedCookie } from '../../server/auth.js'

export const sessionSchema = recordSchema('Session', {
  member: memberSchema,
  organization: v.object({ id: v.string(), name: v.string() }),
  expiresAt: v.string(),
})
const session = sessionSchema

/** Room for two passwords of the most characters, each escaped. */
export const PASSWORD_BODY_BYTES = 16 * 1024

/** Any text: only the password check decides, so that validation reveals nothing. */
const anyPassword = v.pipe(
  v.string('must be text'),
  v.minLength(1, 'must not be empty'),
  v.maxLength(1024, 'must have at most 1024 characters'),
)

export function newPassword() {
  const { min, max } = PASSWORD_LENGTH
  return readAs<string>({ type: 'string', format: 'password', minLength: min, maxLength: max }, (value) => {
    const message = typeof value === 'string' ? passwordProblem(value) : 'must be text'
    return message === undefined ? succeed(value as string) : refuse('VALIDATION_ERROR', message)
  })
}

const credentials = v.strictObject({
  email: v.string('must be text'),
  password: anyPassword,
  organizationId: v.optional(id()),
})

const ownSessionSchema = recordSchema('OwnSession', {
  id: v.string(),
  createdAt: v.string(),
  lastUsedAt: v.string(),
  userAgent: v.nullable(v.string()),
  /** The session of this request. */
  current: v.boolean(),
})

export const sessionRoutes = [
  route({
    operationId: 'signIn',
    method: 'POST',
    path: '/api/session',
    access: { key: 'none' },
    foundBy: 'email',
    limit: 'login',
    idempotency: 'none',
    bodyLimit: PASSWORD_BODY_BYTES,
    summary: 'Sign in',
    body: credentials,
    answers: { 200: session },
    refuses: ['AUTH_FAILED'],
    handler: async ({ services, body: { email, password, organizationId }, requestId, userAgent }) => {
      const given = { email: parseEmail(email), password, organizationId }
      return sessionBegun(services, await signIn(services, given, { requestId, userAgent }))
    },
  }),
  route({
    operationId: 'changePassword',
    method: 'POST',
    path: '/api/session/password',
    access: { key: 'person' },
    limit: 'login',
    idempotency: 'none',
    bodyLimit: PASSWORD_BODY_BYTES,
    summary: 'Change the password; ends every session and starts a new one',
    body: v.strictObject({ currentPassword: anyPassword, newPassword: newPassword() }),
    answers: { 200: session },
    handler: async (call) => {
      const { body, userAgent } = call
      return sessionBegun(call.services, await changePassword(call.services, call.caller, { ...body, userAgent }))
    },
  }),
  route({
    operationId: 'getSession',
    method: 'GET',
    path: '/api/session',
    access: { key: 'person' },
    summary: 'Read the signed-in person',
    answers: { 200: session },
    handler: async ({ services, caller }) => ok(await sessionRecord(services, await currentSession(services, caller))),
  }),
  route({
    operationId: 'signOut',
    method: 'DELETE',
    path: '/api/session',
    access: { key: 'person' },
    summary: 'Sign out',
    answers: { 200: success },
    refuses: ['INVALID_STATUS'],
    handler: (call) => {
      const headers = { 'Set-Cookie': endedCookie(call.services.publicUrl()) }
      return answered(
        call,
        () => succeed({ status: 200, body: { success: true }, headers }),
        (caller) => signOut(call.services, caller),
      )
    },
  }),
  route({
    operationId: 'listOwnSessions',
    method: 'GET',
    path: '/api/members/me/sessions',
    access: { key: 'person' },
    summary: 'The sessions of the signed-in person',
    query: v.strictObject(page),
    answers: {
      200: recordSchema('OwnSessionList', { sessions: v.array(ownSessionSchema), pagination: paginationSchema }),
    },
    handler: async ({ services, caller, principal, query }) => {
      const found = await listSessions(services, caller, query)
      return pageAnswer('sessions', found, query, (actor) => ownSession(actor, principal))
    },
  }),
  route({
    operationId: 'endOwnSession',
    method: 'DELETE',
    path: '/api/members/me/sessions',
    access: { key: 'person' },
    summary: 'Sign out elsewhere',
    query: v.strictObject({ sessionId: id() }),
    answers: { 200: success },
    refuses: ['NOT_FOUND'],
    handler: (call) => answered(call, succeeded, (caller) => endSession(call.services, caller, call.query.sessionId)),
  }),
]

function ownSession(
  session: Actor<'session'>,
  { session: current }: Principal,
): v.InferOutput<typeof ownSessionSchema> {
  const { id: sessionId, createdAt, usedAt, userAgent } = session.context
  return {
    id: sessionId,
    createdAt: iso(createdAt),
    lastUsedAt: iso(usedAt),
    userAgent,
    current: sessionId === current,
  }
}

async function sessionRecord(
  services: Services,
  { member, session: begun }: SessionState,
): Promise<v.InferOutput<typeof sessionSchema>> {
  const { organization, expiresAt } = begun.context
  const found = await findOrganization(services, { principal: personOf(member) })
  const { name } = found.context.fields
  return { member: memberRecord(member), organization: { id: organization, name }, expiresAt: iso(expiresAt) }
}

export async function sessionBegun<C extends Code>(services: Services, signedIn: Result<SignedIn, C>) {
  if (!signedIn.ok) return signedIn
  const cookie = cookieOf(services.publicUrl(), signedIn.value.token, SESSION_MS / 1000)
  return ok(await sessionRecord(services, signedIn.value), 200, { headers: { 'Set-Cookie': cookie } })
}
