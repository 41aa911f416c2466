// Makes a failing run short: it leaves out steps, many at first and then fewer, as long as the same invariant breaks.
import type { Options, Outcome, Simulate } from './outcome.js'

/** A run whose steps cannot be left out any more, one by one, or that was tried often enough. */
export async function minimised(simulate: Simulate, failed: Outcome, options: Options = {}): Promise<Outcome> {
  const { invariant } = failed.violation!
  let shortest = failed
  const tryOut = async (only: number[]): Promise<boolean> => {
    const outcome = await simulate(failed.seed, { ...options, only })
    const isIt = outcome.violation?.invariant === invariant
    if (isIt) shortest = outcome
    return isIt
  }
  for (let size = Math.ceil(failed.steps.length / 2); size > 0; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    await withoutParts(() => shortest.steps, size, tryOut)
  }
  return shortest
}

/** Tries to do without each part of this size, from the end on: what comes late depends on what came before it. */
async function withoutParts(
  steps: () => readonly number[],
  size: number,
  tryOut: (only: number[]) => Promise<boolean>,
): Promise<void> {
  for (let end = steps().length; end > 0; end -= size) {
    const kept = steps()
    if (end <= kept.length) await tryOut([...kept.slice(0, Math.max(0, end - size)), ...kept.slice(end)])
  }
}
