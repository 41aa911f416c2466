// Polls the timer rows: wakes every actor whose time has come, and removes expired idempotency records.
import { wakeAllDue, type WakePorts } from '../actor/wake.js'

const FORGET_BATCH = 200

export interface TimerPorts extends WakePorts {
  /** Removes up to `limit` idempotency records that have expired at `now`. */
  forget(now: number, limit: number): Promise<void>
}

/** Polls every `everyMs`, and continues at once while more actors are due; the returned function stops it. */
export function startTimers(
  ports: TimerPorts,
  everyMs: number,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let stopped = false
  let timer: NodeJS.Timeout
  let round: Promise<void> = Promise.resolve()
  const poll = async (): Promise<void> => {
    try {
      for (const failure of await wakeAllDue(ports, () => stopped)) onError(failure)
      await ports.forget(ports.now(), FORGET_BATCH)
    } catch (error) {
      onError(error)
    }
    if (!stopped) timer = setTimeout(start, everyMs)
  }
  const start = (): void => {
    round = poll()
  }
  start()
  return async () => {
    stopped = true
    clearTimeout(timer)
    await round
  }
}
