// Agents over HTTP: rows of the route table, the record they show, and small handlers.
import * as v from 'valibot'
import type { Actor } from '../actor/actor.js'
import { agentContext, createAgent, findAgent, listAgents } from '../commands/agents.js'
import type { Caller, Services } from '../commands/ports.js'
import { AGENT_STATUSES, AGENT_TYPES } from '../domain/agent.js'
import type { Json } from '../domain/canonical.js'
import { refuse, type Refused } from '../domain/refusal.js'
import { delegationRecords, delegationSchema } from './delegations.js'
import { page } from './querySchemas.js'
import { answered, iso, ok, reader } from './respond.js'
import { route, type Answer, type Route } from './route.js'
import { address, enumOf, list, text } from './schemas.js'

export const agentSchema = v.object({
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
  createdAt: v.string(),
  updatedAt: v.string(),
})

const wholeAgentSchema = v.object({
  ...agentSchema.entries,
  wallets: v.array(delegationSchema),
  policies: v.array(v.object({ id: v.string(), name: v.string() })),
  _count: v.object({ sentTransactions: v.number() }),
})

/** Values in a callback URL's query and fragment may be secrets. */
function redacted(url: string | null): string | null {
  if (url === null) return null
  const shown = new URL(url)
  for (const name of new Set(shown.searchParams.keys())) shown.searchParams.set(name, 'REDACTED')
  if (shown.hash !== '') shown.hash = 'REDACTED'
  return shown.href
}

export function agentRecord(actor: Actor): { [field: string]: Json } {
  const { id, name, status, fields, createdAt, updatedAt } = agentContext(actor)
  const { callbackUrl, ...shown } = fields
  return {
    id,
    name,
    status,
    ...shown,
    callbackUrl: redacted(callbackUrl),
    webhookConfigured: callbackUrl !== null,
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
  }
}

const newAgent = v.strictObject({
  name: text(1, 100),
  agentType: enumOf(AGENT_TYPES),
  description: v.optional(text(0, 500)),
  publicKey: v.optional(address({ chainType: 'EVM', checksum: 'ignored' })),
  externalId: v.optional(text(1, 200)),
  allowedContexts: v.optional(list(text(1, 100), { max: 100 })),
})

export function agentRoutes(services: Services): Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/agents',
      access: { key: 'organization', scope: 'agents:write' },
      summary: 'Register an agent',
      body: newAgent,
      answers: { 201: { name: 'Agent', schema: agentSchema } },
      handler: (call) =>
        answered(call, (actor) => ok(agentRecord(actor), 201), (caller) =>
          createAgent(services, caller, { ...call.body, publicKey: call.body.publicKey?.display }),
        ),
    }),
    route({
      method: 'GET',
      path: '/api/agents',
      access: { key: 'organization', scope: 'agents:read' },
      summary: 'List agents',
      query: v.strictObject({ ...page, status: v.optional(enumOf(AGENT_STATUSES)) }),
      answers: { 200: { name: 'AgentList', schema: v.object({ agents: v.array(agentSchema), total: v.number(), limit: v.number(), offset: v.number(), nextCursor: v.optional(v.string()) }) } },
      handler: async (call) => {
        const found = await listAgents(services, reader(call), call.query)
        if (!found) return refuse('VALIDATION_ERROR', 'cursor must be the nextCursor of the page before')
        const { actors, total, nextCursor } = found
        const { limit, offset } = call.query
        return ok({ agents: actors.map(agentRecord), total, limit, offset, ...(nextCursor !== undefined && { nextCursor }) })
      },
    }),
    route({
      method: 'GET',
      path: '/api/agents/:agentId',
      access: { key: 'organization', scope: 'agents:read' },
      summary: 'Read an agent with its wallets and policies',
      answers: { 200: { name: 'WholeAgent', schema: wholeAgentSchema } },
      handler: (call) => wholeAgent(services, reader(call), call.params['agentId']!),
    }),
  ]
}

async function wholeAgent(services: Services, caller: Caller, id: string): Promise<Answer | Refused> {
  const found = await findAgent(services, caller, id)
  if (!found.ok) return found
  const wallets = await delegationRecords(services, caller, id)
  if ('refusal' in wallets) return wallets
  const { executed } = agentContext(found.actor)
  return ok({ ...agentRecord(found.actor), wallets, policies: [], _count: { sentTransactions: executed } })
}
