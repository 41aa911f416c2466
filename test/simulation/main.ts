// `npm run simulate -- [kernel | settlement | service] --seed N | --seeds N [--from N] [--steps N] [--only N,N…]`: runs one seed or
// many (300), of all simulations unless one is named; of the kernel every other one has the journal of several owners.
// A failing run is made short and printed as a story, with the command that repeats it. Exit code 1 if there is a
// violation, 2 if the arguments are wrong.
import { parseArgs } from 'node:util'
import { minimised } from './minimise.js'
import type { Options, Outcome } from './outcome.js'
import { SIMULATIONS, type Name } from './simulations.js'

const PROGRESS_EVERY = 100
const USAGE = 'simulate [kernel | settlement | service] [--seed N | --seeds N] [--from N] [--steps N] [--only N,N…]'

function wrong(text: string): never {
  console.error(`${text}: ${USAGE}, N a whole number above 0`)
  process.exit(2)
}

function whole(text: string): number {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : wrong(`${text} is no whole number above 0`)
}

const text = { type: 'string' } as const
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: text, seeds: text, from: text, steps: text, only: text },
})
const names = positionals.length > 0 ? positionals : Object.keys(SIMULATIONS)
for (const name of names) if (!Object.hasOwn(SIMULATIONS, name)) wrong(`There is no simulation ${name}`)
const first = whole(values.seed ?? values.from ?? '1')
const last = values.seed === undefined ? first + whole(values.seeds ?? '300') - 1 : first
const given: Options = {
  ...(values.steps !== undefined && { steps: whole(values.steps) }),
  ...(values.only !== undefined && { only: values.only.split(',').map(whole) }),
}

/** A run that failed, as people read it. */
async function tell(name: Name, failed: Outcome): Promise<void> {
  const { simulate, optionsOf } = SIMULATIONS[name]
  const { seed, steps, trace, violation } = await minimised(simulate, failed, optionsOf(failed.seed))
  const again = `npm run simulate -- ${name} --seed ${seed} --only ${steps.join(',')}`
  console.log([`Seed ${seed} of the ${name}: ${violation!.message}`, ...trace, again].join('\n'))
}

let failures = 0
let commands = 0
const begun = performance.now()
for (let seed = first; seed <= last; seed += 1) {
  for (const name of names as Name[]) {
    const { simulate, optionsOf } = SIMULATIONS[name]
    const outcome = await simulate(seed, { ...optionsOf(seed), ...given })
    commands += outcome.commands
    if (!outcome.violation) continue
    failures += 1
    await tell(name, outcome)
  }
  const done = seed - first + 1
  if (done % PROGRESS_EVERY !== 0 && seed !== last) continue
  const seconds = Math.round((performance.now() - begun) / 1000)
  console.log(
    `${done} ${done === 1 ? 'seed' : 'seeds'}, ${commands} commands in ${seconds} s, ${failures || 'none'} failed`,
  )
}
process.exitCode = failures === 0 ? 0 : 1
