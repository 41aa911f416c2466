// The invariants after every commit of a simulation, in terms of holds, states and answers alone, so that they do not
// copy the charts. They only read; the first violation throws a Violated that names it.
import { isSameJson, type Json } from '../../../src/domain/values/canonical.js'
import { keysOf } from '../../../src/actor/turn.js'
import { charts } from '../../../machines/index.js'
import type { PaymentContext } from '../../../machines/payment/chart.js'
import type { PolicyContext } from '../../../machines/policy.js'
import type { WalletContext } from '../../../machines/wallet.js'
import { kindOf, type Actor, type DomainEvent, type Message } from '../../../src/actor/actor.js'
import type { Reply } from '../../../src/actor/attempt.js'
import type { ActorHost } from '../../../src/actor/host.js'
import type { DelegationTerms } from '../../../src/domain/parties/delegation.js'
import { causesOf } from '../../../src/domain/payment/terms.js'
import { isCaptured, type Gate, type Hold, type Ref } from '../../../src/domain/limits/gate.js'
import type { Sums } from '../../../src/domain/limits/sums.js'
import { windowsAt, type Period } from '../../../src/domain/time/windows.js'
import type { Change } from '../../../src/store/change.js'
import { captures, holdsOf, total, type Books, type Rows } from './books.js'
import { announced, decidedBy, reviewed } from './told.js'
import { equal, PERIODS, Tallies, type Moved } from './tallies.js'
import { signedIsFollowed } from '../signed.js'
import { demand } from '../violated.js'

const FINAL = new Set(['executed', 'denied', 'cancelled', 'expired', 'failed', 'revoked', 'deleted'])
/** States in which a gate captures nothing, and an organization admits nothing. */
const BARRED = /^(registered\.(paused|suspended|revoked)|kept\.(frozen|archived)|revoked|blocked|unmetBlocked|deleted)$/
/** The state in which an acknowledged command leaves its actor. */
const PROMISED: Record<string, RegExp> = {
  EXECUTE: /^(executed|transferring\.signing)$/,
  CANCEL: /^cancelled$/,
  PERMIT: /^permitted$/,
  CONFIRM: /^executed$/,
  REVOKE: /revoked$/,
  BLOCK: /^blocked$/,
  PAUSE: /^registered\.paused$/,
  FREEZE: /^(kept\.frozen|registered\.suspended)$/,
  DELETE: /^(deleted|unmet|unmetBlocked)$/,
}
const BLOCKED = /^(blocked|unmetBlocked)$/
/** The commands that lift a block; neither deletion nor registration does. */
const LIFTS = new Set(['UNBLOCK', 'TRUST', 'VERIFY', 'RESET'])
/** The words of the agent that pays by itself, and of an administrator. */
const ENDS_PERMIT = new Set(['CONFIRM', 'RELEASE_HOLD'])
/** What a wallet knows of a transfer that is on its way. */
const TRANSFERS: Record<string, Hold['transfer']> = {
  'transferring.signing': 'pending',
  'transferring.submitting': 'pending',
  'transferring.unknown': 'pending',
  'transferred.submitted': 'pending',
  'transferred.confirmed': 'settled',
}
const HELD = new Set(['approved', 'awaitingApproval', 'permitted'])
const PAID = /^(executed|transferring\.|transferred\.)/
const UNDER_WAY = /^(executed|permitted|transferring\.|transferred\.)/
const LIMITS: Record<Period, keyof DelegationTerms & `spendLimit${string}`> = {
  day: 'spendLimitDaily',
  week: 'spendLimitWeekly',
  month: 'spendLimitMonthly',
}

/** Fields of contexts; which of them there are depends on the kind of the actor. */
interface Fields {
  organization: string
  clock: number
  terms: DelegationTerms
  sums: Sums
  executed: number
  transactionCount: number
  totalVolume: number
}

const fieldsOf = (actor: Actor): Fields => actor.context as unknown as Fields
const paymentOf = (actor: Actor): PaymentContext => actor.context as unknown as PaymentContext

export class Invariants {
  readonly #books: Books
  readonly #host: () => Pick<ActorHost, 'keyOwner' | 'timesHeld'>
  readonly #tallies: Tallies
  readonly #funded = new Map<Ref, number>()
  readonly #executions = new Map<Ref, number>()
  /** Approval requests that were announced as decided. */
  readonly #decided = new Set<string>()
  /** The command under way. */
  #sent: readonly Message[] = []

  constructor(books: Books, host: () => Pick<ActorHost, 'keyOwner' | 'timesHeld'>) {
    this.#books = books
    this.#host = host
    this.#tallies = new Tallies(books, (...asked) => host().timesHeld(...asked))
  }

  /** To be called before a command is sent. */
  sending(messages: readonly Message[]): void {
    this.#sent = messages
  }

  /** To be called with every commit. */
  committed(change: Change, events: readonly DomainEvent[]): void {
    const former = new Map(this.#books.actors)
    const before = new Map<Ref, Rows>()
    for (const { after } of change.actors) before.set(after.ref, new Map(this.#books.rowsAt(after.ref)))
    this.#border(change, former)
    for (const { after } of change.actors) this.#books.note(after)
    for (const one of change.audited) this.#commanded(one, change)
    this.#late(change)
    this.#events(events)
    announced(change, events)
    decidedBy(change, this.#sent)
    reviewed(change, this.#sent)
    for (const { before: from, after } of change.actors) {
      if (kindOf(after.ref) === 'payment') this.#moved(from, after, { former, before })
    }
    for (const { before: from, after } of change.actors) {
      signedIsFollowed(from, after)
      this.#changed(from, after)
    }
  }

  /** To be called with every reply, in the same stretch as its commit. */
  acknowledged(to: Ref, { type }: Message, reply: Reply): void {
    const { state, revision } = reply.actor
    const current = this.#books.actors.get(to)
    // An actor that another one's key kept from being created was never there.
    const isShown = current ? current.revision === revision : !reply.ok
    demand('acknowledged', isShown, () => `${to} is not as ${type} was answered`)
    const isKept = !reply.ok || (PROMISED[type]?.test(state) ?? true)
    demand('acknowledged', isKept, () => `${type} to ${to} was answered, which is ${state}`)
  }

  /** Everything at once, on what a store has after a restart. */
  stored(stored: (ref: Ref) => Actor | undefined): void {
    for (const known of this.#books.actors.values()) {
      const actor = stored(known.ref)
      const isSame = isSameJson(actor as unknown as Json, known as unknown as Json)
      demand('acknowledged', isSame, () => `${known.ref} is ${actor?.state} after a restart, and was ${known.state}`)
      this.#standing(actor!)
    }
  }

  /** To be called when nothing moves any more and the time of every payment has passed. */
  over(): void {
    for (const { ref, state } of this.#books.actors.values()) {
      const isAlive = state === 'approved' || state === 'awaitingApproval'
      demand('quiet', !isAlive, () => `${ref} is ${state} although its time is over`)
    }
  }

  #border({ organization, actors }: Change, former: ReadonlyMap<Ref, Actor>): void {
    for (const { before, after } of actors) {
      const { ref } = after
      demand('border', fieldsOf(after).organization === organization, () => `${ref} was changed by ${organization}`)
      const known = former.get(ref)
      demand('acknowledged', known?.revision === before?.revision, () => `${ref} was changed over an older record`)
      const isLater = !before || (fieldsOf(after).clock ?? 0) >= (fieldsOf(before).clock ?? 0)
      demand('time', isLater, () => `the clock of ${ref} ran back`)
      const stays = !known || !FINAL.has(known.state) || isAmended(known, after)
      demand('acknowledged', stays, () => `${ref} was ${known?.state} and is ${after.state}`)
    }
  }

  #commanded({ before, after, turn: { command } }: Change['audited'][number], { at }: Change): void {
    const { ref } = after
    if (command === 'FUND' && this.#sent[0]) {
      const amount = Number(this.#sent[0]['amount'])
      this.#funded.set(ref, (this.#funded.get(ref) ?? 0) + amount)
    }
    const isLifted = BLOCKED.test(before?.state ?? '') && !BLOCKED.test(after.state)
    demand('barred', !isLifted || LIFTS.has(command), () => `${command} lifted the block of ${ref}`)
    const isTakenBack = before?.state === 'permitted' && after.state !== 'permitted' && !ENDS_PERMIT.has(command)
    demand('permitted', !isTakenBack, () => `${command} took back the permit of ${ref}`)
    if (command !== 'WAKE' || !before || kindOf(ref) !== 'payment') return
    demand('time', paymentOf(before).expiresAt <= at, () => `${ref} was woken early`)
  }

  /** A payment whose time is over hears that first. */
  #late({ actors, audited, at }: Change): void {
    for (const { before } of actors) {
      if (!before || !['approved', 'awaitingApproval'].includes(before.state)) continue
      const isOver = kindOf(before.ref) === 'payment' && paymentOf(before).expiresAt <= at
      const isWoken = audited.some(({ turn, after }) => turn.command === 'WAKE' && after.ref === before.ref)
      demand('time', !isOver || isWoken, () => `${before.ref} took a command although its time is over`)
    }
  }

  #events(events: readonly DomainEvent[]): void {
    for (const { event, ref } of events) {
      const times = (this.#executions.get(ref) ?? 0) + (event === 'payment.executed' ? 1 : 0)
      if (event === 'payment.executed') this.#executions.set(ref, times)
      demand('once', times <= 1, () => `${ref} was executed ${times} times`)
      if (!/^approval\.(approved|denied)$/.test(event) || kindOf(ref) !== 'payment') continue
      const { id } = paymentOf(this.#books.actors.get(ref)!).approval!
      demand('asked', !this.#decided.has(id), () => `${ref} announces ${event} of ${id} again`)
      this.#decided.add(id)
    }
  }

  /** What a commit of a payment did at its gates. */
  #moved(from: Actor | undefined, payment: Actor, past: { former: Map<Ref, Actor>; before: Map<Ref, Rows> }): void {
    const [had, has] = [holdsOf(from), holdsOf(payment)]
    const isSettled = from?.state === 'permitted'
    const isBegun = UNDER_WAY.test(payment.state) && !UNDER_WAY.test(from?.state ?? '')
    const organization = this.#books.actors.get(`organization/${fieldsOf(payment).organization}`)
    demand(
      'barred',
      !isBegun || !BARRED.test(organization!.state),
      () => `${organization!.ref} admitted ${payment.ref}`,
    )
    for (const gate of paymentOf(payment).gates) {
      const { ref } = gate
      if (JSON.stringify(had.get(ref)) === JSON.stringify(has.get(ref))) continue
      const to = this.#books.actors.get(ref)!
      const isCapture = isCaptured(has.get(ref)) && !isCaptured(had.get(ref))
      const isBarred = isCapture && !isSettled && BARRED.test(to.state)
      demand('barred', !isBarred, () => `${ref} is ${to.state} and captured ${payment.ref}`)
      const [before, after] = [past.before.get(ref) ?? this.#books.rowsAt(ref), this.#books.rowsAt(ref)]
      const opening = this.#openingIn(ref)
      const id = paymentOf(payment).id
      const moved: Moved = { gate, payment: id, from: past.former.get(ref), to, before, after, isSettled, opening }
      if (kindOf(ref) === 'delegation') delegationLimits(moved)
      this.#tallies.after(moved)
    }
  }

  #openingIn(gate: Ref): Gate['opening'] {
    const [sent] = this.#sent as unknown as { fields?: { gates?: Gate[] }; review?: { gates?: Gate[] } }[]
    const gates = sent?.fields?.gates ?? sent?.review?.gates ?? []
    return gates.find(({ ref }) => ref === gate)?.opening
  }

  #changed(from: Actor | undefined, actor: Actor): void {
    if (kindOf(actor.ref) === 'policy') versions(from, actor)
    if (kindOf(actor.ref) === 'payment') this.#asked(actor)
    this.#standing(actor)
  }

  #asked(payment: Actor): void {
    const { approval, decision, review } = paymentOf(payment)
    const needsPerson = (review ?? decision)?.outcome === 'REQUIRES_APPROVAL'
    if (!needsPerson || !UNDER_WAY.test(payment.state)) return
    const { steps, step, decisions, barred } = approval!
    const agreed = decisions.filter((one) => one.step === step && one.decision === 'APPROVED')
    const people = new Set(agreed.map(({ by }) => by.countsAs.id))
    const isEnough = people.size === agreed.length && people.size >= steps[step]!.requiredApprovals
    const isBarred = barred.some(({ id }) => people.has(id))
    const by = [...people].join(' and ')
    demand('asked', isEnough && !isBarred, () => `${payment.ref} is ${payment.state}, approved by ${by}`)
  }

  /** The invariants of an actor at any time. */
  #standing(actor: Actor): void {
    const rows = this.#books.rowsAt(actor.ref)
    this.#tallies.stored(actor)
    this.#keys(actor)
    STANDING[kindOf(actor.ref)]?.(actor, rows, this.#funded.get(actor.ref) ?? 0)
  }

  /** Whose they are by the states of all actors, and by the index. */
  #keys(actor: Actor): void {
    for (const key of keysOf(charts, actor).keys) {
      const owner = this.#host().keyOwner(key)?.owner
      demand('names', owner === actor.ref, () => `${actor.ref} is ${actor.state}, and ${owner} has its key`)
    }
    const name = nameOf(actor)
    if (name === undefined) return
    for (const other of this.#books.actors.values()) {
      const isSame = other.ref !== actor.ref && nameOf(other) === name
      demand('names', !isSame, () => `${actor.ref} and ${other.ref} are both ${name}`)
    }
  }
}

/** What nobody else may be called; written out, so that it does not rely on the index or on the charts' keys. */
function nameOf({ ref, state, context }: Actor): string | undefined {
  const { organization, name, fields, agentId, walletId, transferKey } = context as unknown as Record<string, never>
  const kind = kindOf(ref)
  if (kind === 'agent') return state.startsWith('registered') ? `agent ${organization} ${name}` : undefined
  if (kind === 'wallet') return state.startsWith('kept') ? `wallet ${organization} ${fields!['address']}` : undefined
  if (kind === 'delegation') return state === 'active' ? `delegation ${agentId} ${walletId}` : undefined
  return kind === 'payment' && transferKey !== null ? `transfer ${transferKey}` : undefined
}

/** An agent that is revoked can still be described and deleted. A gate that is gone still counts. */
function isAmended(known: Actor, after: Actor): boolean {
  return known.state === after.state && kindOf(known.ref) !== 'payment'
}

function delegationLimits({ to, before, after, isSettled }: Moved): void {
  const { terms, clock } = fieldsOf(to)
  const windows = windowsAt(clock, terms.timezone)
  for (const period of PERIODS) {
    const spent = (rows: Rows): number => total(rows, 'captured', windows[period].start)
    const counted = (rows: Rows): number => spent(rows) + total(rows, 'held')
    const isRaised = counted(after) > counted(before) || spent(after) > spent(before)
    const most = (terms[LIMITS[period]] as number | null) ?? Infinity
    const isAbove = isRaised && !isSettled && counted(after) > most
    demand('limit', !isAbove, () => `${to.ref} is at ${counted(after)} of ${most} a ${period}`)
  }
}

function versions(before: Actor | undefined, after: Actor): void {
  const [was, is] = [before?.context, after.context] as unknown as [PolicyContext | undefined, PolicyContext]
  const rise = is.version - (was?.version ?? 0)
  const isRight = is.definition === was?.definition ? rise === 0 : rise === 1
  demand('versions', isRight && is.change !== null, () => `${after.ref} went from ${was?.version} to ${is.version}`)
}

const STANDING: Record<string, (actor: Actor, rows: Rows, funded: number) => void> = {
  payment({ ref, state, context }) {
    const payment = context as unknown as PaymentContext
    const { gates, holds, approval } = payment
    const isByPerson = approval?.status === 'DENIED'
    demand('causes', state !== 'denied' || causesOf(payment).length > 0 || isByPerson, () => `${ref} is denied`)
    const isRight = (hold: Hold, place: number): boolean =>
      hold.amount === gates[place]!.amount && isCaptured(hold) === PAID.test(state)
    const isOpen = HELD.has(state) || PAID.test(state)
    const agrees = isOpen ? holds.length === gates.length && holds.every(isRight) : holds.length === 0
    demand('holds', agrees, () => `${ref} is ${state} and has ${JSON.stringify(holds)}`)
    const transfer = TRANSFERS[state]
    const isTold = gates.every(
      ({ ref: gate }, place) => kindOf(gate) !== 'wallet' || holds[place]?.transfer === transfer,
    )
    demand('holds', transfer === undefined || isTold, () => `${ref} is ${state}, which its wallet does not know`)
  },
  delegation({ ref, context }, rows) {
    const { sums } = context as unknown as Fields
    equal(ref, 'held', sums.held, total(rows, 'held'))
    for (const period of PERIODS) {
      equal(ref, `spent this ${period}`, sums[period].spent, total(rows, 'captured', sums[period].start))
    }
  },
  wallet({ ref, context }, rows, funded) {
    const { balance, held, observed, unsettled } = context as unknown as WalletContext
    equal(ref, 'held', held, total(rows, 'held'))
    const pending = captures(rows).filter(({ transfer }) => transfer === 'pending')
    equal(
      ref,
      'unsettled',
      unsettled,
      pending.reduce((sum, { amount }) => sum + amount, 0),
    )
    if (observed !== null) return equal(ref, 'balance', balance, observed.balance - unsettled)
    equal(ref, 'balance', balance, funded - total(rows, 'captured'))
    demand('balance', 0 <= held && held <= balance, () => `${ref} holds ${held} of ${balance}`)
  },
  counterparty({ ref, context }, rows) {
    const { transactionCount, totalVolume } = context as unknown as Fields
    equal(ref, 'payments', transactionCount, captures(rows).length)
    equal(ref, 'volume', totalVolume, total(rows, 'captured'))
  },
  agent({ ref, context }, rows) {
    equal(ref, 'executed', (context as unknown as Fields).executed, captures(rows).length)
  },
}
