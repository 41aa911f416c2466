// Delivers WAKEs: looks at the timer rows now and then and tells every actor whose time has come.
import type { ActorHost } from '../actor/host.js'
import type { Ref } from '../domain/gate.js'

const AT_ONCE = 200

export interface TimerPorts {
  host: ActorHost
  /** Up to `limit` actors whose WAKE is due at `now`. */
  due(now: number, limit: number): Ref[]
  now(): number
}

const BY = { by: { type: 'SYSTEM', id: 'timer' } }

/**
 * Wakes what is due now; returns how many actors that were. One that cannot be woken keeps no other asleep: it is told
 * of when the others are through.
 */
export async function wakeDue({ host, due, now }: TimerPorts): Promise<number> {
  const at = now()
  const refs = due(at, AT_ONCE)
  const woken = await Promise.allSettled(
    refs.map(async (ref) => {
      const [actor] = await host.peek([ref])
      const organization = String(actor?.context['organization'])
      return host.ask(ref, { type: 'WAKE', now: at, organization }, BY)
    }),
  )
  for (const wake of woken) if (wake.status === 'rejected') throw wake.reason
  return refs.length
}

/** Looks every `everyMs`, and on at once while there is more; the returned function ends it. */
export function startTimers(ports: TimerPorts, everyMs: number, onError: (error: unknown) => void): () => Promise<void> {
  let stopped = false
  let timer: NodeJS.Timeout
  let round: Promise<void> = Promise.resolve()
  const look = async (): Promise<void> => {
    try {
      while (!stopped && (await wakeDue(ports)) === AT_ONCE) continue
    } catch (error) {
      onError(error)
    }
    if (!stopped) timer = setTimeout(start, everyMs)
  }
  const start = (): void => {
    round = look()
  }
  start()
  return async () => {
    stopped = true
    clearTimeout(timer)
    await round
  }
}
