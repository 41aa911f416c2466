// What raises alerts: a cause names what it is about, and one alert counts all that are about the same.
import type { AlertSettings, AlertTypeName } from '../domain/outcomes/alert.js'
import type { Kind } from '../domain/values/kinds.js'
import type { Ref } from '../domain/limits/gate.js'
import type { Actor } from '../actor/actor.js'
import type { ActorMove } from '../actor/followUps.js'

export interface Cause {
  type: AlertTypeName
  /** One alert for each: the subject, and the window where it has one. */
  about: readonly (string | number)[]
  /** It happens once: a resolved alert is not followed by another one. */
  isOnce?: true
  title: string
  /** Made only for a new alert. */
  message(): string
  agentId?: string
  walletId?: string
  paymentId?: string
}

/** The end of a cause's window: what comes next is a new alert. */
export interface CauseEnd {
  type: AlertTypeName
  about: Cause['about']
  isEnd: true
}

/** The organization at the time of the change, and its actors as they are left. */
export interface Scene {
  settings: AlertSettings
  /** IANA name. */
  timezone: string
  /** Epoch ms. */
  at: number
  /** Start of the organization's day (epoch ms). */
  day: number
  actor<K extends string>(ref: Ref<K>): Actor<K> | undefined
}

export type CauseFound = Cause | CauseEnd

/** Finds the causes in a change of an actor of one kind. */
export type CausesIn<K extends Kind> = (change: ActorMove<K>, scene: Scene) => CauseFound[]

export const NO_CAUSES: [] = []
