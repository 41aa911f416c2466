// A payment as tools answer it: its state, and what to do next in that state.
import * as v from 'valibot'
import type { PaymentRecord } from '../../../sdk/index.js'
import type { ToolAnswer, ToolPorts } from '../tool.js'

export const paymentFields = {
  requestId: v.string(),
  status: v.string(),
  paymentKey: v.optional(v.string()),
  attempt: v.optional(v.number()),
  amount: v.number(),
  currency: v.string(),
  recipientAddress: v.nullable(v.string()),
  expiresAt: v.string(),
  approvalRequestId: v.optional(v.string()),
  approvalUrl: v.optional(v.string()),
  txHash: v.optional(v.string()),
  deniedBy: v.optional(v.string()),
  reasons: v.optional(v.array(v.string())),
}

/** The answer about a payment: a denial is a failure, and one that waits for a person names the page. */
export function paymentAnswer(ports: ToolPorts, payment: PaymentRecord): ToolAnswer {
  const { status, amount, currency, recipientAddress, approvalRequestId } = payment
  const url = approvalRequestId === undefined ? undefined : ports.approvalUrl(approvalRequestId)
  const waits = status === 'REQUIRES_APPROVAL'
  const fields = { ...shownFields(payment), ...(waits && url !== undefined && { approvalUrl: url }) }
  const answer: ToolAnswer = { fields, nextSteps: nextStepsOf(payment, ports.mayExecute), untrusted: textsOf(payment) }
  if (status === 'DENIED') {
    answer.failure = { code: 'PAYMENT_DENIED', message: payment.reasons[0] ?? 'The payment was denied' }
  }
  if (waits && url !== undefined) {
    answer.decision = { url, message: `Decide on a payment of ${amount} ${currency} to ${recipientAddress}` }
  }
  return answer
}

function shownFields(payment: PaymentRecord): ToolAnswer['fields'] {
  const { requestId, status, paymentKey, attempt, amount, currency, recipientAddress, expiresAt } = payment
  const { approvalRequestId, deniedBy, reasons, execution } = payment
  return {
    requestId,
    status,
    paymentKey,
    attempt,
    amount,
    currency,
    recipientAddress,
    expiresAt,
    approvalRequestId,
    txHash: execution?.txHash,
    deniedBy,
    reasons: reasons.length === 0 ? undefined : reasons,
  }
}

/** Not part of a decision, which is the answer to those who wrote them. */
function textsOf(payment: PaymentRecord): ToolAnswer['untrusted'] {
  if (!('purpose' in payment)) return undefined
  const { recipientName, purpose, reference } = payment
  return { recipientName, purpose, reference }
}

const AGAIN = 'with the same paymentKey'

/** Another key of the agent executes. */
export function leftToPerson({ requestId, expiresAt }: PaymentRecord): string[] {
  return [
    `This key may not execute payments: ask the person you work for to have payment ${requestId} executed before ` +
      `${expiresAt}, or to give you a key that may`,
    `Then call payment_status with requestId ${requestId}`,
  ]
}

const NEXT: { [status in PaymentRecord['status']]: (payment: PaymentRecord, mayExecute: boolean) => string[] } = {
  APPROVED: (payment, mayExecute) =>
    mayExecute
      ? [`Call execute_payment with requestId ${payment.requestId} before ${payment.expiresAt}`]
      : leftToPerson(payment),
  REQUIRES_APPROVAL: ({ requestId }, mayExecute) => [
    'Tell the person you work for that this payment waits for their decision (approvalUrl)',
    `Then call payment_status with requestId ${requestId}; once it is APPROVED, ` +
      (mayExecute
        ? 'call execute_payment (pay does it itself)'
        : 'this key may not execute it: the person has it executed'),
  ],
  DENIED: ({ requestId, hint, context, nearest }) => [
    ...adviceIn(context),
    ...(hint === undefined ? [] : [hint]),
    ...(nearest?.earliestAt === undefined ? [] : [`It could pass at ${nearest.earliestAt}`]),
    `Call why_denied with requestId ${requestId} for every reason; do not split the purchase into smaller payments`,
  ],
  EXECUTING: ({ requestId }) => [
    `Call payment_status with requestId ${requestId} in some seconds; do not pay again, the amount is on its way`,
  ],
  EXECUTED: () => ['Nothing: it is paid. Do not pay this purchase again'],
  FAILED: () => [`The payment failed and nothing was paid: call request_payment ${AGAIN} to try again`],
  EXPIRED: () => [`Nothing was paid: call request_payment ${AGAIN} to ask again`],
  CANCELLED: () => [`Nothing was paid: call request_payment ${AGAIN} if it is needed after all`],
}

function nextStepsOf(payment: PaymentRecord, mayExecute: boolean): string[] {
  return [...new Set(NEXT[payment.status](payment, mayExecute))]
}

/** Those of a decision; `context` of a read payment is what its agent has said. */
function adviceIn(context: PaymentRecord['context']): string[] {
  const steps = context?.['nextSteps' as keyof typeof context] as unknown
  return Array.isArray(steps) ? steps.filter((step) => typeof step === 'string') : []
}
