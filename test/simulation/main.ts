// `npm run simulate -- --seed N | --seeds N [--steps N]`: runs one seed, or the first N (300), every other one with the
// journal of several owners, and prints every
// violation with the last commands before it and the command that repeats it. Exit code 1 if there is a violation, 2 if
// the arguments are wrong.
import { parseArgs } from 'node:util'
import { simulate } from './kernel/run.js'

const LAST_LINES = 30
const PROGRESS_EVERY = 100
const USAGE = 'simulate [--seed N | --seeds N] [--steps N], N a whole number above 0'

function whole(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  console.error(`${text} is no whole number above 0: ${USAGE}`)
  process.exit(2)
}

const text = { type: 'string' } as const
const { values } = parseArgs({ options: { seed: text, seeds: text, steps: text } })
const first = whole(values.seed ?? '1')
const last = values.seed === undefined ? whole(values.seeds ?? '300') : first
const steps = whole(values.steps ?? '250')

let failures = 0
let total = 0
const progress = (seeds: number): string =>
  `${seeds} ${seeds === 1 ? 'seed' : 'seeds'}, ${total} commands, ${failures || 'none'} of them broken`

for (let seed = first; seed <= last; seed += 1) {
  const { violation, trace, commands } = await simulate(seed, { steps, isShared: seed % 2 === 0 })
  total += commands
  if (violation) {
    failures += 1
    const again = `npm run simulate -- --seed ${seed} --steps ${steps}`
    console.log([`Seed ${seed}: ${violation.message}`, ...trace.slice(-LAST_LINES), again].join('\n'))
  }
  const done = seed - first + 1
  if (done % PROGRESS_EVERY === 0 || seed === last) console.log(progress(done))
}
process.exitCode = failures === 0 ? 0 : 1
