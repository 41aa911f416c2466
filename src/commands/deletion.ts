// Deletes an actor together with what stands only for it.
import { type List } from '../domain/values/lists.js'
import { idOf, kindOf, type Actor } from '../actor/actor.js'
import { MOST_MESSAGES } from '../actor/attempt.js'
import type { View } from '../actor/host.js'
import type { Ref } from '../domain/limits/gate.js'
import type { Code } from '../domain/outcomes/codes.js'
import { refuse, type Refused, type Result } from '../domain/outcomes/result.js'
import type { AddressedCommand } from './barrier.js'
import type { Caller, Services } from './ports.js'
import { retryOnConflict } from './retryOnConflict.js'
import { isVisible, outcome, sendAll, sendAllIf } from './send.js'

type Messages = Partial<Record<string, string>>

/**
 * Deletes the actor and revokes what is active on these lists, in one commit. `refusal` says why it may not be deleted
 * now. Where more is active than one commit may hold, the rest is revoked right after it: the actor is gone by then.
 */
export function deleteWith<K extends string, C extends Code = 'INVALID_STATUS'>(
  services: Services,
  caller: Caller,
  ref: Ref<K>,
  lists: readonly List[],
  refusal: (view: View) => Refused<C> | undefined = () => undefined,
  say: Messages = {},
): Promise<Result<Actor<K>, C | 'INVALID_STATUS' | 'NOT_FOUND' | 'UNAVAILABLE'>> {
  return retryOnConflict(async (): Promise<Result<Actor<K>, C | 'INVALID_STATUS' | 'NOT_FOUND'> | undefined> => {
    await services.host.flushed()
    let refused: Refused<C | 'NOT_FOUND'> | undefined
    const unchanged = (view: View): boolean => {
      refused = isVisible(view(ref), caller.principal.organization) ? refusal(view) : missing(ref)
      return refused === undefined && lists.every((list) => isWhole(services, list))
    }
    const commands = [{ to: ref, type: 'DELETE', fields: {} }, ...revoking(services, lists, MOST_MESSAGES - 1)]
    const reply = await sendAllIf(services, caller, { unchanged }, ref, commands)
    if (!reply) return refused
    if (reply.ok) await revokeRest(services, caller, lists)
    return outcome(reply, say)
  })
}

/** What is active is looked up anew for each commit: one that somebody else has ended would refuse the others. */
async function revokeRest(services: Services, { record: _record, ...caller }: Caller, lists: readonly List[]) {
  const next = (): AddressedCommand[] => revoking(services, lists, MOST_MESSAGES)
  for (let rest = next(); rest.length > 0; rest = next()) {
    const reply = await sendAll(services, caller, rest[0]!.to, rest)
    // Somebody else may have ended one of them meanwhile; anything else would be refused forever.
    if (!reply.ok && reply.code !== 'INVALID_STATUS') return
  }
}

const missing = (ref: Ref): Refused<'NOT_FOUND'> => refuse('NOT_FOUND', `There is no ${kindOf(ref)} ${idOf(ref)}`)

function revoking(services: Services, lists: readonly List[], most: number): AddressedCommand[] {
  const active = activeOn(services, lists).slice(0, most)
  return active.map((to) => ({ to, type: 'REVOKE', fields: {} }))
}

function activeOn({ query, host }: Services, lists: readonly List[]): Ref[] {
  return lists.flatMap((list) => query.refs(list)).filter((ref) => host.peek(ref)?.state === 'active')
}

/** False while something that belongs to the list is on its way to the disk: the list does not show it yet. */
function isWhole({ query }: Services, list: List): boolean {
  return query.size(list) === query.refs(list).length
}
