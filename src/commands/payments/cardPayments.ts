// Payments on cards: the agent gets a token, pays with the card, and confirms what the card was charged with. From the
// token on the amount stays reserved, because the card may have been charged.
import type { Actor } from '../../actor/actor.js'
import type { Unchanged } from '../../actor/host.js'
import { canonicalJson } from '../../domain/values/canonical.js'
import { sha256Hex } from '../../domain/values/digest.js'
import type { Micros } from '../../domain/values/money.js'
import { refuse, succeed, type Result } from '../../domain/outcomes/result.js'
import type { LineItem } from '../../domain/payment/terms.js'
import { purchaseKey } from '../../domain/values/uniqueKeys.js'
import { findPayment, OTHER_RAIL, stopped } from './payments.js'
import { reviewPermit } from './permitReview.js'
import type { Caller, Services } from '../ports.js'
import { purchase, type Purchased } from './purchase.js'
import { begin, type PaymentRequest } from './request.js'
import { retryOnConflict } from '../retryOnConflict.js'
import { reviewPayment } from './review.js'
import { sendIf } from '../send.js'
import { isPermitted, paymentStatus } from '../status.js'

const TOKEN_MS = 10 * 60_000
const TOKEN_EXPIRED = 'The token to pay has expired: confirm what the card was charged with, or that it was not'

export interface WantedOnCard {
  cardId: string
  amount: Micros
  merchantName: string
  /** Four digits. */
  merchantCategory: string
  purpose?: string | undefined
  reference?: string | undefined
  lineItems?: LineItem[] | undefined
  paymentKey?: string | undefined
  idempotencyKey?: string | undefined
}

/** Proves the agent's right to pay. It is derived from the request: asking again gives the same one. */
export function cardToken(services: Services, payment: Actor<'payment'>): string {
  const { id, terms } = payment.context
  const bound = { purpose: 'card token', id, amount: terms!.amount, cardId: terms!.card!.id }
  return services.hashKey(sha256Hex(canonicalJson(bound)))
}

/** Requests a payment on a card, and a token for it. */
export async function approveOnCard(
  services: Services,
  caller: Caller,
  { merchantName, merchantCategory, ...given }: WantedOnCard,
): Promise<
  Result<
    Purchased,
    | 'ALREADY_EXECUTED'
    | 'EXPIRED'
    | 'IDEMPOTENCY_CONFLICT'
    | 'INVALID_ADDRESS'
    | 'INVALID_RECIPIENT'
    | 'INVALID_STATUS'
    | 'LIMIT_EXCEEDED'
    | 'LIMIT_REACHED'
    | 'NOT_FOUND'
    | 'NO_WALLET'
    | 'PRICE_CHANGED'
    | 'UNAVAILABLE'
  >
> {
  const wanted: PaymentRequest = {
    ...given,
    recipientAddress: null,
    recipientName: merchantName,
    category: merchantCategory,
    urgency: 'NORMAL',
    autoExecute: false,
    through: 'card',
  }
  // The answer's record belongs to the token.
  const asker: Caller = { principal: caller.principal, requestId: caller.requestId }
  const asked = await purchase(services, caller, wanted, (next) => begin(services, asker, wanted, next))
  if (!asked.ok || !isToPermit(asked.value)) return asked
  const { payment, isFound } = asked.value
  const permitted = await permitOnCard(services, caller, payment.context.id)
  return permitted.ok ? succeed({ payment: permitted.value, isFound }) : permitted
}

/** An attempt that another route began, or that is not approved, only shows how it is. */
function isToPermit({ payment, isFound }: Purchased): boolean {
  const isDenied = paymentStatus(payment) === 'DENIED'
  if (!isFound) return !isDenied
  return payment.context.terms!.through === 'card' && paymentStatus(payment) === 'APPROVED'
}

/** Permits an approved payment; where its review requires a person or denies, the payment shows it. */
export function permitOnCard(
  services: Services,
  caller: Caller,
  id: string,
): Promise<
  Result<
    Actor<'payment'>,
    'ALREADY_EXECUTED' | 'EXPIRED' | 'INVALID_STATUS' | 'LIMIT_EXCEEDED' | 'NOT_FOUND' | 'UNAVAILABLE'
  >
> {
  return retryOnConflict(async () => {
    const found = await findPayment(services, caller, id)
    if (!found.ok) return found
    if (found.value.context.terms!.rail !== 'CARD') return refuse('INVALID_STATUS', OTHER_RAIL)
    if (paymentStatus(found.value) === 'REQUIRES_APPROVAL') return found
    const wasPermitted = isPermitted(found.value)
    const isApproved = !wasPermitted && paymentStatus(found.value) === 'APPROVED'
    const reviewed = await (wasPermitted ? reviewPermit : reviewPayment)(services, found.value)
    if (!reviewed.ok) return reviewed
    const { unchanged, ...review } = reviewed.value
    const fields = { permitForMs: TOKEN_MS, ...review }
    const reply = await sendIf(services, caller, unchanged, found.value.ref, 'PERMIT', fields)
    if (!reply) return undefined
    const left = paymentStatus(reply.actor)
    const isTold = left === 'REQUIRES_APPROVAL' || (isApproved && left === 'DENIED')
    if (reply.ok || isTold) return succeed(reply.actor)
    if (reply.code === 'EXPIRED' && wasPermitted) return refuse('EXPIRED', TOKEN_EXPIRED)
    return stopped(reply.code, reply.actor, review.review?.decision?.violations[0]?.message)
  })
}

export interface Confirmed {
  approvalToken: string
  transactionReference: string
  amount: Micros
  status: 'COMPLETED' | 'VOIDED'
}

/** Records what the card was charged with, at any time, with any amount and regardless of limits; or that it was not. */
export function confirmOnCard(
  services: Services,
  caller: Caller,
  id: string,
  { approvalToken, transactionReference: reference, amount, status }: Confirmed,
): Promise<
  Result<
    Actor<'payment'>,
    | 'ALREADY_EXECUTED'
    | 'EXPIRED'
    | 'INVALID_STATUS'
    | 'INVALID_TOKEN'
    | 'NOT_FOUND'
    | 'UNAVAILABLE'
    | 'VALIDATION_ERROR'
  >
> {
  return retryOnConflict(async () => {
    const found = await findPayment(services, caller, id)
    if (!found.ok) return found
    const { ref } = found.value
    if (found.value.context.terms!.rail !== 'CARD') return refuse('INVALID_STATUS', OTHER_RAIL)
    if (!isToken(services, found.value, approvalToken)) return refuse('INVALID_TOKEN')
    const lacksKey = isTaken(services, found.value)
    const unchanged: Unchanged = () => isTaken(services, found.value) === lacksKey
    const reply =
      status === 'VOIDED'
        ? await sendIf(services, caller, () => true, ref, 'VOID', { reference })
        : await sendIf(services, caller, unchanged, ref, 'CHARGE', { reference, amount, lacksKey })
    if (!reply) return undefined
    return reply.ok ? succeed(reply.actor) : stopped(reply.code, reply.actor)
  })
}

/** Compares hashes, so that timing does not tell how much of a guess is right. */
function isToken(services: Services, payment: Actor<'payment'>, given: string): boolean {
  const hasOne = payment.context.permit !== null
  return hasOne && services.hashKey(sha256Hex(given)) === services.hashKey(sha256Hex(cardToken(services, payment)))
}

/** Another attempt at its purchase has begun since it was given up. */
function isTaken({ host }: Services, payment: Actor<'payment'>): boolean {
  const { agentId, paymentKey } = payment.context.terms!
  if (paymentKey === undefined) return false
  const owner = host.keyOwner(purchaseKey(agentId, paymentKey))
  return owner !== undefined && owner.owner !== payment.ref
}
