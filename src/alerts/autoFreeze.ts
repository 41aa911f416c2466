// What an agent with thresholds is told of its payments, in the commit in which they change, and its freeze by itself.
import type { AgentContext } from '../../machines/agent.js'
import { kindOf } from '../actor/actor.js'
import type { ActorChange, FollowUp, Left } from '../actor/followUps.js'
import { AUTO_FREEZE } from '../domain/audit/entry.js'
import { sayMet, type Note } from '../domain/limits/autoFreeze.js'
import { hasCause } from './causes/denials.js'
import { isApproval, paymentChange } from './payment.js'

export function autoFreezeOf(change: ActorChange, left: Left): FollowUp[] {
  const kind = kindOf(change.after.ref)
  if (kind === 'payment') return noteOf(change, left)
  return kind === 'agent' ? freezeOf(change, left) : []
}

function noteOf(change: ActorChange, left: Left): FollowUp[] {
  const it = paymentChange(change)
  const to = `agent/${it.terms.agentId}` as const
  const agent = left.actor(to)
  if (agent === undefined || (agent.context as unknown as AgentContext).autoFreeze === null) return []
  const { became, payment, before, terms } = it
  const isHeld = payment.holds.length > 0 && (before?.holds.length ?? 0) === 0
  const isExecuted = payment.executedAt !== null && (before?.executedAt ?? null) === null
  const isFailed = became === 'FAILED'
  const isDenied = became === 'DENIED' && hasCause(it)
  if (!isHeld && !isExecuted && !isFailed && !isDenied) return []
  const note: Note = {
    now: left.at,
    amount: terms.amount,
    isDenied,
    isFailed,
    isExecuted,
    isApproved: isApproval(it),
    ...(isHeld && { recipient: terms.recipientAddress }),
  }
  return [{ to, message: { type: 'NOTE', organization: left.organization, ...note } }]
}

/** Of the last of several notes in one attempt. */
function freezeOf({ before, after }: ActorChange, { at: now, organization, sequence }: Left): FollowUp[] {
  const { autoFreeze, activity } = after.context as unknown as AgentContext
  const was = before?.context as unknown as AgentContext | undefined
  const isMet = activity !== null && activity !== was?.activity && activity.met.length > 0
  if (!isMet || autoFreeze?.action !== 'FREEZE' || after.state !== 'registered.active') return []
  const reason = `${sayMet(autoFreeze, activity.met)}. Nothing of it is executed after audit entry ${sequence + 1}.`
  return [{ to: after.ref, message: { type: 'FREEZE', now, organization, reason }, by: AUTO_FREEZE }]
}
