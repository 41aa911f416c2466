// A wallet: the gate that owns a balance. Held funds may not be promised twice; captured funds are gone. In live
// settlement the balance is read from the chain.
import { assign, setup } from 'xstate'
import type { Code } from '../src/domain/outcomes/codes.js'
import { capturedHold, gateTime, isCaptured, type GateContext, type GateMessage } from '../src/domain/limits/gate.js'
import {
  afterCapture,
  afterReading,
  afterReorg,
  afterSettled,
  afterTransfer,
  fundsWithoutCapture,
  type Funds,
  type Transfer,
} from '../src/domain/limits/funds.js'
import { addMicros, type Micros } from '../src/domain/values/money.js'
import {
  balanceViolations,
  BALANCE_UNREAD,
  WALLET_NOT_ACTIVE,
  type WalletFields,
} from '../src/domain/parties/wallet.js'
import { listed, listOf, type List, type Listing } from '../src/domain/values/lists.js'

export interface WalletContext extends GateContext, Funds {
  id: string
  createdAt: number
  updatedAt: number
  order: number
  fields: WalletFields
  /** The part of the balance that payments hold. */
  held: Micros
  /** What the chain's native coin does not suffice for; null while it suffices. */
  lowGas: string | null
}

export type WalletEvent =
  | GateMessage
  | {
      type: 'CREATE'
      now: number
      organization: string
      id: string
      order: number
      fields: WalletFields
    }
  | { type: 'UPDATE' | 'ACTIVATE' | 'FREEZE' | 'ARCHIVE'; now: number; name?: string }
  | { type: 'FUND'; now: number; amount: Micros }
  | { type: 'OBSERVE'; now: number; balance: Micros; block: number; lowGas: string | null }
  /** Its organization has proved that it controls the address. */
  | { type: 'PROVE'; now: number }
  | { type: 'DELETE'; now: number }

function objections({ balance, held, observed }: WalletContext, event: WalletEvent) {
  const { amount, terms } = event as GateMessage
  if (terms?.['funds'] === 'chain' && observed === null) return [BALANCE_UNREAD]
  return balanceViolations(balance, held, amount)
}

/**
 * Why the chain's balance, read since the hold, does not cover it. Unsettled payments are left out, because the balance
 * may show them already.
 */
function shortfall({ observed, hold }: WalletContext, event: WalletEvent) {
  const isOnChain = (event as GateMessage).terms?.['funds'] === 'chain'
  return isOnChain && observed !== null ? balanceViolations(observed.balance, 0, hold!.amount) : []
}

/** The settlement status of a capture for this payment; undefined when its funds are not on a chain. */
function transferOf({ terms }: GateMessage): Transfer {
  if (terms?.['funds'] !== 'chain') return undefined
  return terms['transfer'] === 'own' ? 'pending' : 'settled'
}

/** The block with the payment's transfer; undefined when the chain no longer has it. */
function blockIn(event: WalletEvent): string | undefined {
  return (event as GateMessage).terms?.['block']
}

export function walletsOf(organization: string): List<'wallet'> {
  return listOf(`wallets/${organization}`)
}

export function walletListing({ context }: { context: WalletContext }): Listing {
  return listed(walletsOf(context.organization))
}

export const wallet = setup({
  types: { context: {} as WalletContext, events: {} as WalletEvent },
  guards: {
    allows: ({ context, event }) => objections(context, event).length === 0,
    covers: ({ context, event }) => shortfall(context, event).length === 0,
    /** Payments hold funds, or captured funds may still be leaving the wallet. */
    holds: ({ context }) => context.held > 0 || context.unsettled > 0,
    arrives: ({ context, event }) => context.hold?.transfer === 'pending' && blockIn(event) !== undefined,
    leavesBlock: ({ context, event }) => {
      return context.hold?.transfer === 'settled' && blockIn(event) === undefined
    },
    overflows: ({ context, event }) => event.type === 'FUND' && !Number.isSafeInteger(context.balance + event.amount),
  },
  actions: {
    describe: assign(({ event }) => {
      const { now, organization, id, order, fields } = event as WalletEvent & { type: 'CREATE' }
      return { id, organization, order, fields, createdAt: now, updatedAt: now }
    }),
    update: assign(({ context, event }) => {
      const { name } = event as WalletEvent & { type: 'UPDATE' }
      return { fields: name === undefined ? context.fields : { ...context.fields, name }, updatedAt: event.now }
    }),
    touch: assign(({ event }) => ({ updatedAt: event.now })),
    fund: assign(({ context, event }) => {
      const { amount, now } = event as WalletEvent & { type: 'FUND' }
      return { balance: addMicros(context.balance, amount), updatedAt: now }
    }),
    reject: assign((_, params: { code: Code }) => ({ refusal: params.code })),
    refuse: assign(({ context, event }) => ({ violations: objections(context, event) })),
    refuseUncovered: assign(({ context, event }) => ({ violations: shortfall(context, event) })),
    refuseInactive: assign({ violations: [WALLET_NOT_ACTIVE] }),
    hold: assign(({ context, event }) => {
      const { amount } = event as GateMessage
      return { hold: { amount }, held: addMicros(context.held, amount) }
    }),
    capture: assign(({ context, event }) => {
      const message = event as GateMessage
      const clock = gateTime(context, message)
      const transfer = transferOf(message)
      const hold = { ...capturedHold(context.hold!, clock), ...(transfer && { transfer }) }
      return { ...afterCapture(context, hold.amount, transfer), hold, held: context.held - hold.amount, clock }
    }),
    settle: assign(({ context, event }) => {
      const { amount } = context.hold!
      return blockIn(event) === undefined ? {} : afterSettled(context, amount, Number(blockIn(event)))
    }),
    restore: assign(({ context }) => {
      const { amount } = context.hold!
      return { ...fundsWithoutCapture(context, context.hold!), hold: { amount }, held: addMicros(context.held, amount) }
    }),
    release: assign(({ context }) => {
      const open = context.hold!
      if (isCaptured(open)) return { ...fundsWithoutCapture(context, open), hold: null }
      return { hold: null, held: context.held - open.amount }
    }),
    reconcile: assign(({ context, event }) => {
      const open = context.hold!
      const hold = { ...open, transfer: 'settled' as const }
      return { ...afterTransfer(context, open.amount, Number(blockIn(event))), hold }
    }),
    unsettle: assign(({ context }) => {
      const open = context.hold!
      return { ...afterReorg(context, open.amount), hold: { ...open, transfer: 'pending' as const } }
    }),
    observe: assign(({ context, event }) => {
      const { balance, block, lowGas } = event as WalletEvent & { type: 'OBSERVE' }
      return { ...afterReading(context, { balance, block }), lowGas }
    }),
  },
}).createMachine({
  id: 'wallet',
  context: {
    id: '',
    organization: '',
    createdAt: 0,
    updatedAt: 0,
    order: 0,
    fields: {
      name: '',
      address: '',
      walletType: 'EOA',
      chainType: 'EVM',
      chainId: '',
      custodyType: 'MANAGED',
      currency: 'USDC',
    },
    balance: 0,
    unsettled: 0,
    observed: null,
    held: 0,
    lowGas: null,
    clock: 0,
    hold: null,
    violations: [],
    refusal: null,
    events: [],
  },
  initial: 'absent',
  on: {
    SETTLE: { actions: ['capture', 'settle'] },
    RESTORE: { actions: 'restore' },
    RELEASE: { actions: 'release' },
    RECONCILE: [
      { guard: 'arrives', actions: 'reconcile' },
      { guard: 'leavesBlock', actions: 'unsettle' },
    ],
  },
  states: {
    absent: { meta: { gone: true }, on: { CREATE: { target: 'kept', actions: 'describe' } } },
    kept: {
      initial: 'active',
      on: {
        UPDATE: { actions: 'update' },
        PROVE: { actions: 'touch' },
        OBSERVE: { actions: 'observe' },
        ACTIVATE: { target: 'kept.active', actions: 'update' },
        FREEZE: { target: 'kept.frozen', actions: 'update' },
        ARCHIVE: { target: 'kept.archived', actions: 'update' },
        FUND: [
          { guard: 'overflows', actions: { type: 'reject', params: { code: 'INVALID_AMOUNT' } } },
          { actions: 'fund' },
        ],
        DELETE: [
          { guard: 'holds', actions: { type: 'reject', params: { code: 'INVALID_STATUS' } } },
          { target: 'deleted' },
        ],
        RESERVE: { actions: 'refuseInactive' },
        CAPTURE: { actions: 'refuseInactive' },
      },
      states: {
        active: {
          meta: { status: 'ACTIVE' },
          on: {
            RESERVE: [{ guard: 'allows', actions: 'hold' }, { actions: 'refuse' }],
            CAPTURE: [{ guard: 'covers', actions: 'capture' }, { actions: 'refuseUncovered' }],
          },
        },
        frozen: { meta: { status: 'FROZEN' } },
        archived: { meta: { status: 'ARCHIVED' } },
      },
    },
    deleted: {
      meta: { status: 'ARCHIVED', gone: true },
      on: {
        RESERVE: { actions: 'refuseInactive' },
        CAPTURE: { actions: 'refuseInactive' },
      },
    },
  },
})
