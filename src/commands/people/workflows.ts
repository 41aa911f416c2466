// Approval workflows: making, changing and removing them.
import { approvalWorkflowsOf } from '../../../machines/workflow.js'
import type { Actor } from '../../actor/actor.js'
import type { Page, Paging } from '../../actor/query.js'
import { canonicalJson } from '../../domain/values/canonical.js'
import { omitUndefined } from '../../domain/values/omitUndefined.js'
import { isId } from '../../domain/values/ids.js'
import { identityOf, type Principal } from '../../domain/access/principal.js'
import { refuse, refuseField, type Refused, type Result } from '../../domain/outcomes/result.js'
import type { Workflow, WorkflowFields } from '../../domain/payment/workflow.js'
import { find, isVisible, newIdFor, outcome, refusedOnDisk, send } from '../send.js'
import { keyedMutex } from '../../async/keyedMutex.js'
import type { Caller, Services } from '../ports.js'
import { personOf, principalOfKey } from './principals.js'

/** A waiting payment stores its steps, so their number is bounded. */
const MAX_WORKFLOWS = 20

/**
 * Serializes the making of workflows by organization: made at once, they would all be counted before any of them
 * exists.
 */
const inTurn = keyedMutex()

export function createWorkflow(
  services: Services,
  caller: Caller,
  fields: WorkflowFields,
): Promise<Result<Actor<'workflow'>, 'LIMIT_REACHED' | 'VALIDATION_ERROR'>> {
  const { organization } = caller.principal
  return inTurn(organization, async () => {
    const wrong = unknownAgent(services, caller, fields) ?? (await wrongApprovers(services, caller, fields))
    if (wrong) return refusedOnDisk(services, wrong)
    if (services.query.refs(approvalWorkflowsOf(organization)).length >= MAX_WORKFLOWS) {
      return refuse('LIMIT_REACHED', `An organization has at most ${MAX_WORKFLOWS} workflows: remove one first`)
    }
    const id = newIdFor(services, caller)
    return outcome(
      await send(services, caller, `workflow/${id}`, 'CREATE', { id, fields, order: services.nextOrder() }),
    )
  })
}

/** A workflow for an unknown agent would never match. */
function unknownAgent(
  { host }: Services,
  { principal }: Caller,
  { conditions }: Partial<WorkflowFields>,
): Refused<'VALIDATION_ERROR'> | undefined {
  const isKnown = (id: string): boolean => isId(id) && isVisible(host.peek(`agent/${id}`), principal.organization)
  const unknown = conditions?.agentIds?.find((id) => !isKnown(id))
  return unknown === undefined ? undefined : refuseField('conditions.agentIds', `names ${unknown}, which is no agent`)
}

/** A step with more approvals than approvers, or with an approver that may not decide, would wait forever. */
async function wrongApprovers(
  services: Services,
  { principal }: Caller,
  { approverIds, requiredApprovals }: WorkflowFields,
): Promise<Refused<'VALIDATION_ERROR'> | undefined> {
  if (approverIds.length === 0) return undefined
  const approvers = await Promise.all(approverIds.map((id) => approverOf(services, principal.organization, id)))
  const unknown = approverIds.find((_, at) => approvers[at]?.scopes.includes('approvals:write') !== true)
  if (unknown !== undefined) {
    const message = `names ${unknown}, which is neither a member nor a live organization key that may decide`
    return refuseField('approverIds', message)
  }
  const counted = new Set(approvers.map((one) => canonicalJson({ ...identityOf(one!) })))
  if (counted.size >= requiredApprovals) return undefined
  return refuseField('approverIds', 'names fewer approvers, as they count, than have to approve')
}

/** The approver with this id, with its present scopes; invited members count, because they will be able to decide. */
async function approverOf(services: Services, organization: string, id: string): Promise<Principal | undefined> {
  if (!isId(id)) return undefined
  const [member, key] = [services.host.peek(`member/${id}`), services.host.peek(`key/${id}`)]
  if (isVisible(member, organization)) return personOf(member)
  return isVisible(key, organization) && key.context.fields.agentId === null ? principalOfKey(services, key) : undefined
}

export function findWorkflow(
  services: Services,
  caller: Caller,
  id: string,
): Promise<Result<Actor<'workflow'>, 'NOT_FOUND'>> {
  return find(services, caller, 'workflow', id)
}

export function listWorkflows(
  services: Services,
  { principal }: Caller,
  paging: Paging,
): Promise<Page<'workflow'> | undefined> {
  return services.query.page({ ...paging, list: approvalWorkflowsOf(principal.organization) })
}

export type WorkflowChanges = { [Field in keyof WorkflowFields]?: WorkflowFields[Field] | undefined }

export async function updateWorkflow(
  services: Services,
  caller: Caller,
  id: string,
  given: WorkflowChanges,
): Promise<Result<Actor<'workflow'>, 'INVALID_STATUS' | 'NOT_FOUND' | 'VALIDATION_ERROR'>> {
  const found = await findWorkflow(services, caller, id)
  if (!found.ok) return found
  const changes = omitUndefined(given)
  const next = { ...found.value.context.fields, ...changes }
  const problem = unknownAgent(services, caller, changes) ?? (await wrongApprovers(services, caller, next))
  if (problem) return refusedOnDisk(services, problem)
  return outcome(await send(services, caller, found.value.ref, 'UPDATE', { changes }))
}

export async function deleteWorkflow(
  services: Services,
  caller: Caller,
  id: string,
): Promise<Result<Actor<'workflow'>, 'INVALID_STATUS' | 'NOT_FOUND'>> {
  const found = await findWorkflow(services, caller, id)
  return found.ok ? outcome(await send(services, caller, found.value.ref, 'DELETE')) : found
}

/** All of an organization's workflows, oldest first. */
export function workflowsOf({ host, query }: Services, organization: string): Workflow[] {
  const actors = query
    .refs(approvalWorkflowsOf(organization))
    .toReversed()
    .map((ref) => host.peek(ref))
  return actors.filter((actor) => actor?.state === 'kept').map((actor) => actor!.context)
}
