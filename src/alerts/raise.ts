// The messages by which causes raise alerts: the alert that has the cause's key counts it, or there is a new one.
import type { Ref } from '../domain/limits/gate.js'
import { SEVERITY_OF, type AlertFields } from '../domain/outcomes/alert.js'
import { newId } from '../domain/values/ids.js'
import { alertKey } from '../domain/values/uniqueKeys.js'
import type { FollowUp, Left } from '../actor/followUps.js'
import type { Cause, CauseEnd } from './cause.js'

export interface RaisePorts {
  /** The sort key of lists: strictly rising microseconds. */
  nextOrder(): number
  random(bytes: number): Uint8Array
}

/** Undefined where nothing is to be told: a cause that is known for ever, or the end of one that nobody knows. */
export function followUpOf(
  ports: RaisePorts,
  cause: Cause | CauseEnd,
  left: Pick<Left, 'organization' | 'at' | 'keyOwner'>,
): FollowUp | undefined {
  const { organization, at: now } = left
  const key = alertKey(organization, cause.type, cause.about)
  const alert = left.keyOwner(key)?.owner as Ref | undefined
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
  return { type, severity: SEVERITY_OF[type], title, message, ...subject } satisfies AlertFields
}
