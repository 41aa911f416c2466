// `npm run fuzz -- [--requests N] [--seed N]`: so many random requests (50,000) to a service of its own. Prints each
// problem with the requests before it. Exit code 1 if there is one, 2 if the arguments are wrong.
import { parseArgs } from 'node:util'
import { newFolder, startService } from '../support/process.js'
import { OPERATOR_KEY } from '../support/service.js'
import { fuzz } from './fuzz.js'
import { STALL_MS, told } from './told.js'

function whole(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  console.error(`${text} is no whole number above 0: fuzz [--requests N] [--seed N]`)
  process.exit(2)
}

const text = { type: 'string' } as const
const { values } = parseArgs({ options: { requests: text, seed: text } })
const requests = whole(values.requests ?? '50000')
const seed = whole(values.seed ?? String(1 + Math.floor(Math.random() * 1e6)))

const cleaning: (() => void | Promise<void>)[] = []
const scope = { teardown: (clean: () => void | Promise<void>) => void cleaning.unshift(clean) }
try {
  const service = await startService(scope, newFolder(scope), { env: { BURSAR_OPERATOR_KEY: OPERATOR_KEY } })
  const fuzzed = await fuzz(scope, { url: service.url, operatorKey: OPERATOR_KEY, requests, seed, say: console.log })
  const { stderr } = service.output()
  console.log(told(fuzzed, `npm run fuzz -- --requests ${requests} --seed ${seed}`))
  if (stderr !== '') console.log(`The service wrote:\n${stderr.slice(0, 10_000)}`)
  const isWell = fuzzed.problems.length === 0 && fuzzed.quiet.longestMs < STALL_MS && stderr === ''
  process.exitCode = isWell ? 0 : 1
} finally {
  for (const clean of cleaning) await clean()
}
