// API key routes. Only the answer that creates a key contains its text.
import * as v from 'valibot'
import type { Actor } from '../actor/actor.js'
import { keyContext } from '../commands/contexts.js'
import {
  createAgentKey,
  createOrganizationKey,
  keyStatus,
  listAgentKeys,
  listOrganizationKeys,
  revokeKey,
  type Minted,
} from '../commands/keys.js'
import type { Services } from '../commands/ports.js'
import type { Json } from '../domain/canonical.js'
import { AGENT_SCOPES } from '../domain/scopes.js'
import { page } from './querySchemas.js'
import { answered, answeredOnce, iso, pageAnswer, paginationSchema, reader, succeeded, success } from './respond.js'
import { route, type Route } from './route.js'
import { enumOf, id, name, setOf, shownOnce, wholeFrom } from './schemas.js'

export const mintedKeySchema = v.object({
  id: v.string(),
  key: shownOnce,
  name: v.string(),
  keyPrefix: v.string(),
  scopes: v.array(v.string()),
  expiresAt: v.optional(v.string()),
  createdAt: v.string(),
})

function keyRecord(actor: Actor): { [field: string]: Json } {
  const { id, fields, expiresAt, createdAt } = keyContext(actor)
  const { name, keyPrefix, scopes } = fields
  return {
    id,
    name,
    keyPrefix,
    scopes,
    ...(expiresAt !== null && { expiresAt: iso(expiresAt) }),
    createdAt: iso(createdAt),
  }
}

const shown = { secret: ({ secret }: Minted) => ({ key: secret }), status: 201 }

const listedKeySchema = v.object({
  id: v.string(),
  name: v.string(),
  keyPrefix: v.string(),
  scopes: v.array(v.string()),
  status: v.picklist(['ACTIVE', 'REVOKED', 'EXPIRED']),
  lastUsedAt: v.nullable(v.string()),
  expiresAt: v.nullable(v.string()),
  createdAt: v.string(),
})
const keyListSchema = v.object({ keys: v.array(listedKeySchema), pagination: paginationSchema })

const organizationKeySchema = v.object({
  ...listedKeySchema.entries,
  /** The person or first key from which this key descends, and as whom it acts; null for a key without a creator. */
  createdBy: v.nullable(v.object({ type: v.string(), id: v.string() })),
})
const organizationKeyListSchema = v.object({ keys: v.array(organizationKeySchema), pagination: paginationSchema })

/** The key record of lists. */
function listedKey(actor: Actor, now: number): { [field: string]: Json } {
  const { expiresAt, usedAt } = keyContext(actor)
  return {
    ...keyRecord(actor),
    status: keyStatus(actor, now),
    lastUsedAt: usedAt === null ? null : iso(usedAt),
    expiresAt: expiresAt === null ? null : iso(expiresAt),
  }
}

function organizationKey(actor: Actor, now: number): { [field: string]: Json } {
  const { countsAs } = keyContext(actor).fields
  return { ...listedKey(actor, now), createdBy: countsAs && { ...countsAs } }
}

const expiresInDays = v.optional(wholeFrom(1, 3650))

export function organizationKeyRoutes(services: Services): Route[] {
  return [
    route({
      operationId: 'createApiKey',
      method: 'POST',
      path: '/api/api-keys',
      access: { key: 'organization', scope: 'keys:write' },
      summary: 'Make an organization key',
      governed: 'key.create',
      collected: true,
      body: v.strictObject({
        name: name(100),
        scopePreset: enumOf(['READ_ONLY', 'STANDARD', 'ADMIN']),
        expiresInDays,
      }),
      answers: { 201: { name: 'MintedKey', schema: mintedKeySchema } },
      handler: (call) =>
        answeredOnce(call, keyRecord, (caller) => createOrganizationKey(services, caller, call.body), shown),
    }),
    route({
      operationId: 'listApiKeys',
      method: 'GET',
      path: '/api/api-keys',
      access: { key: 'organization', scope: 'keys:read' },
      summary: 'List organization keys',
      query: v.strictObject(page),
      answers: { 200: { name: 'OrganizationKeyList', schema: organizationKeyListSchema } },
      handler: async (call) => {
        const now = services.now()
        const keys = await listOrganizationKeys(services, reader(call), call.query)
        return pageAnswer('keys', keys, call.query, (actor) => organizationKey(actor, now))
      },
    }),
    route({
      operationId: 'revokeApiKey',
      method: 'DELETE',
      path: '/api/api-keys',
      access: { key: 'organization', scope: 'keys:write' },
      summary: 'Revoke an organization key',
      query: v.strictObject({ keyId: id() }),
      answers: { 200: success },
      handler: (call) => answered(call, succeeded, (caller) => revokeKey(services, caller, null, call.query.keyId)),
    }),
  ]
}

export function agentKeyRoutes(services: Services): Route[] {
  return [
    route({
      operationId: 'createAgentKey',
      method: 'POST',
      path: '/api/agents/:agentId/sdk-keys',
      access: { key: 'organization', scope: 'agents:write' },
      summary: 'Make an agent key',
      governed: 'key.create',
      collected: true,
      body: v.strictObject({
        name: name(100),
        expiresInDays,
        scopes: v.optional(setOf(enumOf(AGENT_SCOPES), { min: 1, max: AGENT_SCOPES.length })),
      }),
      answers: { 201: { name: 'MintedKey', schema: mintedKeySchema } },
      handler: (call) =>
        answeredOnce(
          call,
          keyRecord,
          (caller) => createAgentKey(services, caller, call.params['agentId']!, call.body),
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
      answers: { 200: { name: 'KeyList', schema: keyListSchema } },
      handler: async (call) => {
        const keys = await listAgentKeys(services, reader(call), call.params['agentId']!, call.query)
        if (keys && 'refusal' in keys) return keys
        const now = services.now()
        return pageAnswer('keys', keys, call.query, (actor) => listedKey(actor, now))
      },
    }),
    route({
      operationId: 'revokeAgentKey',
      method: 'DELETE',
      path: '/api/agents/:agentId/sdk-keys',
      access: { key: 'organization', scope: 'agents:write' },
      summary: 'Revoke an agent key',
      query: v.strictObject({ keyId: id() }),
      answers: { 200: success },
      handler: (call) =>
        answered(call, succeeded, (caller) => revokeKey(services, caller, call.params['agentId']!, call.query.keyId)),
    }),
  ]
}
