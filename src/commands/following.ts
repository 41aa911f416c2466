// Follows an organization's audit log as it grows, for whoever watches the machines at work. What is told was on disk
// before; nothing is kept for anybody, so that one who reads slowly only hears later, or what was missed.
import type { AuditEntry } from '../domain/audit.js'
import type { Principal } from '../domain/principal.js'
import { principalOfKey } from './keys.js'
import type { Services } from './ports.js'
import { principalOfSession } from './sessions.js'

/** At once, ten times a second: what one reader may take of the processor. */
const AT_ONCE = 50
/** Further behind, the past is passed over: there is the history for it. */
const MOST_BEHIND = 1000
const PATIENCE_MS = 15_000

export type Heard =
  | { kind: 'entries'; entries: AuditEntry[] }
  /** So many entries were passed over; the next is the one after `until`. */
  | { kind: 'missed'; count: number; until: number }
  /** Nothing has happened for a while. */
  | { kind: 'silence' }

export interface Followed {
  /** The sequence to go on after. */
  after: number
  /** Epoch ms at which the follower leaves by itself. */
  until: number
}

/** Ends in time, with the service, and when the caller may not read any more. */
export async function* followLog(
  services: Services,
  principal: Principal,
  { after: first, until: end }: Followed,
): AsyncGenerator<Heard> {
  const following = services.follower.follow(principal.organization)
  try {
    let after = first
    for (;;) {
      const left = Math.max(0, end - services.now())
      const last = await following.next(after, Math.min(left, PATIENCE_MS))
      if (following.isOver() || !(await mayStill(services, principal))) return
      if (last - after > MOST_BEHIND) {
        const until = last - AT_ONCE
        yield { kind: 'missed', count: until - after, until }
        after = until
      } else if (last > after) {
        const entries = await entriesOf(services, principal.organization, after, Math.min(last, after + AT_ONCE))
        after = Math.min(last, after + AT_ONCE)
        yield { kind: 'entries', entries }
      } else if (left === 0) return
      else yield { kind: 'silence' }
    }
  } finally {
    following.close()
  }
}

async function entriesOf({ auditLog }: Services, organization: string, after: number, last: number): Promise<AuditEntry[]> {
  const sequences = Array.from({ length: last - after }, (_, place) => after + 1 + place)
  const entries = await Promise.all(sequences.map((sequence) => auditLog.entry(organization, sequence)))
  return entries.filter((entry) => entry !== undefined)
}

/** The key that was shown at the beginning may have been revoked since, the person removed. */
async function mayStill(services: Services, { type, id, session: sessionId }: Principal): Promise<boolean> {
  if (type !== 'PERSON') {
    const [key] = await services.host.peek([`key/${id}`])
    return key !== undefined && (await principalOfKey(services, key)) !== undefined
  }
  const [session] = await services.host.peek([`session/${sessionId}`])
  return session !== undefined && (await principalOfSession(services, session)) !== undefined
}
