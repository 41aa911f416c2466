// What holds after every message, in whatever order messages come: a table for all charts and one for each. The sums
// of a gate are checked against its rows, which no chart can see more than one of.
import type { BudgetContext } from '../../machines/budget.js'
import type { DelegationContext } from '../../machines/delegation.js'
import type { ChangeContext } from '../../machines/change.js'
import type { Kind } from '../../machines/index.js'
import type { PaymentContext } from '../../machines/payment.js'
import type { PolicyContext } from '../../machines/policy.js'
import type { Approval } from '../../src/domain/approval.js'
import type { WalletContext } from '../../machines/wallet.js'
import type { Entry, Gate } from '../../src/domain/gate.js'
import type { LimitTerm } from '../../src/domain/limit.js'
import type { PolicyDefinition } from '../../src/domain/policy.js'
import { sumsAt, type Sums } from '../../src/domain/sums.js'
import type { Tally } from '../../src/domain/tally.js'
import { OPENED_WITH, TODAY } from './gateMessages.js'
import type { Step, World } from './walk.js'

export type Invariant = [claim: string, holds: (step: Step) => boolean]

const CLOSED = new Set<Entry['state'] | undefined>(['released', 'refused'])
const ENDED = new Set(['executed', 'denied', 'cancelled', 'expired', 'failed'])

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
  ['a refused command announces nothing but that a person is asked', ({ turn }) => {
    return turn.refusal === undefined || turn.events.every(({ event }) => event === 'approval.requested')
  }],
]

export const invariants: Record<Kind, Invariant[]> = {
  account: [
    ['a nonce is given to one payment at a time', ({ before, after }) => {
      const [held, holds] = [before.actor?.context['holder'] ?? null, after.actor?.context['holder'] ?? null]
      return held === null || holds === null || held === holds
    }],
    ['a nonce is passed only when it is spent', ({ before, message, after }) => {
      const step = field(after, 'nonce') - field(before, 'nonce')
      return message.type === 'SPEND' ? step <= 1 : step === 0 || field(after, 'nonce') === message['floor']
    }],
  ],
  agent: [
    ['executed is the number of captures', ({ after }) => field(after, 'executed') === captured(after).length],
    ...tallyHolds(0),
  ],
  budget: tallyHolds(OPENED_WITH),
  change: [
    ['nobody decides twice, nor who asked', ({ after }) => {
      if (!after.actor) return true
      const { approval, requestedBy } = after.actor.context as unknown as ChangeContext
      const ids = approval.decisions.map(({ by }) => by.countsAs.id)
      return new Set(ids).size === ids.length && !ids.includes(requestedBy.countsAs.id)
    }],
    ['it is decided once', ({ before, turn }) => {
      const isEnd = before.actor?.state === 'pending' && ['approved', 'denied'].includes(turn.actor.state)
      return turn.events.length === (isEnd ? 1 : 0)
    }],
  ],
  claim: [['the owner is the one holder that is held or settled', ownerHolds]],
  counterparty: [
    ['the count is that of the captures', ({ after }) => field(after, 'transactionCount') === captured(after).length],
    ['the volume is the sum of the captures', ({ after }) => field(after, 'totalVolume') === sum(captured(after))],
    ['a block is lifted by nothing but those who may', blockStays],
    ['whoever is blocked captures nothing but what was paid already', ({ before, message, after }) => {
      return !isBlocked(before) || message.type === 'SETTLE' || captured(after).length <= captured(before).length
    }],
  ],
  delegation: [
    ['held is the sum of the open holds', ({ after }) => (sumsOf(after)?.held ?? 0) === sum(held(after))],
    ['each window has spent what was captured in it', ({ after }) => windowsCount(sumsOf(after), after)],
    ['no turn raises what counts above the daily limit', limitHolds],
  ],
  key: [],
  member: [
    ['a password is there while the member is active, and then alone', ({ after: { actor } }) => {
      return !actor || (actor.context['password'] !== null) === (actor.state === 'active')
    }],
    ['a link is open while the member is invited or being invited, and then alone', ({ after: { actor } }) => {
      return !actor || (actor.context['setUp'] !== null) === ['claiming', 'invited'].includes(actor.state)
    }],
    ['each new password, and nothing else, makes a new generation', ({ before, after, message }) => {
      const isSet = field(after, 'generation') !== field(before, 'generation')
      return !isSet || ['SET_UP', 'CHANGE_PASSWORD'].includes(message.type)
    }],
  ],
  organization: [],
  payment: [
    ['the cursor is on a gate', cursorOnGate],
    ['an ended payment stays as it is', ({ before, turn }) => !ENDED.has(before.actor?.state ?? '') || !turn.changed],
    ['it has a time of execution when it is executed', ({ after }) => {
      const { actor } = after
      const wasSent = /^(transferred|executed|failed)/.test(actor?.state ?? '') || actor?.context['ending'] === 'FAILED'
      return actor === undefined || (actor.context['executedAt'] !== null) === wasSent
    }],
    ['each execution is an attempt of its own', attemptCounts],
    ['no gate is dropped, but for the hash of another', gatesStay],
    ['a request that stands is asked of somebody', requestStands],
    ['a decision is counted once and a settled request is not decided', decisionsCount],
    ['what was signed is kept until it is final', ({ before, after }) => {
      const { transfers = [] } = (before.actor?.context ?? {}) as Partial<PaymentContext>
      const { transfers: kept = [] } = (after.actor?.context ?? {}) as Partial<PaymentContext>
      return ENDED.has(after.actor?.state ?? '') || transfers.every((transfer) => kept.includes(transfer))
    }],
    ['what was signed is never given up for another attempt', ({ before, after }) => {
      const signed = ((before.actor?.context as PaymentContext | undefined)?.transfers ?? []).length > 0
      return !signed || !['approved', 'restoring', 'denied', 'cancelled', 'expired'].includes(after.actor!.state)
    }],
    ['a failure is told to its counterparty alone', failureIsTold],
    ['it is confirmed only when its wallet has heard of it', ({ before, after }) => {
      const isNew = before.actor?.state !== 'transferred.confirmed' && after.actor?.state === 'transferred.confirmed'
      return !isNew || before.actor?.state === 'transferred.reconciling'
    }],
    ['whoever waits for an execution has asked every gate', allAsked],
  ],
  policy: [
    ['each edit is one version, and nothing else is', versionCounts],
    ['it is known who made it as it is', ({ after: { actor } }) => !actor || actor.context['change'] !== null],
    ['a policy that covers all is not assigned', coversOrIsAssigned],
    ['a budget that was shared stays counted', ({ before, after }) => {
      return before.actor?.context['budgeted'] !== true || after.actor!.context['budgeted'] === true
    }],
    ['its type stays', ({ before, after }) => {
      return !before.actor || definitionOf(before)?.policyType === definitionOf(after)?.policyType
    }],
    ['a deleted policy takes nothing', ({ before, turn }) => before.actor?.state !== 'deleted' || !turn.taken],
  ],
  session: [
    ['an ended session stays as it is', ({ before, turn }) => before.actor?.state !== 'ended' || !turn.changed],
  ],
  relationship: [],
  wallet: [
    ['held is the sum of the open holds', ({ after }) => field(after, 'held') === sum(held(after))],
    ['holds never pass the balance', ({ before, message, after }) => {
      if (field(after, 'held') <= field(after, 'balance')) return true
      // The chain alone can take away what is held.
      return after.actor?.context['observed'] !== null && (message.type !== 'RESERVE' || field(before, 'held') === field(after, 'held'))
    }],
    ['what was observed less what is unsettled is the balance', ({ after }) => {
      const { observed = null, unsettled = 0, balance = 0 } = (after.actor?.context ?? {}) as Partial<WalletContext>
      return observed === null || observed.balance - unsettled === balance
    }],
    ['unsettled is the sum of the captures that wait for their transfer', ({ after }) => {
      return field(after, 'unsettled') === sum(captured(after).filter(({ transfer }) => transfer === 'pending'))
    }],
    ['only funding makes money', fundsOnly],
  ],
  workflow: [],
}

const isBlocked = ({ actor }: World): boolean => actor?.state === 'blocked' || actor?.state === 'unmetBlocked'
const LIFTS = new Set(['UNBLOCK', 'TRUST', 'VERIFY', 'RESET'])

function blockStays({ before, message, after }: Step): boolean {
  return !isBlocked(before) || isBlocked(after) || LIFTS.has(message.type)
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

/** What was taken for ever has an owner and no row. */
function ownerHolds({ after }: Step): boolean {
  const holders = Object.keys(after.rows).filter((holder) => !CLOSED.has(after.rows[holder]!.state))
  const owner = after.actor?.context['owner'] ?? null
  if (after.actor?.state === 'bound') return holders.length === 0 && owner !== null
  return holders.length <= 1 && (holders[0] ?? null) === owner
}

function sumsOf({ actor }: World): Sums | undefined {
  return (actor?.context as DelegationContext | undefined)?.sums
}

/** `opened`: what the windows that were current then had spent beforehand. */
function windowsCount(sums: Sums | undefined, world: World, opened = 0): boolean {
  return !sums || (['day', 'week', 'month'] as const).every((period) => {
    const { start, spent } = sums[period]
    const earlier = start <= TODAY ? opened : 0
    return spent === earlier + sum(captured(world).filter(({ capturedAt }) => capturedAt! >= start))
  })
}

function tallyOf({ actor }: World): Tally | undefined {
  return (actor?.context as unknown as BudgetContext | undefined)?.tally ?? undefined
}

/** What holds of a tally that began with `opened` in all that it counts. */
function tallyHolds(opened: number): Invariant[] {
  return [
    ['held is the sum of the open holds', ({ after }) => (tallyOf(after)?.sums.held ?? 0) === sum(held(after))],
    ['total is the sum of the captures', ({ after }) => {
      const tally = tallyOf(after)
      return tally === undefined || tally.total === opened + sum(captured(after))
    }],
    ['each window has spent what was captured in it', ({ after }) => {
      return windowsCount(tallyOf(after)?.sums, after, opened)
    }],
    ['no turn raises a number above the limit it is asked with', limitsHold],
    ['no payment is recent twice, nor when it is over', recentOnce],
  ]
}

/** What a limit is on, as a world has it at the time of its gate after the turn. */
function measured(world: World, { measure, periodMs }: LimitTerm, clock: number): number {
  const tally = tallyOf(world)
  if (!tally) return 0
  const { held: holds, day, week, month } = sumsAt(tally.sums, clock, tally.timezone)
  const count = (tally.recent ?? []).filter(({ at }) => at > clock - periodMs!).length
  const windows = { DAY: day.spent, WEEK: week.spent, MONTH: month.spent, TOTAL: tally.total }
  return measure === 'COUNT' ? count : windows[measure] + holds
}

function limitsHold({ before, message, after }: Step): boolean {
  const limits = (message['limits'] ?? []) as unknown as LimitTerm[]
  const clock = field(after, 'clock')
  // A budget that is not open yet has spent what its opening says.
  const start = tallyOf(before) || !message['opening'] ? before : after
  return limits.every((term) => {
    return measured(after, term, clock) <= Math.max(measured(start, term, clock), term.limit)
  })
}

function recentOnce({ after }: Step): boolean {
  const ids = (tallyOf(after)?.recent ?? []).map(({ id }) => id)
  return ids.length === new Set(ids).size && ids.every((id) => !CLOSED.has(after.rows[id]?.state))
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
  const isBegun = (world: World): boolean => ['admitting', 'settling'].includes(world.actor?.state ?? '')
  const begun = !isBegun(before) && isBegun(after)
  return field(after, 'attempt') === field(before, 'attempt') + (begun ? 1 : 0)
}

function fundsOnly({ before, message, after, turn }: Step): boolean {
  // What the chain tells is neither made nor spent here.
  if (after.actor?.context['observed']) return true
  const made = (world: World): number => field(world, 'balance') + sum(captured(world))
  const funded = message.type === 'FUND' && turn.changed ? Number(message['amount']) : 0
  return made(after) === made(before) + funded
}

function gatesStay({ before, after }: Step): boolean {
  if (before.actor?.state === 'claimingHash' && after.actor?.state === 'permitted') return true
  const gatesIn = ({ actor }: World): Gate[] => (actor?.context as PaymentContext | undefined)?.gates ?? []
  return gatesIn(before).every(({ ref }, place) => gatesIn(after)[place]?.ref === ref)
}

function failureIsTold({ after: { actor } }: Step): boolean {
  const { ending = null, gates = [] } = (actor?.context ?? {}) as Partial<PaymentContext>
  const isTold = ({ ref }: Gate): boolean => ending === 'FAILED' && ref.startsWith('counterparty/')
  return gates.every((gate) => (gate.failed === true) === isTold(gate))
}

function allAsked({ after: { actor } }: Step): boolean {
  if (!actor || !['approved', 'awaitingApproval', 'permitted'].includes(actor.state)) return true
  const { cursor, gates } = actor.context as unknown as PaymentContext
  return cursor === gates.length - 1
}

const approvalIn = ({ actor }: World): Approval | null => (actor?.context as PaymentContext | undefined)?.approval ?? null

/** PENDING is what is asked, or is about to be. */
function requestStands({ after }: Step): boolean {
  const approval = approvalIn(after)
  const state = after.actor?.state ?? ''
  if (state === 'awaitingApproval') return approval?.status === 'PENDING' && approval.createdAt > 0
  return approval?.status !== 'PENDING' || approval.createdAt === 0
}

function decisionsCount({ before, message, after }: Step): boolean {
  const [was, is] = [approvalIn(before), approvalIn(after)]
  if (was === null || is === null || was.id !== is.id) return true
  const more = is.decisions.length - was.decisions.length
  const isSaid = message.type === 'APPROVE' || message.type === 'DENY'
  return more === 0 || (more === 1 && isSaid && was.status === 'PENDING')
}

const NO_EDITS = new Set(['ASSIGN', 'UNASSIGN', 'TEST'])

function versionCounts({ before, message, after, turn }: Step): boolean {
  const isEdit = !NO_EDITS.has(message.type) && turn.taken && turn.refusal === undefined
  if (isEdit) return field(after, 'version') === field(before, 'version') + 1
  return ['version', 'definition', 'change'].every((name) => after.actor?.context[name] === before.actor?.context[name])
}

function definitionOf({ actor }: World): PolicyDefinition | undefined {
  return (actor?.context as PolicyContext | undefined)?.definition
}

function coversOrIsAssigned({ after }: Step): boolean {
  const { agents = [], wallets = [] } = (after.actor?.context ?? {}) as Partial<PolicyContext>
  return definitionOf(after)?.scope !== 'organization' || agents.length + wallets.length === 0
}
