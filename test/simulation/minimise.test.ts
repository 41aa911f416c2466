// A failing run becomes short.
import test from 'ava'
import { minimised } from './minimise.js'
import type { Outcome, Simulate } from './outcome.js'

/** A run that fails as soon as it has these steps, in their order. */
function failingWith(needed: readonly number[]): Simulate {
  return async (seed, { only = [] } = {}): Promise<Outcome> => {
    const fails = needed.every((step) => only.includes(step))
    const violation = { invariant: 'once', message: 'It was executed twice' } as const
    return { seed, commands: only.length, trace: [], steps: only, ...(fails && { violation }) }
  }
}

for (const needed of [[7], [1, 100], [3, 4, 5], [2, 51, 99]]) {
  test(`of a hundred steps those are left that it needs: ${needed.join(', ')}`, async (t) => {
    const simulate = failingWith(needed)
    const failed = await simulate(1, { only: Array.from({ length: 100 }, (_, at) => at + 1) })
    const { steps } = await minimised(simulate, failed)
    t.deepEqual(steps, needed)
  })
}

test('a run that breaks another invariant without some steps keeps them', async (t) => {
  const simulate: Simulate = async (seed, { only = [] } = {}) => {
    const invariant = only.length > 1 ? 'once' : 'limit'
    return { seed, commands: 0, trace: [], steps: only, violation: { invariant, message: '' } }
  }
  const { steps } = await minimised(simulate, await simulate(1, { only: [1, 2, 3, 4] }))
  t.is(steps.length, 2)
})
