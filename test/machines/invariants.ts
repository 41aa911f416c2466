// Invariants that hold after every message, in any order: a table for all charts and one for each. The sums of a gate
// are checked against all holds; a chart sees only one of them at a time.
import type { BudgetContext } from '../../machines/budget.js'
import type { DelegationContext } from '../../machines/delegation.js'
import type { ChangeContext } from '../../machines/change.js'
import type { Kind } from '../../machines/index.js'
import type { PaymentContext, Review } from '../../machines/payment/chart.js'
import type { PolicyContext } from '../../machines/policy.js'
import { fieldsOf, kindOf } from '../../src/actor/actor.js'
import { isSameJson } from '../../src/domain/values/canonical.js'
import type { Approval } from '../../src/domain/payment/approval.js'
import type { OAuthToken } from '../../src/domain/access/oauth.js'
import type { WalletContext } from '../../machines/wallet.js'
import { isCaptured, type Gate, type Hold, type HoldLevel } from '../../src/domain/limits/gate.js'
import type { LimitTerm } from '../../src/domain/limits/limit.js'
import type { PolicyDefinition } from '../../src/domain/parties/policy.js'
import { sumsAt, type Sums } from '../../src/domain/limits/sums.js'
import type { Tally } from '../../src/domain/limits/tally.js'
import { OPENED_WITH, TODAY } from '../support/gateMessages.js'
import { fieldsIn, type Refusing, type Step, type World } from '../support/walk.js'

export type Invariant = [claim: string, holds: (step: Step) => boolean]

const ENDED = new Set(['executed', 'charged', 'paid', 'denied', 'cancelled', 'expired', 'failed'])

/** A review may refuse an approval's command, and with it end the request that waits. */
const TOLD_OF_REFUSALS = new Set(['approval.expired', 'approval.requested', 'payment.denied'])

export const everywhere: Invariant[] = [
  ['the context is JSON', ({ turn }) => isJson(turn.actor.context)],
  ['the hold is JSON', ({ turn }) => isJson(turn.hold)],
  ['the revision counts writes and nothing else', revisionCounts],
  [
    'the amount of a hold never changes, except by what was paid',
    ({ before, message, after }) => {
      if (message.type === 'SETTLE') return true
      return Object.entries(after.holds).every(([holder, hold]) => {
        return (before.holds[holder]?.amount ?? hold?.amount) === (hold?.amount ?? before.holds[holder]?.amount)
      })
    },
  ],
  [
    'an ask that is not refused leaves the hold that it asks for',
    ({ message, turn }) => {
      if (message.holder === undefined || turn.violations.length > 0 || !turn.taken) return true
      if (message.type === 'RELEASE') return turn.hold === null
      return turn.hold !== null && isCaptured(turn.hold) === !['RESERVE', 'RESTORE'].includes(message.type)
    },
  ],
  ['the clock of a gate never runs backwards', ({ before, after }) => field(before, 'clock') <= field(after, 'clock')],
  [
    'a refused command emits no event except approval.expired, approval.requested and payment.denied',
    ({ turn }) => turn.refusal === undefined || turn.events.every(({ event }) => TOLD_OF_REFUSALS.has(event)),
  ],
]

export const invariants: Record<Kind, Invariant[]> = {
  account: [
    [
      'a nonce is assigned to one payment at a time',
      ({ before, after }) => {
        const [held, holds] = [fieldsIn(before.actor)['holder'] ?? null, fieldsIn(after.actor)['holder'] ?? null]
        return held === null || holds === null || held === holds
      },
    ],
    [
      'SPEND advances the nonce by at most one, ALLOCATE only sets it to a floor, and FREE undoes that',
      ({ before, message, after }) => {
        const nonce = field(after, 'nonce')
        const step = nonce - field(before, 'nonce')
        if (message.type === 'SPEND') return step <= 1
        return step === 0 || nonce === (message.type === 'FREE' ? field(before, 'former') : message['floor'])
      },
    ],
  ],
  agent: [
    ['executed is the number of captures', ({ after }) => field(after, 'executed') === captured(after).length],
    ...tallyHolds(),
    ['a hold says since when its payment counts, whatever comes of it', timesStay],
  ],
  budget: tallyHolds(),
  card: [
    ['held is the sum of the open holds', ({ after }) => (sumsOf(after)?.held ?? 0) === sum(held(after))],
    ['the amount spent in each window is the sum of its captures', ({ after }) => windowsCount(sumsOf(after), after)],
  ],
  cardAssignment: [
    ['held is the sum of the open holds', ({ after }) => (sumsOf(after)?.held ?? 0) === sum(held(after))],
    ['the amount spent in each window is the sum of its captures', ({ after }) => windowsCount(sumsOf(after), after)],
  ],
  change: [
    [
      'nobody decides twice, and the requester never decides',
      ({ after }) => {
        if (!after.actor) return true
        const { approval, requestedBy } = after.actor.context as unknown as ChangeContext
        const ids = approval.decisions.map(({ by }) => by.countsAs.id)
        return new Set(ids).size === ids.length && !ids.includes(requestedBy.countsAs.id)
      },
    ],
    [
      'one event is emitted when it is decided, and none otherwise',
      ({ before, turn }) => {
        const isEnd = before.actor?.state === 'pending' && ['approved', 'denied'].includes(turn.actor.state)
        return turn.events.length === (isEnd ? 1 : 0)
      },
    ],
  ],
  counterparty: [
    ['transactionCount counts captures', ({ after }) => field(after, 'transactionCount') === captured(after).length],
    ['totalVolume is the sum of the captures', ({ after }) => field(after, 'totalVolume') === sum(captured(after))],
    ['only UNBLOCK, TRUST, VERIFY and RESET lift a block', blockStays],
    [
      'while it is blocked, only SETTLE captures',
      ({ before, message, after }) => {
        return !isBlocked(before) || message.type === 'SETTLE' || captured(after).length <= captured(before).length
      },
    ],
  ],
  delegation: [
    ['held is the sum of the open holds', ({ after }) => (sumsOf(after)?.held ?? 0) === sum(held(after))],
    ['the amount spent in each window is the sum of its captures', ({ after }) => windowsCount(sumsOf(after), after)],
    ['no turn raises spent plus held above the daily limit', limitHolds],
  ],
  key: [
    [
      'only an OAUTH key has tokens, and at most one code',
      ({ after: { actor } }) => {
        const codes = tokensOf(actor).filter(({ use }) => use === 'CODE')
        return codes.length <= 1 && (tokensOf(actor).length === 0 || typeOf(actor) === 'OAUTH')
      },
    ],
    [
      'a token that was consumed stays so, and is consumed once, before it ends',
      ({ before, after, message, turn }) => {
        const was = new Map(tokensOf(before.actor).map((token) => [token.hash, token]))
        const isKept = tokensOf(after.actor).every(({ hash, isConsumed }) => isConsumed || !was.get(hash)?.isConsumed)
        if (message.type !== 'CONSUME' || !turn.changed) return isKept
        const token = was.get(String(message['hash']))
        return isKept && token !== undefined && !token.isConsumed && token.expiresAt > message.now
      },
    ],
    [
      'an OAUTH key ends when the last of its tokens does that were not consumed',
      ({ after, message, turn }) => {
        if (message.type !== 'ISSUE' || !turn.changed) return true
        const ends = tokensOf(after.actor).filter(({ isConsumed }) => !isConsumed)
        const isOfCode = (message['token'] as unknown as OAuthToken).use === 'CODE'
        return isOfCode || field(after, 'expiresAt') === Math.max(...ends.map(({ expiresAt }) => expiresAt))
      },
    ],
  ],
  member: [
    [
      'a member has a password exactly while active',
      ({ after: { actor } }) => {
        return !actor || (fieldsOf(actor)['password'] !== null) === (actor.state === 'active')
      },
    ],
    [
      'a link is open while the member is invited, and never once it was removed',
      ({ after: { actor } }) => {
        const isOpen = fieldsIn(actor)['setUp'] !== null
        return actor === undefined || actor.state === 'active' || isOpen === (actor.state === 'invited')
      },
    ],
    [
      'each new password starts a new generation, and nothing else does, not even REHASH',
      ({ before, after, message, turn }) => {
        const isNew = ['SET_UP', 'CHANGE_PASSWORD'].includes(message.type) && turn.changed
        return field(after, 'generation') === field(before, 'generation') + (isNew ? 1 : 0)
      },
    ],
  ],
  organization: [],
  payment: [
    ['it has at each gate what its state declares', gatesAreAtLevel],
    ['its gates are asked in the order that makes a second refusal impossible', asksInOrder],
    [
      'an ended payment never changes, unless a card was charged',
      ({ before, turn, message }) =>
        message.type === 'CHARGE' || !ENDED.has(before.actor?.state ?? '') || !turn.changed,
    ],
    [
      'executedAt is set exactly if the payment was executed or sent, also after it failed',
      ({ after }) => {
        const { actor } = after
        const wasSent = /^(transferred|executed|charged|paid|failed)/.test(actor?.state ?? '')
        return actor === undefined || (fieldsOf(actor)['executedAt'] !== null) === wasSent
      },
    ],
    ['the number of sendings rises by one exactly when an execution begins', sendingCounts],
    ['no gate is dropped', gatesStay],
    ['the approval request is open exactly while the payment awaits approval', requestStands],
    ['a message adds at most one decision, and only to a pending request', decisionsCount],
    [
      'signed transfers are kept until the payment has ended',
      ({ before, after }) => {
        const { transfers = [] } = fieldsIn(before.actor) as Partial<PaymentContext>
        const { transfers: kept = [] } = fieldsIn(after.actor) as Partial<PaymentContext>
        return ENDED.has(after.actor?.state ?? '') || transfers.every((transfer) => kept.includes(transfer))
      },
    ],
    [
      'a payment with a signed transfer is never given up, denied, cancelled or expired',
      ({ before, after }) => {
        const signed = ((before.actor?.context as PaymentContext | undefined)?.transfers ?? []).length > 0
        return !signed || !['approved', 'denied', 'cancelled', 'expired'].includes(after.actor!.state)
      },
    ],
    ['a failure is reported to the counterparty only', failureReported],
    [
      'a block that is found or lost is told to the wallet',
      ({ before, after, asked }) => {
        const isMoved = before.actor?.state !== after.actor?.state && before.actor?.state.startsWith('transferred.')
        const isTold = asked.includes('RECONCILE wallet/w1')
        return !isMoved || after.actor!.state.startsWith('transferred.') === isTold
      },
    ],
    [
      'a refusal by a gate is recorded with its causes, and with the review that came with the command',
      refusalRecorded,
    ],
    ['what once stopped an execution explains no later state', pastStopIsNoReason],
  ],
  policy: [
    ['each edit that changes something creates one version, and nothing else does', versionCounts],
    ['the current version names its change', ({ after: { actor } }) => !actor || fieldsOf(actor)['change'] !== null],
    ['an organization-scoped policy has no assignments', coversOrIsAssigned],
    [
      'a policy that is budgeted stays budgeted',
      ({ before, after }) => {
        return fieldsIn(before.actor)['budgeted'] !== true || fieldsOf(after.actor!)['budgeted'] === true
      },
    ],
    [
      'its type never changes',
      ({ before, after }) => {
        return !before.actor || definitionOf(before)?.policyType === definitionOf(after)?.policyType
      },
    ],
    ['a deleted policy takes no message', ({ before, turn }) => before.actor?.state !== 'deleted' || !turn.taken],
  ],
  alert: [
    ['a resolved alert never changes', ({ before, turn }) => before.actor?.state !== 'resolved' || !turn.changed],
    [
      'its count never falls',
      ({ before, after }) => Number(field(before, 'count') ?? 0) <= Number(field(after, 'count')),
    ],
  ],
  service: [
    [
      'what is paid at a host is the sum of its captures',
      ({ before, after, message, turn }) => {
        const paid = field(after, 'payments') - field(before, 'payments')
        return (
          Math.abs(paid) <= 1 &&
          (paid === 0) === (field(after, 'total') === field(before, 'total')) &&
          turn.violations.length === 0 &&
          message.type !== 'ADMIT'
        )
      },
    ],
  ],
  session: [['an ended session never changes', ({ before, turn }) => before.actor?.state !== 'ended' || !turn.changed]],
  relationship: [],
  wallet: [
    ['held is the sum of the open holds', ({ after }) => field(after, 'held') === sum(held(after))],
    [
      'holds never exceed the balance, unless the chain lowers it',
      ({ before, message, after }) => {
        if (field(after, 'held') <= field(after, 'balance')) return true
        // Only the chain can take away an amount that is held.
        return (
          fieldsIn(after.actor)['observed'] !== null &&
          (message.type !== 'RESERVE' || field(before, 'held') === field(after, 'held'))
        )
      },
    ],
    [
      'the balance is the observed balance less the unsettled amount',
      ({ after }) => {
        const { observed = null, unsettled = 0, balance = 0 } = fieldsIn(after.actor) as Partial<WalletContext>
        return observed === null || observed.balance - unsettled === balance
      },
    ],
    [
      'unsettled is the sum of the captures that wait for their transfer',
      ({ after }) => {
        return field(after, 'unsettled') === sum(captured(after).filter(({ transfer }) => transfer === 'pending'))
      },
    ],
    ['only funding raises the balance plus the captures', fundsOnly],
  ],
  watch: [
    [
      'the blocks that were looked through never become fewer, and only FIND says what no payment explains',
      ({ before, message, after }) => {
        const foundIn = ({ actor }: World): unknown => fieldsIn(actor)['found'] ?? []
        const isNew = message.type === 'FIND' || isSameJson(foundIn(before) as never, foundIn(after) as never)
        return isNew && (before.actor?.state !== 'watching' || field(after, 'to') >= field(before, 'to'))
      },
    ],
  ],
  channel: [],
  slackUser: [],
  workflow: [],
}

const isBlocked = ({ actor }: World): boolean => actor?.state === 'blocked' || actor?.state === 'unmetBlocked'
const LIFTS = new Set(['UNBLOCK', 'TRUST', 'VERIFY', 'RESET'])

function blockStays({ before, message, after }: Step): boolean {
  return !isBlocked(before) || isBlocked(after) || LIFTS.has(message.type)
}

/** True for values that JSON represents in full: no undefined members, no NaN and no infinite numbers. */
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

const NOT_STOPPED = new Set(['awaitingApproval', 'cancelled', 'expired'])

function pastStopIsNoReason({ before, after: { actor } }: Step): boolean {
  if (!actor) return true
  const { causes, refusedBy, stopReason } = actor.context as unknown as PaymentContext
  const isAnew = before.actor?.state === 'approved' && !['approved', 'denied'].includes(actor.state)
  if (isAnew && stopReason !== null) return false
  return !NOT_STOPPED.has(actor.state) || (causes.length === 0 && refusedBy === null && stopReason === null)
}

/** A number of the context; 0 if there is no actor yet or no such field. */
function typeOf(actor: World['actor']): string | undefined {
  return (fieldsIn(actor)['fields'] as { type?: string } | undefined)?.type
}

function tokensOf(actor: World['actor']): OAuthToken[] {
  return (fieldsIn(actor)['oauth'] as { tokens: OAuthToken[] } | null | undefined)?.tokens ?? []
}

function field({ actor }: World, name: string): number {
  return Number(fieldsIn(actor)[name] ?? 0)
}

function holdsIn({ holds }: World): Hold[] {
  return Object.values(holds).filter((hold) => hold !== null)
}

const held = (world: World): Hold[] => holdsIn(world).filter((hold) => !isCaptured(hold))
const captured = (world: World): Hold[] => holdsIn(world).filter(isCaptured)

function sum(holds: Hold[]): number {
  return holds.reduce((total, { amount }) => total + amount, 0)
}

function sumsOf({ actor }: World): Sums | undefined {
  return (actor?.context as DelegationContext | undefined)?.sums
}

/** `opened` is the amount spent before, in the windows that were current then. */
function windowsCount(sums: Sums | undefined, world: World, opened = 0): boolean {
  return (
    !sums ||
    (['day', 'week', 'month'] as const).every((period) => {
      const { start, spent } = sums[period]
      const earlier = start <= TODAY ? opened : 0
      return spent === earlier + sum(captured(world).filter(({ capturedAt }) => capturedAt! >= start))
    })
  )
}

function tallyOf({ actor }: World): Tally | undefined {
  return (actor?.context as unknown as BudgetContext | undefined)?.tally ?? undefined
}

/** The part of the total that no capture of the world brought: what openings brought. */
function openedIn(world: World): number {
  const tally = tallyOf(world)
  return tally ? tally.total - sum(captured(world)) : 0
}

/** What the message's opening adds: to a budget that is not open, or one that covers fewer joins. */
function broughtBy({ before, message, after }: Step): number {
  const isOpened = !tallyOf(before) && tallyOf(after) !== undefined
  const isJoined = field(after, 'joins') > field(before, 'joins')
  return message['opening'] !== undefined && (isOpened || isJoined) ? OPENED_WITH : 0
}

function tallyHolds(): Invariant[] {
  return [
    ['held is the sum of the open holds', ({ after }) => (tallyOf(after)?.sums.held ?? 0) === sum(held(after))],
    [
      'total grows by captures and by what openings bring, each once',
      (step) => openedIn(step.after) === openedIn(step.before) + broughtBy(step),
    ],
    [
      'the amount spent in each window is what openings brought plus the sum of its captures',
      ({ after }) => windowsCount(tallyOf(after)?.sums, after, openedIn(after)),
    ],
    ['no turn raises a measure above a limit that the message carries', limitsHold],
    ['a reservation takes no hold where the count that it carries is used up', countsHold],
  ]
}

/** The sum that a limit applies to in a world, at the gate's clock after the turn. */
function measured(world: World, { measure }: LimitTerm, clock: number): number {
  const tally = tallyOf(world)
  if (!tally) return 0
  const { held: holds, day, week, month } = sumsAt(tally.sums, clock, tally.timezone)
  const windows = { DAY: day.spent, WEEK: week.spent, MONTH: month.spent, TOTAL: tally.total }
  return measure === 'COUNT' ? 0 : windows[measure] + holds
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

function countsHold({ message, turn }: Step): boolean {
  if (message.type !== 'RESERVE') return true
  const limits = (message['limits'] ?? []) as unknown as LimitTerm[]
  const isUsedUp = limits.some(({ measure, limit, counted = limit }) => measure === 'COUNT' && counted >= limit)
  return !isUsedUp || turn.hold === null
}

/** An agent's hold says since when the payment counts, whatever comes of it. */
function timesStay({ before, message, turn, after }: Step): boolean {
  if (!turn.hold || message.holder === undefined) return true
  const at = before.holds[message.holder]?.at ?? field(after, 'clock')
  return turn.hold.at === at
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

/** Written out, so that a level that is changed by mistake in the chart is seen. */
const LEVELS: Readonly<Record<string, HoldLevel>> = {
  awaitingApproval: 'held',
  approved: 'held',
  permitted: 'permitted',
  'authorized.byWord': 'captured',
  'authorized.onChain': 'captured',
  'transferring.signing': 'captured',
  'transferring.submitting': 'captured',
  'transferring.unknown': 'captured',
  'transferred.submitted': 'captured',
  'transferred.confirmed': 'captured',
  executed: 'captured',
  charged: 'captured',
  paid: 'captured',
}

function gatesAreAtLevel({ after: { actor } }: Step): boolean {
  if (!actor) return true
  const { gates, holds, permit } = actor.context as unknown as PaymentContext
  const level = LEVELS[actor.state] ?? 'none'
  const amount = permit?.charge?.amount ?? 60
  if (level === 'none') return holds.length === 0
  const isRight = (hold: Hold): boolean => hold.amount === amount && isCaptured(hold) === (level === 'captured')
  return holds.length === gates.length && holds.every(isRight)
}

const ORDER = ['RESERVE', 'ADMIT', 'CAPTURE', 'SETTLE', 'RESTORE', 'RECONCILE', 'RELEASE']

function asksInOrder({ asked, message }: Step): boolean {
  if (message['refuses']) return true
  const places = asked.map((one) => ORDER.indexOf(one.slice(0, one.indexOf(' '))))
  const isAdmitted = !asked.some((one) => one.startsWith('CAPTURE ')) || asked.some((one) => one.startsWith('ADMIT '))
  return isAdmitted && places.every((place, index) => place >= (places[index - 1] ?? 0))
}

function refusalRecorded({ before, message, after, taken }: Step): boolean {
  if (!taken.some((name) => name.includes('.REFUSED['))) return true
  const { by, violations } = message['refuses'] as unknown as Refusing
  const { refusedBy, causes, reviews, gates } = after.actor!.context as unknown as PaymentContext
  const review = message['review'] as unknown as Review | undefined
  const isReviewed = review === undefined || gates.length === review.gates.length
  const isCounted = reviews === field(before, 'reviews') + (review ? 1 : 0)
  return isReviewed && isCounted && refusedBy === kindOf(by) && isSameJson(causes as never, violations as never)
}

const EXECUTING = /^(authorized|transferring|transferred|permitted|executed|charged|paid)/

function sendingCounts({ before, after }: Step): boolean {
  const [from, to] = [before.actor?.state ?? 'created', after.actor?.state ?? 'created']
  const isBegun =
    (EXECUTING.test(to) && !EXECUTING.test(from)) || (from === 'permitted' && (to === 'executed' || to === 'charged'))
  return field(after, 'sending') === field(before, 'sending') + (isBegun ? 1 : 0)
}

function fundsOnly({ before, message, after, turn }: Step): boolean {
  // A balance read from the chain is neither funded nor spent here.
  if (fieldsIn(after.actor)['observed']) return true
  const made = (world: World): number => field(world, 'balance') + sum(captured(world))
  const funded = message.type === 'FUND' && turn.changed ? Number(message['amount']) : 0
  return made(after) === made(before) + funded
}

function gatesStay({ before, after }: Step): boolean {
  const gatesIn = ({ actor }: World): Gate[] => (actor?.context as PaymentContext | undefined)?.gates ?? []
  return gatesIn(before).every(({ ref }, place) => gatesIn(after)[place]?.ref === ref)
}

function failureReported({ after: { actor } }: Step): boolean {
  const { gates = [] } = fieldsIn(actor) as Partial<PaymentContext>
  const isReported = ({ ref }: Gate): boolean => actor?.state === 'failed' && ref.startsWith('counterparty/')
  return gates.every((gate) => (gate.failed === true) === isReported(gate))
}

const approvalIn = ({ actor }: World): Approval | null =>
  (actor?.context as PaymentContext | undefined)?.approval ?? null

/** A PENDING request is open, or is about to be while createdAt is 0. */
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
  const isEdit = !NO_EDITS.has(message.type) && turn.taken && turn.refusal === undefined && turn.changed
  if (isEdit) return field(after, 'version') === field(before, 'version') + 1
  return ['version', 'definition', 'change'].every(
    (name) => fieldsIn(after.actor)[name] === fieldsIn(before.actor)[name],
  )
}

function definitionOf({ actor }: World): PolicyDefinition | undefined {
  return (actor?.context as PolicyContext | undefined)?.definition
}

function coversOrIsAssigned({ after }: Step): boolean {
  const { agents = [], wallets = [] } = fieldsIn(after.actor) as Partial<PolicyContext>
  return definitionOf(after)?.scope !== 'organization' || agents.length + wallets.length === 0
}
