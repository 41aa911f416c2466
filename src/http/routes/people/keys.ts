// API key routes. Only the answer that creates a key contains its text.
import * as v from 'valibot'
import type { Actor } from '../../../actor/actor.js'
import {
  createAgentKey,
  createOrganizationKey,
  listAgentKeys,
  listOrganizationKeys,
  revokeKey,
  type Minted,
} from '../../../commands/people/keys.js'
import { keyStatus, scopesOf } from '../../../commands/people/principals.js'
import { AGENT_SCOPES, SCOPE_PRESETS } from '../../../domain/access/scopes.js'
import { cascade, descendants, removal, removed, shownDescendants } from './descendants.js'
import { page } from '../../input/querySchemas.js'
import { answeredOnce, iso, pageAnswer, paginationSchema } from '../../server/respond.js'
import { route } from '../../server/route.js'
import { enumOf, id, identitySchema, name, setSchema, shownOnce, wholeFrom, recordSchema } from '../../input/schemas.js'

export const mintedKeySchema = recordSchema('MintedKey', {
  id: v.string(),
  key: shownOnce,
  name: v.string(),
  keyPrefix: v.string(),
  scopes: v.array(v.string()),
  expiresAt: v.optional(v.string()),
  createdAt: v.string(),
})

function keyRecord(actor: Actor<'key'>): v.InferOutput<typeof mintedKeySchema> {
  const { id, fields, expiresAt, createdAt } = actor.context
  const { name, keyPrefix } = fields
  return {
    id,
    name,
    keyPrefix,
    scopes: scopesOf(fields),
    ...(expiresAt !== null && { expiresAt: iso(expiresAt) }),
    createdAt: iso(createdAt),
  }
}

const shown = { secret: ({ secret }: Minted) => ({ key: secret }), status: 201 as const }

const listedKeySchema = recordSchema('ListedKey', {
  id: v.string(),
  name: v.string(),
  keyPrefix: v.string(),
  scopes: v.array(v.string()),
  status: v.picklist(['ACTIVE', 'REVOKED', 'EXPIRED']),
  lastUsedAt: v.nullable(v.string()),
  expiresAt: v.nullable(v.string()),
  createdAt: v.string(),
  /** Who made it: a key, a person, or the operator. */
  createdBy: identitySchema,
  type: v.picklist(['ORGANIZATION_KEY', 'AGENT_KEY', 'OAUTH']),
  /** Of a key of type OAUTH: what the client calls itself, and where the person saw that it gets its codes. */
  clientName: v.optional(v.string()),
  redirectHost: v.optional(v.string()),
})
const keyListSchema = recordSchema('KeyList', { keys: v.array(listedKeySchema), pagination: paginationSchema })

const organizationKeySchema = recordSchema('ListedOrganizationKey', {
  ...listedKeySchema.entries,
  /** Absent where the scopes are the key's own. */
  scopePreset: v.optional(v.picklist(SCOPE_PRESETS)),
})
const organizationKeyListSchema = recordSchema('OrganizationKeyList', {
  keys: v.array(organizationKeySchema),
  pagination: paginationSchema,
})

/** The key record of lists. */
function listedKey(actor: Actor<'key'>, now: number): v.InferOutput<typeof listedKeySchema> {
  const { expiresAt, usedAt, fields, oauth } = actor.context
  return {
    ...keyRecord(actor),
    status: keyStatus(actor, now),
    lastUsedAt: usedAt === null ? null : iso(usedAt),
    expiresAt: expiresAt === null ? null : iso(expiresAt),
    createdBy: { ...fields.createdBy },
    type: fields.type,
    ...(oauth && { clientName: fields.name, redirectHost: oauth.redirectHost }),
  }
}

function organizationKey(actor: Actor<'key'>, now: number): v.InferOutput<typeof organizationKeySchema> {
  const { scopePreset } = actor.context.fields
  return { ...listedKey(actor, now), ...(scopePreset !== null && { scopePreset }) }
}

const expiresInDays = v.optional(wholeFrom(1, 3650))

export const organizationKeyRoutes = [
  route({
    operationId: 'createApiKey',
    method: 'POST',
    path: '/api/api-keys',
    access: { key: 'organization', scope: 'keys:write' },
    summary: 'Create an organization key',
    governed: 'key.create',
    collected: true,
    body: v.strictObject({
      name: name(100),
      scopePreset: enumOf(SCOPE_PRESETS),
      expiresInDays,
    }),
    answers: { 201: mintedKeySchema },
    refuses: ['NOT_FOUND'],
    handler: (call) =>
      answeredOnce(call, keyRecord, (caller) => createOrganizationKey(call.services, caller, call.body), shown),
  }),
  route({
    operationId: 'listApiKeys',
    method: 'GET',
    path: '/api/api-keys',
    access: { key: 'organization', scope: 'keys:read' },
    summary: 'List organization keys',
    query: v.strictObject(page),
    answers: { 200: organizationKeyListSchema },
    handler: async ({ services, caller, query }) => {
      const now = services.now()
      const keys = await listOrganizationKeys(services, caller, query)
      return pageAnswer('keys', keys, query, (actor) => organizationKey(actor, now))
    },
  }),
  route({
    operationId: 'revokeApiKey',
    method: 'DELETE',
    path: '/api/api-keys',
    access: { key: 'organization', scope: 'keys:write' },
    summary: 'Revoke an organization key',
    governed: 'member.update',
    query: v.strictObject({ keyId: id(), cascade }),
    answers: { 200: removed },
    refuses: ['INVALID_STATUS', 'NOT_FOUND'],
    handler: (call) =>
      removal(call, call.query.cascade, (caller, asked) =>
        revokeKey(call.services, caller, { agentId: null, keyId: call.query.keyId, ...asked }),
      ),
  }),
  route({
    operationId: 'listKeyDescendants',
    method: 'GET',
    path: '/api/api-keys/:keyId/descendants',
    access: { key: 'organization', scope: 'keys:read' },
    summary: 'What a key created, directly or through others, and still gives access',
    answers: { 200: descendants },
    handler: (call) => shownDescendants(call.services, call, 'key', call.params.keyId),
  }),
]

export const agentKeyRoutes = [
  route({
    operationId: 'createAgentKey',
    method: 'POST',
    path: '/api/agents/:agentId/sdk-keys',
    access: { key: 'organization', scope: 'agents:write' },
    summary: 'Create an agent key',
    governed: 'key.create',
    collected: true,
    body: v.strictObject({
      name: name(100),
      expiresInDays,
      scopes: v.optional(setSchema(enumOf(AGENT_SCOPES), { min: 1, max: AGENT_SCOPES.length })),
    }),
    answers: { 201: mintedKeySchema },
    refuses: ['LIMIT_REACHED'],
    handler: (call) =>
      answeredOnce(
        call,
        keyRecord,
        (caller) => createAgentKey(call.services, caller, call.params.agentId, call.body),
        shown,
      ),
  }),
  route({
    operationId: 'listAgentKeys',
    method: 'GET',
    path: '/api/agents/:agentId/sdk-keys',
    access: { key: 'organization', scope: 'agents:read' },
    summary: "List an agent's keys",
    query: v.strictObject(page),
    answers: { 200: keyListSchema },
    handler: async ({ services, caller, params, query }) => {
      const keys = await listAgentKeys(services, caller, params.agentId, query)
      if (!keys.ok) return keys
      const now = services.now()
      return pageAnswer('keys', keys.value, query, (actor) => listedKey(actor, now))
    },
  }),
  route({
    operationId: 'revokeAgentKey',
    method: 'DELETE',
    path: '/api/agents/:agentId/sdk-keys',
    access: { key: 'organization', scope: 'agents:write' },
    summary: 'Revoke an agent key',
    query: v.strictObject({ keyId: id(), cascade }),
    answers: { 200: removed },
    refuses: ['INVALID_STATUS'],
    handler: (call) =>
      removal(call, call.query.cascade, (caller, asked) =>
        revokeKey(call.services, caller, { agentId: call.params.agentId, keyId: call.query.keyId, ...asked }),
      ),
  }),
]
