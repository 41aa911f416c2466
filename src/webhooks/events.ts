// The webhook events and the schema of each one's `data`. docs/events/ is generated from this table.
import * as v from 'valibot'
import { AGENT_STATUSES } from '../domain/parties/agent.js'
import { VERDICTS } from '../domain/payment/approval.js'
import { PAYMENT_STATUSES } from '../domain/payment/terms.js'
import { POLICY_SCOPES, POLICY_TYPES } from '../domain/parties/policy.js'
import { SETTLEMENT_MODES } from '../domain/payment/settlement.js'

/** The receivers: the organization's endpoint alone, or also the callback of the agent that the event concerns. */
type Audience = 'organization' | 'agent'

const id = v.string()
const settlementMode = v.picklist(SETTLEMENT_MODES)

/** A delivery to the organization's endpoint carries `organizationId`, one to an agent's callback `agentId`. */
const address = { organizationId: v.optional(id), agentId: v.optional(id) }

const payment = {
  paymentId: id,
  status: v.picklist(PAYMENT_STATUSES),
  amount: v.number(),
  currency: v.string(),
  /** Null for a payment on a card. */
  recipientAddress: v.nullable(v.string()),
  walletId: v.nullable(id),
  transactionId: v.optional(v.string()),
  transactionHash: v.optional(v.string()),
  settlementMode,
}
/** Executed; in live settlement on the chain. */
const settled = { ...payment, transactionId: v.string() }

const policy = { policyId: id, name: v.string(), policyType: v.picklist(POLICY_TYPES) }

const approval = { approvalRequestId: id, paymentRequestId: id, amount: v.number() }

type Addressed<Entries> = Omit<typeof address, keyof Entries> & Entries

const event = <Entries extends v.ObjectEntries>(audience: Audience, summary: string, entries: Entries) => ({
  audience,
  summary,
  schema: v.strictObject({ ...address, ...entries } as Addressed<Entries>),
})

export const EVENTS = {
  'payment.requested': event('agent', 'A payment was requested; `status` is its status after the decision', payment),
  'payment.approved': event('agent', 'A payment was approved and can be executed', {
    ...payment,
    status: v.literal('APPROVED'),
  }),
  'payment.denied': event('agent', 'A payment was denied', { ...payment, status: v.literal('DENIED') }),
  'payment.executed': event(
    'agent',
    'A payment was executed. `settlementMode` test is a simulation: no funds moved, and there is no transactionHash',
    { ...settled, status: v.literal('EXECUTED') },
  ),
  'payment.confirmed': event('agent', 'The transfer is confirmed on its chain', {
    ...settled,
    status: v.literal('EXECUTED'),
    settlementMode: v.literal('live'),
    /** Only in a test delivery: there is no such payment. */
    test: v.optional(v.literal(true)),
  }),
  'payment.failed': event('agent', 'The transfer of an executed payment failed', {
    ...payment,
    status: v.literal('FAILED'),
  }),
  'payment.expired': event('agent', 'A payment was not executed in time', { ...payment, status: v.literal('EXPIRED') }),
  'agent.status_changed': event('agent', 'The status of an agent has changed', {
    agentId: id,
    name: v.string(),
    status: v.picklist(AGENT_STATUSES),
    previousStatus: v.picklist(AGENT_STATUSES),
  }),
  'counterparty.blocked': event('organization', 'A counterparty was blocked: no payment to its address is executed', {
    counterpartyId: id,
    name: v.string(),
    address: v.string(),
    status: v.literal('BLOCKED'),
  }),
  'policy.created': event('organization', 'A policy was created; its rules are not included', {
    ...policy,
    scope: v.picklist(POLICY_SCOPES),
    priority: v.number(),
    rulesCount: v.number(),
  }),
  'policy.updated': event('organization', 'A policy has a new version', { ...policy, isActive: v.boolean() }),
  'policy.deleted': event('organization', 'A policy was deleted', policy),
  'approval.requested': event('organization', 'A payment requires approval; its approvers have to sign in', {
    ...approval,
    currency: v.string(),
    recipientAddress: v.nullable(v.string()),
    requiredApprovals: v.number(),
    expiresAt: v.string(),
    decisionUrl: v.string(),
  }),
  'approval.approved': event('agent', 'The approval request of a payment was approved', {
    ...approval,
    decision: v.literal('APPROVED'),
  }),
  'approval.denied': event('agent', 'The approval request of a payment was denied', {
    ...approval,
    decision: v.literal('DENIED'),
  }),
  'governance.approval.decided': event('organization', 'A change under governance was approved or denied', {
    governanceApprovalRequestId: id,
    action: v.string(),
    resource: v.string(),
    resourceId: v.nullable(v.string()),
    decision: v.picklist(VERDICTS),
  }),
}

export type EventName = keyof typeof EVENTS
/** The `data` of an event before the receiver's id is added. */
export type DataOf<Name extends EventName> = v.InferOutput<(typeof EVENTS)[Name]['schema']>

export function bodySchema(name: EventName) {
  return v.strictObject({
    deliveryId: v.string(),
    event: v.literal(name),
    timestamp: v.pipe(v.string(), v.isoTimestamp()),
    data: EVENTS[name].schema,
  })
}
