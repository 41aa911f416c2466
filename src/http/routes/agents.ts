// Agent routes and the agent record.
import * as v from 'valibot'
import type { Actor } from '../../actor/actor.js'
import type { View } from '../../actor/host.js'
import {
  createAgent,
  deleteAgent,
  findAgent,
  freezeAgent,
  listAgents,
  unfreezeAgent,
  updateAgent,
} from '../../commands/agents/agents.js'
import { activitiesOf } from '../../commands/agents/activity.js'
import { importAgents, type AgentImportEntry, type AgentImportResult } from '../../commands/agents/imports.js'
import type { Caller, Services } from '../../commands/ports.js'
import { agentStatus } from '../../commands/status.js'
import { FREEZE_ACTIONS } from '../../domain/limits/autoFreeze.js'
import { AGENT_STATUSES, AGENT_TYPES, type AgentStatus } from '../../domain/parties/agent.js'
import { redactedUrl } from '../../domain/audit/redact.js'
import { activityRecord, activitySchema } from './activities.js'
import { delegationRecords, delegationSchema } from './delegations.js'
import { anyEntry, IMPORT_BYTES } from './imports.js'
import { outstandingSchema, withOutstanding } from './payments/outstanding.js'
import { policySummaries, policySummarySchema } from './policies/summaries.js'
import { page } from '../input/querySchemas.js'
import { answered, answeredOnce, iso, ok, succeeded, success, wrongCursor, type Sequence } from '../server/respond.js'
import { route } from '../server/route.js'
import {
  addressSchema,
  enumOf,
  flag,
  listSchema,
  name,
  opaqueText,
  recordSchema,
  setSchema,
  text,
  wholeFrom,
} from '../input/schemas.js'
import { destinationOf, eventUrl } from './eventUrl.js'
import { shownSecret } from './webhooks.js'
import { shortInput, validate } from '../input/validate.js'

/** Thresholds that are left out are not watched. */
const autoFreezeSchema = recordSchema('AutoFreeze', {
  action: v.picklist(FREEZE_ACTIONS),
  consecutiveViolations: v.optional(v.number()),
  consecutiveFailures: v.optional(v.number()),
  hourlySpendFactor: v.optional(v.number()),
  paymentFactor: v.optional(v.number()),
  recipientsPerHour: v.optional(v.number()),
})

export const agentSchema = recordSchema('Agent', {
  id: v.string(),
  name: v.string(),
  agentType: v.picklist(AGENT_TYPES),
  status: v.picklist(AGENT_STATUSES),
  description: v.nullable(v.string()),
  publicKey: v.string(),
  externalId: v.nullable(v.string()),
  allowedContexts: v.array(v.string()),
  callbackUrl: v.nullable(v.string()),
  webhookConfigured: v.boolean(),
  autoFreeze: v.nullable(autoFreezeSchema),
  frozenFor: v.nullable(v.string()),
  createdAt: v.string(),
  updatedAt: v.string(),
})

const changedAgentSchema = recordSchema('ChangedAgent', {
  ...agentSchema.entries,
  webhookSecret: v.optional(v.string()),
})

const wholeAgentSchema = recordSchema('WholeAgent', {
  ...agentSchema.entries,
  wallets: v.array(delegationSchema),
  policies: v.array(policySummarySchema),
  _count: v.object({ sentTransactions: v.number() }),
})

export function agentRecord(actor: Actor<'agent'>): v.InferOutput<typeof agentSchema> {
  const { id, name, fields, autoFreeze, frozenFor, createdAt, updatedAt } = actor.context
  // Nobody is shown a deleted agent.
  const status = agentStatus(actor) as AgentStatus
  const { callbackUrl, ...shown } = fields
  return {
    id,
    name,
    status,
    ...shown,
    callbackUrl: callbackUrl === null ? null : redactedUrl(callbackUrl),
    webhookConfigured: callbackUrl !== null,
    autoFreeze: autoFreeze && { ...autoFreeze },
    frozenFor,
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
  }
}

const newAgent = v.strictObject({
  name: name(100),
  agentType: enumOf(AGENT_TYPES),
  description: v.optional(text(0, 500)),
  publicKey: v.optional(addressSchema({ chainType: 'EVM', checksum: 'ignored' })),
  externalId: v.optional(opaqueText(1, 200)),
  allowedContexts: v.optional(setSchema(text(1, 100), { max: 100 })),
})

const factor = v.pipe(v.number(), v.minValue(1), v.maxValue(1000))

const newAutoFreeze = v.strictObject({
  action: v.optional(enumOf(FREEZE_ACTIONS)),
  consecutiveViolations: v.optional(wholeFrom(1, 1000)),
  consecutiveFailures: v.optional(wholeFrom(1, 1000)),
  hourlySpendFactor: v.optional(factor),
  paymentFactor: v.optional(factor),
  recipientsPerHour: v.optional(wholeFrom(1, 1000)),
})

const agentUpdate = v.strictObject({
  name: v.optional(name(100)),
  status: v.optional(enumOf(AGENT_STATUSES)),
  description: v.optional(v.nullable(text(0, 500))),
  callbackUrl: v.optional(v.nullable(eventUrl)),
  autoFreeze: v.optional(v.nullable(newAutoFreeze)),
})

/** What a list adds to each agent on demand. */
const INCLUDED = ['activity'] as const

const listedAgentSchema = recordSchema('ListedAgent', {
  ...agentSchema.entries,
  activity: v.optional(activitySchema),
})

const agentListSchema = recordSchema('AgentList', {
  agents: v.array(listedAgentSchema),
  total: v.number(),
  limit: v.number(),
  offset: v.number(),
  nextCursor: v.optional(v.string()),
})

const frozenSchema = recordSchema('FrozenAgent', {
  agent: agentSchema,
  auditSequence: v.number(),
  /** Of a freeze. */
  outstanding: v.optional(v.array(outstandingSchema)),
})

const single = agentSchema
const write = { key: 'organization', scope: 'agents:write' } as const
const read = { key: 'organization', scope: 'agents:read' } as const

/** The audit sequence of the freeze: no payment of the agent executes after it. */
function frozen(agent: Actor<'agent'>, _view: View, sequence: Sequence) {
  return ok({ agent: agentRecord(agent), auditSequence: sequence() })
}

async function withActivities<A extends { id: string }>(services: Services, caller: Caller, agents: readonly A[]) {
  const activities = await activitiesOf(
    services,
    caller,
    agents.map(({ id }) => id),
  )
  return agents.map((agent, at) => ({ ...agent, activity: activityRecord(activities[at]!) }))
}

const importedAgent = v.strictObject({
  name: name(100),
  publicKey: addressSchema({ chainType: 'EVM', checksum: 'ignored' }),
  agentType: v.optional(enumOf(AGENT_TYPES), 'CUSTOM'),
  description: v.optional(text(0, 500)),
  externalId: v.optional(opaqueText(1, 200)),
})

const importSchema = recordSchema('AgentImport', {
  imported: v.number(),
  resumed: v.number(),
  skipped: v.number(),
  errors: v.array(v.object({ index: v.number(), publicKey: v.string(), error: v.string(), code: v.string() })),
  agents: v.array(v.object({ id: v.string(), name: v.string() })),
})

export const agentRoutes = [
  route({
    operationId: 'createAgent',
    method: 'POST',
    path: '/api/agents',
    access: write,
    summary: 'Register an agent',
    body: newAgent,
    answers: { 201: single },
    refuses: ['ALREADY_EXISTS', 'LIMIT_REACHED'],
    handler: (call) =>
      answered(
        call,
        (actor: Actor<'agent'>) => ok(agentRecord(actor), 201),
        (caller) => createAgent(call.services, caller, { ...call.body, publicKey: call.body.publicKey?.display }),
      ),
  }),
  route({
    operationId: 'listAgents',
    method: 'GET',
    path: '/api/agents',
    access: read,
    summary: 'List agents',
    query: v.strictObject({
      ...page,
      status: v.optional(enumOf(AGENT_STATUSES)),
      search: v.optional(text(0, 200)),
      include: v.optional(enumOf(INCLUDED)),
    }),
    answers: { 200: agentListSchema },
    handler: async ({ services, caller, query: { include, ...query } }) => {
      const found = await listAgents(services, caller, query)
      if (!found) return wrongCursor()
      const { total, nextCursor } = found
      const { limit, offset } = query
      const records = found.actors.map(agentRecord)
      const agents = include === 'activity' ? await withActivities(services, caller, records) : records
      return ok({ agents, total, limit, offset, ...(nextCursor !== undefined && { nextCursor }) })
    },
  }),
  route({
    operationId: 'getAgent',
    method: 'GET',
    path: '/api/agents/:agentId',
    access: read,
    summary: 'Read an agent with its wallets and policies',
    answers: { 200: wholeAgentSchema },
    handler: ({ services, caller, params }) => wholeAgent(services, caller, params.agentId),
  }),
  route({
    operationId: 'updateAgent',
    method: 'PATCH',
    path: '/api/agents/:agentId',
    access: write,
    summary: 'Change an agent',
    governed: 'agent.reactivate',
    body: agentUpdate,
    answers: { 200: changedAgentSchema },
    refuses: ['INVALID_STATUS', 'ALREADY_EXISTS'],
    handler: async (call) => {
      const { callbackUrl, ...fields } = call.body
      const url = typeof callbackUrl === 'string' ? destinationOf(call.services, 'callbackUrl', callbackUrl) : undefined
      if (url?.ok === false) return url
      const changes = { ...fields, callbackUrl: url ? url.value : callbackUrl }
      const update = (caller: Caller) => updateAgent(call.services, caller, call.params.agentId, changes)
      return answeredOnce(call, agentRecord, update, { secret: shownSecret })
    },
  }),
  route({
    operationId: 'deleteAgent',
    method: 'DELETE',
    path: '/api/agents/:agentId',
    access: write,
    summary: 'Remove an agent with its keys and delegations',
    answers: { 200: success },
    refuses: ['INVALID_STATUS'],
    handler: (call) => answered(call, succeeded, (caller) => deleteAgent(call.services, caller, call.params.agentId)),
  }),
  route({
    operationId: 'freezeAgent',
    method: 'POST',
    path: '/api/agents/:agentId/freeze',
    access: write,
    summary: 'Freeze an agent: none of its payments is executed',
    body: v.strictObject({ reason: text(1, 500) }),
    answers: { 200: frozenSchema },
    refuses: ['INVALID_STATUS'],
    handler: async (call) => {
      const { services, principal, params, body } = call
      const done = await answered(call, frozen, (caller) => freezeAgent(services, caller, params.agentId, body.reason))
      return withOutstanding(services, { organization: principal.organization, agentId: params.agentId }, done)
    },
  }),
  route({
    operationId: 'unfreezeAgent',
    method: 'POST',
    path: '/api/agents/:agentId/unfreeze',
    access: write,
    summary: 'Unfreeze an agent',
    governed: 'agent.reactivate',
    body: v.strictObject({ reason: v.optional(text(1, 500)) }),
    bodyOptional: true,
    answers: { 200: frozenSchema },
    refuses: ['INVALID_STATUS'],
    handler: (call) =>
      answered(call, frozen, (caller) =>
        unfreezeAgent(call.services, caller, call.params.agentId, call.body.reason ?? null),
      ),
  }),
  route({
    operationId: 'importAgents',
    method: 'POST',
    path: '/api/agents/bulk-import',
    access: write,
    summary: 'Register many agents at once',
    bodyLimit: IMPORT_BYTES,
    body: v.strictObject({
      agents: listSchema(anyEntry(importedAgent, 'ImportedAgent'), { min: 1, max: 100 }),
      skipExisting: v.optional(flag, true),
    }),
    answers: { 200: importSchema },
    handler: async (call) => {
      const entries = call.body.agents.map(importEntry)
      const answer = (result: AgentImportResult) => ok({ ...result })
      const record = (result: AgentImportResult) => call.record?.(answer(result).value)
      return answer(await importAgents(call.services, call.caller, entries, call.body.skipExisting, record))
    },
  }),
]

function importEntry(raw: unknown): AgentImportEntry {
  const checked = validate(importedAgent, raw, 'VALIDATION_ERROR', 'field', 'The entry')
  if (checked.ok) {
    const agent = checked.value as v.InferOutput<typeof importedAgent>
    return { ok: true, agent: { ...agent, publicKey: agent.publicKey.display } }
  }
  const given = (raw as { publicKey?: unknown } | null)?.publicKey
  return { ...checked, publicKey: typeof given === 'string' ? shortInput(given) : '' }
}

async function wholeAgent(services: Services, caller: Caller, id: string) {
  const found = await findAgent(services, caller, id)
  if (!found.ok) return found
  const wallets = await delegationRecords(services, caller, id)
  if (!wallets.ok) return wallets
  const { executed } = found.value.context
  return ok({
    ...agentRecord(found.value),
    wallets: wallets.value,
    policies: await policySummaries(services, caller, id),
    _count: { sentTransactions: executed },
  })
}
