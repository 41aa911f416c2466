// What a key or a member made, directly or through what it made, and what of that still gives access. A stolen key is
// revoked with all of it.
import { idOf, isGone, kindOf, type Actor } from '../../actor/actor.js'
import { MOST_MESSAGES } from '../../actor/attempt.js'
import type { Ref } from '../../domain/limits/gate.js'
import type { Identity } from '../../domain/access/principal.js'
import { isId } from '../../domain/values/ids.js'
import { refuse, type Refused } from '../../domain/outcomes/refusal.js'
import type { AddressedCommand } from '../barrier.js'
import { keyContext, memberContext } from '../contexts.js'
import { LAST_OWNER, leavesNoOwner, ownersInTurn } from './owners.js'
import type { Caller, Services } from '../ports.js'
import { principalOfKey } from './principals.js'
import { retryOnConflict } from '../retryOnConflict.js'
import { outcome, sendAll, sendAllIf, type Done, type Sent } from '../send.js'

export interface Descendant {
  type: 'KEY' | 'AGENT_KEY' | 'MEMBER'
  id: string
  name: string
  createdBy: Identity
}

function descendantOf(actor: Actor): Descendant {
  const id = idOf(actor.ref)
  if (kindOf(actor.ref) === 'member') {
    const { name, email, createdBy } = memberContext(actor)
    return { type: 'MEMBER', id, name: name ?? email, createdBy }
  }
  const { name, agentId, createdBy } = keyContext(actor).fields
  return { type: agentId === null ? 'KEY' : 'AGENT_KEY', id, name, createdBy }
}

interface Made {
  /** Ended ones, too, because what they made may still give access. Makers come before what they made. */
  actors: Actor[]
  /** What the lists of makers had when they were read. */
  sizes: Map<string, number>
}

async function madeBy(services: Services, root: Actor): Promise<Made> {
  const made: Made = { actors: [], sizes: new Map() }
  const makers = [root.ref]
  for (const maker of makers) {
    const list = `made-by/${idOf(maker)}`
    const actors = await services.query.all(list)
    made.sizes.set(list, actors.length)
    made.actors.push(...actors)
    makers.push(...actors.map(({ ref }) => ref))
    await services.breathe()
  }
  return made
}

/** What gives access without the root: the keys of a member end with it. */
function living(services: Services, root: Actor, { actors }: Made): Actor[] {
  return actors.filter((actor) => {
    if (isKeyOf(root, actor)) return false
    const now = services.host.peek(actor.ref)!
    return kindOf(actor.ref) === 'member' ? !isGone(now) : principalOfKey(services, now) !== undefined
  })
}

function isKeyOf(root: Actor, actor: Actor): boolean {
  return kindOf(actor.ref) === 'key' && keyContext(actor).fields.memberId === idOf(root.ref)
}

export type FoundDescendants = Done & { descendants: Descendant[] }

/** The key or member, also after its end, with its descendants that still give access. */
export async function findDescendants(
  services: Services,
  caller: Caller,
  kind: 'key' | 'member',
  id: string,
): Promise<FoundDescendants | Refused> {
  const root = await rootOf(services, caller, kind, id)
  if (!root) return refuse('NOT_FOUND', `There is no ${kind} ${id}`)
  const descendants = living(services, root, await madeBy(services, root)).map(descendantOf)
  return { ok: true, actor: root, descendants }
}

async function rootOf({ host }: Services, { principal }: Caller, kind: string, id: string): Promise<Actor | undefined> {
  const [root] = isId(id) ? await host.read([`${kind}/${id}`]) : []
  return root?.context['organization'] === principal.organization ? root : undefined
}

export interface Removal {
  /** Its descendants end with it. One that has ended already may be removed again, for those that are left. */
  isCascading?: boolean
  /** Hears of the descendants before they are removed. */
  told?: (descendants: Descendant[]) => void
}

const ENDS: { [kind: string]: string } = { key: 'REVOKE', member: 'REMOVE' }
const ending = ({ ref: to }: Actor): AddressedCommand => ({ to, type: ENDS[kindOf(to)]!, fields: {} })
const hasEnded = (actor: Actor): boolean => actor.state === 'revoked' || isGone(actor)

/** Ends a key or a member. Nothing that is made meanwhile escapes. */
export function removeMaker(
  services: Services,
  caller: Caller,
  { ref }: Actor,
  removal: Removal,
): Promise<Done | Refused> {
  return ownersInTurn(caller.principal.organization, () =>
    retryOnConflict(() => removeNow(services, caller, ref, removal)),
  )
}

async function removeNow(
  services: Services,
  caller: Caller,
  ref: Ref,
  { isCascading = false, told }: Removal,
): Promise<Done | Refused | undefined> {
  await services.host.flushed()
  const root = services.host.peek(ref)!
  const made = await madeBy(services, root)
  const left = living(services, root, made)
  const own = made.actors.filter((actor) => isKeyOf(root, actor) && !hasEnded(services.host.peek(actor.ref)!))
  const ended = [...(hasEnded(root) ? [] : [root, ...own]), ...(isCascading ? left : [])]
  if (ended.length === 0) return refuse('NOT_FOUND', `There is no ${kindOf(ref)} ${idOf(ref)}`)
  const refs = ended.map((one) => one.ref)
  if (leavesNoOwner(services, caller.principal.organization, refs)) return refuse('INVALID_STATUS', LAST_OWNER)
  told?.(left.map(descendantOf))
  const unchanged = (): boolean => [...made.sizes].every(([list, size]) => services.query.size(list) === size)
  const commands = ended.slice(0, MOST_MESSAGES).map(ending)
  const reply = await sendAllIf(services, caller, { unchanged }, commands)
  if (!reply) return undefined
  if (isBarred(reply) && (kindOf(ref) === 'key' || hasEnded(root))) await endKeys(services, caller, ended)
  else if (reply.ok && isCascading) await endRest(services, caller, root)
  return outcome(reply)
}

const isBarred = (reply: Sent): boolean => 'barrier' in reply

/**
 * Revokes the keys at once where the removal of members among them waits for a second person: a stolen key must not go
 * on meanwhile.
 */
async function endKeys(services: Services, { record: _record, ...caller }: Caller, ended: readonly Actor[]) {
  const keys = ended.filter(({ ref }) => kindOf(ref) === 'key')
  for (let at = 0; at < keys.length; at += MOST_MESSAGES) {
    await sendAll(services, caller, keys.slice(at, at + MOST_MESSAGES).map(ending))
  }
}

/** Ends what did not fit into the first commit, and what it made until its own end. */
async function endRest(services: Services, { record: _record, ...caller }: Caller, root: Actor) {
  const next = async (): Promise<AddressedCommand[]> => {
    const left = living(services, root, await madeBy(services, root))
    return left.slice(0, MOST_MESSAGES).map(ending)
  }
  for (let rest = await next(); rest.length > 0; rest = await next()) {
    const reply = await sendAll(services, caller, rest)
    // Somebody else may have ended one of them meanwhile; anything else would be refused for ever.
    if (!reply.ok && reply.code !== 'NOT_FOUND' && reply.code !== 'INVALID_STATUS') return
  }
}
