// Deletes an actor together with what stands only for it.
import { MOST_MESSAGES } from '../actor/attempt.js'
import type { View } from '../actor/host.js'
import type { Ref } from '../domain/gate.js'
import type { Refused } from '../domain/refusal.js'
import type { AddressedCommand } from './barrier.js'
import type { Caller, Services } from './ports.js'
import { retryOnConflict } from './retryOnConflict.js'
import { outcome, sendAll, sendAllIf, type Done } from './send.js'

type Messages = Partial<Record<string, string>>

/**
 * Deletes the actor and revokes what is active on these lists, in one commit. `refusal` says why it may not be deleted
 * now. Where more is active than one commit may hold, the rest is revoked right after it: the actor is gone by then.
 */
export function deleteWith(
  services: Services,
  caller: Caller,
  ref: Ref,
  lists: readonly string[],
  refusal: (view: View) => Refused | undefined = () => undefined,
  say: Messages = {},
): Promise<Done | Refused> {
  return retryOnConflict(async () => {
    await services.host.flushed()
    const revoked = activeOn(services, lists).map((to): AddressedCommand => ({ to, type: 'REVOKE', fields: {} }))
    let refused: Refused | undefined
    const unchanged = (view: View): boolean => {
      refused = refusal(view)
      return refused === undefined && lists.every((list) => isWhole(services, list))
    }
    const commands = [{ to: ref, type: 'DELETE', fields: {} }, ...revoked]
    const reply = await sendAllIf(services, caller, { unchanged }, commands.slice(0, MOST_MESSAGES))
    if (!reply) return refused
    const { record: _record, ...later } = caller
    for (let next = MOST_MESSAGES; reply.ok && next < commands.length; next += MOST_MESSAGES) {
      await sendAll(services, later, commands.slice(next, next + MOST_MESSAGES))
    }
    return outcome(reply, say)
  })
}

function activeOn({ query, host }: Services, lists: readonly string[]): Ref[] {
  return lists.flatMap((list) => query.refs(list)).filter((ref) => host.peek(ref)?.state === 'active')
}

/** False while something that belongs to the list is on its way to the disk: the list does not show it yet. */
function isWhole({ query }: Services, list: string): boolean {
  return query.size(list) === query.refs(list).length
}
