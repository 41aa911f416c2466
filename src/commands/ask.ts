// The one way in which commands address actors: stamped with the time and the caller, remembered if need be.
import { isGone, kindOf, type Actor, type Message } from '../actor/actor.js'
import type { AskOptions, Reply, StillValid } from '../actor/host.js'
import type { Json } from '../domain/canonical.js'
import type { Ref } from '../domain/gate.js'
import { isGovernable } from '../domain/governance.js'
import { isId } from '../domain/ids.js'
import { refuse, type Refused } from '../domain/refusal.js'
import { barring, type AddressedCommand } from './barrier.js'
import { organizationContext } from './contexts.js'
import type { Caller, Services } from './ports.js'

export interface Done {
  ok: true
  actor: Actor
}

/**
 * Sends a command to an actor of the caller's organization. What the organization governs is sent only as far as to see
 * whether anything else speaks against it, unless another has approved it.
 */
export function tell(services: Services, caller: Caller, to: Ref, type: string, fields: object = {}): Promise<Reply> {
  const command = { to, type, fields }
  return isGovernable(kindOf(to), type) ? tellGoverned(services, caller, command) : send(services, caller, command)
}

async function tellGoverned(services: Services, caller: Caller, command: AddressedCommand): Promise<Reply> {
  const { organization, leave } = caller.principal
  const settings = services.host.peek(`organization/${organization}`)
  // An organization that is being made governs nothing yet.
  const governance = settings && organizationContext(settings).fields.governance
  const isFree = governance === undefined || (!governance.enabled && leave === undefined)
  return send(services, caller, command, isFree ? undefined : barring(governance, command, leave))
}

function send(
  services: Services,
  caller: Caller,
  { to, type, fields }: AddressedCommand,
  veto?: AskOptions['veto'],
): Promise<Reply> {
  const options = { ...optionsOf(caller), ...(veto && { veto }) }
  return services.host.ask(to, commandOf(services, caller, type, fields), options)
}

/** The same, while what it was decided on is still so; undefined where that is over and nothing was done. */
export function tellWhile(
  services: Services,
  caller: Caller,
  stillValid: StillValid,
  to: Ref,
  type: string,
  fields: object,
): Promise<Reply | undefined> {
  return services.host.askWhile(to, commandOf(services, caller, type, fields), optionsOf(caller), stillValid)
}

function commandOf({ now }: Services, { principal }: Caller, type: string, fields: object): Message {
  return { type, now: now(), organization: principal.organization, ...(fields as { [field: string]: Json }) }
}

function optionsOf({ principal, remember, requestId }: Caller): AskOptions {
  return {
    by: { type: principal.type, id: principal.id, ...(requestId !== undefined && { requestId }) },
    ...(remember && {
      remember: (reply, view, sequence) => (reply.ok ? remember(reply.actor, view, sequence) : undefined),
    }),
  }
}

/** A reply as a command's outcome: the refusal's code becomes one with the code's own message, or with `say`. */
export function outcome(reply: Reply, say: Partial<Record<string, string>> = {}): Done | Refused {
  if (!reply.ok) return refuse(reply.code, say[reply.code], reply.barrier && { barrier: reply.barrier })
  return { ok: true, actor: reply.actor }
}

/** True for an actor that its organization may see. */
export function isVisible(actor: Actor | undefined, organization: string): actor is Actor {
  return actor !== undefined && actor.context['organization'] === organization && !isGone(actor)
}

/**
 * The actor of this kind and id, as it is now. Another organization's is not found, exactly like one that does not
 * exist.
 */
export async function find(services: Services, caller: Caller, kind: string, id: string): Promise<Done | Refused> {
  const missing = refuse('NOT_FOUND', `There is no ${kind} ${id}`)
  if (!isId(id)) return missing
  const [actor] = await services.host.read([`${kind}/${id}`])
  return isVisible(actor, caller.principal.organization) ? { ok: true, actor } : missing
}

/** True for an agent of the caller's organization, a deleted one too: its history stays. */
export function isOwn(services: Services, { principal }: Caller, agentId: string): boolean {
  const agent = isId(agentId) ? services.host.peek(`agent/${agentId}`) : undefined
  return agent?.context['organization'] === principal.organization
}
