// Lets everything else that waits have its turn, in work that would hold up the process.
import { setImmediate } from 'node:timers/promises'

export function pause(): Promise<void> {
  return setImmediate()
}
