// Lets payments be decided while long pieces of work go on: each continues for a few milliseconds at a time, and one of
// them in a round of the event loop, however many there are.
import { setImmediate as nextRound } from 'node:timers/promises'

/** How long a piece of work may hold the event loop, unless it says otherwise. */
const TURN_MS = 5

/** To be awaited between steps; `pause` resolves in another round of the event loop. */
export function yielder(pause: () => Promise<unknown> = nextRound, turnMs = TURN_MS): () => Promise<void> {
  let began = 0
  let last: Promise<unknown> = Promise.resolve()
  return async () => {
    if (performance.now() - began < turnMs) return
    last = last.then(() => pause())
    await last
    began = performance.now()
  }
}
