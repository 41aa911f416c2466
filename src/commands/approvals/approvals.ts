// Approval requests of payments: finding, listing and deciding them. The decision is a message to the payment that
// waits.
import { paymentStatus } from '../status.js'
import type { Actor } from '../../actor/actor.js'
import type { Page, Paging } from '../../actor/query.js'
import {
  approvalNamed,
  approvalsOf,
  type Approval,
  type ApprovalStatus,
  type Decider,
  type PressedIn,
  type Verdict,
} from '../../domain/payment/approval.js'
import { identityOf, type Principal } from '../../domain/access/principal.js'
import { refuse, succeed, type Refused, type Result } from '../../domain/outcomes/result.js'
import { isVisible, type Sent } from '../send.js'
import { lapsedIn } from '../people/deciders.js'
import { current } from '../payments/current.js'
import { currentPage, modeRefusal, stopped } from '../payments/payments.js'
import type { Caller, Services } from '../ports.js'
import { retryOnConflict } from '../retryOnConflict.js'
import { reviewPayment } from '../payments/review.js'
import { sendAndSettle } from '../payments/settle.js'

export interface FoundApproval {
  payment: Actor<'payment'>
  approval: Approval
}

/** An approval request of the organization, with its payment. */
export async function findApproval(
  services: Services,
  caller: Caller,
  id: string,
): Promise<Result<FoundApproval, 'NOT_FOUND'>> {
  const missing = refuse('NOT_FOUND', `There is no approval request ${id}`)
  const ref = services.query.lookup(approvalNamed(id))
  const [found] = ref ? await services.host.read([ref]) : []
  if (!isVisible(found, caller.principal.organization)) return missing
  const payment = await current(services, found)
  const approval = approvalOf(payment, id)
  return approval ? succeed({ payment, approval }) : missing
}

/** The payment's request with this id; undefined until it has been opened. */
export function approvalOf(payment: Actor<'payment'>, id: string): Approval | undefined {
  const { approval, formerApprovals } = payment.context
  const known = approval === null ? formerApprovals : [...formerApprovals, approval]
  return known.find((one) => one.id === id && one.createdAt > 0)
}

export interface ApprovalList extends Paging {
  status?: ApprovalStatus | undefined
}

/** Payments that have or had an approval request, newest first. */
export function listApprovals(
  services: Services,
  caller: Caller,
  query: ApprovalList,
): Promise<Page<'payment' | 'change'> | undefined> {
  const { status, ...paging } = query
  const { organization } = caller.principal
  return currentPage(services, organization, { ...paging, list: approvalsOf(organization, status) })
}

export function deciderOf(principal: Principal): Decider {
  const { type, id, name } = principal
  return { type, id, name, countsAs: identityOf(principal) }
}

const COMMANDS: Record<Verdict, string> = { APPROVED: 'APPROVE', DENIED: 'DENY' }

/**
 * Decides a request. An approval covers exactly what was asked: where the policies have changed since, the request ends
 * and a new one replaces it.
 */
export function decideApproval(
  services: Services,
  caller: Caller,
  id: string,
  { decision, comment, via }: { decision: Verdict; comment: string | null; via?: PressedIn },
): Promise<
  Result<
    Actor<'payment'>,
    | 'ALREADY_DECIDED'
    | 'EXPIRED'
    | 'INSUFFICIENT_SCOPE'
    | 'INVALID_STATUS'
    | 'LIMIT_EXCEEDED'
    | 'NOT_FOUND'
    | 'SELF_APPROVAL'
    | 'UNAVAILABLE'
  >
> {
  return retryOnConflict(async () => {
    const found = await findApproval(services, caller, id)
    if (!found.ok) return found
    const { payment, approval } = found.value
    const { status } = approval
    if (status !== 'PENDING') return refuse('INVALID_STATUS', `The approval request is ${status}`)
    const { terms, autoExecute } = payment.context
    const otherMode = decision === 'APPROVED' && autoExecute ? modeRefusal(services, terms!) : undefined
    if (otherMode) return otherMode
    const reviewed =
      decision === 'APPROVED' ? await reviewPayment(services, payment) : succeed({ unchanged: () => true })
    if (!reviewed.ok) return reviewed
    const { unchanged, ...review } = reviewed.value
    const lapsed = lapsedIn(services, approval)
    const by = deciderOf(caller.principal)
    const said = { approvalId: id, by, ...(via && { via }), comment, lapsed, ...review }
    const reply = await sendAndSettle(services, caller, unchanged, payment.ref, COMMANDS[decision], said)
    if (reply?.ok) return succeed(reply.actor)
    return reply && undecided(reply, id)
  })
}

/** With which a payment refuses a decision. */
type DecisionCode =
  'INVALID_STATUS' | 'EXPIRED' | 'SELF_APPROVAL' | 'INSUFFICIENT_SCOPE' | 'ALREADY_DECIDED' | 'LIMIT_EXCEEDED'

function undecided({ code, actor }: Sent<'payment'> & { ok: false }, id: string): Refused<DecisionCode> {
  if (code === 'INSUFFICIENT_SCOPE') return refuse(code, 'The workflow names other approvers')
  if (code !== 'INVALID_STATUS' && code !== 'LIMIT_EXCEEDED') return refuse(code as DecisionCode)
  const isAskedAgain = paymentStatus(actor) === 'REQUIRES_APPROVAL' && actor.context.approval?.id !== id
  if (isAskedAgain) return stopped(code, actor, 'What was asked has changed since: a new approval is asked for')
  const status = approvalOf(actor, id)?.status
  return stopped(code, actor, `The approval request is ${status}`)
}
