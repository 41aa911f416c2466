// The one way in which commands send messages to actors: all messages of a command are one attempt, governance looks at it
// when it is finished, and the answer's idempotency record is committed with it.
import { type Kind } from '../domain/values/kinds.js'
import { charts } from '../../machines/index.js'
import { isGone } from '../actor/turn.js'
import { isOf, type Actor, type Message } from '../actor/actor.js'
import type { Attempt, Reply, Sender } from '../actor/attempt.js'
import type { Unchanged, View } from '../actor/host.js'
import type { Json } from '../domain/values/canonical.js'
import type { Ref } from '../domain/limits/gate.js'
import { isId, newId } from '../domain/values/ids.js'
import type { Code } from '../domain/outcomes/codes.js'
import { refuse, refuseAt, succeed, type Detail, type Refused, type Result } from '../domain/outcomes/result.js'
import { barredBy, type AddressedCommand, type Barred } from './barrier.js'
import { limitReached } from './organizationLimits.js'
import { gatesOfKinds, isOfSums } from './overdue.js'
import type { Caller, Services } from './ports.js'

/** A command that would make more than the organization may keep. */
interface Full<K extends string> {
  ok: false
  code: 'LIMIT_REACHED'
  violations: []
  /** As the command would have left it. */
  actor: Actor<K>
  full: Refused<'LIMIT_REACHED'>
}

/** The reply, with the actors as the command left them, or what kept it from its commit. */
export type Sent<K extends string = string> = (Reply<K> & { left?: View }) | Barred<K> | Full<K>

/** What a command rests on. Where it does not hold, nothing is done. */
export interface Grounds {
  /** What the command was decided on is as it was. */
  unchanged?: Unchanged
  /** A key that the caller's organization takes with the command, in the whole installation and forever. */
  permanentKey?: string
}

/** Sends a command to an actor of the caller's organization. */
export function send<K extends string>(
  services: Services,
  caller: Caller,
  to: Ref<K>,
  type: string,
  fields: object = {},
): Promise<Sent<K>> {
  return sendAll(services, caller, to, [{ to, type, fields }])
}

/** Like `send`, while it is `unchanged`; else undefined, and nothing was done. */
export function sendIf<K extends string>(
  services: Services,
  caller: Caller,
  unchanged: Unchanged,
  to: Ref<K>,
  type: string,
  fields: object,
): Promise<Sent<K> | undefined> {
  return sendAllIf(services, caller, { unchanged }, to, [{ to, type, fields }])
}

/** Sends several messages as one command about an actor: all are taken, or nothing happens. */
export async function sendAll<K extends string>(
  services: Services,
  caller: Caller,
  about: Ref<K>,
  commands: readonly AddressedCommand[],
): Promise<Sent<K>> {
  return (await sendAllIf(services, caller, {}, about, commands))!
}

/**
 * Like `sendAll`, where its grounds hold; else undefined, and nothing was done. Where a gate refuses, overdue holds at it
 * are ended and the command is tried again: a hold that is over denies nothing.
 */
export async function sendAllIf<K extends string>(
  services: Services,
  caller: Caller,
  { unchanged, permanentKey }: Grounds,
  about: Ref<K>,
  commands: readonly AddressedCommand[],
): Promise<Sent<K> | undefined> {
  const { organization } = caller.principal
  const { host, overdue, otherShards } = services
  if (permanentKey !== undefined && !(await otherShards.take(permanentKey))) return undefined
  let isDecided = false
  for (let slices = 1; ; slices *= 2) {
    const attempt = host.attempt(senderOf(caller), unchanged)
    const isFree = permanentKey === undefined || attempt?.take(permanentKey, { owner: organization, organization })
    if (!attempt || !isFree) {
      await host.flushed()
      return undefined
    }
    const reply = sendEach(services, caller, attempt, about, commands)
    const blamed: readonly Ref[] = isDecided ? [] : gatesThatRefused(attempt, reply.actor)
    if (blamed.length === 0 || !overdue.isAny(organization)) return finished(services, caller, attempt, commands, reply)
    await attempt.drop()
    isDecided = (await overdue.endAt(organization, blamed, slices)) === 0
  }
}

/** Commits the attempt, or drops it where something keeps it back. */
async function finished<K extends string>(
  services: Services,
  caller: Caller,
  attempt: Attempt,
  commands: readonly AddressedCommand[],
  reply: Reply<K>,
): Promise<Sent<K>> {
  const kept = reply.ok ? keptBack(services, caller, attempt, reply.actor, commands) : undefined
  await (kept ? attempt.drop() : attempt.commit(reply.ok ? caller.record?.(reply.actor, attempt) : undefined))
  return kept ?? { ...reply, left: (ref) => attempt.actor(ref) }
}

/** Why the finished attempt must not be committed. */
function keptBack<K extends string>(
  services: Services,
  { principal }: Caller,
  attempt: Attempt,
  actor: Actor<K>,
  commands: readonly AddressedCommand[],
): Barred<K> | Full<K> | undefined {
  const full = limitReached(services, principal.organization, attempt)
  if (full) return { ok: false, code: 'LIMIT_REACHED', violations: [], actor, full }
  return barredBy(services, principal, attempt, commands, actor)
}

/** The gates of a payment that have refused it for their sums or balances. */
function gatesThatRefused(attempt: Attempt, actor: Actor): readonly Ref[] {
  if (!isOf('payment', actor) || actor === attempt.before(actor.ref)) return []
  const { gates, refusedBy, causes } = actor.context
  return refusedBy !== null && causes.some(isOfSums) ? gatesOfKinds(gates, [refusedBy]) : []
}

/** The first refusal; else the actor that the command is about, as all messages leave it. */
function sendEach<K extends string>(
  services: Services,
  caller: Caller,
  attempt: Attempt,
  about: Ref<K>,
  commands: readonly AddressedCommand[],
): Reply<K> {
  for (const { to, type, fields } of commands) {
    const reply = attempt.send(to, commandMessage(services, caller, type, fields))
    // Whoever sends several messages reads no actor of a refusal.
    if (!reply.ok) return { ...reply, actor: reply.actor as Actor<K> }
  }
  return { ok: true, actor: attempt.actor(about)! }
}

export function commandMessage({ now }: Services, { principal }: Caller, type: string, fields: object): Message {
  return { type, now: now(), organization: principal.organization, ...(fields as { [field: string]: Json }) }
}

export function senderOf({ principal, requestId }: Caller): Sender {
  return { type: principal.type, id: principal.id, ...(requestId !== undefined && { requestId }) }
}

/** A refusal by what was peeked at, once that is on disk: what is answered must survive a crash. */
export async function refusedOnDisk<C extends Code>({ host }: Services, refused: Refused<C>): Promise<Refused<C>> {
  await host.flushed()
  return refused
}

/** The id of what a command makes: new, or the one that its approval names. */
export function newIdFor(services: Services, { principal }: Caller): string {
  return principal.approved?.createsId ?? newId(services.random)
}

/**
 * A reply as a command's outcome; the refusal carries the code's own message, or the one in `say`, with the field that it
 * is about. The command declares the codes, which its chart refuses with: the client of all tests fails on any other.
 */
export function outcome<K extends string, C extends Code>(
  reply: Sent<K>,
  say: Partial<Record<string, string | Detail>> = {},
): Result<Actor<K>, C> {
  if ('full' in reply) return reply.full as Refused<C>
  if (reply.ok) return succeed(reply.actor)
  const said = say[reply.code]
  if (typeof said === 'object') return refuseAt(reply.code as C, said.path, said.message)
  return refuse(reply.code as C, said, 'barrier' in reply ? { barrier: reply.barrier } : {})
}

export function isVisible<K extends string>(actor: Actor<K> | undefined, organization: string): actor is Actor<K> {
  return actor !== undefined && actor.context.organization === organization && !isGone(charts, actor)
}

/** The actor with this kind and id. Another organization's actor is NOT_FOUND, exactly like one that does not exist. */
export async function find<K extends Kind>(
  services: Services,
  caller: Caller,
  kind: K,
  id: string,
): Promise<Result<Actor<K>, 'NOT_FOUND'>> {
  const missing = refuse('NOT_FOUND', `There is no ${kind} ${id}`)
  if (!isId(id)) return missing
  const actor = services.host.peek<K>(`${kind}/${id}`)
  await services.host.flushed()
  return isVisible(actor, caller.principal.organization) ? succeed(actor) : missing
}

/** True for an agent of the caller's organization, deleted or not: its history stays. */
export function isOwn(services: Services, { principal }: Caller, agentId: string): boolean {
  const agent = isId(agentId) ? services.host.peek(`agent/${agentId}`) : undefined
  return agent?.context.organization === principal.organization
}
