// A payment as it is now: its stored time decides on its end, whether or not its timer was in time.
import type { Actor } from '../../actor/actor.js'
import type { Reply } from '../../actor/attempt.js'
import { deliver } from '../../actor/host.js'
import { TIMER } from '../../domain/audit/entry.js'
import type { Ref } from '../../domain/limits/gate.js'
import { paymentContext } from '../contexts.js'
import type { Caller, Services } from '../ports.js'

const WAITING = new Set(['approved', 'awaitingApproval'])

/** The stored time decides on expiry: an overdue payment whose timer is late is woken before it is shown. */
export async function currentPayment(services: Services, { principal }: Caller, actor: Actor): Promise<Actor> {
  const isOverdue = WAITING.has(actor.state) && paymentContext(actor).expiresAt <= services.now()
  return isOverdue ? (await wake(services, actor.ref, principal.organization)).actor : actor
}

/** Sends WAKE; an actor whose time has not come stays as it is. */
export function wake(services: Services, ref: Ref, organization: string): Promise<Reply> {
  const command = { type: 'WAKE', now: services.now(), organization }
  return deliver(services.host, TIMER, ref, command)
}
