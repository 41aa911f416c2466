// The facts that channels are told of an event, taken from the actors as its command leaves them. Events of the charts
// are told under the names that channels take.
import { isOf, kindOf, type Actor, type DomainEvent } from '../actor/actor.js'
import type { Ref } from '../domain/limits/gate.js'
import { counted, sumsAt } from '../domain/limits/sums.js'
import { requiredApprovals, type Approval } from '../domain/payment/approval.js'
import { recipientText, shownItems } from '../domain/payment/terms.js'
import { toNumber } from '../domain/values/money.js'
import type { AlertNotice, ApprovalNotice, ChannelEvent, Notice } from '../notifications/notice.js'
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

/** What channels are told of the event; undefined where it is none of theirs. */
export function toldToChannels(event: DomainEvent, around: Surroundings): ToldEvent | undefined {
  const actor = around.left.actor(event.ref)!
  if (isOf('alert', actor)) return { event: 'alert.raised', subject: actor.context.id, notice: alert(actor, around) }
  const told = approvalEvent(event, actor, around.left.before(event.ref))
  if (!told || !isOf('payment', actor)) return undefined
  return { event: told.event, subject: told.approval.id, notice: approval(actor, told.approval, event.at, around) }
}

/** A request that was escalated is announced again by its chart, at its next step. */
function approvalEvent({ event }: DomainEvent, actor: Actor, before: Actor | undefined) {
  const current = isOf('payment', actor) ? actor.context.approval : null
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
  const former = (before as Actor<'payment'>).context.approval!
  return { event: 'approval.expired' as const, approval: { ...former, status: 'EXPIRED' as const } }
}

function organizationOf({ left }: Surroundings, { context }: Actor) {
  const organizationId = context.organization
  const { name } = left.actor(`organization/${organizationId}`)!.context.fields
  return { organizationId, organizationName: name }
}

function approval(payment: Actor<'payment'>, asked: Approval, now: number, around: Surroundings): ApprovalNotice {
  const { left, publicUrl } = around
  const { id, gates } = payment.context
  const terms = payment.context.terms!
  const gateOf = <K extends string>(kind: K): Actor<K> | undefined => {
    const gate = gates.find(({ ref }) => kindOf(ref) === kind)
    return gate && left.actor(gate.ref as Ref<K>)
  }
  const recipientName = gateOf('counterparty')?.context.name
  return {
    ...organizationOf(around, payment),
    approvalRequestId: asked.id,
    paymentRequestId: id,
    contentHash: asked.contentHash,
    status: asked.status,
    agentId: terms.agentId,
    agentName: left.actor(`agent/${terms.agentId}`)?.context.name ?? terms.agentId,
    amount: toNumber(terms.amount),
    currency: terms.currency,
    recipientAddress: recipientText(terms),
    recipientName: recipientName || terms.recipientName,
    purpose: terms.purpose,
    category: terms.category,
    reference: terms.reference ?? null,
    lineItems: shownItems(terms.lineItems ?? []),
    reasons: asked.reasons,
    today: spentToday(gateOf('delegation'), now),
    step: asked.step,
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
function spentToday(delegation: Actor<'delegation'> | undefined, now: number): ApprovalNotice['today'] {
  if (delegation === undefined) return null
  const { terms, sums } = delegation.context
  const limit = terms.spendLimitDaily
  return {
    amount: toNumber(counted(sumsAt(sums, now, terms.timezone), 'day')),
    limit: limit === null ? null : toNumber(limit),
  }
}

function alert(raised: Actor<'alert'>, around: Surroundings): AlertNotice {
  const { id, fields, count, createdAt, lastAt } = raised.context
  const { agentId, walletId, paymentId, ...said } = fields
  return {
    ...organizationOf(around, raised),
    alertId: id,
    ...said,
    ...(agentId !== null && { agentId }),
    ...(walletId !== null && { walletId }),
    ...(paymentId !== null && { paymentId }),
    count,
    firstAt: iso(createdAt),
    lastAt: iso(lastAt),
    alertUrl: `${around.publicUrl}/#/alerts/${id}`,
  }
}

function iso(at: number): string {
  return new Date(at).toISOString()
}
