// An actor as it is now: its stored time decides on its end, whether or not its timer was in time.
import { charts } from '../../../machines/index.js'
import type { Actor } from '../../actor/actor.js'
import { deliver } from '../../actor/host.js'
import { wakeAtOf } from '../../actor/turn.js'
import { TIMER } from '../../domain/audit/entry.js'
import type { Services } from '../ports.js'

/** An overdue actor whose timer is late is woken before it is shown. */
export async function current<K extends string>({ host, now }: Services, actor: Actor<K>): Promise<Actor<K>> {
  const at = wakeAtOf(charts, actor)
  if (at === undefined || at > now()) return actor
  const { organization } = actor.context
  return (await deliver(host, TIMER, actor.ref, { type: 'WAKE', now: now(), organization })).actor
}
