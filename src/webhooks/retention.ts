// Removes deliveries that ended seven days ago and gives up those pending as long, a bounded number at a time.
import type { EndTimer, Timing } from '../async/timing.js'

const KEPT_MS = 7 * 24 * 60 * 60 * 1000
const LOOK_EVERY_MS = 60_000
const AT_ONCE = 500
const AGAIN_MS = 100

export interface RetentionPorts {
  /** Removes or gives up at most `limit` deliveries made before `at` (epoch ms); returns how many. */
  forget(at: number, limit: number): number
  now(): number
  timers: Pick<Timing, 'after'>
  onError(error: unknown): void
}

/** Runs every minute, and again soon while there is more; the returned function stops it. */
export function startRetention({ forget, now, timers, onError }: RetentionPorts): EndTimer {
  let end: EndTimer
  const look = (): void => {
    let wait = LOOK_EVERY_MS
    try {
      if (forget(now() - KEPT_MS, AT_ONCE) === AT_ONCE) wait = AGAIN_MS
    } catch (error) {
      onError(error)
    }
    end = timers.after(wait, look)
  }
  look()
  return () => end()
}
