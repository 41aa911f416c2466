// The messages by which causes raise alerts: the alert that has the cause's key counts it, or there is a new one.
import { charts } from '../../machines/index.js'
import type { FollowUp, Left } from '../actor/followUps.js'
import { statusOf } from '../actor/turn.js'
import type { Ref } from '../domain/limits/gate.js'
import { SEVERITY_OF, type AlertFields } from '../domain/outcomes/alert.js'
import { BoundedCache } from '../domain/values/boundedCache.js'
import { newId } from '../domain/values/ids.js'
import { alertKey, alertKeys } from '../domain/values/uniqueKeys.js'
import type { Cause, CauseEnd } from './cause.js'

export interface RaisePorts {
  /** The sort key of lists: strictly rising microseconds. */
  nextOrder(): number
  random(bytes: number): Uint8Array
}

type RaiseScene = Pick<Left, 'organization' | 'at' | 'keyOwner' | 'actor'>

interface Found {
  key: string
  alert: Ref<'alert'> | undefined
}

/** By what they are about: a flood finds the alert that counts it without a hash and a look-up. */
export type RecentAlerts = BoundedCache<string, Found>

/** INVARIANT: an alert is found here only while it has its key, as `keyOwner` would say. */
function alertFor({ type, about }: Cause | CauseEnd, left: RaiseScene, recent: RecentAlerts): Found {
  const what = [left.organization, type, ...about].join('\0')
  const known = recent.get(what)
  const actor = known?.alert && left.actor(known.alert)
  if (actor && alertKeys(actor, { status: statusOf(charts, actor) }).length > 0) return known
  const key = alertKey(left.organization, type, about)
  const found = { key, alert: left.keyOwner(key)?.owner as Ref<'alert'> | undefined }
  recent.set(what, found)
  return found
}

/** Undefined where nothing is to be told: a cause that is known for ever, or the end of one that nobody knows. */
export function followUpOf(
  ports: RaisePorts,
  cause: Cause | CauseEnd,
  left: RaiseScene,
  recent: RecentAlerts = new BoundedCache(2),
): FollowUp | undefined {
  const { organization, at: now } = left
  const { key, alert } = alertFor(cause, left, recent)
  if ('isEnd' in cause) return alert && { to: alert, message: { type: 'END_CAUSE', now, organization } }
  const { isOnce = false } = cause
  if (alert !== undefined && isOnce) return undefined
  if (alert !== undefined) return { to: alert, message: { type: 'RAISE', now, organization } }
  const id = newId(ports.random)
  const described = { id, order: ports.nextOrder(), fields: fieldsOf(cause), key, isOnce }
  return { to: `alert/${id}`, message: { type: 'RAISE', now, organization, ...described } }
}

function fieldsOf({ type, title, message, agentId, walletId, paymentId }: Cause) {
  const subject = { agentId: agentId ?? null, walletId: walletId ?? null, paymentId: paymentId ?? null }
  return { type, severity: SEVERITY_OF[type], title, message: message(), ...subject } satisfies AlertFields
}
