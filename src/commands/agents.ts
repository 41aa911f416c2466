// Commands on agents: creating, changing, freezing, deleting and listing them.
import { idOf, type Actor } from '../actor/actor.js'
import type { StillValid, View } from '../actor/host.js'
import type { AgentFields, AgentStatus, AgentType } from '../domain/agent.js'
import { fieldsGiven } from '../domain/given.js'
import { newId } from '../domain/ids.js'
import { refuse, type Refused } from '../domain/refusal.js'
import { folded } from '../domain/text.js'
import { find, isVisible, outcome, tell, tellWhile, type Done } from './ask.js'
import { agentNameClaim } from './claims.js'
import { agentContext } from './contexts.js'
import type { Page, Paging } from '../actor/query.js'
import type { Caller, Services } from './ports.js'
import { issueSecret, type Configured } from './webhooks.js'

export interface NewAgent {
  name: string
  agentType: AgentType
  description?: string | undefined
  /** EIP-55; from a new key pair when left out. */
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
    publicKey: given.publicKey ?? (await services.newAddress(caller.principal.organization)),
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

export interface AgentChanges {
  name?: string | undefined
  status?: AgentStatus | undefined
  description?: string | null | undefined
  callbackUrl?: string | null | undefined
}

const COMMANDS: Record<AgentStatus, string> = {
  ACTIVE: 'ACTIVATE',
  PAUSED: 'PAUSE',
  SUSPENDED: 'SUSPEND',
  REVOKED: 'REVOKE',
}

/**
 * Changes the given fields. The name goes first, because another agent may hold it. The organization's first event URL
 * gets its signing secret beforehand: deliveries are always signed.
 */
export async function updateAgent(
  services: Services,
  caller: Caller,
  id: string,
  changes: AgentChanges,
): Promise<Configured | Refused> {
  const found = await findAgent(services, caller, id)
  if (!found.ok) return found
  const { status } = changes
  if (status !== undefined && isFinal(found.actor) && status !== 'REVOKED') return refuse('INVALID_STATUS', FINAL)
  // Only the last command is remembered as the request's answer.
  const { remember: _last, ...earlier } = caller
  const steps = stepsOf(services, caller, found.actor, changes)
  let done: Configured | Refused = found
  let secret: string | undefined
  for (const [at, { type, fields }] of steps.entries()) {
    if (typeof fields.changes?.callbackUrl === 'string') {
      const issued = await issueSecret(services, earlier)
      if (!issued.ok) return issued
      secret = issued.secret
    }
    const teller = at === steps.length - 1 ? caller : earlier
    done = outcome(await tell(services, teller, found.actor.ref, type, fields), { ...TAKEN, INVALID_STATUS: FINAL })
    if (!done.ok) return done
  }
  return done.ok && secret !== undefined ? { ...done, secret } : done
}

interface Step {
  type: string
  fields: { changes?: AgentChanges; [field: string]: unknown }
}

/**
 * The commands that carry out the changes, at least one. The status changes last: its event goes to the URL that the
 * request leaves. The first command meets the barrier where the status needs approval: nothing is changed then, and no
 * secret made.
 */
function stepsOf(services: Services, { principal }: Caller, agent: Actor, changes: AgentChanges): Step[] {
  const { name, status, ...given } = changes
  const rest = fieldsGiven(given)
  const steps: Step[] = []
  if (name !== undefined && name !== agentContext(agent).name) {
    const claim = agentNameClaim(principal.organization, name, idOf(agent.ref), newId(services.random))
    steps.push({ type: 'RENAME', fields: { name, claim, ...(status && { status }) } })
  }
  const become: Step[] = status === undefined ? [] : [{ type: COMMANDS[status], fields: { changes: {} } }]
  const isRest = Object.keys(rest).length > 0 || (steps.length === 0 && status === undefined)
  const update: Step[] = isRest ? [{ type: 'UPDATE', fields: { changes: rest, ...(status && { status }) } }] : []
  const makesSecretFirst = steps.length === 0 && typeof rest.callbackUrl === 'string'
  if (makesSecretFirst && status === 'ACTIVE') steps.push({ type: 'UPDATE', fields: { changes: {}, status } })
  return [...steps, ...update, ...become]
}

const FINAL = 'REVOKED is final: register a new agent'

function isFinal(actor: Actor): boolean {
  return agentContext(actor).status === 'REVOKED'
}

/** Suspends an agent; no payment of it executes after the audit entry whose sequence is the answer. */
export async function freezeAgent(
  services: Services,
  caller: Caller,
  id: string,
  reason: string,
): Promise<Done | Refused> {
  const found = await findAgent(services, caller, id)
  return found.ok
    ? outcome(await tell(services, caller, found.actor.ref, 'FREEZE', { reason }), { INVALID_STATUS: FINAL })
    : found
}

export async function unfreezeAgent(services: Services, caller: Caller, id: string): Promise<Done | Refused> {
  const found = await findAgent(services, caller, id)
  if (!found.ok) return found
  const notFrozen = { INVALID_STATUS: 'Only a SUSPENDED agent can be unfrozen' }
  return outcome(await tell(services, caller, found.actor.ref, 'UNFREEZE'), notFrozen)
}

/**
 * Deletes the agent, which makes its keys invalid, then revokes them and its delegations. Its history stays; its name
 * becomes free. Refused, and nothing is revoked, while a payment of it is under way.
 */
export async function deleteAgent(services: Services, caller: Caller, id: string): Promise<Done | Refused> {
  const found = await findAgent(services, caller, id)
  if (!found.ok) return found
  const { ref } = found.actor
  let busy: Refused | undefined
  const mayGo: StillValid = (view) => {
    busy = underWay(services, id, view)
    return busy === undefined && isVisible(view(ref), caller.principal.organization)
  }
  const reply = await tellWhile(services, caller, mayGo, ref, 'DELETE', {})
  // An agent that another request has deleted meanwhile is not found.
  if (!reply) return busy ?? findAgent(services, caller, id)
  const deleted = outcome(reply)
  if (!deleted.ok) return deleted
  for (const list of [`agent-keys/${id}`, `delegations/${id}`]) {
    for (const { ref: ended, state } of await services.query.all(list)) {
      if (state === 'active') await tell(services, caller, ended, 'REVOKE')
    }
  }
  return deleted
}

/** Why the agent may not be deleted now: an agent that may have paid must still be able to confirm it. */
function underWay({ query }: Services, id: string, view: View): Refused | undefined {
  if (query.size(`agent-payments/${id}/capturing`) > 0) return refuse('INVALID_STATUS', EXECUTING)
  // INVARIANT: a payment is on disk as approved before it gets its permit, and stays in this list.
  const isPermitted = query.refs(`agent-payments/${id}/approved`).some((ref) => view(ref)?.state === 'permitted')
  return isPermitted ? refuse('INVALID_STATUS', PERMITTED) : undefined
}

const EXECUTING = 'A payment of the agent is EXECUTING: wait until it is not'
const PERMITTED = 'The agent has a permit to pay: have it confirm the payment, or release the payment'

export interface AgentList extends Paging {
  status?: AgentStatus | undefined
  search?: string | undefined
}

/** Agents, newest first; `search` is a literal part of name or description, ignoring case. */
export function listAgents(services: Services, caller: Caller, query: AgentList): Promise<Page | undefined> {
  const { status, search, ...paging } = query
  const { organization } = caller.principal
  const list = status === undefined ? `agents/${organization}` : `agents/${organization}/${status}`
  const wanted = { ...paging, list }
  if (search === undefined || search === '') return services.query.page(wanted)
  const part = folded(search)
  return services.query.filtered(wanted, (actor) => {
    const { name, fields, status: current } = agentContext(actor)
    const isListed = status === undefined || status === current
    return isListed && folded(`${name}\n${fields.description ?? ''}`).includes(part)
  })
}
