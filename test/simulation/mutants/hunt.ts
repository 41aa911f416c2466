// Runs seeds in this process, which has a mistake, until one fails; the result is its last line, as JSON.
import { MUTANTS } from './list/index.js'

export interface Hunted {
  seed: number
  invariant: string
  message: string
}

const [number, from, seeds] = process.argv.slice(2).map(Number) as [number, number, number]
// Imported late: the files with the mistake must not be loaded before it is there.
const { SIMULATIONS } = await import('../simulations.js')
const { simulate, optionsOf } = SIMULATIONS[MUTANTS[number]!.in]

async function hunt(): Promise<Hunted | undefined> {
  for (let seed = from; seed < from + seeds; seed += 1) {
    try {
      const { violation } = await simulate(seed, optionsOf(seed))
      if (violation) return { seed, ...violation }
    } catch (error) {
      // What throws is as bad as what is answered wrong.
      return { seed, invariant: 'works', message: String((error as Error).stack) }
    }
  }
  return undefined
}

const hunted = await hunt()
console.log(JSON.stringify(hunted ?? null))
process.exit(0)
