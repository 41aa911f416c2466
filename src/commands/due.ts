// Carries out due timers before a list, a limit or a decision is read, because a timer may be late and must not let
// ended things show.
import { wakeAllDue } from '../actor/wake.js'
import type { Services } from './ports.js'

/** Wakes all due actors; false when none is due. The timers report actors that cannot be woken. */
export async function wakeDue({ host, query, now }: Services): Promise<boolean> {
  if (query.due(now(), 1).length === 0) return false
  await wakeAllDue({ host, due: (at, limit) => query.due(at, limit), now })
  return true
}
