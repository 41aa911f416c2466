// Routes to sign in and out. A session's token is only in its cookie, and these routes keep no idempotency record.
import * as v from 'valibot'
import { organizationContext, sessionContext } from '../commands/contexts.js'
import { personOf } from '../commands/members.js'
import { findOrganization } from '../commands/organizations.js'
import type { Services } from '../commands/ports.js'
import {
  changePassword,
  currentSession,
  SESSION_MS,
  setUpMember,
  signIn,
  signOut,
  type SignedIn,
  type Standing,
} from '../commands/sessions.js'
import type { Json } from '../domain/canonical.js'
import { parseEmail } from '../domain/email.js'
import { PASSWORD_LENGTH, passwordProblem } from '../domain/password.js'
import type { Refused } from '../domain/refusal.js'
import { memberRecord, memberSchema } from './members.js'
import { answered, iso, ok, reader, success } from './respond.js'
import { route, type Answer, type Route } from './route.js'
import { id, readAs } from './schemas.js'
import { cookieOf, endedCookie } from './sessionCookie.js'

const sessionSchema = v.object({
  member: memberSchema,
  organization: v.object({ id: v.string(), name: v.string() }),
  expiresAt: v.string(),
})
const session = { name: 'Session', schema: sessionSchema }

/** Room for two passwords of the most characters, each escaped. */
const BODY_BYTES = 16 * 1024

/** Any text: only the password check decides, so that validation reveals nothing. */
const anyPassword = v.pipe(
  v.string('must be text'),
  v.minLength(1, 'must not be empty'),
  v.maxLength(1024, 'must have at most 1024 characters'),
)

function newPassword() {
  const { min, max } = PASSWORD_LENGTH
  return readAs<string>({ type: 'string', format: 'password', minLength: min, maxLength: max }, (value) => {
    const message = typeof value === 'string' ? passwordProblem(value) : 'must be text'
    return message === undefined ? { ok: true, value: value as string } : { ok: false, message }
  })
}

const credentials = v.strictObject({
  email: v.string('must be text'),
  password: anyPassword,
  organizationId: v.optional(id()),
})

export function sessionRoutes(services: Services): Route[] {
  const begun = async (signedIn: SignedIn | Refused): Promise<Answer | Refused> => {
    if (!signedIn.ok) return signedIn
    const cookie = cookieOf(services.publicUrl(), signedIn.token, SESSION_MS / 1000)
    return { ...ok(await sessionRecord(services, signedIn)), headers: { 'Set-Cookie': cookie } }
  }
  return [
    route({
      operationId: 'signIn',
      method: 'POST',
      path: '/api/session',
      access: { key: 'none' },
      limit: 'login',
      memory: 'none',
      bodyLimit: BODY_BYTES,
      summary: 'Sign in',
      body: credentials,
      answers: { 200: session },
      handler: async ({ body: { email, password, organizationId }, requestId }) =>
        begun(await signIn(services, { email: parseEmail(email), password, organizationId }, requestId)),
    }),
    route({
      operationId: 'setUpMember',
      method: 'POST',
      path: '/api/session/setup',
      access: { key: 'none' },
      limit: 'login',
      memory: 'none',
      bodyLimit: BODY_BYTES,
      summary: 'Set the password that a set-up link is for, and sign in',
      body: v.strictObject({ token: v.pipe(v.string('must be text'), v.maxLength(200)), password: newPassword() }),
      answers: { 200: session },
      handler: async ({ body, requestId }) => begun(await setUpMember(services, { ...body, requestId })),
    }),
    route({
      operationId: 'changePassword',
      method: 'POST',
      path: '/api/session/password',
      access: { key: 'person' },
      limit: 'login',
      memory: 'none',
      bodyLimit: BODY_BYTES,
      summary: 'Change the password; ends every session, and begins one',
      body: v.strictObject({ currentPassword: anyPassword, newPassword: newPassword() }),
      answers: { 200: session },
      handler: async (call) => begun(await changePassword(services, reader(call), call.body)),
    }),
    ...currentRoutes(services),
  ]
}

function currentRoutes(services: Services): Route[] {
  return [
    route({
      operationId: 'getSession',
      method: 'GET',
      path: '/api/session',
      access: { key: 'person' },
      summary: 'Who has signed in',
      answers: { 200: session },
      handler: async (call) => ok(await sessionRecord(services, await currentSession(services, reader(call)))),
    }),
    route({
      operationId: 'signOut',
      method: 'DELETE',
      path: '/api/session',
      access: { key: 'person' },
      summary: 'Sign out',
      answers: { 200: success },
      handler: (call) => {
        const headers = { 'Set-Cookie': endedCookie(services.publicUrl()) }
        return answered(
          call,
          () => ({ ...ok({ success: true }), headers }),
          (caller) => signOut(services, caller),
        )
      },
    }),
  ]
}

async function sessionRecord(
  services: Services,
  { member, session: begun }: Standing,
): Promise<{ [field: string]: Json }> {
  const { organization, expiresAt } = sessionContext(begun)
  const found = await findOrganization(services, { principal: personOf(member) })
  const { name } = organizationContext(found).fields
  return { member: memberRecord(member), organization: { id: organization, name }, expiresAt: iso(expiresAt) }
}
