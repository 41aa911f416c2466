// What the audit log says of a change to one actor.
import { idOf, kindOf } from '../../actor/actor.js'
import { loggedData, TIMER } from '../../domain/audit/entry.js'
import type { Change } from '../change.js'
import type { Unchained } from './append.js'

/** `initial` is the context of an actor of the kind that does not exist yet. */
export function loggedEntry(
  change: Change,
  { action, before, after, turn, by = change.by }: Change['audited'][number],
  id: string,
  initial: object,
): Unchained {
  const { requestId, ...actor }: Change['by'] = turn.command === 'WAKE' ? TIMER : by
  return {
    id,
    action,
    resource: kindOf(after.ref),
    resourceId: idOf(after.ref),
    actor,
    ...(requestId !== undefined && { requestId }),
    at: new Date(change.at).toISOString(),
    turn,
    data: loggedData(before, after, initial),
  }
}
