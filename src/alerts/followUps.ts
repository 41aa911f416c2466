// What follows from changes of actors and is committed with them: alerts, and what agents with thresholds are told.
import { isOf, kindOf } from '../actor/actor.js'
import type { ActorMove, FollowUp, FollowUps, Left } from '../actor/followUps.js'
import type { Kind } from '../domain/values/kinds.js'
import { BoundedCache } from '../domain/values/boundedCache.js'
import { windowsAt } from '../domain/time/windows.js'
import { freezeOf, noteOf } from './autoFreeze.js'
import type { CauseFound, CausesIn, Scene } from './cause.js'
import { agentSuspended } from './causes/agentSuspended.js'
import { budgetCaps } from './causes/budgetCaps.js'
import { delegationLimits } from './causes/delegationLimits.js'
import { cardOvercharge } from './causes/cardOvercharge.js'
import { denials } from './causes/denials.js'
import { failedTransaction } from './causes/failedTransaction.js'
import { highValue } from './causes/highValue.js'
import { lowBalance } from './causes/lowBalance.js'
import { unpayableFees } from './causes/unpayableFees.js'
import { firstPayment } from './causes/firstPayment.js'
import { ungovernedTransfer } from './causes/ungovernedTransfer.js'
import { unusualActivity } from './causes/unusualActivity.js'
import { paymentChange, type PaymentChange } from './payment.js'
import { followUpOf, type RaisePorts, type RecentAlerts } from './raise.js'

/** By the kind of the actor that changes. */
const CAUSES: { readonly [K in Kind]?: readonly CausesIn<K>[] } = {
  agent: [agentSuspended, unusualActivity],
  delegation: [delegationLimits],
  wallet: [lowBalance, unpayableFees],
  watch: [ungovernedTransfer],
}

const PAYMENT_CAUSES = [denials, failedTransaction, cardOvercharge, firstPayment, highValue, budgetCaps]

const MOST_RECENT = 2_000

export function followUpsOf(ports: RaisePorts): FollowUps {
  const raising: Raising = { ...ports, recent: new BoundedCache(MOST_RECENT) }
  return (moves, left, send) => {
    const moment: Moment = { left, scene: sceneOf(left), send }
    for (const move of moves) {
      if (isMoveOf('payment', move)) afterPayment(raising, paymentChange(move), moment)
      else afterOther(raising, move, moment)
    }
  }
}

type Raising = RaisePorts & { recent: RecentAlerts }

interface Moment {
  left: Left
  scene(): Scene
  send(followUp: FollowUp): void
}

function afterPayment(raising: Raising, change: PaymentChange, moment: Moment): void {
  for (const causesIn of PAYMENT_CAUSES) raise(raising, causesIn(change, moment.scene()), moment)
  noteOf(change, moment.left).forEach(moment.send)
}

function afterOther(raising: Raising, move: ActorMove, moment: Moment): void {
  const all = CAUSES[kindOf(move.after.ref) as Kind] as readonly CausesIn<never>[] | undefined
  for (const causesIn of all ?? []) raise(raising, causesIn(move as ActorMove<never>, moment.scene()), moment)
  if (isMoveOf('agent', move)) freezeOf(move, moment.left).forEach(moment.send)
}

function raise(raising: Raising, causes: readonly CauseFound[], { left, send }: Moment): void {
  for (const cause of causes) {
    const followUp = followUpOf(raising, cause, left, raising.recent)
    if (followUp) send(followUp)
  }
}

function isMoveOf<K extends Kind>(kind: K, move: ActorMove): move is ActorMove<K> {
  return isOf(kind, move.after)
}

/** Looked at only where something may raise an alert. */
function sceneOf({ organization, at, actor }: Left): () => Scene {
  let scene: Scene | undefined
  return () => {
    if (scene) return scene
    const { fields, alerts } = actor(`organization/${organization}`)!.context
    const { timezone } = fields
    scene = { settings: alerts, timezone, at, day: windowsAt(at, timezone).day.start, actor }
    return scene
  }
}
