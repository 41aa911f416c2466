// `npm run mutants [-- [--seeds N] [--story] TEXT]`: whether the simulation catches each mistake within 500 seeds, or each
// with the text in its words, a line for one, or the story of what catches it. Exit code 1 if one is not caught.
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { SEEDS, verdictOn } from './caught.js'
import { MUTANTS } from './list/index.js'

/** A run mostly waits for its store. */
const AT_ONCE = 2 * availableParallelism()

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seeds: { type: 'string' }, story: { type: 'boolean' } },
})
const wanted = positionals.join(' ')
const seeds = Number(values.seeds ?? SEEDS)
const numbers = [...MUTANTS.keys()].filter((number) => MUTANTS[number]!.mistake.includes(wanted))
const total = numbers.length
let caught = 0

async function work(): Promise<void> {
  for (let number = numbers.shift(); number !== undefined; number = numbers.shift()) {
    const { isCaught, line } = await verdictOn(number, { seeds, isTold: values.story === true })
    if (isCaught) caught += 1
    console.log(line)
  }
}

await Promise.all(Array.from({ length: AT_ONCE }, work))
console.log(`${caught} of ${total} mistakes are caught`)
process.exitCode = caught === total ? 0 : 1
