// A delegation: the gate that lets an agent spend from one wallet within limits, hours and days.
// It owns the sums of its windows. Only the payment that made a hold ends it.
import { assign, setup } from 'xstate'
import type { Code } from '../src/domain/outcomes/codes.js'
import {
  DELEGATION_REVOKED,
  delegationViolations,
  scheduleOf,
  windowViolations,
  type DelegationTerms,
} from '../src/domain/parties/delegation.js'
import { gateTime, type GateMessage } from '../src/domain/limits/gate.js'
import { isScheduleValid } from '../src/domain/time/schedule.js'
import { sumsMoved, withoutCapture } from '../src/domain/limits/sums.js'
import {
  sumsBeside,
  sumsCaptured,
  sumsHeld,
  sumsReleased,
  sumsRestored,
  type SumsContext,
} from '../src/domain/limits/sumsGate.js'
import type { Violation } from '../src/domain/outcomes/violation.js'
import { listed, listOf, sublist, type List, type Listing } from '../src/domain/values/lists.js'
import type { Meta } from '../src/domain/values/meta.js'

export interface DelegationContext extends SumsContext {
  id: string
  agentId: string
  walletId: string
  createdAt: number
  updatedAt: number
  /** Order in lists: creation time in microseconds, unique. */
  order: number
  terms: DelegationTerms
  /** Number of changes of its terms, so that an approval of another holds for the terms its approver saw. */
  edits: number
}

export type DelegationEvent =
  | GateMessage
  | { type: 'CREATE'; now: number; organization: string; fields: Created }
  | { type: 'CONFIGURE'; now: number; changes: Partial<DelegationTerms> }
  | { type: 'REVOKE'; now: number }

/** `sums` and `clock` are what a removed delegation of the same pair has spent, and its clock. */
type Created = Pick<DelegationContext, 'id' | 'agentId' | 'walletId' | 'order' | 'terms'> &
  Partial<Pick<DelegationContext, 'sums' | 'clock'>>

/** Violations of this ask, without counting what the same payment holds already. */
function objections(context: DelegationContext, event: DelegationEvent): Violation[] {
  const { amount, terms, now } = event as GateMessage
  const [listed, person] = [terms?.['listed'] === 'true', terms?.['person'] === 'true']
  const payment = { amount, now: gateTime(context, { now }), listed, person }
  return delegationViolations(context.terms, sumsBeside(context), payment)
}

/** Violations of windows if the capture were a hold again now: windows that began since do not count it yet. */
function overruns(context: DelegationContext, event: DelegationEvent): Violation[] {
  const { amount, capturedAt } = context.hold!
  const sums = withoutCapture(context.sums, amount, capturedAt!)
  return windowViolations(context.terms, sums, amount, gateTime(context, event))
}

/** `only` those that are not revoked. */
export function delegationsOf(agentId: string, only?: 'active'): List<'delegation'> {
  return sublist(listOf(`delegations/${agentId}`), only)
}

export function delegationsOfWallet(walletId: string, only?: 'active'): List<'delegation'> {
  return sublist(listOf(`wallet-delegations/${walletId}`), only)
}

export function delegationListing({ context }: { context: DelegationContext }, { status }: Meta): Listing {
  const { agentId, walletId } = context
  const all = [delegationsOf(agentId), delegationsOfWallet(walletId)]
  if (status !== 'ACTIVE') return listed(...all)
  return listed(...all, delegationsOf(agentId, 'active'), delegationsOfWallet(walletId, 'active'))
}

export const delegation = setup({
  types: { context: {} as DelegationContext, events: {} as DelegationEvent },
  guards: {
    allows: ({ context, event }) => objections(context, event).length === 0,
    neverOpen: ({ context, event }) => {
      const { changes } = event as DelegationEvent & { type: 'CONFIGURE' }
      const { hoursStart, hoursEnd } = scheduleOf({ ...context.terms, ...changes })
      return !isScheduleValid(hoursStart, hoursEnd)
    },
    restorable: ({ context, event }) => overruns(context, event).length === 0,
  },
  actions: {
    describe: assign(({ event }) => {
      const { now, organization, fields } = event as DelegationEvent & { type: 'CREATE' }
      return { ...fields, organization, clock: Math.max(now, fields.clock ?? 0), createdAt: now, updatedAt: now }
    }),
    configure: assign(({ context, event }) => {
      const { now, changes } = event as DelegationEvent & { type: 'CONFIGURE' }
      const terms = { ...context.terms, ...changes }
      const clock = gateTime(context, { now })
      const sums = sumsMoved(context.sums, clock, context.terms.timezone, terms.timezone)
      return { terms, edits: context.edits + 1, sums, clock, updatedAt: now }
    }),
    touch: assign(({ event }) => ({ updatedAt: event.now })),
    reject: assign((_, params: { code: Code }) => ({ refusal: params.code })),
    refuse: assign(({ context, event }) => ({ violations: objections(context, event) })),
    refuseRevoked: assign({ violations: [DELEGATION_REVOKED] }),
    hold: assign(({ context, event }) => sumsHeld(context, event as GateMessage, context.terms.timezone)),
    capture: assign(({ context, event }) => sumsCaptured(context, event as GateMessage, context.terms.timezone)),
    refuseOverrun: assign(({ context, event }) => ({ violations: overruns(context, event) })),
    restore: assign(({ context }) => sumsRestored(context)),
    release: assign(({ context }) => sumsReleased(context)),
  },
}).createMachine({
  id: 'delegation',
  context: {
    id: '',
    organization: '',
    agentId: '',
    walletId: '',
    createdAt: 0,
    updatedAt: 0,
    order: 0,
    terms: {
      delegationType: 'VIEW_ONLY',
      spendLimitPerTx: 0,
      spendLimitDaily: 0,
      spendLimitWeekly: 0,
      spendLimitMonthly: 0,
      allowedHoursStart: 0,
      allowedHoursEnd: 24,
      allowedDays: [],
      timezone: 'UTC',
    },
    edits: 0,
    sums: {
      held: 0,
      day: { start: 0, spent: 0 },
      week: { start: 0, spent: 0 },
      month: { start: 0, spent: 0 },
    },
    clock: 0,
    hold: null,
    violations: [],
    refusal: null,
    events: [],
  },
  initial: 'absent',
  on: {
    SETTLE: { actions: 'capture' },
    RESTORE: [{ guard: 'restorable', actions: 'restore' }, { actions: 'refuseOverrun' }],
    RELEASE: { actions: 'release' },
  },
  states: {
    absent: { meta: { gone: true }, on: { CREATE: { target: 'active', actions: 'describe' } } },
    active: {
      meta: { status: 'ACTIVE' },
      on: {
        RESERVE: [{ guard: 'allows', actions: 'hold' }, { actions: 'refuse' }],
        CAPTURE: [{ guard: 'allows', actions: 'capture' }, { actions: 'refuse' }],
        CONFIGURE: [
          { guard: 'neverOpen', actions: { type: 'reject', params: { code: 'VALIDATION_ERROR' } } },
          { actions: 'configure' },
        ],
        REVOKE: { target: 'revoked', actions: 'touch' },
      },
    },
    revoked: {
      meta: { status: 'REVOKED' },
      on: {
        RESERVE: { actions: 'refuseRevoked' },
        CAPTURE: { actions: 'refuseRevoked' },
        CONFIGURE: { actions: { type: 'reject', params: { code: 'INVALID_STATUS' } } },
        REVOKE: { actions: { type: 'reject', params: { code: 'INVALID_STATUS' } } },
      },
    },
  },
})
