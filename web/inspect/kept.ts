// What gates kept of an actor at a step of its time line: they are asked in one turn, and answer with the next.
import type { Step } from './steps.js'

/** By what was asked and what was answered; whatever is not here leaves the entry as it was. */
const KEPT: Record<string, Record<string, string>> = {
  RESERVE: { HELD: 'held', REFUSED: 'refused' },
  CAPTURE: { CAPTURED: 'captured' },
  SETTLE: { CAPTURED: 'captured' },
  RESTORE: { RESTORED: 'held', REFUSED: 'released' },
  RELEASE: { RELEASED: 'released' },
}

/** The state of each gate's entry after these steps; undefined where some of them could not be told in turns. */
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
