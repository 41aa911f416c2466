// What a key or a member made, directly or through what it made, and what of that still gives access. A stolen key is
// revoked with all of it.
import { type Ref } from '../../domain/limits/gate.js'
import { charts } from '../../../machines/index.js'
import { isGone } from '../../actor/turn.js'
import { isOf, idOf, kindOf, type Actor } from '../../actor/actor.js'
import { MOST_MESSAGES } from '../../actor/attempt.js'
import { madeBy, type Identity } from '../../domain/access/principal.js'
import { isId } from '../../domain/values/ids.js'
import { refuse, succeed, type Result } from '../../domain/outcomes/result.js'
import type { AddressedCommand } from '../barrier.js'
import { LAST_OWNER, leavesNoOwner, ownersInTurn } from './owners.js'
import type { Caller, Services } from '../ports.js'
import { principalOfKey } from './principals.js'
import { outcome, sendAll, type Sent } from '../send.js'

/** A key or a member. */
type Maker = Actor<'key' | 'member'>
type MakerRef = Maker['ref']

export interface Descendant {
  type: 'KEY' | 'AGENT_KEY' | 'MEMBER'
  id: string
  name: string
  createdBy: Identity
}

function descendantOf(actor: Maker): Descendant {
  const id = idOf(actor.ref)
  if (isOf('member', actor)) {
    const { name, email, createdBy } = actor.context
    return { type: 'MEMBER', id, name: name ?? email, createdBy }
  }
  const { name, agentId, createdBy } = (actor as Actor<'key'>).context.fields
  return { type: agentId === null ? 'KEY' : 'AGENT_KEY', id, name, createdBy }
}

/** Ended ones, too, because what they made may still give access. Makers come before what they made. */
async function descendantsOf(services: Services, root: MakerRef): Promise<Maker[]> {
  const made: Maker[] = []
  const makers = [root]
  for (const maker of makers) {
    const actors = await services.query.all(madeBy(idOf(maker)))
    made.push(...actors)
    makers.push(...actors.map(({ ref }) => ref))
    await services.breathe()
  }
  return made
}

/** What gives access without the root: the keys of a member end with it. */
function living(services: Services, root: MakerRef, made: readonly Maker[]): Maker[] {
  return made.filter((actor) => {
    if (isKeyOf(root, actor)) return false
    const now = services.host.peek(actor.ref)!
    return isOf('key', now) ? principalOfKey(services, now) !== undefined : !isGone(charts, now)
  })
}

function isKeyOf(root: MakerRef, actor: Maker): boolean {
  return isOf('key', actor) && actor.context.fields.memberId === idOf(root)
}

interface FoundDescendants {
  root: Maker
  descendants: Descendant[]
}

/** The key or member, also after its end, with its descendants that still give access. */
export async function findDescendants(
  services: Services,
  caller: Caller,
  kind: 'key' | 'member',
  id: string,
): Promise<Result<FoundDescendants, 'NOT_FOUND'>> {
  const root = await rootOf(services, caller, kind, id)
  if (!root) return refuse('NOT_FOUND', `There is no ${kind} ${id}`)
  const descendants = living(services, root.ref, await descendantsOf(services, root.ref)).map(descendantOf)
  return succeed({ root, descendants })
}

async function rootOf(
  { host }: Services,
  { principal }: Caller,
  kind: 'key' | 'member',
  id: string,
): Promise<Maker | undefined> {
  const [root] = isId(id) ? await host.read([`${kind}/${id}`]) : []
  return root?.context.organization === principal.organization ? root : undefined
}

export interface Removal {
  /** Its descendants end with it. One that has ended already may be removed again, for those that are left. */
  isCascading?: boolean
  /** Hears of the descendants before the removal, and of all that were there after it. */
  told?: (descendants: Descendant[]) => void
}

const ENDS: { [kind: string]: string } = { key: 'REVOKE', member: 'REMOVE' }
const ending = ({ ref: to }: Maker): AddressedCommand => ({ to, type: ENDS[kindOf(to)]!, fields: {} })
const hasEnded = (actor: Maker): boolean => actor.state === 'revoked' || isGone(charts, actor)
const isKey = ({ ref }: Maker): boolean => kindOf(ref) === 'key'

const OWNERS_ONLY = 'Only an owner may remove the members that it made: without cascade the key alone is revoked'

/** Ends a key or a member. Nothing that is made meanwhile escapes: what has ended makes nothing. */
export function removeMaker<K extends 'key' | 'member'>(
  services: Services,
  caller: Caller,
  { ref }: Actor<K>,
  removal: Removal,
): Promise<Result<Actor<K>, 'INSUFFICIENT_SCOPE' | 'INVALID_STATUS' | 'NOT_FOUND'>> {
  return ownersInTurn(caller.principal.organization, () => removeNow(services, caller, ref, removal))
}

async function removeNow<K extends 'key' | 'member'>(
  services: Services,
  caller: Caller,
  ref: Ref<K>,
  { isCascading = false, told }: Removal,
): Promise<Result<Actor<K>, 'INSUFFICIENT_SCOPE' | 'INVALID_STATUS' | 'NOT_FOUND'>> {
  const { organization, isOwner = false } = caller.principal
  const { left, ends } = await present(services, ref, isCascading)
  if (ends.length === 0) return refuse('NOT_FOUND', `There is no ${kindOf(ref)} ${idOf(ref)}`)
  if (!isOwner && ends.some((one) => one.ref !== ref && !isKey(one))) return refuse('INSUFFICIENT_SCOPE', OWNERS_ONLY)
  const refs = ends.map((one) => one.ref)
  if (leavesNoOwner(services, organization, refs)) return refuse('INVALID_STATUS', LAST_OWNER)
  told?.(left.map(descendantOf))
  const reply = await sendAll(services, caller, ref, ends.slice(0, MOST_MESSAGES).map(ending))
  const rest = (isMeant: (actor: Maker) => boolean) => endRest(services, caller, ref, { isCascading, isMeant })
  // A stolen key must not go on while the removal of members waits for approval.
  if (isBarred(reply) && (kindOf(ref) === 'key' || !refs.includes(ref))) await rest(isKey)
  if (reply.ok) {
    const { late, left: after } = await rest((actor) => isOwner || isKey(actor))
    const all = new Map((isCascading ? [...left, ...late] : after).map((one) => [one.ref, one]))
    told?.([...all.values()].map(descendantOf))
  }
  return outcome(reply)
}

interface Present {
  /** The descendants that give access without the root. */
  left: Maker[]
  /** What a removal ends: the root comes first, where it has not ended. */
  ends: Maker[]
}

async function present(services: Services, ref: MakerRef, isCascading: boolean): Promise<Present> {
  await services.host.flushed()
  const made = await descendantsOf(services, ref)
  const root = services.host.peek(ref)!
  const left = living(services, ref, made)
  const own = made.filter((one) => isKeyOf(ref, one) && !hasEnded(services.host.peek(one.ref)!))
  return { left, ends: [...(hasEnded(root) ? [] : [root]), ...own, ...(isCascading ? left : [])] }
}

const isBarred = (reply: Sent): boolean => 'barrier' in reply

/** Ends what did not fit into the first commit, and what was made until then: `late`. */
async function endRest(
  services: Services,
  { record: _record, ...caller }: Caller,
  ref: MakerRef,
  { isCascading, isMeant }: { isCascading: boolean; isMeant: (actor: Maker) => boolean },
): Promise<{ late: Maker[]; left: Maker[] }> {
  const late: Maker[] = []
  for (;;) {
    const { left, ends } = await present(services, ref, isCascading)
    const batch = ends.filter(isMeant).slice(0, MOST_MESSAGES)
    if (batch.length === 0) return { late, left }
    const reply = await sendAll(services, caller, ref, batch.map(ending))
    if (reply.ok) late.push(...batch.filter((one) => left.includes(one)))
    // Somebody else may have ended one of them meanwhile; anything else would be refused forever.
    else if (reply.code !== 'NOT_FOUND' && reply.code !== 'INVALID_STATUS') return { late, left }
  }
}
