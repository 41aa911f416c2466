// One simulation from one seed: sets the world up without faults, runs clients in a storm of faults for some steps, and
// checks all invariants after every step. The same seed gives the same run, step by step.
import { charts } from '../../machines/index.js'
import type { ChartBook } from '../../src/actor/turn.js'
import { SimulatedHost, type Step } from '../../src/host/simulated.js'
import { Random } from '../support/random.js'
import { NO_FAULTS, type FaultRates } from '../../src/host/simulated/faultRates.js'
import { Invariants } from './invariants.js'
import { traceLine } from './trace.js'
import { Violated, type Invariant } from './violated.js'
import { Workload } from './workload.js'

/** A step, and the clock after it, epoch ms. */
export interface Past {
  now: number
  step: Step
}

export interface Outcome {
  seed: number
  /** All steps, those of the set-up and of the calm at the end included. */
  steps: number
  violation?: { invariant: Invariant; message: string }
  past: readonly Past[]
  /** One line per step. */
  trace: () => string[]
}

export interface Options {
  /** Steps in the storm; 600 by default. */
  steps?: number
  book?: ChartBook
}

const DAY = 24 * 60 * 60_000
/** Monday, 2026-03-02, 00:00 UTC. */
const START = 1_772_409_600_000

function storm(random: Random): FaultRates {
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

class Simulation {
  readonly past: Past[] = []
  readonly #random: Random
  readonly #host: SimulatedHost
  readonly #invariants: Invariants
  readonly #workload: Workload
  #faultRates = NO_FAULTS
  #broken: Violated | undefined

  constructor(random: Random, book: ChartBook) {
    this.#random = random
    this.#host = new SimulatedHost(book, random, () => this.#faultRates)
    this.#host.now = START + random.below(7 * DAY)
    this.#invariants = new Invariants(this.#host)
    this.#workload = new Workload(this.#host, random, (letter, reply) => {
      this.#check(() => this.#invariants.acknowledged(letter, reply))
    })
  }

  /** Calm, storm and calm again; throws the first Violated. */
  async play(steps: number): Promise<void> {
    await this.#workload.setUp(() => this.#settle())
    this.#faultRates = storm(this.#random)
    await this.#storm(steps, this.#random.pick([0.08, 0.15, 0.3]))
    this.#faultRates = NO_FAULTS
    await this.#settle()
    this.#invariants.quiet({ over: false })
    this.#host.now += 40 * DAY
    await this.#settle()
    this.#invariants.quiet({ over: true })
    const { waiting } = this.#workload
    if (waiting > 0) throw new Violated('quiet', `${waiting} commands were neither answered nor lost`)
  }

  /** `haste` is the chance, at each step, that a client acts although others are still waiting. */
  async #storm(steps: number, haste: number): Promise<void> {
    for (let left = steps, isBusy = false; left > 0; left -= 1) {
      if (!isBusy || this.#random.chance(haste)) this.#workload.act()
      isBusy = await this.#step()
    }
  }

  async #settle(): Promise<void> {
    while (await this.#step());
  }

  /** False if nothing moved. */
  async #step(): Promise<boolean> {
    const step = this.#host.step()
    this.past.push({ now: this.#host.now, step })
    this.#check(() => this.#invariants.after(step))
    // Replies are delivered before anything else happens.
    await Promise.resolve()
    if (this.#broken) throw this.#broken
    return step.kind !== 'quiet'
  }

  /** A violation that is found in a reply must not be thrown into the host. */
  #check(invariants: () => void): void {
    try {
      invariants()
    } catch (error) {
      if (!(error instanceof Violated)) throw error
      this.#broken ??= error
    }
  }
}

/** Runs one seed; a violation ends it and is part of the outcome, anything else that throws is a bug. */
export async function simulate(seed: number, { steps = 600, book = charts }: Options = {}): Promise<Outcome> {
  const simulation = new Simulation(new Random(seed), book)
  const { past } = simulation
  const trace = (): string[] => past.map(({ now, step }, index) => traceLine(index, now - START, step))
  try {
    await simulation.play(steps)
    return { seed, steps: past.length, past, trace }
  } catch (error) {
    if (!(error instanceof Violated)) throw error
    const { invariant, message } = error
    return { seed, steps: past.length, violation: { invariant, message }, past, trace }
  }
}
