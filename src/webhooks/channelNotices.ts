// The facts that channels are told of an event, taken from the actors as its command leaves them. Events of the charts
// are told under the names that channels take.
import { idOf, type Actor, type DomainEvent } from '../actor/actor.js'
import type { DelegationTerms } from '../domain/parties/delegation.js'
import { counted, sumsAt, type Sums } from '../domain/limits/sums.js'
import { requiredApprovals, type Approval } from '../domain/payment/approval.js'
import { shownItems, type PaymentTerms } from '../domain/payment/terms.js'
import { toNumber } from '../domain/values/money.js'
import type { AlertNotice, ApprovalNotice, ChannelEvent, Notice, Severity } from '../notifications/notice.js'
import type { CommittedView } from './outbox.js'

/** One event for the channels that take it; `subject` is what an outcome refers to. */
export interface ToldEvent {
  event: ChannelEvent
  subject: string
  notice: Notice
}

interface Surroundings {
  left: CommittedView
  publicUrl: string
}

interface Asking {
  id: string
  terms: PaymentTerms
  approval: Approval
  gates: { ref: string }[]
}

/** What channels are told of the event; undefined where it is none of theirs. */
export function toldToChannels(event: DomainEvent, around: Surroundings): ToldEvent | undefined {
  const actor = around.left.actor(event.ref)!
  if (event.event === 'alert.raised')
    return { event: 'alert.raised', subject: idOf(event.ref), notice: alert(actor, around) }
  const told = approvalEvent(event, actor, around.left.before(event.ref))
  return (
    told && { event: told.event, subject: told.approval.id, notice: approval(actor, told.approval, event.at, around) }
  )
}

/** A request that was escalated is announced again by its chart, at its next step. */
function approvalEvent({ event }: DomainEvent, actor: Actor, before: Actor | undefined) {
  const { approval: current } = actor.context as unknown as Partial<Asking>
  if (event === 'approval.requested') {
    return {
      event: current!.step === 0 ? ('approval.requested' as const) : ('approval.escalated' as const),
      approval: current!,
    }
  }
  if (event === 'approval.approved' || event === 'approval.denied') {
    return { event: 'approval.decided' as const, approval: current! }
  }
  if (event !== 'approval.expired') return undefined
  // Where another request took its place, the one that ended is the former one.
  const { approval: former } = before!.context as unknown as Asking
  return { event: 'approval.expired' as const, approval: { ...former, status: 'EXPIRED' as const } }
}

function organizationOf({ left }: Surroundings, { context }: Actor) {
  const organizationId = String(context['organization'])
  const { name } = left.actor(`organization/${organizationId}`)!.context['fields'] as { name: string }
  return { organizationId, organizationName: name }
}

function approval(payment: Actor, asked: Approval, now: number, around: Surroundings): ApprovalNotice {
  const { left, publicUrl } = around
  const { id, terms, gates } = payment.context as unknown as Asking
  const gateOf = (kind: string): Actor | undefined => {
    const gate = gates.find(({ ref }) => ref.startsWith(`${kind}/`))
    return gate && left.actor(gate.ref as Actor['ref'])
  }
  const recipientName = gateOf('counterparty')?.context['name']
  return {
    ...organizationOf(around, payment),
    approvalRequestId: asked.id,
    paymentRequestId: id,
    contentHash: asked.contentHash,
    status: asked.status,
    agentId: terms.agentId,
    agentName: String(left.actor(`agent/${terms.agentId}`)?.context['name'] ?? terms.agentId),
    amount: toNumber(terms.amount),
    currency: terms.currency,
    recipientAddress: terms.recipientAddress,
    recipientName: typeof recipientName === 'string' && recipientName !== '' ? recipientName : terms.recipientName,
    purpose: terms.purpose,
    category: terms.category,
    reference: terms.reference ?? null,
    lineItems: shownItems(terms.lineItems ?? []),
    reasons: asked.reasons,
    today: spentToday(gateOf('delegation'), now),
    requiredApprovals: requiredApprovals(asked),
    decisions: asked.decisions.map(({ by, decision, comment, at }) => ({
      by: by.name,
      decision,
      comment,
      at: iso(at),
    })),
    expiresAt: iso(asked.expiresAt),
    decisionUrl: `${publicUrl}/approvals/${asked.id}`,
  }
}

/** By the delegation's sums: what this agent has spent and reserved from this wallet. */
function spentToday(delegation: Actor | undefined, now: number): ApprovalNotice['today'] {
  if (delegation === undefined) return null
  const { terms, sums } = delegation.context as unknown as { terms: DelegationTerms; sums: Sums }
  const limit = terms.spendLimitDaily
  return {
    amount: toNumber(counted(sumsAt(sums, now, terms.timezone), 'day')),
    limit: limit === null ? null : toNumber(limit),
  }
}

interface RaisedAlert {
  id: string
  type: string
  severity: Severity
  title: string
  message: string
  agentId?: string | null
  walletId?: string | null
  paymentId?: string | null
  count: number
  /** Epoch ms. */
  firstAt: number
  lastAt: number
}

function alert(actor: Actor, around: Surroundings): AlertNotice {
  const raised = actor.context as unknown as RaisedAlert
  const { id, type, severity, title, message, count, firstAt, lastAt } = raised
  return {
    ...organizationOf(around, actor),
    alertId: id,
    type,
    severity,
    title,
    message,
    ...given('agentId', raised.agentId),
    ...given('walletId', raised.walletId),
    ...given('paymentId', raised.paymentId),
    count,
    firstAt: iso(firstAt),
    lastAt: iso(lastAt),
    alertUrl: `${around.publicUrl}/#/alerts/${id}`,
  }
}

function given(field: string, id: string | null | undefined): object {
  return id === null || id === undefined ? {} : { [field]: id }
}

function iso(at: number): string {
  return new Date(at).toISOString()
}
