// Sends WAKE to every actor whose time has come. Callers decide when: the timers, and lists that must not show expired
// states.
import { TIMER } from '../domain/audit.js'
import type { Ref } from '../domain/gate.js'
import { deliver, Unavailable, type ActorHost } from './host.js'

const BATCH = 200

export interface WakePorts {
  host: ActorHost
  /** Up to `limit` actors whose WAKE is due at `now`. */
  due(now: number, limit: number): Ref[]
  now(): number
}

/**
 * Wakes all due actors in batches until none is left or `isStopped`. An actor that cannot be woken does not hold up the
 * others; a host that takes nothing any more ends it. Returns the failures.
 */
export async function wakeAllDue(ports: WakePorts, isStopped: () => boolean = () => false): Promise<unknown[]> {
  const failures = new Map<Ref, unknown>()
  for (;;) {
    const at = ports.now()
    const refs = ports.due(at, BATCH + failures.size).filter((ref) => !failures.has(ref))
    await Promise.all(refs.map((ref) => wake(ports.host, ref, at).catch((error) => failures.set(ref, error))))
    const isDown = [...failures.values()].some((failure) => failure instanceof Unavailable)
    if (refs.length < BATCH || isDown || isStopped()) return [...failures.values()]
  }
}

async function wake(host: ActorHost, ref: Ref, now: number): Promise<void> {
  const actor = host.peek(ref)
  const organization = String(actor?.context['organization'])
  await deliver(host, TIMER, ref, { type: 'WAKE', now, organization })
}
