// Polls for what is over: ends overdue actors, removes expired idempotency records, and has statistics written.
import type { OverdueActors } from './overdue.js'

const FORGET_BATCH = 200

export interface TimerPorts {
  overdue: Pick<OverdueActors, 'round'>
  /** Removes up to `limit` idempotency records that have expired at `now`. */
  forget(now: number, limit: number): Promise<void>
  /** Writes what statistics have counted, now and then. */
  flushStats(now: number): Promise<void>
  now(): number
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
    const failing = new Set<string>()
    try {
      for (let ended = 1; ended > 0;) {
        ended = await ports.overdue.round(failing, () => stopped)
        await ports.forget(ports.now(), FORGET_BATCH)
        await ports.flushStats(ports.now())
      }
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
