// A payment's change, as causes look at it: read once for all of them.
import type { PaymentContext } from '../../machines/payment/context.js'
import { charts } from '../../machines/index.js'
import type { ActorMove } from '../actor/followUps.js'
import { statusOf } from '../actor/turn.js'
import { recipientText, type PaymentStatus, type PaymentTerms } from '../domain/payment/terms.js'
import { toNumber } from '../domain/values/money.js'
import type { CauseFound, Scene } from './cause.js'

/** Finds the causes in a payment's change. */
export type PaymentCausesIn = (change: PaymentChange, scene: Scene) => CauseFound[]

export interface PaymentChange {
  move: ActorMove<'payment'>
  before: PaymentContext | undefined
  payment: PaymentContext
  terms: PaymentTerms
  /** Undefined where the status is as it was. */
  became: PaymentStatus | undefined
  /** The payment as a subject of alerts. */
  subject: { agentId: string; walletId?: string; paymentId: string }
}

export function paymentChange(move: ActorMove<'payment'>): PaymentChange {
  const { before, after } = move
  const payment = after.context
  const terms = payment.terms!
  const status = statusOf(charts, after) as PaymentStatus
  const isChanged = before === undefined || before.state === 'created' || statusOf(charts, before) !== status
  return {
    move,
    before: before?.context,
    payment,
    terms,
    became: isChanged ? status : undefined,
    subject: {
      agentId: terms.agentId,
      ...(terms.walletId !== null && { walletId: terms.walletId }),
      paymentId: payment.id,
    },
  }
}

/** Whether the payment has just been approved, or was executed at once. */
export function isApproval({ before, became, payment }: PaymentChange): boolean {
  if (became !== 'APPROVED' && became !== 'EXECUTING' && became !== 'EXECUTED') return false
  return before === undefined || before.terms === null || (before.asksPerson && !payment.asksPerson)
}

/** `25 USDC to 0x… “Acme”`: nothing in a name passes for the service's words. */
export function whatIsPaid(terms: PaymentTerms): string {
  const { amount, currency, recipientAddress, recipientName } = terms
  const name =
    recipientName === null || recipientAddress === null ? '' : ` “${recipientName.replaceAll(/["“”]/g, "'")}”`
  const recipient = recipientText(terms) + name
  return `${toNumber(amount)} ${currency} to ${recipient}`
}
