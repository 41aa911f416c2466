// What an organization may do with its agents.
import type { Actor } from '../actor/actor.js'
import type { AgentContext } from '../../machines/agent.js'
import type { AgentFields, AgentStatus, AgentType } from '../domain/agent.js'
import { newId } from '../domain/ids.js'
import type { Refused } from '../domain/refusal.js'
import { find, outcome, tell, type Done } from './ask.js'
import { agentNameClaim } from './claims.js'
import type { Page } from '../actor/query.js'
import type { Caller, Services } from './ports.js'

export interface NewAgent {
  name: string
  agentType: AgentType
  description?: string | undefined
  /** EIP-55; made from a fresh key pair when left out. */
  publicKey?: string | undefined
  externalId?: string | undefined
  allowedContexts?: string[] | undefined
}

const TAKEN = { ALREADY_EXISTS: 'An agent of this name exists already' }

export async function createAgent(services: Services, caller: Caller, given: NewAgent): Promise<Done | Refused> {
  const id = newId(services.random)
  const fields: AgentFields = {
    agentType: given.agentType,
    description: given.description ?? null,
    publicKey: given.publicKey ?? (await services.newAddress()),
    externalId: given.externalId ?? null,
    allowedContexts: given.allowedContexts ?? [],
    callbackUrl: null,
  }
  const claim = agentNameClaim(caller.principal.organization, given.name, id, '0')
  const created = { id, name: given.name, fields, claim, order: services.nextOrder() }
  return outcome(await tell(services, caller, `agent/${id}`, 'CREATE', created), TAKEN)
}

export function findAgent(services: Services, caller: Caller, id: string): Promise<Done | Refused> {
  return find(services, caller, 'agent', id)
}

export interface AgentList {
  status?: AgentStatus | undefined
  limit: number
  offset: number
  cursor?: string | undefined
}

export function listAgents(services: Services, caller: Caller, query: AgentList): Promise<Page | undefined> {
  const { status, limit, offset, cursor } = query
  const { organization } = caller.principal
  const list = status === undefined ? `agents/${organization}` : `agents/${organization}/${status}`
  return services.query.page({ list, limit, offset, ...(cursor !== undefined && { cursor }) })
}

/** An agent as its chart keeps it. */
export function agentContext(actor: Actor): AgentContext {
  return actor.context as unknown as AgentContext
}
