// What time ends, ended before somebody looks: a list, a limit or a decision must not show what is over and whose timer
// has not fired yet.
import { wakeAllDue } from '../actor/wake.js'
import type { Services } from './ports.js'

/** Wakes whoever is due; false when nobody is. Of one that cannot be woken the timers tell. */
export async function wakeDue({ host, query, now }: Services): Promise<boolean> {
  if (query.due(now(), 1).length === 0) return false
  await wakeAllDue({ host, due: (at, limit) => query.due(at, limit), now })
  return true
}
