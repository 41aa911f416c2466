// Commands on a payment after its request: find, execute, cancel, release.
import type { Actor } from '../../actor/actor.js'
import type { Page, PageQuery } from '../../actor/query.js'
import type { Code } from '../../domain/outcomes/codes.js'
import { causesOf, isTransfer, type PaymentTerms, type WalletTerms } from '../../domain/payment/terms.js'
import { refuse, succeed, type Refused, type Result } from '../../domain/outcomes/result.js'
import { find, send } from '../send.js'
import { current } from './current.js'
import { SLICES_OF_READ } from '../overdue.js'
import type { Caller, Services } from '../ports.js'
import { custodyRefusal } from './request.js'
import { retryOnConflict } from '../retryOnConflict.js'
import { reviewPayment } from './review.js'
import { sendAndSettle } from './settle.js'
import { isPermitted, paymentStatus } from '../status.js'

/** A payment that the caller may see, expired first when it is overdue. An agent key sees its own agent's alone. */
export async function findPayment(
  services: Services,
  caller: Caller,
  id: string,
): Promise<Result<Actor<'payment'>, 'NOT_FOUND'>> {
  const found = await find(services, caller, 'payment', id)
  if (!found.ok || !ownedBy(found.value, caller)) return refuse('NOT_FOUND', `There is no payment ${id}`)
  return succeed(await current(services, found.value))
}

function ownedBy(actor: Actor<'payment'>, { principal }: Caller): boolean {
  return principal.agent === undefined || actor.context.terms?.agentId === principal.agent
}

/** A page that agrees with single reads: what is overdue is ended first, unless there is very much of it. */
export async function currentPage<K extends string>(
  { overdue, query }: Services,
  organization: string,
  wanted: PageQuery<K>,
): Promise<Page<K> | undefined> {
  await overdue.end(organization, SLICES_OF_READ)
  return query.page(wanted)
}

/** Releases the holds of a payment that is not executed, on behalf of an administrator. */
export async function releasePayment(
  services: Services,
  caller: Caller,
  id: string,
  { reason, allowRetry }: { reason: string; allowRetry: boolean },
): Promise<Result<Actor<'payment'>, 'ALREADY_EXECUTED' | 'INVALID_STATUS' | 'NOT_FOUND'>> {
  const found = await findPayment(services, caller, id)
  if (!found.ok) return found
  const reply = await send(services, caller, found.value.ref, 'RELEASE_HOLD', { reason, allowRetry })
  return reply.ok ? succeed(reply.actor) : stopped(reply.code, reply.actor)
}

export const OTHER_RAIL = 'The payment is on another rail: go on by the route that it was requested by'

/** Executes an approved payment, after a review where something has changed since its decision. */
export function executePayment(
  services: Services,
  caller: Caller,
  id: string,
): Promise<
  Result<
    Actor<'payment'>,
    | 'ALREADY_EXECUTED'
    | 'CUSTODY_NOT_CONFIGURED'
    | 'EXPIRED'
    | 'INSUFFICIENT_BALANCE'
    | 'INVALID_STATUS'
    | 'LIMIT_EXCEEDED'
    | 'MANUAL_EXECUTION_REQUIRED'
    | 'NOT_FOUND'
    | 'UNAVAILABLE'
    | 'WALLET_CONFIG_ERROR'
  >
> {
  return retryOnConflict(async () => {
    const found = await findPayment(services, caller, id)
    if (!found.ok) return found
    const terms = found.value.context.terms!
    if (!isTransfer(terms)) return refuse('INVALID_STATUS', OTHER_RAIL)
    const refused = paymentStatus(found.value) === 'APPROVED' ? executionRefusal(services, caller, terms) : undefined
    if (refused) return refused
    const reviewed = await reviewPayment(services, found.value)
    if (!reviewed.ok) return reviewed
    const { unchanged, ...review } = reviewed.value
    const reply = await sendAndSettle(services, caller, unchanged, found.value.ref, 'EXECUTE', review)
    if (reply?.ok) return succeed(reply.actor)
    return reply && stopped(reply.code, reply.actor)
  })
}

/** Why the service, as configured now, cannot execute an approved payment. */
function executionRefusal(
  services: Services,
  { principal }: Caller,
  terms: WalletTerms,
):
  | Refused<'CUSTODY_NOT_CONFIGURED' | 'INVALID_STATUS' | 'MANUAL_EXECUTION_REQUIRED' | 'WALLET_CONFIG_ERROR'>
  | undefined {
  const custody = custodyRefusal(services, principal.organization, terms.wallet)
  return custody ? refuse(custody.code, custody.message) : modeRefusal(services, terms)
}

/** Why a payment cannot be settled: it was requested in another settlement mode than the present one. */
export function modeRefusal(
  services: Services,
  { settlementMode }: PaymentTerms,
): Refused<'INVALID_STATUS'> | undefined {
  if (settlementMode === services.settlementMode) return undefined
  return refuse('INVALID_STATUS', `The payment was requested in ${settlementMode} settlement: request it again`)
}

/** Under a permit the agent may have paid already. */
const MAYBE_PAID =
  'The agent has a permit to pay, and may have paid: confirm the payment, or have an administrator release it'

export async function cancelPayment(
  services: Services,
  caller: Caller,
  id: string,
): Promise<Result<Actor<'payment'>, 'ALREADY_EXECUTED' | 'INVALID_STATUS' | 'NOT_FOUND'>> {
  const found = await findPayment(services, caller, id)
  if (!found.ok) return found
  const reply = await send(services, caller, found.value.ref, 'CANCEL')
  if (reply.ok) return succeed(reply.actor)
  return stopped(reply.code, reply.actor, isPermitted(reply.actor) ? MAYBE_PAID : undefined)
}

/** A refusal by a payment, with codes that the command declares like those of `outcome`, with its causes and, while it awaits approval, the id of its approval request. */
export function stopped<C extends Code>(code: Code, actor: Actor<'payment'>, say?: string): Refused<C> {
  const payment = actor.context
  const { approval, stopReason } = payment
  const reasons = [...causesOf(payment).map(({ message }) => message), ...(stopReason === null ? [] : [stopReason])]
  const message = code === 'INVALID_STATUS' ? `The payment is ${paymentStatus(actor)}` : undefined
  const isAsked = paymentStatus(actor) === 'REQUIRES_APPROVAL' && approval !== null
  return refuse(code as C, reasons[0] ?? say ?? message, {
    ...(reasons.length > 0 && { reasons }),
    ...(isAsked && { extra: { approvalRequestId: approval.id } }),
  })
}
