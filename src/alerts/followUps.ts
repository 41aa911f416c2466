// What follows from changes of actors and is committed with them: alerts, and what agents with thresholds are told.
import type { OrganizationContext } from '../../machines/organization.js'
import { kindOf } from '../actor/actor.js'
import type { ActorChange, FollowUp, FollowUps, Left } from '../actor/followUps.js'
import { windowsAt } from '../domain/time/windows.js'
import { autoFreezeOf } from './autoFreeze.js'
import type { CausesIn, Scene } from './cause.js'
import { agentSuspended } from './causes/agentSuspended.js'
import { budgetCaps } from './causes/budgetCaps.js'
import { delegationLimits } from './causes/delegationLimits.js'
import { denials } from './causes/denials.js'
import { failedTransaction } from './causes/failedTransaction.js'
import { highValue } from './causes/highValue.js'
import { lowBalance } from './causes/lowBalance.js'
import { lowGas } from './causes/lowGas.js'
import { newCounterparty } from './causes/newCounterparty.js'
import { unusualActivity } from './causes/unusualActivity.js'
import { followUpOf, type RaisePorts } from './raise.js'

/** By the kind of the actor that changes. */
const CAUSES: { readonly [kind: string]: readonly CausesIn[] } = {
  agent: [agentSuspended, unusualActivity],
  delegation: [delegationLimits],
  payment: [denials, failedTransaction, newCounterparty, highValue, budgetCaps],
  wallet: [lowBalance, lowGas],
}

export function followUpsOf(ports: RaisePorts): FollowUps {
  return (changes, left) => {
    const scene = sceneOf(left)
    return changes.flatMap((change) => [...raisedBy(ports, change, scene, left), ...autoFreezeOf(change, left)])
  }
}

function raisedBy(ports: RaisePorts, change: ActorChange, scene: () => Scene, left: Left): FollowUp[] {
  const causes = CAUSES[kindOf(change.after.ref)]
  if (causes === undefined) return []
  return causes.flatMap((causesIn) =>
    causesIn(change, scene()).flatMap((cause) => followUpOf(ports, cause, left) ?? []),
  )
}

/** Looked at only where something may raise an alert. */
function sceneOf({ organization, at, actor }: Left): () => Scene {
  let scene: Scene | undefined
  return () => {
    if (scene) return scene
    const { fields, alerts } = actor(`organization/${organization}`)!.context as unknown as OrganizationContext
    const { timezone } = fields
    scene = { settings: alerts, timezone, at, day: windowsAt(at, timezone).day.start, actor }
    return scene
  }
}
