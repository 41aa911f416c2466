// Commands on agents: creating, changing, freezing, deleting and listing them.
import { agentPaymentsOf } from '../../../machines/payment/lists.js'
import { cardAssignmentsOf } from '../../../machines/cardAssignment.js'
import { agentKeysOf } from '../../../machines/key.js'
import { delegationsOf } from '../../../machines/delegation.js'
import { agentsOf } from '../../../machines/agent.js'
import type { Actor } from '../../actor/actor.js'
import type { View } from '../../actor/host.js'
import { DEFAULT_THRESHOLDS, type AutoFreeze } from '../../domain/limits/autoFreeze.js'
import { type AgentFields, type AgentStatus, type AgentType } from '../../domain/parties/agent.js'
import { omitUndefined } from '../../domain/values/omitUndefined.js'
import { newId } from '../../domain/values/ids.js'
import { CARRIES_REDACTED, unredactedUrl } from '../../domain/audit/redact.js'
import { refuse, refuseField, succeed, type Refused, type Result } from '../../domain/outcomes/result.js'
import { folded } from '../../domain/values/text.js'
import type { AddressedCommand } from '../barrier.js'
import { find, outcome, refusedOnDisk, send, sendAll } from '../send.js'
import { deleteWith } from '../deletion.js'
import type { Page, Paging } from '../../actor/query.js'
import { noRoomFor } from '../organizationLimits.js'
import type { Caller, Services } from '../ports.js'
import { secretFor, type Configured } from '../organizations/webhooks.js'
import { isPermitted, listOfStatus, agentStatus } from '../status.js'

export interface NewAgent {
  name: string
  agentType: AgentType
  description?: string | undefined
  /** EIP-55; from a new key pair when left out. */
  publicKey?: string | undefined
  externalId?: string | undefined
  allowedContexts?: string[] | undefined
}

const TAKEN = { ALREADY_EXISTS: { path: 'name', message: 'An agent of this name exists already' } }

export async function createAgent(
  services: Services,
  caller: Caller,
  given: NewAgent,
): Promise<Result<Actor<'agent'>, 'ALREADY_EXISTS' | 'LIMIT_REACHED'>> {
  // A key pair that was made stays in the keystore.
  const full = given.publicKey === undefined && noRoomFor(services, caller.principal.organization, 'agents')
  if (full) return refusedOnDisk(services, full)
  const id = newId(services.random)
  const fields: AgentFields = {
    agentType: given.agentType,
    description: given.description ?? null,
    publicKey: given.publicKey ?? (await services.newAddress(caller.principal.organization)),
    externalId: given.externalId ?? null,
    allowedContexts: given.allowedContexts ?? [],
    callbackUrl: null,
  }
  const created = { id, name: given.name, fields, order: services.nextOrder() }
  return outcome(await send(services, caller, `agent/${id}`, 'CREATE', created), TAKEN)
}

export function findAgent(
  services: Services,
  caller: Caller,
  id: string,
): Promise<Result<Actor<'agent'>, 'NOT_FOUND'>> {
  return find(services, caller, 'agent', id)
}

export interface AgentChanges {
  name?: string | undefined
  status?: AgentStatus | undefined
  description?: string | null | undefined
  callbackUrl?: string | null | undefined
  /** `{}`: all thresholds, with their defaults. */
  autoFreeze?: { [Name in keyof AutoFreeze]?: AutoFreeze[Name] | undefined } | null | undefined
}

const COMMANDS: Record<AgentStatus, string> = {
  ACTIVE: 'ACTIVATE',
  PAUSED: 'PAUSE',
  SUSPENDED: 'SUSPEND',
  REVOKED: 'REVOKE',
}

/**
 * Changes the given fields, all in one commit. With its first event URL the organization gets its signing secret:
 * deliveries are always signed.
 */
export async function updateAgent(
  services: Services,
  caller: Caller,
  id: string,
  changes: AgentChanges,
): Promise<Result<Configured<'agent'>, 'ALREADY_EXISTS' | 'INVALID_STATUS' | 'NOT_FOUND' | 'VALIDATION_ERROR'>> {
  const found = await findAgent(services, caller, id)
  if (!found.ok) return found
  const { status, callbackUrl } = changes
  if (status !== undefined && isFinal(found.value) && status !== 'REVOKED') return refuse('INVALID_STATUS', FINAL)
  const meant = typeof callbackUrl === 'string' ? meantUrl(found.value, callbackUrl) : succeed(callbackUrl)
  if (!meant.ok) return meant
  const { commands, secret } = changing(services, caller, found.value, { ...changes, callbackUrl: meant.value })
  const reply = await sendAll(services, caller, found.value.ref, commands)
  const done = outcome<'agent', 'INVALID_STATUS' | 'ALREADY_EXISTS'>(reply, { ...TAKEN, INVALID_STATUS: FINAL })
  if (!done.ok) return done
  const isNew = 'left' in reply && secret?.isNew(reply.left!)
  return succeed({ actor: done.value, ...(isNew && { secret: secret!.secret }) })
}

/** Undefined for the present URL as it is shown, which changes nothing. */
function meantUrl(agent: Actor<'agent'>, given: string): Result<string | undefined, 'VALIDATION_ERROR'> {
  const stored = agent.context.fields.callbackUrl
  const url = unredactedUrl(given, stored)
  if (url === undefined) return refuseField('callbackUrl', CARRIES_REDACTED)
  return succeed(url === stored ? undefined : url)
}

/** The messages that carry out the changes, at least one of them to the agent, which comes first. */
function changing(services: Services, { principal }: Caller, agent: Actor<'agent'>, changes: AgentChanges) {
  const { name, status, autoFreeze, ...given } = changes
  const { ref: to } = agent
  const rest = omitUndefined(given)
  const commands: AddressedCommand[] = []
  if (name !== undefined && name !== agent.context.name) commands.push({ to, type: 'RENAME', fields: { name } })
  if (autoFreeze !== undefined)
    commands.push({ to, type: 'SET_AUTO_FREEZE', fields: { autoFreeze: watched(autoFreeze) } })
  const isRest = Object.keys(rest).length > 0 || (commands.length === 0 && status === undefined)
  if (isRest) commands.push({ to, type: 'UPDATE', fields: { changes: rest } })
  if (status !== undefined) commands.push({ to, type: COMMANDS[status], fields: { changes: {} } })
  const secret = typeof rest.callbackUrl === 'string' ? secretFor(services, principal.organization) : undefined
  if (secret) commands.push(secret.command)
  return { commands, secret }
}

/** Without a threshold, all of them. */
function watched(given: AgentChanges['autoFreeze']): AutoFreeze | null {
  if (!given) return null
  const { action = 'FREEZE', ...thresholds } = omitUndefined(given)
  return { action, ...(Object.keys(thresholds).length > 0 ? thresholds : DEFAULT_THRESHOLDS) }
}

const FINAL = 'REVOKED is final: register a new agent'

function isFinal(actor: Actor): boolean {
  return agentStatus(actor) === 'REVOKED'
}

/** Suspends an agent; no payment of it executes after the audit entry whose sequence is the answer. */
export async function freezeAgent(
  services: Services,
  caller: Caller,
  id: string,
  reason: string,
): Promise<Result<Actor<'agent'>, 'INVALID_STATUS' | 'NOT_FOUND'>> {
  const found = await findAgent(services, caller, id)
  return found.ok
    ? outcome(await send(services, caller, found.value.ref, 'FREEZE', { reason }), { INVALID_STATUS: FINAL })
    : found
}

export async function unfreezeAgent(
  services: Services,
  caller: Caller,
  id: string,
  reason: string | null,
): Promise<Result<Actor<'agent'>, 'INVALID_STATUS' | 'NOT_FOUND'>> {
  const found = await findAgent(services, caller, id)
  if (!found.ok) return found
  const notFrozen = { INVALID_STATUS: 'Only a SUSPENDED agent can be unfrozen' }
  return outcome(await send(services, caller, found.value.ref, 'UNFREEZE', { reason }), notFrozen)
}

/**
 * Deletes the agent and revokes its keys, delegations and cards. Its history stays; its name becomes free. Refused, and nothing
 * is revoked, while a payment of it is under way.
 */
export async function deleteAgent(
  services: Services,
  caller: Caller,
  id: string,
): Promise<Result<Actor<'agent'>, 'INVALID_STATUS' | 'NOT_FOUND' | 'UNAVAILABLE'>> {
  const found = await findAgent(services, caller, id)
  if (!found.ok) return found
  const { ref } = found.value
  const lists = [agentKeysOf(id), delegationsOf(id), cardAssignmentsOf(id, 'active')]
  return deleteWith(services, caller, ref, lists, (view) => underWay(services, id, view))
}

/** Why the agent may not be deleted now: an agent that may have paid must still be able to confirm it. */
function underWay({ query }: Services, id: string, view: View): Refused<'INVALID_STATUS'> | undefined {
  if (query.size(agentPaymentsOf(id, listOfStatus('EXECUTING'))) > 0) return refuse('INVALID_STATUS', EXECUTING)
  // INVARIANT: a payment is on disk as approved before it gets its permit, and stays in this list.
  const mayPay = query.refs(agentPaymentsOf(id, listOfStatus('APPROVED'))).some((ref) => isPermitted(view(ref)))
  return mayPay ? refuse('INVALID_STATUS', PERMITTED) : undefined
}

const EXECUTING = 'A payment of the agent is EXECUTING: wait until it is not'
const PERMITTED = 'The agent has a permit to pay: have it confirm the payment, or release the payment'

export interface AgentList extends Paging {
  status?: AgentStatus | undefined
  search?: string | undefined
}

/** Agents, newest first; `search` is a literal part of name or description, ignoring case. */
export function listAgents(services: Services, caller: Caller, query: AgentList): Promise<Page<'agent'> | undefined> {
  const { status, search, ...paging } = query
  const { organization } = caller.principal
  const list = agentsOf(organization, status)
  const wanted = { ...paging, list }
  if (search === undefined || search === '') return services.query.page(wanted)
  const part = folded(search)
  return services.query.filtered(wanted, (actor) => {
    const { name, fields } = actor.context
    const current = agentStatus(actor)
    const isListed = status === undefined || status === current
    return isListed && folded(`${name}\n${fields.description ?? ''}`).includes(part)
  })
}
