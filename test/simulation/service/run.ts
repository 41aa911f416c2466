// One run of the whole service from one seed: clients of several organizations act, together and after each other, while
// the clock jumps, the service restarts and its courier dies. Each step has chances of its own, so that a run without
// some of its steps is still the same run.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextRound } from 'node:timers/promises'
import { Random } from '../../support/random.js'
import { outcomeOf, stepsIn, type Options, type Outcome } from '../outcome.js'
import { ACTIONS } from './actions/index.js'
import { SimulatedCourier } from './courier.js'
import { founded } from './setUp.js'
import { makeFolder, SimulatedService } from './simulatedService.js'
import { VirtualTimers } from './timers.js'
import { watchesOf } from './watches/index.js'
import { World } from './world.js'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** Monday, 2026-03-02, 00:00 UTC. */
const START = 1_772_409_600_000
const SHARES = ACTIONS.reduce((sum, { share }) => sum + share, 0)
const BASE_NAME = join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'bursar-simulated-')
/** Rounds after the storm, three days: an approval that is escalated waits a day twice. Then all that is left is delivered. */
const WAITS = 9
const DELIVERIES = 8

/** How often each fault happens in this run. */
function faultsOf(random: Random) {
  return {
    together: random.pick([0, 0, 0.2]),
    jump: random.pick([0, 0.03]),
    back: random.pick([0, 0, 0.02]),
    stuck: random.pick([0, 0.3]),
    restart: random.pick([0, 0.02]),
    tick: random.pick([0.1, 0.5]),
    courier: random.pick([0.2, 0.6]),
    die: random.pick([0, 0.03]),
    tickMs: random.pick([200, 5 * SECOND, 40 * SECOND]),
  }
}

class Run {
  readonly world: World
  readonly #seed: number
  readonly #folder = mkdtempSync(BASE_NAME)
  readonly #courier: SimulatedCourier
  readonly #faults: ReturnType<typeof faultsOf>

  constructor(seed: number) {
    this.#seed = seed
    const random = this.#randomOf(0)
    this.#faults = faultsOf(random)
    makeFolder(this.#folder, random)
    this.#courier = new SimulatedCourier(random, () => this.world.now)
    this.world = new World(START + random.below(DAY), (world) => {
      const timers = new VirtualTimers(() => world.elapsed)
      const outside = { folder: this.#folder, random, now: () => world.now, timers, courier: this.#courier }
      return new SimulatedService(outside)
    })
    this.world.watches.push(...watchesOf(this.world, this.#courier))
  }

  async play(steps: Iterable<number>): Promise<void> {
    await this.world.service.start()
    const random = this.#randomOf(0)
    const { story } = this.world
    story.note(this.world.now, 'Two organizations begin, each with four people, two agents, and all that they pay from')
    story.isQuiet = true
    for (const name of ['one', 'two']) await founded(this.world, random, name)
    story.isQuiet = false
    for (const step of steps) await this.#step(this.#randomOf(step))
    await this.#calm()
    story.note(this.world.now, 'Time has passed, and all is looked at')
    story.isQuiet = true
    for (const watch of this.world.watches) await watch.over?.()
  }

  async end(): Promise<void> {
    await this.world.service.stop()
    rmSync(this.#folder, { recursive: true })
  }

  #randomOf(step: number): Random {
    return new Random(this.#seed * 100_003 + step)
  }

  async #step(random: Random): Promise<void> {
    const { together, restart, tick, courier, die } = this.#faults
    this.#pass(random)
    if (random.chance(restart)) await this.#restart()
    if (random.chance(die)) this.#courier.die()
    if (random.chance(courier)) this.#courier.work()
    if (random.chance(tick)) await this.world.service.tick()
    const count = random.chance(together) ? 2 + random.below(3) : 1
    await Promise.all(Array.from({ length: count }, () => this.#act(random)))
  }

  #act(random: Random): Promise<void> {
    const { world } = this
    const organization = random.pick(world.organizations)
    let lot = random.below(SHARES)
    const action = ACTIONS.find(({ share }) => (lot -= share) < 0)!
    return action.act({ world, random, organization })
  }

  #pass(random: Random): void {
    const { jump, back, stuck, tickMs } = this.#faults
    if (random.chance(stuck)) return
    this.world.pass(random.below(2 * tickMs))
    if (random.chance(jump)) this.world.pass(random.pick([10 * MINUTE, HOUR, 6 * HOUR, 25 * HOUR]))
    if (random.chance(back)) this.world.pass(random.pick([-10 * SECOND, -20 * MINUTE]))
  }

  async #restart(): Promise<void> {
    const { world } = this
    world.story.note(world.now, 'The service restarts')
    await world.service.stop()
    await world.service.start()
  }

  /** The time of everything passes that ends by itself; then receivers accept what is left. */
  async #calm(): Promise<void> {
    const { world } = this
    this.#courier.heal()
    for (let round = 0; round < WAITS; round += 1) {
      world.pass(8 * HOUR)
      await world.service.tick()
    }
    for (let round = 0; round < DELIVERIES; round += 1) {
      world.pass(11 * MINUTE)
      await world.service.tick()
      // What is due is read from disk and handed over, each in a round of its own.
      for (const _ of [1, 2, 3]) await nextRound()
      this.#courier.workOff()
      await world.service.store.flushed()
    }
  }
}

/** Plays the steps of a seed, or only those that are given. */
export function simulateService(seed: number, options: Options = {}): Promise<Outcome> {
  const run = new Run(seed)
  const { world } = run
  return outcomeOf(seed, stepsIn(options, 200), {
    play: (steps) => run.play(steps),
    end: () => run.end(),
    commands: () => world.requests,
    trace: world.story.lines,
    readable: (message) => world.story.readable(message),
  })
}
