// Follows an organization's audit log as it grows, for whoever watches the machines at work. What is told was on disk
// before; nothing is kept for anybody, so that one who reads slowly only hears later, or what was missed.
import type { Following } from '../actor/follower.js'
import type { AuditEntry } from '../domain/audit.js'
import type { Principal } from '../domain/principal.js'
import { principalOfKey } from './keys.js'
import type { Services } from './ports.js'
import { principalOfSession } from './sessions.js'

/** Further behind than it is told of in so many turns, the past is passed over: there is the history for it. */
const MOST_TURNS_BEHIND = 20
const PATIENCE_MS = 15_000

export type Heard =
  | { kind: 'entries'; entries: AuditEntry[] }
  /** So many entries were passed over; the next is the one after `until`. */
  | { kind: 'missed'; count: number; until: number }
  /** Nothing has happened for a while. */
  | { kind: 'silence' }

export interface Followed {
  /** Its place, which is given back at the end. */
  following: Following
  /** The sequence to go on after. */
  after: number
  /** Epoch ms; what is on disk by then is told still. */
  until: number
}

/** Ends in time, with the service, and when the caller may not read any more. */
export async function* followLog(
  services: Services,
  principal: Principal,
  { following, after: first, until: end }: Followed,
): AsyncGenerator<Heard> {
  let after = first
  let goal = Infinity
  try {
    while (after < goal) {
      const left = Math.max(0, end - services.now())
      const { last, most } = await following.next(after, Math.min(left, PATIENCE_MS))
      if (following.isOver() || !mayStill(services, principal)) return
      if (left === 0) goal = Math.min(goal, last)
      if (last - after > most * MOST_TURNS_BEHIND) {
        const until = last - most
        yield { kind: 'missed', count: until - after, until }
        after = until
      } else if (last > after) {
        const to = Math.min(last, after + most)
        yield { kind: 'entries', entries: await services.auditLog.between(principal.organization, after, to) }
        after = to
      } else if (left > 0) yield { kind: 'silence' }
    }
  } finally {
    following.close()
  }
}

/** The key that was shown at the beginning may have been revoked since, the person removed. */
function mayStill(services: Services, { type, id, session: sessionId }: Principal): boolean {
  if (type !== 'PERSON') {
    const key = services.host.peek(`key/${id}`)
    return key !== undefined && principalOfKey(services, key) !== undefined
  }
  const session = services.host.peek(`session/${sessionId}`)
  return session !== undefined && principalOfSession(services, session) !== undefined
}
