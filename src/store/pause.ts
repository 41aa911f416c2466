// Yields to the event loop in the middle of long work.
import { setImmediate } from 'node:timers/promises'

export function pause(): Promise<void> {
  return setImmediate()
}
