// What may be done with a payment once it was asked for: execute it, cancel it, look at it.
import type { PaymentContext } from '../../machines/payment.js'
import type { Actor } from '../actor/actor.js'
import type { Ref } from '../domain/gate.js'
import type { PaymentStatus } from '../domain/payment.js'
import { refuse, type Refused } from '../domain/refusal.js'
import { find, tell, type Done } from './ask.js'
import type { Caller, Services } from './ports.js'
import { custodyRefusal } from './request.js'

const STATUSES: Record<string, PaymentStatus> = {
  awaitingApproval: 'REQUIRES_APPROVAL',
  approved: 'APPROVED',
  capturing: 'EXECUTING',
  restoring: 'APPROVED',
  executed: 'EXECUTED',
  denied: 'DENIED',
  cancelled: 'CANCELLED',
  expired: 'EXPIRED',
}

/** The status that a payment shows; one that is releasing shows what it is about to be. */
export function paymentStatus(actor: Actor): PaymentStatus {
  return STATUSES[actor.state] ?? paymentContext(actor).ending ?? 'APPROVED'
}

/** The agent's own payment, with an expiry that is due already carried out. */
export async function findPayment(services: Services, caller: Caller, id: string): Promise<Done | Refused> {
  const found = await find(services, caller, 'payment', id)
  if (!found.ok || !ownedBy(found.actor, caller)) return refuse('NOT_FOUND', `There is no payment ${id}`)
  return { ok: true, actor: await current(services, caller, found.actor) }
}

function ownedBy(actor: Actor, { principal }: Caller): boolean {
  return principal.agent === undefined || paymentContext(actor).terms?.agentId === principal.agent
}

const WAITING = new Set(['approved', 'awaitingApproval'])

/** Expiry comes from the stored time: a payment whose timer is late is woken before it is shown. */
async function current(services: Services, { principal }: Caller, actor: Actor): Promise<Actor> {
  const overdue = WAITING.has(actor.state) && paymentContext(actor).expiresAt <= services.now()
  if (!overdue) return actor
  return (await wake(services, actor.ref, principal.organization)).actor
}

/** Tells an actor that its time has come; one whose time has not come stays as it is. */
export function wake(services: Services, ref: Ref, organization: string) {
  const command = { type: 'WAKE', now: services.now(), organization }
  return services.host.ask(ref, command, { by: { type: 'SYSTEM', id: 'timer' } })
}

export async function executePayment(services: Services, caller: Caller, id: string): Promise<Done | Refused> {
  const found = await findPayment(services, caller, id)
  if (!found.ok) return found
  const { terms } = paymentContext(found.actor)
  const manual = found.actor.state === 'approved' ? custodyRefusal(terms!.wallet.custodyType) : null
  if (manual !== null) return refuse(manual)
  const reply = await tell(services, caller, found.actor.ref, 'EXECUTE')
  return reply.ok ? { ok: true, actor: reply.actor } : stopped(reply.code, reply.actor)
}

export async function cancelPayment(services: Services, caller: Caller, id: string): Promise<Done | Refused> {
  const found = await findPayment(services, caller, id)
  if (!found.ok) return found
  const reply = await tell(services, caller, found.actor.ref, 'CANCEL')
  return reply.ok ? { ok: true, actor: reply.actor } : stopped(reply.code, reply.actor)
}

function stopped(code: Parameters<typeof refuse>[0], actor: Actor): Refused {
  const status = paymentStatus(actor)
  const reasons = paymentContext(actor).causes.map(({ message }) => message)
  const message = code === 'INVALID_STATUS' ? `The payment is ${status}` : undefined
  return refuse(code, reasons[0] ?? message, reasons.length > 0 ? { reasons } : {})
}

/** A payment as its chart keeps it. */
export function paymentContext(actor: Actor): PaymentContext {
  return actor.context as unknown as PaymentContext
}
