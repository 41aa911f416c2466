// The one way in which commands address actors: it adds time and caller to the command, and its answer to the
// idempotency record. Governed commands pass the barrier here.
import { isGone, kindOf, type Actor, type Message } from '../actor/actor.js'
import type { AskOptions, Reply, StillValid } from '../actor/host.js'
import type { Json } from '../domain/canonical.js'
import type { Ref } from '../domain/gate.js'
import { isGovernable } from '../domain/governance.js'
import { isId } from '../domain/ids.js'
import type { Principal } from '../domain/principal.js'
import { refuse, type Refused } from '../domain/refusal.js'
import { barring, type AddressedCommand } from './barrier.js'
import { organizationContext } from './contexts.js'
import type { Caller, Services } from './ports.js'

export interface Done {
  ok: true
  actor: Actor
}

/**
 * Sends a command to an actor of the caller's organization. A governed command is only tried, to see whether the actor
 * refuses it, unless a second person has approved it.
 */
export function tell(services: Services, caller: Caller, to: Ref, type: string, fields: object = {}): Promise<Reply> {
  const options = optionsOf(services, caller, { to, type, fields })
  return services.host.ask(to, messageOf(services, caller, type, fields), options)
}

/** Like `tell`, while `stillValid` holds; undefined where it does not, and then nothing was done. */
export function tellWhile(
  services: Services,
  caller: Caller,
  stillValid: StillValid,
  to: Ref,
  type: string,
  fields: object,
): Promise<Reply | undefined> {
  const options = optionsOf(services, caller, { to, type, fields })
  return services.host.askWhile(to, messageOf(services, caller, type, fields), options, stillValid)
}

function messageOf({ now }: Services, { principal }: Caller, type: string, fields: object): Message {
  return { type, now: now(), organization: principal.organization, ...(fields as { [field: string]: Json }) }
}

function optionsOf(services: Services, caller: Caller, command: AddressedCommand): AskOptions {
  const { principal, remember, requestId } = caller
  const veto = isGovernable(kindOf(command.to), command.type) ? vetoOn(services, principal, command) : undefined
  return {
    by: { type: principal.type, id: principal.id, ...(requestId !== undefined && { requestId }) },
    ...(veto && { veto }),
    ...(remember && {
      remember: (reply, view, sequence) => (reply.ok ? remember(reply.actor, view, sequence) : undefined),
    }),
  }
}

function vetoOn(
  { host }: Services,
  { organization, approved }: Principal,
  command: AddressedCommand,
): AskOptions['veto'] {
  const settings = host.peek(`organization/${organization}`)
  // A new organization has no governance yet.
  const governance = settings && organizationContext(settings).fields.governance
  const isFree = governance === undefined || (!governance.enabled && approved === undefined)
  return isFree ? undefined : barring(governance, command, approved)
}

/** A refusal by what was peeked at, once that is on disk: what is answered must survive a crash. */
export async function refusedOnDisk({ host }: Services, refused: Refused): Promise<Refused> {
  await host.read([])
  return refused
}

/** A reply as a command's outcome; the refusal carries the code's own message, or the one in `say`. */
export function outcome(reply: Reply, say: Partial<Record<string, string>> = {}): Done | Refused {
  if (!reply.ok) return refuse(reply.code, say[reply.code], reply.barrier && { barrier: reply.barrier })
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
