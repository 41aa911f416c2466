// Runs seeds in this process, which has a mistake, until one fails; the result is its last line, as JSON. With `story`
// that run is made short, and its steps and what happens in it are part of the result.
import type { Outcome } from '../outcome.js'
import { MUTANTS } from './list/index.js'

export interface Hunted {
  seed: number
  invariant: string
  message: string
  /** Of the short run. */
  steps?: readonly number[]
  story?: readonly string[]
}

const [number, seeds] = process.argv.slice(2, 4).map(Number) as [number, number]
const isTold = process.argv[4] === 'story'
// Imported late: the files with the mistake must not be loaded before it is there.
const { SIMULATIONS } = await import('../simulations.js')
const { minimised } = await import('../minimise.js')
const { simulate, optionsOf } = SIMULATIONS[MUTANTS[number]!.in]

async function hunt(): Promise<Hunted | undefined> {
  for (let seed = 1; seed <= seeds; seed += 1) {
    try {
      const outcome = await simulate(seed, optionsOf(seed))
      if (outcome.violation) return await told(outcome)
    } catch (error) {
      // What throws is as bad as what is answered wrong.
      return { seed, invariant: 'works', message: String((error as Error).stack) }
    }
  }
  return undefined
}

async function told(failed: Outcome): Promise<Hunted> {
  const { seed, violation } = failed
  if (!isTold) return { seed, ...violation! }
  const short = await minimised(simulate, failed, optionsOf(seed))
  return { seed, ...short.violation!, steps: short.steps, story: short.trace }
}

const hunted = await hunt()
console.log(JSON.stringify(hunted ?? null))
process.exit(0)
