// A BUDGET_CAP that is nearly used up: one alert for each window.
import { isOf } from '../../actor/actor.js'
import type { Gate } from '../../domain/limits/gate.js'
import { windowStart, measured, type LimitTerm } from '../../domain/limits/limit.js'
import { tallyAt } from '../../domain/limits/tally.js'
import { NO_CAUSES, type Cause, type Scene } from '../cause.js'
import type { PaymentCausesIn } from '../payment.js'
import { usedUp, warningMark } from '../warningMark.js'

export const budgetCaps: PaymentCausesIn = ({ before, payment, subject }, scene) => {
  // What a payment holds counts at a gate from the moment on that it holds it.
  const held = payment.gates.slice(before?.holds.length ?? 0, payment.holds.length)
  return held.flatMap((gate) => (gate.limits ?? []).flatMap((term) => capCause(gate, term, scene, subject.agentId)))
}

function capCause({ ref }: Gate, term: LimitTerm, scene: Scene, agentId: string): Cause[] {
  const { limit, violation, measure, ruleId } = term
  if (violation !== 'BUDGET_EXCEEDED' || measure === 'COUNT' || limit === 0) return NO_CAUSES
  const gate = scene.actor(ref)
  if (!isOf('agent', gate) && !isOf('budget', gate)) return NO_CAUSES
  const { tally, clock } = gate.context
  const current = tallyAt(tally!, clock, tally!.timezone)
  const used = measured(term, current)
  if (used < warningMark(limit, scene.settings.spendWarningAt)) return NO_CAUSES
  const message = () => `${usedUp(used, limit)} of a policy's budget are spent or reserved.`
  const about = [ref, ruleId, measure, windowStart(term, current)]
  return [{ type: 'SPEND_LIMIT_WARNING', about, title: 'Budget close to exhaustion', message, agentId }]
}
