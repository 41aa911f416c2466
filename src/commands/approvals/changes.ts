// Governed changes that await approval: kept, decided, and carried out on behalf of the requester. What runs is the
// very request that was held, and only while its subject is as it was when the change was requested.
import { TO_APPLY, changesOf, type Application, type ChangeContext } from '../../../machines/change.js'
import type { Actor } from '../../actor/actor.js'
import type { Page, Paging } from '../../actor/query.js'
import {
  isBarred,
  openedApproval,
  type Approval,
  type ApprovalStatus,
  type Verdict,
} from '../../domain/payment/approval.js'
import { canonicalJson, type Json } from '../../domain/values/canonical.js'
import { sha256Hex } from '../../domain/values/digest.js'
import type { Barrier, HeldRequest } from '../../domain/outcomes/governance.js'
import { newId } from '../../domain/values/ids.js'
import { identityOf, type Principal } from '../../domain/access/principal.js'
import { refuse, succeed, type Result } from '../../domain/outcomes/result.js'
import { deciderOf } from './approvals.js'
import { lapsedIn } from '../people/deciders.js'
import { find, outcome, send } from '../send.js'
import { lineageOf } from '../payments/lineage.js'
import { operator } from '../organizations/organizations.js'
import { current } from '../payments/current.js'
import { currentPage } from '../payments/payments.js'
import type { CarriedOut, Caller, Services } from '../ports.js'
import { principalNow } from '../people/principals.js'
import { subjectHash } from '../approvalSubject.js'

const HOUR_MS = 3_600_000

/** Keeps a request as a change that awaits approval. */
export async function holdChange(
  services: Services,
  caller: Caller,
  heldRequest: HeldRequest,
  { action, resource, resourceId, createsId, ref, since, isCollected }: Barrier & { isCollected: boolean },
): Promise<Result<Actor<'change'>, never>> {
  const { principal } = caller
  const id = newId(services.random)
  const asked = {
    action,
    resource,
    resourceId,
    createsId,
    ref,
    since,
    heldRequest,
    requestedBy: deciderOf(principal),
    isCollected,
    approval: await approvalOf(services, principal, { id, action, heldRequest, ref, since }),
  }
  return outcome(await send(services, caller, `change/${id}`, 'CREATE', { id, order: services.nextOrder(), asked }))
}

type Bound = Pick<ChangeContext, 'id' | 'action' | 'heldRequest' | 'ref' | 'since'>

async function approvalOf(services: Services, principal: Principal, bound: Bound): Promise<Approval> {
  const organization = services.host.peek(`organization/${principal.organization}`)
  const { governance, strictLineage } = organization!.context.fields
  const { requiredApprovals, timeoutHours } = governance
  const { id, action, heldRequest, since } = bound
  const { requestId: _, ...request } = heldRequest
  const asked: Approval = {
    id,
    status: 'PENDING',
    reasons: [`The organization requires approval for ${action}`],
    contentHash: sha256Hex(canonicalJson({ id, request: request as Json, since })),
    steps: [{ workflowId: null, requiredApprovals, timeoutMs: timeoutHours * HOUR_MS, approverIds: [] }],
    step: 0,
    barred: [identityOf(principal), ...(strictLineage ? await lineageOf(services, bound) : [])],
    decisions: [],
    createdAt: 0,
    expiresAt: 0,
  }
  return openedApproval(asked, services.now())
}

export async function findChange(
  services: Services,
  caller: Caller,
  id: string,
): Promise<Result<Actor<'change'>, 'NOT_FOUND'>> {
  const found = await find(services, caller, 'change', id)
  if (!found.ok) return refuse('NOT_FOUND', `There is no approval request ${id}`)
  return succeed(await current(services, found.value))
}

export interface ChangeList extends Paging {
  status?: ApprovalStatus | undefined
}

/** Changes, newest first. */
export function listChanges(
  services: Services,
  caller: Caller,
  query: ChangeList,
): Promise<Page<'change'> | undefined> {
  const { status, ...paging } = query
  const list = changesOf(caller.principal.organization, status)
  return currentPage(services, caller.principal.organization, { ...paging, list })
}

const COMMANDS: Record<Verdict, string> = { APPROVED: 'APPROVE', DENIED: 'DENY' }

const OUTDATED = refuse('INVALID_STATUS', 'The subject has changed since the request: request the change again')

/** Decides a change; the last approval needed carries it out. */
export async function decideChange(
  services: Services,
  caller: Caller,
  id: string,
  { decision, comment }: { decision: Verdict; comment: string | null },
): Promise<Result<Actor<'change'>, 'ALREADY_DECIDED' | 'INVALID_STATUS' | 'NOT_FOUND' | 'SELF_APPROVAL'>> {
  const found = await findChange(services, caller, id)
  if (!found.ok) return found
  const { approval } = found.value.context
  const by = deciderOf(caller.principal)
  if (approval.status !== 'PENDING') return refuse('INVALID_STATUS', `The approval request is ${approval.status}`)
  if (isBarred(approval, by)) return refuse('SELF_APPROVAL')
  if (decision === 'APPROVED' && hasMovedOn(services, found.value)) {
    // Refusals are not recorded under the idempotency key.
    const { record: _refused, ...teller } = caller
    await send(services, teller, found.value.ref, 'OUTDATE')
    return OUTDATED
  }
  const reply = await send(services, caller, found.value.ref, COMMANDS[decision], {
    by,
    comment,
    lapsed: lapsedIn(services, approval),
  })
  const settled = `The approval request is ${reply.actor.context.approval.status}`
  const done = outcome<'change', 'INVALID_STATUS' | 'SELF_APPROVAL' | 'ALREADY_DECIDED'>(reply, {
    INVALID_STATUS: settled,
  })
  return done.ok && isCarriedOutAtOnce(done.value) ? applyChange(services, caller, done.value) : done
}

function isCarriedOutAtOnce(change: Actor<'change'>): boolean {
  return change.state === 'approved' && !change.context.isCollected
}

function hasMovedOn({ host }: Services, change: Actor<'change'>): boolean {
  const { action, ref, since } = change.context
  const subject = ref === null ? undefined : host.peek(ref)
  return ref !== null && (subject === undefined || subjectHash(action, subject) !== since)
}

/** Carries out an approved change and keeps the result; idempotent. */
async function applyChange(
  services: Services,
  caller: Caller,
  change: Actor<'change'>,
): Promise<Result<Actor<'change'>, 'INVALID_STATUS'>> {
  const done = await carryOut(services, change)
  return settle(services, caller, change, done)
}

/** Runs the held request as its requester, with the rights the requester has now: rights lost since are not used. */
async function carryOut(services: Services, change: Actor<'change'>): Promise<Result<CarriedOut>> {
  const { id, action, ref, since, createsId, heldRequest, requestedBy } = change.context
  const asker = principalNow(services, requestedBy)
  if (!asker) return refuse('AUTH_FAILED', 'The requester no longer has access')
  return services.carryOut(heldRequest, { ...asker, approved: { action, ref, since, createsId } }, id)
}

async function settle(
  services: Services,
  caller: Caller,
  change: Actor<'change'>,
  done: Result<CarriedOut>,
): Promise<Result<Actor<'change'>, 'INVALID_STATUS'>> {
  const { resourceId, createsId } = change.context
  // What was not made has no id.
  const settled = { application: applicationOf(done), resourceId: done.ok || createsId === null ? resourceId : null }
  return outcome(await send(services, caller, change.ref, 'SETTLE', settled))
}

function applicationOf(done: Result<CarriedOut>): Application {
  if (done.ok) return { status: 'APPLIED' }
  const { barrier, code, message } = done.refusal
  return barrier?.isStale === true ? { status: 'STALE' } : { status: 'REFUSED', code, error: message }
}

/** With which the routes whose answers are collected refuse. */
type CollectedCode =
  'AUTH_FAILED' | 'INSUFFICIENT_SCOPE' | 'INVALID_STATUS' | 'LIMIT_REACHED' | 'NOT_FOUND' | 'VALIDATION_ERROR'

/** Carries out, once, a change whose answer is for its requester alone, when the requester comes for it. */
export async function collectChange(
  services: Services,
  caller: Caller,
  id: string,
): Promise<Result<CarriedOut, CollectedCode>> {
  const found = await findChange(services, caller, id)
  if (!found.ok) return found
  const { requestedBy, isCollected } = found.value.context
  const { type, id: by } = caller.principal
  if (requestedBy.type !== type || requestedBy.id !== by)
    return refuse('INSUFFICIENT_SCOPE', 'Only the requester may collect it')
  if (!isCollected || found.value.state !== 'approved') return refuse('INVALID_STATUS', 'There is nothing to collect')
  const done = await carryOut(services, found.value)
  await settle(services, caller, found.value, done)
  // What was approved covers the change no longer; a further approval is not asked for here.
  if (!done.ok && done.refusal.barrier) return OUTDATED
  return done.ok && done.value.isReplay
    ? refuse('INVALID_STATUS', 'It was collected already')
    : (done as Result<CarriedOut, CollectedCode>)
}

/**
 * Resumes, at the start, changes that were approved but not carried out. A failure does not stop the others; the
 * failures are returned.
 */
export async function resumeChanges(services: Services): Promise<unknown[]> {
  const failures: unknown[] = []
  for (const change of await services.query.all(TO_APPLY)) {
    const principal = operator(change.context.organization)
    await applyChange(services, { principal, requestId: undefined }, change).catch((error: unknown) =>
      failures.push(error),
    )
  }
  return failures
}
