// What follows from changes of actors and is committed with them: alerts, and what agents with thresholds are told.
import { isOf, kindOf, type Actor } from '../actor/actor.js'
import type { ActorMove, FollowUp, FollowUps, Left } from '../actor/followUps.js'
import type { Kind } from '../domain/values/kinds.js'
import { windowsAt } from '../domain/time/windows.js'
import { freezeOf, noteOf } from './autoFreeze.js'
import type { CausesIn, Scene } from './cause.js'
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
import { followUpOf, type RaisePorts } from './raise.js'

/** By the kind of the actor that changes. */
const CAUSES: { readonly [K in Kind]?: readonly CausesIn<K>[] } = {
  agent: [agentSuspended, unusualActivity],
  delegation: [delegationLimits],
  payment: [denials, failedTransaction, cardOvercharge, firstPayment, highValue, budgetCaps],
  wallet: [lowBalance, unpayableFees],
  watch: [ungovernedTransfer],
}

export function followUpsOf(ports: RaisePorts): FollowUps {
  return function* (changes, left) {
    const scene = sceneOf(left)
    for (const change of changes) {
      yield* raisedBy(ports, change, scene, left)
      yield* otherOf(change, left)
    }
  }
}

function otherOf({ before, after }: ActorMove, left: Left): FollowUp[] {
  if (isOf('payment', after)) return noteOf({ before: before as Actor<'payment'> | undefined, after }, left)
  return isOf('agent', after) ? freezeOf({ before: before as Actor<'agent'> | undefined, after }, left) : []
}

function* raisedBy(ports: RaisePorts, change: ActorMove, scene: () => Scene, left: Left): Iterable<FollowUp> {
  const all = CAUSES[kindOf(change.after.ref) as Kind] as readonly CausesIn<never>[] | undefined
  for (const causesIn of all ?? []) {
    for (const cause of causesIn(change as ActorMove<never>, scene())) {
      const followUp = followUpOf(ports, cause, left)
      if (followUp) yield followUp
    }
  }
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
