// The entries at the gates at a step of an actor's history: a gate is asked in one turn and answers with the next.
import type { Step } from './steps.js'

/** By ask and answer; other pairs leave the entry unchanged. */
const KEPT: Record<string, Record<string, string>> = {
  RESERVE: { HELD: 'held', REFUSED: 'refused' },
  CAPTURE: { CAPTURED: 'captured' },
  SETTLE: { CAPTURED: 'captured' },
  RESTORE: { RESTORED: 'held', REFUSED: 'released' },
  RELEASE: { RELEASED: 'released' },
}

/** The state of each gate's entry after these steps; undefined if some of them could not be replayed as turns. */
export function keptAfter(steps: readonly Step[]): Map<string, string> | undefined {
  const [first] = steps
  if (first?.from !== null || steps.some(({ command }) => command && command.basis !== 'replayed')) return undefined
  const kept = new Map<string, string>()
  for (const [place, { asks }] of steps.entries()) {
    const state = asks && KEPT[asks.type]?.[steps[place + 1]?.message ?? '']
    if (state) kept.set(asks.to, state)
  }
  return kept
}
