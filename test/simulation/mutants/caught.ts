// Whether the simulation catches a mistake: a process of its own has it, and runs seeds until one fails.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Hunted } from './hunt.js'
import { MUTANTS } from './list/index.js'

export const SEEDS = 500

const APPLY = fileURLToPath(new URL('./apply.js', import.meta.url))
const HUNT = fileURLToPath(new URL('./hunt.js', import.meta.url))

export interface Verdict {
  isCaught: boolean
  /** For people. */
  line: string
}

/** `isTold`: with the story of the run that catches it, made short. */
export async function verdictOn(number: number, { seeds = SEEDS, isTold = false } = {}): Promise<Verdict> {
  const { mistake, breaks } = MUTANTS[number]!
  const hunted = await huntIn([number, seeds].map(String), isTold)
  if (typeof hunted === 'string') return { isCaught: false, line: `BROKEN    ${mistake}: ${hunted}` }
  if (hunted === null) return { isCaught: false, line: `SURVIVES  ${mistake}: ${seeds} seeds` }
  const { seed, invariant, message, story = [], steps = [] } = hunted
  const isCaught = (breaks as readonly string[]).includes(invariant)
  const said = isCaught ? '' : `, not ${breaks.join(' or ')}: ${message}`
  const line = `${isCaught ? 'caught   ' : 'MISTAKEN '} ${mistake}: seed ${seed}, ${invariant}${said}`
  const told = isTold ? [`steps ${steps.join()}: ${message}`, ...story] : []
  return { isCaught, line: [line, ...told].join('\n') }
}

/** What the process says, or why it ended without. */
function huntIn(given: readonly string[], isTold: boolean): Promise<Hunted | string | null> {
  const args = ['--import', APPLY, HUNT, ...given, ...(isTold ? ['story'] : [])]
  const child = spawn(process.execPath, args, {
    env: { ...process.env, MUTANT: given[0] },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [told, failed] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (told += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (failed += text))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', () => {
      const last = told.trim().split('\n').at(-1) ?? ''
      resolve(last === '' ? failed : (JSON.parse(last) as Hunted | null))
    })
  })
}
