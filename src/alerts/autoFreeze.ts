// What an agent with thresholds is told of its payments, in the commit in which they change, and its freeze by itself.
import { charts } from '../../machines/index.js'
import { isGone, metaOfActor, statusOf } from '../actor/turn.js'
import type { ActorMove, FollowUp, Left } from '../actor/followUps.js'
import { AUTO_FREEZE } from '../domain/audit/entry.js'
import { sayMet, type Note } from '../domain/limits/autoFreeze.js'
import { amountOf, recipientText } from '../domain/payment/terms.js'
import { isUnruly } from './causes/denials.js'
import { isApproval, type PaymentChange } from './payment.js'

const FREEZABLE: ReadonlySet<string> = new Set(['ACTIVE', 'PAUSED'])

/** Of a payment's change: the note to its agent. */
export function noteOf(it: PaymentChange, left: Left): FollowUp[] {
  const to = `agent/${it.terms.agentId}` as const
  const agent = left.actor(to)
  if (agent === undefined || isGone(charts, agent) || agent.context.autoFreeze === null) return []
  const { became, payment, before, terms } = it
  const isHeld = payment.holds.length > 0 && (before?.holds.length ?? 0) === 0
  const isExecuted = payment.executedAt !== null && (before?.executedAt ?? null) === null
  const isConfirmed = isConfirmation(it.move)
  const isFailed = became === 'FAILED'
  const isDenied = became === 'DENIED' && isUnruly(it)
  if (!isHeld && !isExecuted && !isConfirmed && !isFailed && !isDenied) return []
  const note: Note = {
    now: Math.max(left.at, agent.context.clock),
    amount: amountOf(payment),
    isDenied,
    isFailed,
    isExecuted,
    isConfirmed,
    isApproved: isApproval(it),
    ...(isHeld && { recipient: recipientText(terms) }),
  }
  return [{ to, message: { type: 'NOTE', organization: left.organization, ...note } }]
}

/** What was only sent may still fail: it ends no run of failures. */
function isConfirmation({ before, after }: ActorMove<'payment'>): boolean {
  const isNow = metaOfActor(charts, after).transaction === 'CONFIRMED'
  return isNow && (before === undefined || metaOfActor(charts, before).transaction !== 'CONFIRMED')
}

/** Of the last of several notes in one attempt. */
export function freezeOf({ before, after }: ActorMove<'agent'>, { at: now, organization, sequence }: Left): FollowUp[] {
  const { autoFreeze, activity } = after.context
  const was = before?.context
  const isMet = activity !== null && activity !== was?.activity && activity.met.length > 0
  if (!isMet || autoFreeze?.action !== 'FREEZE' || !FREEZABLE.has(statusOf(charts, after))) return []
  const said = sayMet(autoFreeze, activity.met)
  const reason = `${said}. Only what it was permitted to pay before is executed after audit entry ${sequence() + 1}.`
  return [{ to: after.ref, message: { type: 'FREEZE', now, organization, reason }, by: AUTO_FREEZE }]
}
