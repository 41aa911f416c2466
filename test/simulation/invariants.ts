// The invariants after every step of a simulation, in terms of rows, states and replies alone, so that they do not copy
// the charts. They only read; the first violation throws a Violated that names it.
import type { Actor } from '../../src/actor/actor.js'
import type { PaymentContext } from '../../machines/payment.js'
import { kindOf } from '../../src/actor/actor.js'
import type { Reply } from '../../src/actor/host.js'
import type { DelegationTerms } from '../../src/domain/delegation.js'
import type { Entry, Gate, Ref } from '../../src/domain/gate.js'
import type { Sums } from '../../src/domain/sums.js'
import type { Violation } from '../../src/domain/violation.js'
import { windowsAt, type Period } from '../../src/domain/windows.js'
import type { SimulatedHost, Step } from '../../src/host/simulated.js'
import type { Letter } from '../host/messages.js'
import { Tallies } from './tallies.js'
import { Violated, type Invariant } from './violated.js'

type TurnStep = Step & { kind: 'turn' }

const FINAL = new Set(['executed', 'denied', 'cancelled', 'expired', 'rejected', 'revoked', 'deleted'])
/** States of a gate in which it captures nothing. */
const BARRED = /^(registered\.(paused|suspended|revoked)|kept\.(frozen|archived)|revoked|blocked|unmetBlocked|deleted)$/
/** The state in which an acknowledged command leaves its actor. */
const PROMISED: Record<string, string> = {
  EXECUTE: 'executed',
  CANCEL: 'cancelled',
  REVOKE: 'revoked',
  BLOCK: 'blocked',
  PAUSE: 'registered.paused',
  FREEZE: 'kept.frozen',
}
/** The rows that a payment at rest has at all of its gates. */
const ROWS: Record<string, (row: Entry | undefined) => boolean> = {
  awaitingApproval: (row) => row?.state === 'held',
  permitted: (row) => row?.state === 'held',
  approved: (row) => row?.state === 'held',
  executed: (row) => row?.state === 'captured',
  denied: (row) => !isOpenRow(row),
  cancelled: (row) => !isOpenRow(row),
  expired: (row) => !isOpenRow(row),
}
const BLOCKED = /^(blocked|unmetBlocked)$/
/** The commands that lift a block; neither deletion nor registration does. */
const LIFTS = new Set(['UNBLOCK', 'TRUST', 'VERIFY', 'RESET'])
const LIMITS: [Period, keyof DelegationTerms & `spendLimit${string}`][] = [
  ['day', 'spendLimitDaily'],
  ['week', 'spendLimitWeekly'],
  ['month', 'spendLimitMonthly'],
]

function isOpenRow(row: Entry | undefined): boolean {
  return row?.state === 'held' || row?.state === 'captured'
}

function total(rows: Iterable<Entry>, state: Entry['state'], since = -Infinity): number {
  let sum = 0
  for (const row of rows) if (row.state === state && (row.capturedAt ?? 0) >= since) sum += row.amount
  return sum
}

/** Fields of contexts; which of them there are depends on the kind of the actor. */
interface Fields {
  organization: string
  clock: number
  amount: number
  terms: DelegationTerms
  sums: Sums
  balance: number
  held: number
  executed: number
  transactionCount: number
  totalVolume: number
  owner: string | null
  gates: Gate[]
  attempt: number
  expiresAt: number
  causes: Violation[]
  version: number
  definition: unknown
  change: unknown
}

const fieldsOf = (actor: Actor): Fields => actor.context as unknown as Fields

export class Invariants {
  readonly #host: SimulatedHost
  readonly #funded = new Map<Ref, number>()
  readonly #executions = new Map<Ref, number>()
  readonly #acknowledged = new Map<Ref, { revision: number; state: string }>()
  readonly #tallies: Tallies
  /** Approval requests that were announced as decided. */
  readonly #decided = new Set<string>()
  /** Gates acknowledged as barred, until a command lets them capture again. */
  readonly #barred = new Set<Ref>()

  constructor(host: SimulatedHost) {
    this.#host = host
    this.#tallies = new Tallies(host)
  }

  /** To be called after every step. */
  after(step: Step): void {
    if (step.kind === 'crash') for (const actor of this.#host.actors.values()) this.#stored(actor)
    if (step.kind !== 'turn') return
    this.#border(step)
    this.#books(step)
    this.#tallies.after(step)
    this.#versions(step)
    this.#barriers(step)
    this.#time(step)
    this.#row(step)
    this.#executed(step)
    this.#asked(step)
    this.#stored(step.turn.actor)
  }

  /** To be called with every reply, before the next step. */
  acknowledged({ to, message }: Letter, reply: Reply): void {
    const { state, revision } = reply.actor
    const current = this.#host.actors.get(to)
    this.#demand('acknowledged', (current?.revision ?? 0) === revision, `${to} is not as ${message.type} was answered`)
    const promised = PROMISED[message.type]
    const isKept = !reply.ok || promised === undefined || promised === state
    this.#demand('acknowledged', isKept, `${message.type} to ${to} was answered, which is ${state}`)
    this.#acknowledged.set(to, { revision, state })
    if (BARRED.test(state)) this.#barred.add(to)
  }

  /** To be called when nothing moves any more; `over` if the time of every payment has passed, too. */
  quiet({ over }: { over: boolean }): void {
    for (const actor of this.#host.actors.values()) {
      this.#stored(actor)
      const { state, ref } = actor
      const waits =
        /^(claiming|unclaiming|droppingName|reserving|extending|capturing|restoring|releasing|admitting|claimingHash|settling)/.test(
          state,
        )
      this.#demand('quiet', !waits, `${ref} is ${state}`)
      const lives = state === 'approved' || state === 'awaitingApproval'
      this.#demand('quiet', !(over && lives), `${ref} is ${state} although its time is over`)
    }
    for (const [gate, rows] of this.#host.entries) {
      if (kindOf(gate) === 'claim') continue
      for (const [holder, row] of rows) this.#owned(gate, holder, row)
    }
  }

  #owned(gate: Ref, holder: string, row: Entry): void {
    const state = this.#host.actors.get(`payment/${holder}`)?.state ?? 'nowhere'
    const isOwned = row.state !== 'held' || ['approved', 'awaitingApproval', 'permitted'].includes(state)
    this.#demand('quiet', isOwned, `${gate} holds for ${holder}, which is ${state}`)
  }

  #border({ turn: { actor, changed, entry }, message }: TurnStep): void {
    const { organization } = fieldsOf(actor)
    if (changed) this.#demand('border', organization === message.organization, `${message.type} to ${actor.ref}`)
    const payment = entry && this.#host.actors.get(`payment/${message.holder}`)
    const isOwn = !payment || fieldsOf(payment).organization === message.organization
    this.#demand('border', isOwn, `${actor.ref} keeps a row for ${message.holder}`)
  }

  #books(step: TurnStep): void {
    const { message, turn } = step
    const { ref } = turn.actor
    if (message.type === 'FUND' && turn.changed) {
      this.#funded.set(ref, (this.#funded.get(ref) ?? 0) + (message['amount'] as number))
    }
    if (kindOf(ref) === 'delegation' && turn.entry) this.#limit(step, turn.entry)
  }

  /** Sums are counted from the rows, as they were before this turn and as they are after it. */
  #limit({ turn: { actor }, row, message }: TurnStep, after: Entry): void {
    const { terms, clock } = fieldsOf(actor)
    const windows = windowsAt(clock, terms.timezone)
    const others = [...this.#host.entries.get(actor.ref)!].filter(([holder]) => holder !== message.holder)
    const rest = others.map(([, other]) => other)
    const before = row ? [...rest, row] : rest
    for (const [period, limit] of LIMITS) {
      const { start } = windows[period]
      const spent = (rows: Entry[]): number => total(rows, 'captured', start)
      const counted = (rows: Entry[]): number => spent(rows) + total(rows, 'held')
      const now = [...rest, after]
      // A payment that is already made counts, whatever the limit is now.
      const isMoved = message.type === 'SETTLE'
      const isRaised = counted(now) > counted(before) || (!isMoved && spent(now) > spent(before))
      const most = (terms[limit] as number | null) ?? Infinity
      const detail = `${message.type} brought ${actor.ref} to ${counted(now)} of ${most} a ${period}`
      this.#demand('limit', !isRaised || counted(now) <= most, detail)
    }
  }

  #versions({ before, turn: { actor, changed } }: TurnStep): void {
    if (kindOf(actor.ref) !== 'policy' || !changed) return
    const [old, now] = [before && fieldsOf(before), fieldsOf(actor)]
    const rise = now.version - (old?.version ?? 0)
    const isRight = now.definition === old?.definition ? rise === 0 : rise === 1
    this.#demand('versions', isRight && now.change !== null, `${actor.ref} went from ${old?.version} to ${now.version}`)
  }

  #barriers({ before, turn: { actor, entry, violations }, row, message, by }: TurnStep): void {
    const { ref, state } = actor
    const captures = entry?.state === 'captured' && row?.state !== 'captured'
    const isBarred = this.#barred.has(ref) && message.type !== 'SETTLE'
    this.#demand('barred', !captures || !isBarred, `${ref} captured ${message.holder}`)
    this.#demand(
      'barred',
      message.type !== 'ADMIT' || !isBarred || violations.length > 0,
      `${ref} admitted an execution`,
    )
    if (by === 'command' && !BARRED.test(state)) this.#barred.delete(ref)
    const isLifted = BLOCKED.test(before?.state ?? '') && !BLOCKED.test(state)
    this.#demand('barred', !isLifted || LIFTS.has(message.type), `${message.type} lifted the block of ${ref}`)
  }

  #time({ before, turn, message, by }: TurnStep): void {
    if (!before || kindOf(before.ref) !== 'payment' || !turn.changed) return
    // A permitted payment does not end by time.
    if (before.state === 'permitted') return
    const left = fieldsOf(before).expiresAt - message.now
    this.#demand('time', by !== 'timer' || left <= 0, `${before.ref} was woken ${left} ms early`)
    this.#demand('time', by !== 'command' || left > 0, `${before.ref} took ${message.type} ${-left} ms late`)
  }

  #row({ turn: { actor, entry }, row, message }: TurnStep): void {
    if (!entry) return
    const wasClosed = row?.state === 'released' || row?.state === 'refused'
    this.#demand('closed', !wasClosed || row.state === entry.state, `${actor.ref} reopened ${message.holder}`)
    const payment = this.#host.actors.get(`payment/${message.holder}`)
    if (payment) this.#rows(payment)
  }

  #executed({ turn: { actor, events } }: TurnStep): void {
    if (!events.some(({ event }) => event === 'payment.executed')) return
    const times = (this.#executions.get(actor.ref) ?? 0) + 1
    this.#executions.set(actor.ref, times)
    this.#demand('once', times === 1, `${actor.ref} was executed ${times} times`)
  }

  #asked({ turn: { actor, events } }: TurnStep): void {
    if (kindOf(actor.ref) !== 'payment') return
    const { approval, decision, review } = actor.context as unknown as PaymentContext
    for (const { event } of events.filter((one) => /^approval\.(approved|denied)$/.test(one.event))) {
      this.#demand(
        'asked',
        !this.#decided.has(approval!.id),
        `${actor.ref} announces ${event} of ${approval!.id} again`,
      )
      this.#decided.add(approval!.id)
    }
    const needsPerson = (review ?? decision)?.outcome === 'REQUIRES_APPROVAL'
    if (!needsPerson || !['executed', 'permitted', 'capturing'].includes(actor.state)) return
    const { steps, step, decisions, barred } = approval!
    const agreed = decisions.filter((one) => one.step === step && one.decision === 'APPROVED')
    const people = new Set(agreed.map(({ by }) => by.countsAs.id))
    const isEnough = people.size === agreed.length && people.size >= steps[step]!.requiredApprovals
    const isBarred = barred.some(({ id }) => people.has(id))
    this.#demand(
      'asked',
      isEnough && !isBarred,
      `${actor.ref} is ${actor.state}, approved by ${[...people].join(' and ')}`,
    )
  }

  /** The invariants of an actor at any time. */
  #stored(actor: Actor): void {
    const known = this.#acknowledged.get(actor.ref)
    const isLater = !known || actor.revision >= known.revision
    const isKept = !known || !FINAL.has(known.state) || actor.state === known.state
    this.#demand('acknowledged', isLater && isKept, `${actor.ref} was ${known?.state} and is ${actor.state}`)
    const kind = kindOf(actor.ref)
    const rows = [...(this.#host.entries.get(actor.ref)?.values() ?? [])]
    this.#tallies.stored(actor)
    if (kind === 'payment') this.#rows(actor)
    if (kind === 'delegation') this.#delegation(actor, rows)
    if (kind === 'wallet') this.#wallet(actor, rows)
    if (kind === 'counterparty') this.#counterparty(actor, rows)
    if (kind === 'agent') this.#agent(actor, rows)
    if (kind === 'claim') this.#claim(actor)
    if (kind === 'agent' || kind === 'wallet' || kind === 'delegation') this.#owner(actor)
  }

  #rows({ ref, state, context }: Actor): void {
    const agrees = ROWS[state]
    if (!agrees) return
    const { gates, attempt, causes } = context as unknown as Fields
    const isByPerson = (context as unknown as PaymentContext).approval?.status === 'DENIED'
    this.#demand('causes', state !== 'denied' || causes.length > 0 || isByPerson, `${ref} is denied`)
    for (const { ref: gate, holder, amount } of gates) {
      const row = this.#host.entry(gate, holder)
      const isRight = agrees(row) && (!isOpenRow(row) || row?.amount === amount)
      this.#demand('rows', isRight, `${ref} is ${state}, its row at ${gate} is ${row?.state}`)
      const isThis = state !== 'executed' || row?.attempt === attempt
      this.#demand('rows', isThis, `${ref} was executed by attempt ${attempt}, ${gate} captured ${row?.attempt}`)
    }
  }

  #delegation({ ref, context }: Actor, rows: Entry[]): void {
    const { sums } = context as unknown as Fields
    this.#equal(ref, 'held', sums.held, total(rows, 'held'))
    for (const [period] of LIMITS) {
      const { start, spent } = sums[period]
      this.#equal(ref, `spent this ${period}`, spent, total(rows, 'captured', start))
    }
  }

  #wallet({ ref, context }: Actor, rows: Entry[]): void {
    const { balance, held } = context as unknown as Fields
    this.#equal(ref, 'held', held, total(rows, 'held'))
    this.#equal(ref, 'balance', balance, (this.#funded.get(ref) ?? 0) - total(rows, 'captured'))
    this.#demand('balance', 0 <= held && held <= balance, `${ref} holds ${held} of ${balance}`)
  }

  #counterparty({ ref, context }: Actor, rows: Entry[]): void {
    const { transactionCount, totalVolume } = context as unknown as Fields
    this.#equal(ref, 'payments', transactionCount, rows.filter(({ state }) => state === 'captured').length)
    this.#equal(ref, 'volume', totalVolume, total(rows, 'captured'))
  }

  #agent(agent: Actor, rows: Entry[]): void {
    const { executed } = fieldsOf(agent)
    this.#equal(agent.ref, 'executed', executed, rows.filter(({ state }) => state === 'captured').length)
  }

  #claim({ ref, context }: Actor): void {
    const { owner } = context as unknown as Fields
    const rows = [...(this.#host.entries.get(ref) ?? [])]
    const owners = rows.filter(([, row]) => isOpenRow(row)).map(([holder]) => holder)
    const isOwned = owners.length <= 1 && owner === (owners[0] ?? null)
    this.#demand('names', isOwned, `${ref} belongs to ${owner}, its rows say ${owners.join(' and ')}`)
  }

  #owner({ ref, state, context }: Actor): void {
    const { gates } = context as unknown as Fields
    const owns = /^(registered|kept|active)/.test(state)
    if (!owns && !FINAL.has(state)) return
    const held = gates.filter(({ ref: gate, holder }) => this.#host.entry(gate, holder)?.state === 'held').length
    this.#demand('names', held === (owns ? 1 : 0), `${ref} is ${state} and owns ${held} claims`)
  }

  #equal(ref: Ref, what: string, kept: number, counted: number): void {
    this.#demand('sums', kept === counted, `${ref} keeps ${kept} as ${what}, its rows say ${counted}`)
  }

  #demand(invariant: Invariant, holds: boolean, detail: string): asserts holds {
    if (!holds) throw new Violated(invariant, detail)
  }
}
