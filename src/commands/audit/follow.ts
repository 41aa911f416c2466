// Follows an organization's audit log as it grows, for inspectors. It tells only what is on disk and buffers nothing
// for a reader, so that a slow reader falls behind or misses entries.
import type { Following } from '../../actor/follower.js'
import type { StoredEntry } from '../../domain/audit/forms.js'
import type { Principal } from '../../domain/access/principal.js'
import type { Services } from '../ports.js'
import { principalOfKey } from '../people/principals.js'
import { principalOfSession } from '../people/sessions.js'

/** A reader behind by more than the entries of this many turns skips ahead; the history has what it skips. */
const MAX_TURNS_BEHIND = 20
const MAX_WAIT_MS = 15_000

export type FollowEvent =
  | { kind: 'entries'; entries: StoredEntry[] }
  /** `count` entries were skipped; the next is the one after `until`. */
  | { kind: 'missed'; count: number; until: number }
  /** Nothing has happened for a while. */
  | { kind: 'silence' }

export interface Followed {
  /** The reader's slot, released at the end. */
  following: Following
  /** The sequence to continue after. */
  after: number
  /** Epoch ms; entries on disk by then are still told. */
  until: number
}

/** Ends at `until`, with the service, or when the caller loses access. */
export async function* followLog(
  services: Services,
  principal: Principal,
  { following, after: first, until: end }: Followed,
): AsyncGenerator<FollowEvent> {
  let after = first
  let goal = Infinity
  try {
    while (after < goal) {
      const left = Math.max(0, end - services.now())
      const { last, most } = await following.next(after, Math.min(left, MAX_WAIT_MS))
      if (following.isOver() || !hasAccess(services, principal)) return
      if (left === 0) goal = Math.min(goal, last)
      if (last - after > most * MAX_TURNS_BEHIND) {
        const until = last - most
        yield { kind: 'missed', count: until - after, until }
        after = until
      } else if (last > after) {
        const to = Math.min(last, after + most)
        const { entries, until } = await services.auditLog.between(principal.organization, after, to)
        yield { kind: 'entries', entries }
        after = until
      } else if (left > 0) yield { kind: 'silence' }
    }
  } finally {
    following.close()
  }
}

/** Checked again each time: the key may have been revoked since, or the person removed. */
function hasAccess(services: Services, { type, id, session: sessionId }: Principal): boolean {
  if (type !== 'PERSON') {
    const key = services.host.peek(`key/${id}`)
    return key !== undefined && principalOfKey(services, key) !== undefined
  }
  const session = services.host.peek(`session/${sessionId}`)
  return session !== undefined && principalOfSession(services, session) !== undefined
}
