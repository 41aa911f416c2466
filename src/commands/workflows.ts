// Approval workflows: making, changing and removing them, and which of them a payment asks.
import type { WorkflowContext } from '../../machines/workflow.js'
import type { Actor } from '../actor/actor.js'
import type { Page } from '../actor/query.js'
import { newId } from '../domain/ids.js'
import { refuse, type Refused } from '../domain/refusal.js'
import type { Workflow, WorkflowFields } from '../domain/workflow.js'
import { find, isVisible, outcome, tell, type Done } from './ask.js'
import { oneByOne } from './oneByOne.js'
import type { Caller, Services } from './ports.js'

/** A payment that waits remembers its steps, so that there must not be too many. */
const MOST_WORKFLOWS = 20

/** Makings by organization: made at once, they would all be counted before any of them is there. */
const inTurn = oneByOne()

export function createWorkflow(services: Services, caller: Caller, fields: WorkflowFields): Promise<Done | Refused> {
  const { organization } = caller.principal
  return inTurn(organization, async () => {
    const wrong = await wrongApprovers(services, caller, fields)
    if (wrong) return wrong
    if (services.query.refs(listOf(organization)).length >= MOST_WORKFLOWS) {
      return refuse('LIMIT_REACHED', `An organization has at most ${MOST_WORKFLOWS} workflows: remove one first`)
    }
    const id = newId(services.random)
    return outcome(await tell(services, caller, `workflow/${id}`, 'CREATE', { id, fields, order: services.nextOrder() }))
  })
}

/** Asking more approvals than there are approvers, or one whom nobody knows, would wait for ever. */
async function wrongApprovers(
  { host }: Services,
  { principal }: Caller,
  { approverIds, requiredApprovals }: WorkflowFields,
): Promise<Refused | undefined> {
  if (approverIds.length === 0) return undefined
  if (new Set(approverIds).size < requiredApprovals) return wrong('names fewer approvers than have to approve')
  const members = await host.peek(approverIds.map((id) => `member/${id}` as const))
  const keys = await host.peek(approverIds.map((id) => `key/${id}` as const))
  const unknown = approverIds.find((_, at) => {
    const key = keys[at]
    const isKey = isVisible(key, principal.organization) && key.state === 'active' && isOrganizationKey(key)
    const member = members[at]
    return !isKey && !(isVisible(member, principal.organization) && member.state !== 'removed')
  })
  return unknown === undefined ? undefined : wrong(`names ${unknown}, which is neither a member nor a live organization key`)
}

function isOrganizationKey({ context }: Actor): boolean {
  return (context['fields'] as { agentId: string | null }).agentId === null
}

function wrong(message: string): Refused {
  return refuse('VALIDATION_ERROR', `approverIds ${message}`, { details: [{ path: 'approverIds', message }] })
}

export function findWorkflow(services: Services, caller: Caller, id: string): Promise<Done | Refused> {
  return find(services, caller, 'workflow', id)
}

export interface WorkflowList {
  limit: number
  offset: number
  cursor?: string | undefined
}

/** Workflows, newest first. */
export function listWorkflows(services: Services, { principal }: Caller, query: WorkflowList): Promise<Page | undefined> {
  const { limit, offset, cursor } = query
  return services.query.page({ list: listOf(principal.organization), limit, offset, cursor })
}

export type WorkflowChanges = { [Field in keyof WorkflowFields]?: WorkflowFields[Field] | undefined }

export async function updateWorkflow(
  services: Services,
  caller: Caller,
  id: string,
  given: WorkflowChanges,
): Promise<Done | Refused> {
  const found = await findWorkflow(services, caller, id)
  if (!found.ok) return found
  const changes = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const problem = await wrongApprovers(services, caller, { ...workflowContext(found.actor).fields, ...changes })
  return problem ?? outcome(await tell(services, caller, found.actor.ref, 'UPDATE', { changes }))
}

export async function deleteWorkflow(services: Services, caller: Caller, id: string): Promise<Done | Refused> {
  const found = await findWorkflow(services, caller, id)
  return found.ok ? outcome(await tell(services, caller, found.actor.ref, 'DELETE')) : found
}

/** All of an organization's workflows, the oldest first, as they are now. */
export async function workflowsOf({ host, query }: Services, organization: string): Promise<Workflow[]> {
  const actors = await host.peek(query.refs(listOf(organization)).toReversed())
  return actors.filter((actor) => actor?.state === 'kept').map((actor) => workflowContext(actor!))
}

function listOf(organization: string): string {
  return `approval-workflows/${organization}`
}

/** A workflow as its chart keeps it. */
export function workflowContext(actor: Actor): WorkflowContext {
  return actor.context as unknown as WorkflowContext
}
