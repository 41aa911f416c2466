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

/** Wakes what is due now; returns how many actors that were. */
export async function wakeDue({ host, due, now }: TimerPorts): Promise<number> {
  const at = now()
  const refs = due(at, AT_ONCE)
  const actors = await host.peek(refs)
  await Promise.all(
    refs.map((ref, index) => {
      const organization = String(actors[index]?.context['organization'])
      return host.ask(ref, { type: 'WAKE', now: at, organization }, BY)
    }),
  )
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
