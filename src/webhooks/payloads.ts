// Builds the payload of an event from its actor, before the change and as committed. It reads only the fields it
// sends, and never the rules of a policy.
import { isOf, type Actor, type DomainEvent } from '../actor/actor.js'
import { requiredApprovals } from '../domain/payment/approval.js'
import type { AgentStatus } from '../domain/parties/agent.js'
import { toNumber } from '../domain/values/money.js'
import { amountOf, type PaymentStatus } from '../domain/payment/terms.js'
import type { Kind } from '../domain/values/kinds.js'
import type { DataOf, EventName } from './events.js'

/** The actor that an event is about. */
export interface EventSubject {
  before: Actor | undefined
  after: Actor
  /** The status that an actor shows. */
  statusOf(actor: Actor): string
  /** The public origin of the service, without a path. */
  publicUrl: string
}

type Build<Name extends EventName> = (subject: EventSubject) => DataOf<Name>

/** The actor of an event of this kind; an event names actors of one kind alone. */
function subjectOf<K extends Kind>(kind: K, { after }: EventSubject): Actor<K> {
  if (!isOf(kind, after)) throw new Error(`${after.ref} is no ${kind}`)
  return after
}

function paymentData<Status extends PaymentStatus>(it: EventSubject, status: Status) {
  const payment = subjectOf('payment', it).context
  const { id, terms } = payment
  const { currency, recipientAddress, walletId, settlementMode } = terms!
  return {
    paymentId: id,
    status,
    amount: toNumber(amountOf(payment)),
    currency,
    recipientAddress,
    walletId,
    settlementMode,
  }
}

/** A simulated payment has no transfer: its hash, if it was confirmed with one, is left out. */
function executed(it: EventSubject) {
  const { transactionId, txHash, terms } = subjectOf('payment', it).context
  const isOnChain = terms!.settlementMode === 'live' && txHash !== null
  return { ...paymentData(it, 'EXECUTED'), transactionId, ...(isOnChain && { transactionHash: txHash }) }
}

function approvalData(it: EventSubject) {
  const { id, terms, approval } = subjectOf('payment', it).context
  return { approvalRequestId: approval!.id, paymentRequestId: id, amount: toNumber(terms!.amount) }
}

function policyData(it: EventSubject) {
  const { id, definition } = subjectOf('policy', it).context
  const { name, policyType, isActive, scope, priority, rules } = definition
  const told = { policyId: id, name, policyType }
  return { told, more: { isActive, scope, priority, rulesCount: rules.length } }
}

const PAYLOADS: { [Name in EventName]: Build<Name> } = {
  'payment.requested': (it) => paymentData(it, it.statusOf(it.after) as PaymentStatus),
  'payment.approved': (it) => paymentData(it, 'APPROVED'),
  'payment.denied': (it) => paymentData(it, 'DENIED'),
  'payment.executed': (it) => executed(it),
  'payment.confirmed': (it) => ({ ...executed(it), settlementMode: 'live' }),
  'payment.failed': (it) => ({ ...executed(it), status: 'FAILED' }),
  'payment.expired': (it) => paymentData(it, 'EXPIRED'),
  'approval.requested': (it) => {
    const payment = subjectOf('payment', it).context
    const [approval, { currency, recipientAddress }] = [payment.approval!, payment.terms!]
    return {
      ...approvalData(it),
      currency,
      recipientAddress,
      requiredApprovals: requiredApprovals(approval),
      expiresAt: new Date(approval.expiresAt).toISOString(),
      decisionUrl: `${it.publicUrl}/approvals/${approval.id}`,
    }
  },
  'approval.approved': (it) => ({ ...approvalData(it), decision: 'APPROVED' }),
  'approval.denied': (it) => ({ ...approvalData(it), decision: 'DENIED' }),
  'governance.approval.decided': (it) => {
    const { id, action, resource, resourceId, approval } = subjectOf('change', it).context
    const decision = approval.status as 'APPROVED' | 'DENIED'
    return { governanceApprovalRequestId: id, action, resource, resourceId, decision }
  },
  'agent.status_changed': (it) => {
    const agent = subjectOf('agent', it)
    const [status, previousStatus] = [it.statusOf(agent), it.statusOf(it.before!)] as [AgentStatus, AgentStatus]
    return { agentId: agent.context.id, name: agent.context.name, status, previousStatus }
  },
  'counterparty.blocked': (it) => {
    const { id, name, address } = subjectOf('counterparty', it).context
    return { counterpartyId: id, name, address, status: 'BLOCKED' }
  },
  'policy.created': (it) => {
    const { told, more } = policyData(it)
    return { ...told, scope: more.scope, priority: more.priority, rulesCount: more.rulesCount }
  },
  'policy.updated': (it) => {
    const { told, more } = policyData(it)
    return { ...told, isActive: more.isActive }
  },
  'policy.deleted': (it) => policyData(it).told,
}

/** The payload without the receiver's id; throws for an event that has none. */
export function payloadOf({ event }: DomainEvent, subject: EventSubject): DataOf<EventName> {
  const build: Build<EventName> | undefined = PAYLOADS[event as EventName]
  if (!build) throw new Error(`There is no payload for ${event}`)
  return build(subject)
}

/** The payload of a test delivery; it names no payment that exists. */
export function testPayload(at: number): DataOf<'payment.confirmed'> {
  return {
    paymentId: `test_${at.toString(36)}`,
    status: 'EXECUTED',
    amount: 1,
    currency: 'USDC',
    recipientAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    walletId: 'test_wallet',
    transactionId: `test_tx_${at.toString(36)}`,
    transactionHash: `0x${'0'.repeat(64)}`,
    settlementMode: 'live',
    test: true,
  }
}
