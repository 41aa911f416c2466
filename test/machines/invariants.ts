// What holds after every message, in whatever order messages come: a table for all charts and one for each. The sums
// of a gate are checked against its rows, which no chart can see more than one of.
import type { DelegationContext } from '../../machines/delegation.js'
import type { Kind } from '../../machines/index.js'
import type { PaymentContext } from '../../machines/payment.js'
import type { Entry } from '../../src/domain/gate.js'
import { sumsAt, type Sums } from '../../src/domain/sums.js'
import type { Step, World } from './walk.js'

export type Invariant = [claim: string, holds: (step: Step) => boolean]

const CLOSED = new Set<Entry['state'] | undefined>(['released', 'refused'])
const ENDED = new Set(['executed', 'denied', 'cancelled', 'expired'])

export const everywhere: Invariant[] = [
  ['the context is JSON', ({ turn }) => isJson(turn.actor.context)],
  ['the row is JSON', ({ turn }) => isJson(turn.entry ?? null)],
  ['a write is counted, and nothing else is', revisionCounts],
  ['a closed row stays as it is', ({ before, after }) => {
    return Object.entries(before.rows).every(([holder, row]) => !CLOSED.has(row.state) || after.rows[holder] === row)
  }],
  ['a row keeps its amount until it is closed', ({ before, after }) => {
    return Object.entries(after.rows).every(([holder, row]) => row.amount === (before.rows[holder] ?? row).amount)
  }],
  ['an attempt is never taken back', ({ before, after }) => {
    return Object.entries(before.rows).every(([holder, row]) => row.attempt <= after.rows[holder]!.attempt)
  }],
  ['time never runs backwards', ({ before, after }) => field(before, 'clock') <= field(after, 'clock')],
  ['a refused command announces nothing', ({ turn }) => turn.refusal === undefined || turn.events.length === 0],
]

export const invariants: Record<Kind, Invariant[]> = {
  agent: [['executed is the number of captures', ({ after }) => field(after, 'executed') === captured(after).length]],
  budget: [],
  claim: [['the owner is the one holder that is held', ownerHolds]],
  counterparty: [
    ['the count is that of the captures', ({ after }) => field(after, 'transactionCount') === captured(after).length],
    ['the volume is the sum of the captures', ({ after }) => field(after, 'totalVolume') === sum(captured(after))],
  ],
  delegation: [
    ['held is the sum of the open holds', ({ after }) => (sumsOf(after)?.held ?? 0) === sum(held(after))],
    ['each window has spent what was captured in it', windowsCount],
    ['no turn raises what counts above the daily limit', limitHolds],
  ],
  key: [],
  organization: [],
  payment: [
    ['the cursor is on a gate', cursorOnGate],
    ['an ended payment stays as it is', ({ before, turn }) => !ENDED.has(before.actor?.state ?? '') || !turn.changed],
    ['it has a time of execution when it is executed', ({ after }) => {
      const { actor } = after
      return actor === undefined || (actor.context['executedAt'] !== null) === (actor.state === 'executed')
    }],
    ['each execution is an attempt of its own', attemptCounts],
  ],
  policy: [],
  wallet: [
    ['held is the sum of the open holds', ({ after }) => field(after, 'held') === sum(held(after))],
    ['holds never pass the balance', ({ after }) => field(after, 'held') <= field(after, 'balance')],
    ['only funding makes money', fundsOnly],
  ],
}

/** True for what JSON says in full: no member that is undefined, no number it has no form for. */
function isJson(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object') return false
  const plain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
  return plain && Object.values(value).every(isJson)
}

function revisionCounts({ before, turn }: Step): boolean {
  return turn.actor.revision === (before.actor?.revision ?? 0) + (turn.changed ? 1 : 0)
}

/** A number of the context; 0 where there is no actor yet or the chart keeps none of that name. */
function field({ actor }: World, name: string): number {
  return Number(actor?.context[name] ?? 0)
}

function held({ rows }: World): Entry[] {
  return Object.values(rows).filter(({ state }) => state === 'held')
}

function captured({ rows }: World): Entry[] {
  return Object.values(rows).filter(({ state }) => state === 'captured')
}

function sum(rows: Entry[]): number {
  return rows.reduce((total, { amount }) => total + amount, 0)
}

function ownerHolds({ after }: Step): boolean {
  const holders = Object.keys(after.rows).filter((holder) => after.rows[holder]!.state === 'held')
  return holders.length <= 1 && (holders[0] ?? null) === (after.actor?.context['owner'] ?? null)
}

function sumsOf({ actor }: World): Sums | undefined {
  return (actor?.context as DelegationContext | undefined)?.sums
}

function windowsCount({ after }: Step): boolean {
  const sums = sumsOf(after)
  return !sums || (['day', 'week', 'month'] as const).every((period) => {
    const { start, spent } = sums[period]
    return spent === sum(captured(after).filter(({ capturedAt }) => capturedAt! >= start))
  })
}

function limitHolds({ before, after }: Step): boolean {
  if (!after.actor) return true
  const { terms, clock } = after.actor.context as unknown as DelegationContext
  const countedIn = (world: World): number => {
    const sums = sumsOf(world)
    if (!sums) return 0
    const current = sumsAt(sums, clock, terms.timezone)
    return current.held + current.day.spent
  }
  return countedIn(after) <= Math.max(countedIn(before), terms.spendLimitDaily!)
}

function cursorOnGate({ after }: Step): boolean {
  if (!after.actor) return true
  const { cursor, gates } = after.actor.context as unknown as PaymentContext
  return 0 <= cursor && cursor < gates.length
}

function attemptCounts({ before, after }: Step): boolean {
  const begun = before.actor?.state !== 'capturing' && after.actor?.state === 'capturing'
  return field(after, 'attempt') === field(before, 'attempt') + (begun ? 1 : 0)
}

function fundsOnly({ before, message, after, turn }: Step): boolean {
  const made = (world: World): number => field(world, 'balance') + sum(captured(world))
  const funded = message.type === 'FUND' && turn.changed ? Number(message['amount']) : 0
  return made(after) === made(before) + funded
}
