// A counterparty: the recipient at one address of one organization, and the gate that refuses blocked ones. It begins
// with the first reservation for its address or with its registration. Deleting it removes the record; the history of
// payments and a block belong to the address and stay.
import { assign, setup } from 'xstate'
import type { Code } from '../src/domain/outcomes/codes.js'
import {
  counterpartiesOf,
  RECIPIENT_BLOCKED,
  type WritableFields,
  type CounterpartyFields,
  type CounterpartyStatus,
  type NameSource,
} from '../src/domain/parties/counterparty.js'
import {
  capturedHold,
  gateGuards,
  gateTime,
  isCaptured,
  type GateContext,
  type GateMessage,
} from '../src/domain/limits/gate.js'
import { historyOf, withoutPayment, withPayment, type PaymentHistory } from '../src/domain/parties/paymentHistory.js'
import { listed, type Listing } from '../src/domain/values/lists.js'

export interface CounterpartyContext extends GateContext, CounterpartyFields, WritableFields, PaymentHistory {
  id: string
  createdAt: number
  updatedAt: number
  order: number
  nameSource: NameSource
  /** In display form. */
  address: string
  /** The reason for its block or trust, if one was given. */
  reason: string | null
  /** Number of status decisions, so that an approval of its trust holds for the one its approver saw. */
  edits: number
}

/** Identifies a record that is created when there is none. */
interface Met {
  id: string
  address: string
  order: number
}

interface Change {
  now: number
  changes?: Partial<CounterpartyFields>
  reason?: string
}

export type CounterpartyEvent =
  | GateMessage
  | ({
      type: 'CREATE'
      now: number
      organization: string
      status: CounterpartyStatus
      fields: CounterpartyFields
    } & Met)
  | ({ type: 'UPSERT'; now: number; organization: string; fields: { name: string } & Partial<WritableFields> } & Met)
  | ({ type: 'UPDATE' | 'BLOCK' | 'UNBLOCK' | 'TRUST' | 'VERIFY' | 'RESET' } & Change)
  | { type: 'DELETE'; now: number }

const DEFAULTS = {
  category: 'OTHER',
  notes: null,
  website: null,
  type: 'VENDOR',
  spendingCategory: null,
  description: null,
  reason: null,
} as const

function filed(event: CounterpartyEvent) {
  const { now, organization, id, address, order, fields } = event as CounterpartyEvent & { type: 'CREATE' | 'UPSERT' }
  const nameSource: NameSource = event.type === 'CREATE' ? 'PERSON' : 'AGENT'
  return { ...DEFAULTS, ...fields, nameSource, id, organization, address, order, createdAt: now, updatedAt: now }
}

/** A person's word on the name, where there is one. */
function named(changes: Partial<CounterpartyFields> | undefined): { nameSource?: NameSource } {
  return changes?.name === undefined ? {} : { nameSource: 'PERSON' }
}

function met({ now, organization, terms }: GateMessage) {
  const { id = '', name, address = '', order = '0' } = terms ?? {}
  const known = { name: name ?? address, nameSource: (name === undefined ? null : 'AGENT') as NameSource }
  return { ...DEFAULTS, ...known, id, organization, address, order: Number(order), createdAt: now, updatedAt: now }
}

const wantedStatus = (event: CounterpartyEvent): CounterpartyStatus =>
  event.type === 'CREATE' ? event.status : 'UNKNOWN'

export function counterpartyListing({ state, context }: { state: string; context: CounterpartyContext }): Listing {
  const { organization } = context
  return listed(counterpartiesOf(organization), counterpartiesOf(organization, state))
}

export const counterparty = setup({
  types: { context: {} as CounterpartyContext, events: {} as CounterpartyEvent },
  guards: {
    ...gateGuards,
    /** The payment was captured, and its settlement failed. */
    undone: ({ context, event }) => isCaptured(context.hold) && (event as GateMessage).failed === true,
    asTrusted: ({ event }) => wantedStatus(event) === 'TRUSTED',
    asVerified: ({ event }) => wantedStatus(event) === 'VERIFIED',
    asBlocked: ({ event }) => wantedStatus(event) === 'BLOCKED',
  },
  actions: {
    meet: assign(({ event }) => met(event as GateMessage)),
    /** The address stays blocked, for the same reason. */
    meetBlocked: assign(({ context, event }) => ({ ...met(event as GateMessage), reason: context.reason })),
    file: assign(({ event }) => filed(event)),
    /** The address stays blocked, for the same reason. */
    fileBlocked: assign(({ context, event }) => ({ ...filed(event), reason: context.reason })),
    /** An agent's word: it gives a name where no person has. */
    describe: assign(({ context, event }) => {
      const { name, ...fields } = (event as CounterpartyEvent & { type: 'UPSERT' }).fields
      const isFree = context.nameSource !== 'PERSON'
      return { ...fields, ...(isFree && { name, nameSource: 'AGENT' as const }), updatedAt: event.now }
    }),
    /** The name is the one that people saw when they decided. */
    describeNamed: assign(({ event }) => {
      const { name: _name, ...fields } = (event as CounterpartyEvent & { type: 'UPSERT' }).fields
      return { ...fields, updatedAt: event.now }
    }),
    /** A change of status without a reason clears the previous reason. */
    change: assign(({ context, event }) => {
      const { now, changes, reason = null } = event as Change
      return { ...changes, ...named(changes), reason, edits: context.edits + 1, updatedAt: now }
    }),
    count: assign(({ context }) => ({ edits: context.edits + 1 })),
    /** Keeps the status and, unless another is given, its reason. */
    amend: assign(({ context, event }) => {
      const { now, changes, reason = context.reason } = event as Change
      return { ...changes, ...named(changes), reason, updatedAt: now }
    }),
    announce: assign(({ context }, params: { event: string }) => ({ events: [...context.events, params.event] })),
    reject: assign((_, params: { code: Code }) => ({ refusal: params.code })),
    touch: assign(({ event }) => ({ updatedAt: event.now })),
    refuseBlocked: assign({ violations: [RECIPIENT_BLOCKED] }),
    hold: assign(({ event }) => ({ hold: { amount: (event as GateMessage).amount } })),
    capture: assign(({ context, event }) => {
      const clock = gateTime(context, event as GateMessage)
      const captured = capturedHold(context.hold!, clock)
      const history = withPayment(historyOf(context), captured.amount, clock)
      const { lastTransactionAt: lastBefore, unusualAt: unusualBefore } = context
      const hold = { ...captured, lastBefore, ...(history.unusualAt !== unusualBefore && { unusualBefore }) }
      return { ...history, hold, clock }
    }),
    uncapture: assign(({ context }) => withoutPayment(historyOf(context), context.hold!, false)),
    fail: assign(({ context }) => withoutPayment(historyOf(context), context.hold!, true)),
    restore: assign(({ context }) => ({ hold: { amount: context.hold!.amount } })),
    release: assign({ hold: null }),
  },
}).createMachine({
  id: 'counterparty',
  context: {
    id: '',
    organization: '',
    createdAt: 0,
    updatedAt: 0,
    order: 0,
    name: '',
    nameSource: null,
    address: '',
    category: 'OTHER',
    notes: null,
    website: null,
    type: 'VENDOR',
    spendingCategory: null,
    description: null,
    reason: null,
    edits: 0,
    transactionCount: 0,
    totalVolume: 0,
    failedCount: 0,
    firstTransactionAt: null,
    lastTransactionAt: null,
    unusualAt: null,
    clock: 0,
    hold: null,
    violations: [],
    refusal: null,
    events: [],
  },
  initial: 'unmet',
  on: {
    SETTLE: { actions: 'capture' },
    RESTORE: { actions: ['uncapture', 'restore'] },
    RELEASE: [
      { guard: 'undone', actions: ['fail', 'release'] },
      { guard: 'captured', actions: ['uncapture', 'release'] },
      { actions: 'release' },
    ],
  },
  states: {
    unmet: {
      meta: { gone: true, status: 'UNKNOWN' },
      on: {
        RESERVE: { target: 'met.unknown', actions: ['meet', 'hold'] },
        CAPTURE: { target: 'met.unknown', actions: ['meet', 'capture'] },
        SETTLE: { target: 'met.unknown', actions: ['meet', 'capture'] },
        CREATE: [
          { guard: 'asTrusted', target: 'met.trusted', actions: 'file' },
          { guard: 'asVerified', target: 'met.verified', actions: 'file' },
          {
            guard: 'asBlocked',
            target: 'blocked',
            actions: ['file', { type: 'announce', params: { event: 'counterparty.blocked' } }],
          },
          { target: 'met.unknown', actions: 'file' },
        ],
        UPSERT: { target: 'met.unknown', actions: 'file' },
      },
    },
    unmetBlocked: {
      meta: { gone: true, status: 'BLOCKED' },
      on: {
        RESERVE: { actions: 'refuseBlocked' },
        CAPTURE: { actions: 'refuseBlocked' },
        SETTLE: { target: 'blocked', actions: ['meetBlocked', 'capture'] },
        CREATE: { target: 'blocked', actions: 'fileBlocked' },
        UPSERT: { target: 'blocked', actions: 'fileBlocked' },
      },
    },
    met: {
      initial: 'unknown',
      on: {
        RESERVE: { actions: 'hold' },
        CAPTURE: { actions: 'capture' },
        CREATE: { actions: { type: 'reject', params: { code: 'ALREADY_EXISTS' } } },
        UPSERT: { actions: 'describe' },
        UPDATE: { actions: 'amend' },
        BLOCK: {
          target: 'blocked',
          actions: ['change', { type: 'announce', params: { event: 'counterparty.blocked' } }],
        },
        UNBLOCK: { actions: { type: 'reject', params: { code: 'INVALID_STATUS' } } },
        TRUST: { target: 'met.trusted', actions: 'change' },
        VERIFY: { target: 'met.verified', actions: 'change' },
        RESET: { target: 'met.unknown', actions: 'change' },
        DELETE: { target: 'unmet', actions: 'touch' },
      },
      states: {
        unknown: { meta: { status: 'UNKNOWN' } },
        verified: { meta: { status: 'VERIFIED' }, on: { UPSERT: { actions: 'describeNamed' } } },
        trusted: { meta: { status: 'TRUSTED' }, on: { UPSERT: { actions: 'describeNamed' } } },
      },
    },
    blocked: {
      meta: { status: 'BLOCKED' },
      on: {
        RESERVE: { actions: 'refuseBlocked' },
        CAPTURE: { actions: 'refuseBlocked' },
        CREATE: { actions: { type: 'reject', params: { code: 'ALREADY_EXISTS' } } },
        UPSERT: { actions: 'describe' },
        UPDATE: { actions: 'amend' },
        BLOCK: { actions: ['amend', 'count'] },
        UNBLOCK: { target: 'met.unknown', actions: 'change' },
        TRUST: { target: 'met.trusted', actions: 'change' },
        VERIFY: { target: 'met.verified', actions: 'change' },
        RESET: { target: 'met.unknown', actions: 'change' },
        DELETE: { target: 'unmetBlocked', actions: 'touch' },
      },
    },
  },
})
