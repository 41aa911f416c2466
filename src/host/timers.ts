// Looks at the timer rows now and then: wakes every actor whose time has come, and lets go of what is out of date.
import { wakeAllDue, type WakePorts } from '../actor/wake.js'

const FORGOTTEN_AT_ONCE = 200

export interface TimerPorts extends WakePorts {
  /** Removes up to `limit` idempotency records that are over at `now`. */
  forget(now: number, limit: number): Promise<void>
}

/** Looks every `everyMs`, and on at once while there is more; the returned function ends it. */
export function startTimers(ports: TimerPorts, everyMs: number, onError: (error: unknown) => void): () => Promise<void> {
  let stopped = false
  let timer: NodeJS.Timeout
  let round: Promise<void> = Promise.resolve()
  const look = async (): Promise<void> => {
    try {
      for (const failure of await wakeAllDue(ports, () => stopped)) onError(failure)
      await ports.forget(ports.now(), FORGOTTEN_AT_ONCE)
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
