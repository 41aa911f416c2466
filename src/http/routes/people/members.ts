// Member routes. Only the answer that creates a set-up link contains it.
import { refuse, succeed } from '../../../domain/outcomes/result.js'
import * as v from 'valibot'
import type { Actor } from '../../../actor/actor.js'
import {
  inviteAgain,
  inviteMember,
  listMembers,
  removeMember,
  resetPassword,
  updateMember,
  type Invited,
} from '../../../commands/people/members.js'
import { parseEmail } from '../../../domain/values/email.js'
import { ROLES } from '../../../domain/access/roles.js'
import { cascade, descendants, removal, removed, shownDescendants } from './descendants.js'
import { page } from '../../input/querySchemas.js'
import { answered, answeredOnce, iso, ok, pageAnswer, paginationSchema } from '../../server/respond.js'
import { route } from '../../server/route.js'
import { enumOf, identitySchema, name, readAs, shownOnce, recordSchema } from '../../input/schemas.js'

export const memberSchema = recordSchema('Member', {
  id: v.string(),
  email: v.string(),
  name: v.nullable(v.string()),
  role: v.picklist(ROLES),
  status: v.picklist(['INVITED', 'ACTIVE']),
  createdAt: v.string(),
  createdBy: identitySchema,
  lastSignInAt: v.optional(v.string()),
})
const member = memberSchema
export const invitedSchema = recordSchema('InvitedMember', { ...memberSchema.entries, setupUrl: shownOnce })
const invited = invitedSchema

export function memberRecord(actor: Actor<'member'>): v.InferOutput<typeof memberSchema> {
  const { id, email, name, role, createdAt, createdBy, lastSignInAt } = actor.context
  const status = actor.state === 'active' ? 'ACTIVE' : 'INVITED'
  const signedIn = lastSignInAt === null ? {} : { lastSignInAt: iso(lastSignInAt) }
  return { id, email, name, role, status, createdAt: iso(createdAt), createdBy: { ...createdBy }, ...signedIn }
}

export function memberEmail() {
  const message = 'must be an e-mail address'
  return readAs<string>({ type: 'string', format: 'email', maxLength: 254 }, (value) => {
    const parsed = typeof value === 'string' ? parseEmail(value) : undefined
    return parsed === undefined ? refuse('VALIDATION_ERROR', message) : succeed(parsed)
  })
}

const OWNERS = { key: 'organization', scope: 'organization:write', ownersOnly: true } as const

const link = ({ setupUrl }: Invited) => ({ setupUrl })
const shown = (actor: Actor<'member'>) => ok(memberRecord(actor))

export const memberRoutes = [
  route({
    operationId: 'listMembers',
    method: 'GET',
    path: '/api/members',
    access: { key: 'organization', scope: 'organization:read' },
    summary: 'List the members',
    query: v.strictObject(page),
    answers: {
      200: recordSchema('MemberList', { members: v.array(memberSchema), pagination: paginationSchema }),
    },
    handler: async ({ services, caller, query }) =>
      pageAnswer('members', await listMembers(services, caller, query), query, memberRecord),
  }),
  route({
    operationId: 'inviteMember',
    method: 'POST',
    path: '/api/members',
    access: OWNERS,
    summary: 'Invite a member',
    governed: 'member.update',
    collected: true,
    body: v.strictObject({ email: memberEmail(), name: v.optional(name(100)), role: enumOf(ROLES) }),
    answers: { 201: invited },
    refuses: ['ALREADY_EXISTS'],
    handler: (call) =>
      answeredOnce(call, memberRecord, (caller) => inviteMember(call.services, caller, call.body), {
        secret: link,
        status: 201,
      }),
  }),
  route({
    operationId: 'reinviteMember',
    method: 'POST',
    path: '/api/members/:memberId/invite',
    access: OWNERS,
    summary: 'Create a new set-up link for a member who has no password yet',
    governed: 'member.update',
    collected: true,
    answers: { 200: invited },
    refuses: ['INVALID_STATUS'],
    handler: (call) =>
      answeredOnce(call, memberRecord, (caller) => inviteAgain(call.services, caller, call.params.memberId), {
        secret: link,
      }),
  }),
  route({
    operationId: 'resetPassword',
    method: 'POST',
    path: '/api/members/:memberId/reset-password',
    access: OWNERS,
    summary: 'Create a link for another member to reset the password',
    governed: 'member.update',
    collected: true,
    answers: { 200: invited },
    refuses: ['INVALID_STATUS'],
    handler: (call) =>
      answeredOnce(call, memberRecord, (caller) => resetPassword(call.services, caller, call.params.memberId), {
        secret: link,
      }),
  }),
  route({
    operationId: 'updateMember',
    method: 'PATCH',
    path: '/api/members/:memberId',
    access: OWNERS,
    summary: 'Change a member',
    governed: 'member.update',
    body: v.strictObject({ name: v.optional(v.nullable(name(100))), role: v.optional(enumOf(ROLES)) }),
    answers: { 200: member },
    refuses: ['INVALID_STATUS'],
    handler: (call) =>
      answered(call, shown, (caller) => updateMember(call.services, caller, call.params.memberId, call.body)),
  }),
  route({
    operationId: 'removeMember',
    method: 'DELETE',
    path: '/api/members/:memberId',
    access: OWNERS,
    summary: 'Remove a member and end its sessions',
    governed: 'member.update',
    query: v.strictObject({ cascade }),
    answers: { 200: removed },
    refuses: ['INVALID_STATUS'],
    handler: (call) =>
      removal(call, call.query.cascade, (caller, asked) =>
        removeMember(call.services, caller, { memberId: call.params.memberId, ...asked }),
      ),
  }),
  route({
    operationId: 'listMemberDescendants',
    method: 'GET',
    path: '/api/members/:memberId/descendants',
    access: { key: 'organization', scope: 'organization:read' },
    summary: 'What a member created, directly or through others, and would still give access without them',
    answers: { 200: descendants },
    handler: (call) => shownDescendants(call.services, call, 'member', call.params.memberId),
  }),
]
