// Response records of payments: the decision for an agent, the payment record, its trace and its transaction.
import * as v from 'valibot'
import { hintOf, nextStepsOf } from '../../../commands/payments/hints.js'
import { transactionStatus, isPermitted, paymentStatus } from '../../../commands/status.js'
import type { Actor } from '../../../actor/actor.js'
import type { View } from '../../../actor/host.js'
import { APPROVAL_STATUSES } from '../../../domain/payment/approval.js'
import type { PaymentContext } from '../../../../machines/payment/context.js'
import { CODES, type Code } from '../../../domain/outcomes/codes.js'
import { toNumber } from '../../../domain/values/money.js'
import {
  amountOf,
  causesOf,
  causesTotalOf,
  currentDecision,
  HINTS,
  PAYMENT_STATUSES,
  railOf,
  RAILS,
  transferTerms,
  TRANSACTION_STATUSES,
  URGENCIES,
  type Nearest,
  type PaymentStatus,
  type PaymentTerms,
} from '../../../domain/payment/terms.js'
import { CARD_BRANDS } from '../../../domain/parties/card.js'
import { SETTLEMENT_MODES } from '../../../domain/payment/settlement.js'
import { executionCode, type Violation } from '../../../domain/outcomes/violation.js'
import { detailEntries, detailRecord, purchaseEntries, purchaseRecord } from './purchaseRecords.js'
import { resourceRecord, resourceSchema } from './resources.js'
import { iso } from '../../server/respond.js'
import { freeObject, recordSchema } from '../../input/schemas.js'

type DecisionRecord = v.InferOutput<typeof decisionSchema>

/** A decision whose denial may leave out the wallets. */
type Decided = Omit<DecisionRecord, 'context'> & {
  context?: { wallets?: v.InferOutput<typeof walletSummarySchema>[]; nextSteps: string[] } | undefined
}

const LIMIT = 'The most that is allowed; of INSUFFICIENT_BALANCE the balance of the wallet.'
const CURRENT =
  'What counts against the limit before this payment; of INSUFFICIENT_BALANCE what other payments hold of the balance. ' +
  'Of PER_TX_LIMIT and AMOUNT_LIMIT, which limit one payment, its amount. Absent where VELOCITY_LIMIT is exceeded already.'

export const violationSchema = recordSchema('Violation', {
  type: v.string(),
  policyId: v.optional(v.string()),
  policyVersion: v.optional(v.number()),
  ruleId: v.optional(v.string()),
  limit: v.optional(v.pipe(v.number(), v.description(LIMIT))),
  current: v.optional(v.pipe(v.number(), v.description(CURRENT))),
  message: v.string(),
})

const paidFromSchema = recordSchema('PaidFrom', {
  id: v.string(),
  address: v.string(),
  chainId: v.string(),
  custodyType: v.string(),
  availableBalance: v.optional(v.number()),
})

const walletSummarySchema = recordSchema('WalletSummary', {
  id: v.string(),
  address: v.string(),
  chainId: v.string(),
  custodyType: v.string(),
  balance: v.number(),
})

const executionSchema = recordSchema('ExecutedTransfer', {
  transactionId: v.string(),
  txHash: v.optional(v.string()),
  status: v.string(),
  settlementMode: v.picklist(SETTLEMENT_MODES),
})

export const nearestSchema = v.object({
  maxAmountNow: v.optional(v.number()),
  earliestAt: v.optional(v.string()),
  approvalWouldAllow: v.boolean(),
  /** What was left out, because so many rules apply that looking for it would hold up others. */
  omitted: v.optional(v.array(v.picklist(HINTS))),
})

export const decisionSchema = recordSchema('Decision', {
  requestId: v.string(),
  status: v.picklist(PAYMENT_STATUSES),
  ...purchaseEntries,
  amount: v.number(),
  currency: v.string(),
  /** Null for a payment on a card. */
  recipientAddress: v.nullable(v.string()),
  reasons: v.array(v.string()),
  expiresAt: v.string(),
  wallet: v.nullable(paidFromSchema),
  policyDecision: v.object({ decisionId: v.string(), policySetHash: v.string() }),
  approvalRequestId: v.optional(v.string()),
  approval: v.optional(v.object({ id: v.string(), status: v.picklist(APPROVAL_STATUSES) })),
  /** Only in denied payments: whether a person or the organization's rules denied it. */
  deniedBy: v.optional(v.picklist(['PERSON', 'POLICY'])),
  execution: v.optional(executionSchema),
  autoExecuteError: v.optional(v.object({ error: v.string(), code: v.string() })),
  violations: v.optional(v.array(violationSchema)),
  /** How many there are, where more apply than are listed. */
  violationsTotal: v.optional(v.number()),
  hint: v.optional(v.string()),
  context: v.optional(v.object({ wallets: v.array(walletSummarySchema), nextSteps: v.array(v.string()) })),
  nearest: v.optional(nearestSchema),
})

export const executedSchema = recordSchema('Execution', {
  ...executionSchema.entries,
  requestId: v.string(),
  status: v.picklist(PAYMENT_STATUSES),
  ...purchaseEntries,
  amount: v.number(),
  currency: v.string(),
  recipientAddress: v.string(),
  wallet: paidFromSchema,
})

export const transactionSchema = recordSchema('Transaction', {
  id: v.string(),
  status: v.picklist(TRANSACTION_STATUSES),
  txHash: v.optional(v.string()),
  settlementMode: v.picklist(SETTLEMENT_MODES),
  confirmedAt: v.optional(v.string()),
})

const cardPaidSchema = recordSchema('CardPaid', {
  id: v.string(),
  last4: v.string(),
  brand: v.picklist(CARD_BRANDS),
  /** What was approved; once the card is charged, the payment's amount is the charged one. */
  approvedAmount: v.number(),
  transactionReference: v.optional(v.string()),
  overcharged: v.optional(v.literal(true)),
})

function cardPaid({ terms, permit }: PaymentContext): v.InferOutput<typeof cardPaidSchema> | undefined {
  const { card, amount } = terms!
  if (card === undefined) return undefined
  const { id, last4, brand } = card
  const charge = permit?.charge
  return {
    id,
    last4,
    brand,
    approvedAmount: toNumber(amount),
    ...(charge && { transactionReference: charge.reference }),
    ...(charge?.overcharged && { overcharged: true as const }),
  }
}

export const paymentSchema = recordSchema('Payment', {
  ...decisionSchema.entries,
  id: v.string(),
  agentId: v.string(),
  rail: v.picklist(RAILS),
  /** Only on the rail CARD. */
  card: v.optional(cardPaidSchema),
  /** Only on the rail X402. */
  x402: v.optional(resourceSchema),
  recipientName: v.nullable(v.string()),
  purpose: v.nullable(v.string()),
  category: v.nullable(v.string()),
  executionContext: v.nullable(v.string()),
  urgency: v.picklist(URGENCIES),
  /**
   * The context of the request. In a denied payment `wallets` and `nextSteps` are those of the service; lists leave
   * `wallets` out.
   */
  context: v.nullable(freeObject),
  idempotencyKey: v.nullable(v.string()),
  ...detailEntries,
  createdAt: v.string(),
  updatedAt: v.string(),
  /** Only while the agent has a token to pay with itself, and has not confirmed a payment. */
  tokenOut: v.optional(v.literal(true)),
  transaction: v.optional(transactionSchema),
})

export function violationRecord(violation: Violation): v.InferOutput<typeof violationSchema> {
  const { type, policyId, policyVersion, ruleId, limit, current, unit, message } = violation
  const shown = (value: number): number => (unit === 'COUNT' ? value : toNumber(value))
  return {
    type,
    ...(policyId !== undefined && { policyId }),
    ...(policyVersion !== undefined && { policyVersion }),
    ...(ruleId !== undefined && { ruleId }),
    ...(limit !== undefined && { limit: shown(limit) }),
    ...(current !== undefined && { current: shown(current) }),
    message,
  }
}

function walletOf(
  { wallet }: PaymentTerms,
  actor: Actor<'wallet'> | undefined,
): v.InferOutput<typeof paidFromSchema> | null {
  if (!actor || wallet === null) return wallet && { ...wallet }
  const { id, address, chainId, custodyType } = wallet
  const { balance, held } = actor.context
  return { id, address, chainId, custodyType, availableBalance: toNumber(balance - held) }
}

function executionOf(transaction: v.InferOutput<typeof transactionSchema>): v.InferOutput<typeof executionSchema> {
  const { id, confirmedAt: _confirmedAt, ...execution } = transaction
  return { transactionId: id, ...execution }
}

function deniedByPerson({ approval }: PaymentContext): boolean {
  return approval?.status === 'DENIED'
}

function reasonsOf(context: PaymentContext, status: PaymentStatus): string[] {
  const { approval, stopReason } = context
  const causes = causesOf(context)
  if (!deniedByPerson(context)) {
    const asked = status === 'REQUIRES_APPROVAL' ? approval!.reasons : []
    return [...causes.map(({ message }) => message), ...asked, ...(stopReason === null ? [] : [stopReason])]
  }
  const { by, comment } = approval!.decisions.at(-1)!
  // Agents read it: a person's name, which may be an e-mail address, is for the organization alone.
  const denied = `Denied by ${by.type === 'PERSON' ? 'a person' : by.name}`
  return [comment ? `${denied}: ${comment}` : denied]
}

/** What stopped an execution with this code, as far as it is recorded. */
function whyUnexecuted(context: PaymentContext, code: Code): string {
  const causes = causesOf(context)
  // The causes are those of the last execution, which may have been stopped for something else.
  const recorded = causes[0] && executionCode(causes) === code ? causes[0].message : context.stopReason
  return recorded ?? CODES[code].message
}

/** The wallets that the agent can pay from; called only for a denied payment. */
type Reachable = () => readonly Actor<'wallet'>[]

/** Of a denial: its answer stays short, however many the agent has. */
const MAX_WALLETS = 20

/** What the answer says of a denial; it leaves out the wallets where none are given. */
export function denialOf(context: PaymentContext, wallets: Reachable | undefined): Partial<Decided> {
  const causes = causesOf(context)
  const total = causesTotalOf(context)
  const { amount, x402 } = context.terms!
  const { nearest: way, timezone } = currentDecision(context)
  const hint = hintOf(causes, amount, x402 && { host: x402.host, at: context.updatedAt, timezone })
  return {
    deniedBy: deniedByPerson(context) ? 'PERSON' : 'POLICY',
    violations: causes.map(violationRecord),
    ...(total > causes.length && { violationsTotal: total }),
    ...(hint !== undefined && { hint }),
    context: {
      ...(wallets && { wallets: wallets().slice(0, MAX_WALLETS).map(walletSummary) }),
      nextSteps: nextStepsOf(causes, amount, way),
    },
    ...(way && { nearest: nearestRecord(way) }),
  }
}

function nearestRecord({
  maxAmountNow,
  earliestAt,
  approvalWouldAllow,
  omitted,
}: Nearest): NonNullable<DecisionRecord['nearest']> {
  return {
    ...(maxAmountNow !== null && { maxAmountNow: toNumber(maxAmountNow) }),
    ...(earliestAt !== null && { earliestAt: iso(earliestAt) }),
    approvalWouldAllow,
    ...(omitted && { omitted }),
  }
}

/** The answer to a request; a denied one lists the `wallets` that the agent could pay from. */
export function decisionRecord(payment: Actor<'payment'>, view: View, wallets: Reachable): DecisionRecord
export function decisionRecord(payment: Actor<'payment'>, view: View, wallets?: Reachable): Decided
export function decisionRecord(payment: Actor<'payment'>, view: View, wallets?: Reachable): Decided {
  const context = payment.context
  const { id, terms, approval, autoExecuteError, permit } = context
  const expiresAt = isPermitted(payment) ? permit!.expiresAt : context.expiresAt
  const { currency, recipientAddress } = terms!
  const { id: decisionId, policySetHash } = currentDecision(context)
  const status = paymentStatus(payment)
  const record: Decided = {
    requestId: id,
    status,
    amount: toNumber(amountOf(context)),
    currency,
    recipientAddress,
    reasons: reasonsOf(context, status),
    expiresAt: iso(expiresAt),
    wallet: walletOf(terms!, view(`wallet/${terms!.walletId}`)),
    policyDecision: { decisionId, policySetHash },
  }
  // The present or last approval request, once there has been one.
  if (approval !== null && approval.createdAt !== 0) {
    record.approvalRequestId = approval.id
    record.approval = { id: approval.id, status: approval.status }
  }
  const transaction = transactionOf(payment)
  if (transaction) record.execution = executionOf(transaction)
  if (autoExecuteError !== null) {
    record.autoExecuteError = { error: whyUnexecuted(context, autoExecuteError), code: autoExecuteError }
  }
  if (terms!.paymentKey !== undefined) Object.assign(record, purchaseRecord(terms!))
  return status === 'DENIED' ? Object.assign(record, denialOf(context, wallets)) : record
}

function walletSummary(actor: Actor<'wallet'>): v.InferOutput<typeof walletSummarySchema> {
  const { id, fields, balance } = actor.context
  const { address, chainId, custodyType } = fields
  return { id, address, chainId, custodyType, balance: toNumber(balance) }
}

/** The transfer of a payment, once one may have been sent. */
export function transactionOf(payment: Actor<'payment'>): v.InferOutput<typeof transactionSchema> | undefined {
  const { transactionId, terms, txHash, executedAt, confirmedAt } = payment.context
  const status = transactionStatus({ state: payment.state, terms: terms! })
  if (status === undefined) return undefined
  const at = terms!.settlementMode === 'live' ? confirmedAt : executedAt
  return {
    id: transactionId,
    status,
    ...(txHash !== null && { txHash }),
    settlementMode: terms!.settlementMode,
    ...(status === 'CONFIRMED' && { confirmedAt: iso(at!) }),
  }
}

/** The payment record for agents and organizations; `wallets` as in the answer to a request. */
export function paymentRecord(
  payment: Actor<'payment'>,
  view: View,
  wallets?: Reachable,
): v.InferOutput<typeof paymentSchema> {
  const { id, terms, createdAt, updatedAt } = payment.context
  const card = cardPaid(payment.context)
  const { agentId, recipientName, purpose, category, executionContext, urgency, context, idempotencyKey } = terms!
  const transaction = transactionOf(payment)
  const { context: help, ...decided } = decisionRecord(payment, view, wallets)
  const { wallets: _own, ...asked } = (context ?? {}) as { wallets?: unknown }
  return {
    ...decided,
    id,
    agentId,
    rail: railOf(terms!),
    ...(card && { card }),
    ...(terms!.x402 && { x402: resourceRecord(payment.context) }),
    recipientName,
    purpose,
    category,
    executionContext,
    urgency,
    context: help === undefined ? context : { ...asked, ...help },
    idempotencyKey,
    ...detailRecord(terms!),
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
    ...(isPermitted(payment) && { tokenOut: true as const }),
    ...(transaction && { transaction }),
  }
}

export function executedRecord(payment: Actor<'payment'>, view: View): v.InferOutput<typeof executedSchema> {
  const { requestId, status, amount, currency, wallet } = decisionRecord(payment, view)
  const { transactionId, txHash, ...context } = payment.context
  const terms = transferTerms(context.terms)
  return {
    requestId,
    status,
    ...purchaseRecord(terms),
    transactionId,
    ...(txHash !== null && { txHash }),
    settlementMode: terms.settlementMode,
    amount,
    currency,
    recipientAddress: terms.recipientAddress,
    wallet: wallet!,
  }
}
