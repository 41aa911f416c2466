// The one way in which commands send messages to actors: all messages of a command are one attempt, governance looks at it
// when it is finished, and the answer's idempotency record is committed with it.
import { isGone, type Actor, type Message } from '../actor/actor.js'
import type { Attempt, Reply, Sender } from '../actor/attempt.js'
import type { Unchanged, View } from '../actor/host.js'
import type { Json } from '../domain/canonical.js'
import type { Ref } from '../domain/gate.js'
import { isId, newId } from '../domain/ids.js'
import { refuse, type Refused } from '../domain/refusal.js'
import { barredBy, type AddressedCommand, type Barred } from './barrier.js'
import type { Caller, Services } from './ports.js'

export interface Done {
  ok: true
  actor: Actor
}

/** The reply, with the actors as the command left them, or the barrier that it met. */
export type Sent = (Reply & { left?: View }) | Barred

/** What a command rests on. Where it does not hold, nothing is done. */
export interface Grounds {
  /** What the command was decided on is as it was. */
  unchanged?: Unchanged
  /** A key that the caller's organization takes with the command, in the whole installation and for ever. */
  permanentKey?: string
}

/** Sends a command to an actor of the caller's organization. */
export function send(services: Services, caller: Caller, to: Ref, type: string, fields: object = {}): Promise<Sent> {
  return sendAll(services, caller, [{ to, type, fields }])
}

/** Like `send`, while it is `unchanged`; else undefined, and nothing was done. */
export function sendIf(
  services: Services,
  caller: Caller,
  unchanged: Unchanged,
  to: Ref,
  type: string,
  fields: object,
): Promise<Sent | undefined> {
  return sendAllIf(services, caller, { unchanged }, [{ to, type, fields }])
}

/** Sends several messages as one command, the first to the actor that it is about: all are taken, or nothing happens. */
export async function sendAll(
  services: Services,
  caller: Caller,
  commands: readonly AddressedCommand[],
): Promise<Sent> {
  return (await sendAllIf(services, caller, {}, commands))!
}

/** Like `sendAll`, where its grounds hold; else undefined, and nothing was done. */
export async function sendAllIf(
  services: Services,
  caller: Caller,
  { unchanged, permanentKey }: Grounds,
  commands: readonly AddressedCommand[],
): Promise<Sent | undefined> {
  const { organization } = caller.principal
  const attempt = services.host.attempt(senderOf(caller), unchanged)
  const isFree = permanentKey === undefined || attempt?.take(permanentKey, { owner: organization, organization })
  if (!attempt || !isFree) {
    await services.host.flushed()
    return undefined
  }
  const reply = sendEach(services, caller, attempt, commands)
  const barred = reply.ok ? barredBy(services, caller.principal, attempt, commands) : undefined
  await (barred ? attempt.drop() : attempt.commit(reply.ok ? caller.record?.(reply.actor, attempt) : undefined))
  return barred ?? { ...reply, left: (ref) => attempt.actor(ref) }
}

/** The first refusal; else the actor that the command is about, as all messages leave it. */
function sendEach(services: Services, caller: Caller, attempt: Attempt, commands: readonly AddressedCommand[]): Reply {
  for (const { to, type, fields } of commands) {
    const reply = attempt.send(to, messageOf(services, caller, type, fields))
    if (!reply.ok) return reply
  }
  return { ok: true, actor: attempt.actor(commands[0]!.to)! }
}

export function messageOf({ now }: Services, { principal }: Caller, type: string, fields: object): Message {
  return { type, now: now(), organization: principal.organization, ...(fields as { [field: string]: Json }) }
}

export function senderOf({ principal, requestId }: Caller): Sender {
  return { type: principal.type, id: principal.id, ...(requestId !== undefined && { requestId }) }
}

/** A refusal by what was peeked at, once that is on disk: what is answered must survive a crash. */
export async function refusedOnDisk({ host }: Services, refused: Refused): Promise<Refused> {
  await host.flushed()
  return refused
}

/** The id of what a command makes: new, or the one that its approval names. */
export function newIdFor(services: Services, { principal }: Caller): string {
  return principal.approved?.createsId ?? newId(services.random)
}

/** A reply as a command's outcome; the refusal carries the code's own message, or the one in `say`. */
export function outcome(reply: Sent, say: Partial<Record<string, string>> = {}): Done | Refused {
  if (!reply.ok) return refuse(reply.code, say[reply.code], 'barrier' in reply ? { barrier: reply.barrier } : {})
  return { ok: true, actor: reply.actor }
}

export function isVisible(actor: Actor | undefined, organization: string): actor is Actor {
  return actor !== undefined && actor.context['organization'] === organization && !isGone(actor)
}

/** The actor with this kind and id. Another organization's actor is NOT_FOUND, exactly like one that does not exist. */
export async function find(services: Services, caller: Caller, kind: string, id: string): Promise<Done | Refused> {
  const missing = refuse('NOT_FOUND', `There is no ${kind} ${id}`)
  if (!isId(id)) return missing
  const [actor] = await services.host.read([`${kind}/${id}`])
  return isVisible(actor, caller.principal.organization) ? { ok: true, actor } : missing
}

/** True for an agent of the caller's organization, deleted or not: its history stays. */
export function isOwn(services: Services, { principal }: Caller, agentId: string): boolean {
  const agent = isId(agentId) ? services.host.peek(`agent/${agentId}`) : undefined
  return agent?.context['organization'] === principal.organization
}
