// Sends WAKE to every actor whose time has come. Callers decide when: the timers, and lists that must not show expired
// states.
import { TIMER } from '../domain/audit.js'
import type { Ref } from '../domain/gate.js'
import type { ActorHost } from './host.js'

const BATCH = 200

export interface WakePorts {
  host: ActorHost
  /** Up to `limit` actors whose WAKE is due at `now`. */
  due(now: number, limit: number): Ref[]
  now(): number
}

/**
 * Wakes all due actors in batches until none is left or `isStopped`. An actor that cannot be woken does not hold up the
 * others. Returns the failures of the last batch.
 */
export async function wakeAllDue(ports: WakePorts, isStopped: () => boolean = () => false): Promise<unknown[]> {
  for (;;) {
    const { due, failures } = await wakeSome(ports)
    if (due < BATCH || failures.length === due || isStopped()) return failures
  }
}

async function wakeSome({ host, due, now }: WakePorts): Promise<{ due: number; failures: unknown[] }> {
  const at = now()
  const refs = due(at, BATCH)
  const woken = await Promise.allSettled(
    refs.map(async (ref) => {
      const actor = host.peek(ref)
      const organization = String(actor?.context['organization'])
      return host.ask(ref, { type: 'WAKE', now: at, organization }, { by: TIMER })
    }),
  )
  const failures = woken.flatMap((wake): unknown[] => (wake.status === 'rejected' ? [wake.reason] : []))
  return { due: refs.length, failures }
}
