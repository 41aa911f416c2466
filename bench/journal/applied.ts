// How far a node is.
import { until } from '../../test/support/chain.js'

/** A standby hears with the next entry, or the next beat, that these are durable. */
const UNHEARD = 2

/** The last entry that a node has. */
export async function appliedAt(url: string): Promise<number> {
  const { applied } = (await (await fetch(`${url}/readyz`)).json()) as { applied: number }
  return applied
}

/** Resolves when the standby has all entries of the owner but the very last. */
export async function inStep(standbyUrl: string, ownerUrl: string): Promise<void> {
  const wanted = (await appliedAt(ownerUrl)) - UNHEARD
  await until(async () => (await appliedAt(standbyUrl)) >= wanted || undefined, 'the standby does not follow')
}
