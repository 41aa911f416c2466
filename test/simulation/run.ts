// One simulation from one seed: sets the world up in calm weather, lets clients and storm loose on it for some steps,
// and looks after every step whether all invariants hold. The same seed gives the same run, step by step.
import { charts } from '../../machines/index.js'
import type { ChartBook } from '../../src/actor/turn.js'
import { SimulatedHost, type Step } from '../../src/host/simulated.js'
import { Random } from '../../src/host/simulated/random.js'
import { CALM, type Weather } from '../../src/host/simulated/weather.js'
import { Invariants, Violated, type Invariant } from './invariants.js'
import { traceLine } from './trace.js'
import { Workload } from './workload.js'

export interface Outcome {
  seed: number
  /** Steps in all, with set-up and the calm at the end. */
  steps: number
  violation?: { invariant: Invariant; message: string }
  /** One line a step. */
  trace: () => string[]
}

export interface Options {
  /** Steps in the storm. */
  steps?: number
  book?: ChartBook
}

const DAY = 24 * 60 * 60_000
/** Monday, 2026-03-02, 00:00 UTC. */
const START = 1_772_409_600_000

function storm(random: Random): Weather {
  return {
    reorders: true,
    delay: random.pick([0, 0.05, 0.3]),
    lose: random.pick([0, 0.02, 0.1, 0.25]),
    duplicate: random.pick([0, 0.05, 0.2]),
    loseCommand: random.pick([0, 0.03]),
    duplicateCommand: random.pick([0, 0.1]),
    askAgain: random.pick([0.02, 0.08]),
    fireTimer: random.pick([0.01, 0.1]),
    fireEarly: random.pick([0, 0.01]),
    crash: random.pick([0, 0.005, 0.02]),
    tickMs: random.pick([2, 20, 100]),
  }
}

/** Runs one seed; a violation ends it and is part of the outcome, anything else that throws is a bug. */
export async function simulate(seed: number, { steps = 450, book = charts }: Options = {}): Promise<Outcome> {
  const random = new Random(seed)
  const past: { now: number; step: Step }[] = []
  let weather = CALM
  const host = new SimulatedHost(book, random, () => weather)
  host.now = START + random.below(7 * DAY)
  const invariants = new Invariants(host)
  let broken: Violated | undefined
  const workload = new Workload(host, random, (letter, reply) => {
    broken ??= caught(() => invariants.acknowledged(letter, reply))
  })

  const step = async (): Promise<boolean> => {
    const done = host.step()
    past.push({ now: host.now, step: done })
    broken ??= caught(() => invariants.after(done))
    // Replies are told before anything else happens.
    await null
    if (broken) throw broken
    return done.kind !== 'quiet'
  }
  const settle = async (): Promise<void> => {
    while (await step());
  }

  try {
    await workload.setUp(settle)
    weather = storm(random)
    const haste = random.pick([0.08, 0.15, 0.3])
    for (let left = steps, isBusy = false; left > 0; left -= 1) {
      if (!isBusy || random.chance(haste)) workload.act()
      isBusy = await step()
    }
    weather = CALM
    await settle()
    invariants.quiet({ over: false })
    host.now += 40 * DAY
    await settle()
    invariants.quiet({ over: true })
    if (workload.waiting > 0) throw new Violated('quiet', `${workload.waiting} commands were never answered`)
  } catch (error) {
    if (!(error instanceof Violated)) throw error
    broken = error
  }
  const trace = (): string[] => past.map(({ now, step: done }, index) => traceLine(index, now - START, done))
  const violation = broken && { invariant: broken.invariant, message: broken.message }
  return { seed, steps: past.length, ...(violation && { violation }), trace }
}

function caught(look: () => void): Violated | undefined {
  try {
    look()
    return undefined
  } catch (error) {
    if (error instanceof Violated) return error
    throw error
  }
}
