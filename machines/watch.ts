// The watch over a wallet's outgoing transfers on its chain: how far they have been looked through, which of them wait
// for their payment, and which no payment explains. What is found is committed with the block up to which it was.
import { assign, setup } from 'xstate'
import type { TurnFields } from '../src/domain/limits/gate.js'
import type { OutgoingTransfer, WaitingTransfer } from '../src/domain/payment/outgoing.js'

export interface WatchContext extends TurnFields {
  organization: string
  walletId: string
  /** The first block of the watch. */
  from: number
  /** The last block that was looked through; the one before `from` at the beginning. */
  to: number
  /** Transfers that an open payment may be confirmed with. */
  waiting: WaitingTransfer[]
  /** The transfers found last that no payment explains. */
  found: OutgoingTransfer[]
}

export type WatchEvent =
  | { type: 'WATCH'; organization: string; walletId: string; from: number }
  | { type: 'ADVANCE'; to: number; waiting: WaitingTransfer[] }
  | { type: 'FIND'; to: number; waiting: WaitingTransfer[]; found: OutgoingTransfer[] }

export const watch = setup({
  types: { context: {} as WatchContext, events: {} as WatchEvent },
  actions: {
    begin: assign(({ event }) => {
      const { organization, walletId, from } = event as WatchEvent & { type: 'WATCH' }
      return { organization, walletId, from, to: from - 1 }
    }),
    /** A node that lags cannot set it back. */
    advance: assign(({ context, event }) => {
      const { to, waiting } = event as WatchEvent & { type: 'ADVANCE' }
      return { to: Math.max(context.to, to), waiting }
    }),
    find: assign(({ event }) => ({ found: (event as WatchEvent & { type: 'FIND' }).found })),
  },
}).createMachine({
  id: 'watch',
  context: {
    organization: '',
    walletId: '',
    from: 0,
    to: 0,
    waiting: [],
    found: [],
    hold: null,
    violations: [],
    refusal: null,
    events: [],
  },
  initial: 'absent',
  states: {
    absent: { meta: { gone: true }, on: { WATCH: { target: 'watching', actions: 'begin' } } },
    watching: {
      on: {
        WATCH: {},
        ADVANCE: { actions: 'advance' },
        FIND: { actions: ['advance', 'find'] },
      },
    },
  },
})
