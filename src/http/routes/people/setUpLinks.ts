// Routes of whoever opens a set-up link. A link is a secret, and is read from the body: addresses are logged.
import * as v from 'valibot'
import { findOrganization } from '../../../commands/organizations/organizations.js'
import { personOf } from '../../../commands/people/principals.js'
import { readSetUpLink, setUpMember, type SetUpLink } from '../../../commands/people/setUp.js'
import type { Services } from '../../../commands/ports.js'
import { name, recordSchema } from '../../input/schemas.js'
import { iso, ok } from '../../server/respond.js'
import { route } from '../../server/route.js'
import { memberEmail, memberRecord } from './members.js'
import { newPassword, PASSWORD_BODY_BYTES, sessionBegun, sessionSchema } from './sessions.js'

const token = v.pipe(v.string('must be text'), v.maxLength(200))

const setUpLinkSchema = recordSchema('SetUpLink', {
  email: v.string(),
  name: v.nullable(v.string()),
  /** ACTIVE where the link only sets a new password. */
  status: v.picklist(['INVITED', 'ACTIVE']),
  /** True for the first owner while nobody has named an address. */
  choosesEmail: v.boolean(),
  organization: v.object({ id: v.string(), name: v.string() }),
  expiresAt: v.string(),
})

const OF_A_LINK = {
  method: 'POST',
  access: { key: 'none' },
  foundBy: 'setUpToken',
  limit: 'login',
  idempotency: 'none',
  bodyLimit: PASSWORD_BODY_BYTES,
} as const

export const setUpLinkRoutes = [
  route({
    ...OF_A_LINK,
    operationId: 'readSetUpLink',
    path: '/api/session/setup-link',
    summary: 'Read whom a set-up link is for',
    body: v.strictObject({ token }),
    answers: { 200: setUpLinkSchema },
    refuses: ['AUTH_FAILED'],
    handler: async ({ services, body }) => {
      const found = await readSetUpLink(services, body.token)
      return found.ok ? ok(await linkRecord(services, found.value)) : found
    },
  }),
  route({
    ...OF_A_LINK,
    operationId: 'setUpMember',
    path: '/api/session/setup',
    summary: 'Set a password with a set-up link, and sign in',
    body: v.strictObject({
      token,
      password: newPassword(),
      name: v.optional(name(100)),
      email: v.optional(memberEmail()),
    }),
    answers: { 200: sessionSchema },
    refuses: ['AUTH_FAILED', 'ALREADY_EXISTS'],
    handler: async ({ services, body, requestId, userAgent }) =>
      sessionBegun(services, await setUpMember(services, { ...body, requestId, userAgent })),
  }),
]

async function linkRecord(
  services: Services,
  { member, setUp, choosesEmail }: SetUpLink,
): Promise<v.InferOutput<typeof setUpLinkSchema>> {
  const { email, name: known, status } = memberRecord(member)
  const { id, fields } = (await findOrganization(services, { principal: personOf(member) })).context
  const organization = { id, name: fields.name }
  return { email, name: known, status, choosesEmail, organization, expiresAt: iso(setUp.expiresAt) }
}
