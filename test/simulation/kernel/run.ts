// One simulation from one seed, on the real host and a real store: clients make commands, which arrive late, twice, in
// batches, in any order or never; the clock jumps, timers are early and late, attempts are dropped, and the store is
// closed and opened again. The invariants are checked after every commit. The same seed gives the same run, and each
// step has chances of its own, so that a run without some of its steps is still the same run.
import { charts } from '../../../machines/index.js'
import type { DomainEvent, Message } from '../../../src/actor/actor.js'
import type { Attempt, Reply } from '../../../src/actor/attempt.js'
import type { Ref } from '../../../src/domain/limits/gate.js'
import type { Change } from '../../../src/store/change.js'
import { say } from '../../support/messages.js'
import { StoredHost } from '../../support/storedHost.js'
import { Random } from '../../support/random.js'
import { Books } from './books.js'
import { History } from './history.js'
import { SimulatedJournal } from './journal.js'
import { Invariants } from './invariants.js'
import { demandStats } from './stats.js'
import { outcomeOf, stepsIn, type Options, type Outcome } from '../outcome.js'
import { demand, Violated } from '../violated.js'
import { Workload, type Command } from './workload.js'

const BY = { type: 'test', id: 'client' }
const SECOND = 1_000
const HOUR = 60 * 60 * SECOND
const DAY = 24 * HOUR
/** Monday, 2026-03-02, 00:00 UTC. */
const START = 1_772_409_600_000
/** Some across midnight. */
const JUMPS = [HOUR, HOUR, 12 * HOUR, DAY, -HOUR / 2, -10 * SECOND, -3 * HOUR]
/** More than any run has steps. */
const STRIDE = 100_003
const OUTSIDE = /outside its organization/

/** How often each fault happens in this run. */
function storm(random: Random) {
  return {
    haste: random.pick([0.3, 0.6, 0.9]),
    batch: random.pick([1, 2, 6]),
    duplicate: random.pick([0, 0.05, 0.2]),
    lose: random.pick([0, 0.03]),
    drop: random.pick([0, 0.05]),
    timer: random.pick([0.02, 0.1]),
    early: random.pick([0, 0.02]),
    restart: random.pick([0, 0.01, 0.03]),
    jump: random.pick([0, 0.03, 0.1]),
    tickMs: random.pick([20, 200, 2_000]),
  }
}

class Simulation {
  readonly trace: string[] = []
  readonly #seed: number
  readonly #random: Random
  readonly #books: Books
  readonly #invariants: Invariants
  readonly #workload: Workload
  readonly #stored: StoredHost
  readonly #journal: SimulatedJournal | undefined
  readonly #history = new History()
  /** Batches that are not answered yet. */
  #underWay: Promise<unknown>[] = []
  #pending: Command[] = []
  #broken: unknown

  constructor(seed: number, journal?: SimulatedJournal) {
    const random = new Random(seed)
    this.#seed = seed
    this.#random = random
    this.#journal = journal
    this.#books = new Books(START + random.below(7 * DAY))
    this.#stored = new StoredHost(charts, (change, events) => this.#committed(change, events), journal)
    this.#invariants = new Invariants(this.#books, () => this.#stored.host)
    this.#workload = new Workload(this.#books, random)
  }

  /** Throws the first Violated. Ends early where the owner of the journal is stopped. */
  async play(steps: Iterable<number>): Promise<void> {
    try {
      await this.#play(steps)
    } catch (error) {
      if (error instanceof Violated || !this.#journal?.isStopped) throw error
      await this.#stopped(this.#journal)
    }
  }

  async #play(steps: Iterable<number>): Promise<void> {
    for (const commands of this.#workload.setUp()) await this.#batch(commands)
    const faults = storm(this.#random)
    for (const step of steps) {
      this.#random.restart(this.#seed * STRIDE + step)
      await this.#step(faults)
    }
    await this.#batch(this.#pending)
    this.#books.now += 40 * DAY
    // The second step of an approval has its own time.
    for (const _ of [1, 2, 3]) await this.#wake()
    await this.#restart()
    this.#invariants.over()
    await demandStats(this.#stored.store)
  }

  close(): Promise<void> {
    return this.#stored.close()
  }

  async #step(faults: ReturnType<typeof storm>): Promise<void> {
    const random = this.#random
    this.#tick(faults)
    if (random.chance(faults.restart)) await this.#restart()
    if (random.chance(faults.timer)) await this.#wake()
    if (random.chance(faults.early)) await this.#wakeEarly()
    this.#pending.push(...this.#workload.act())
    if (!random.chance(faults.haste)) return
    const batch: Command[] = []
    const most = 1 + random.below(faults.batch)
    while (batch.length < most && this.#pending.length > 0) {
      const place = random.below(this.#pending.length)
      const command = this.#pending[place]!
      if (!random.chance(faults.duplicate)) this.#pending.splice(place, 1)
      if (!random.chance(faults.lose)) batch.push(command)
    }
    await this.#batch(batch, faults.drop)
  }

  /** Clocks run on, and sometimes jump forth or back. */
  #tick({ jump, tickMs }: ReturnType<typeof storm>): void {
    const random = this.#random
    this.#books.now += random.below(2 * tickMs)
    if (random.chance(jump)) this.#books.now += random.pick(JUMPS)
  }

  /** All in one stretch of the event loop, so that they are under way together. */
  async #batch(commands: readonly Command[], drop = 0): Promise<void> {
    const done = commands.map((command) => this.#deliver(command, this.#random.chance(drop)))
    const answered = Promise.all(done)
    answered.catch(() => {})
    if ((await this.#journal?.overlaps()) === true) {
      this.#underWay.push(answered)
    } else {
      await this.#answered(answered)
    }
    if (this.#broken) throw this.#broken
  }

  async #answered(last?: Promise<unknown>): Promise<void> {
    await Promise.all([...this.#underWay.splice(0), last])
  }

  /** The next owner has what was answered, and the one before adds nothing to it. */
  async #stopped(journal: SimulatedJournal): Promise<void> {
    this.trace.push('stop')
    await Promise.allSettled(this.#underWay)
    await this.#stored.moveOn()
    this.#history.continuedBy(this.#stored.store)
    await demandStats(this.#stored.store)
    demand('acknowledged', await journal.isFenced(), () => 'the former owner has written over the next one')
  }

  /** A violation must not be thrown into the host, which would be a failure of its own. */
  #committed(change: Change, events: readonly DomainEvent[]): void {
    this.#history.add(change)
    try {
      this.#invariants.committed(change, events)
    } catch (error) {
      this.#broken ??= error
    }
  }

  /** Without an await before the commit. */
  #deliver(command: Command, isDropped: boolean): Promise<void> {
    const { letters, grounds, isTrespass } = command
    try {
      const unchanged = (view: (ref: Ref) => { revision: number } | undefined): boolean =>
        grounds.every(({ ref, revision }) => view(ref)?.revision === revision)
      const attempt = this.#stored.host.attempt(BY, unchanged)
      if (!attempt) {
        this.#trace(letters[0]!, 'conflict')
        demand(
          'nothing',
          grounds.some((one) => this.#revision(one.ref) !== one.revision),
          () => 'a false conflict',
        )
        return this.#stored.host.flushed()
      }
      return this.#attempted(command, attempt, isDropped)
    } catch (error) {
      if (this.#journal?.isStopped === true) return this.#stored.host.flushed()
      const isRefused = isTrespass === true && OUTSIDE.test((error as Error).message)
      this.#trace(letters[0]!, String(error))
      if (!isRefused) this.#broken ??= error instanceof Violated ? error : new Violated('works', String(error))
      return Promise.resolve()
    }
  }

  #attempted(command: Command, attempt: Attempt, isDropped: boolean): Promise<void> {
    const { letters, take } = command
    // Only what is dropped is compared, and that is decided here but for a taken key or one letter of several refused.
    const isComparable = isDropped || take !== undefined || letters.length > 1
    const before = isComparable ? this.#sight(command) : ''
    this.#invariants.sending(letters.map(({ message }) => message))
    const organization = letters[0]!.message.organization
    if (take && !attempt.take(take.key, { owner: take.owner, organization }))
      return this.#left(command, before, attempt)
    let reply: Reply | undefined
    for (const { to, message } of letters) {
      reply = attempt.send(to, message)
      if (!reply.ok && letters.length > 1) break
    }
    this.#trace(letters[0]!, reply!.ok ? reply!.actor.state : reply!.code)
    if (isDropped || (letters.length > 1 && !reply!.ok)) return this.#left(command, before, attempt)
    const promised = attempt.sequence()
    const done = attempt.commit()
    const commits = this.#history.length
    const last = this.#stored.store.lastSequence(organization)
    demand('nothing', last === promised, () => `the sequence ${promised} was promised and ${last} committed`)
    const { to, message } = letters.at(-1)!
    this.#invariants.acknowledged(to, message, reply!)
    command.told(reply!)
    return done.then(() => this.#history.answered(commits))
  }

  /** A dropped attempt. */
  #left(command: Command, before: string, attempt: Attempt): Promise<void> {
    const done = attempt.drop()
    const after = this.#sight(command)
    demand('nothing', after === before, () => `${command.letters[0]!.to} was changed by a dropped attempt`)
    return done
  }

  /** All that a command could have changed: every actor of a gate is among the known ones. */
  #sight({ letters, take }: Command): string {
    const refs = new Set([...letters.map(({ to }) => to), ...this.#books.actors.keys()])
    const owner = take && this.#stored.host.keyOwner(take.key)
    const sequence = this.#stored.store.lastSequence(letters[0]!.message.organization)
    return JSON.stringify([[...refs].map((ref) => this.#revision(ref)), owner, sequence])
  }

  #revision(ref: Ref): number {
    return this.#stored.host.peek(ref)?.revision ?? 0
  }

  async #restart(): Promise<void> {
    this.trace.push('restart')
    await this.#answered()
    await this.#stored.restart()
    this.#invariants.stored((ref) => this.#stored.store.actor(ref))
  }

  /** Wakes every payment that is due. */
  async #wake(): Promise<void> {
    const due = [...this.#books.actors.values()].filter(({ state, context }) => {
      const isWaiting = state === 'approved' || state === 'awaitingApproval'
      return isWaiting && (context as unknown as { expiresAt: number }).expiresAt <= this.#books.now
    })
    await this.#batch(due.map(({ ref, context }) => this.#wakeOf(ref, context['organization'] as string)))
  }

  async #wakeEarly(): Promise<void> {
    const payments = [...this.#books.actors.values()].filter(({ ref }) => ref.startsWith('payment/'))
    if (payments.length === 0) return
    const { ref, context } = this.#random.pick(payments)
    await this.#batch([this.#wakeOf(ref, context['organization'] as string)])
  }

  #wakeOf(ref: Ref, organization: string): Command {
    const letters = [say('WAKE', ref, { organization, now: this.#books.now })]
    return { letters, grounds: [], told: () => {} }
  }

  #trace({ to, message }: { to: Ref; message: Message }, answer: string): void {
    const at = String(message.now - START).padStart(11)
    this.trace.push(`${at} ms  ${message.type} to ${to}: ${answer}`)
  }
}

/** Plays the steps of a seed, or only those that are given. */
export function simulateKernel(seed: number, options: Options = {}): Promise<Outcome> {
  // With chances of its own, so that the commands are those of a run without it.
  const journal = options.isShared ? new SimulatedJournal(new Random(-seed)) : undefined
  const simulation = new Simulation(seed, journal)
  const { trace } = simulation
  return outcomeOf(seed, stepsIn(options, 250), {
    play: (steps) => simulation.play(steps),
    end: () => simulation.close(),
    commands: () => trace.length,
    trace,
  })
}
