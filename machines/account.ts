// An account: the one source of nonces for an address on a chain. It gives out the next nonce only when the last one is
// used permanently, so that there is never a gap. It knows nothing of what is signed with them.
import { assign, setup } from 'xstate'
import type { Code } from '../src/domain/outcomes/codes.js'
import type { Ref, TurnFields } from '../src/domain/limits/gate.js'

export interface AccountContext extends TurnFields {
  organization: string
  chainId: string
  address: string
  /** The next nonce, or the one that the holder has. */
  nonce: number
  /** The next nonce if the holder gives its own back; null when there is no holder, absent from older records. */
  former?: number | null
  /** The payment that signs with the nonce; null when there is none. */
  holder: Ref<'payment'> | null
}

export type AccountEvent =
  | { type: 'ALLOCATE'; organization: string; chainId: string; address: string; payment: Ref<'payment'>; floor: number }
  | { type: 'SPEND' | 'FREE'; payment: Ref<'payment'> }

const isHolder = ({ context, event }: { context: AccountContext; event: AccountEvent }): boolean =>
  context.holder === event.payment

const formerOf = ({ former, nonce }: AccountContext): number => former ?? nonce

export const account = setup({
  types: { context: {} as AccountContext, events: {} as AccountEvent },
  guards: {
    isHolder,
    isTaken: (args) => args.context.holder !== null && !isHolder(args),
  },
  actions: {
    describe: assign(({ event }) => {
      const { organization, chainId, address } = event as AccountEvent & { type: 'ALLOCATE' }
      return { organization, chainId, address }
    }),
    allocate: assign(({ context, event }) => {
      const { payment, floor } = event as AccountEvent & { type: 'ALLOCATE' }
      return { holder: payment, former: formerOf(context), nonce: Math.max(context.nonce, floor) }
    }),
    spend: assign(({ context }) => ({ holder: null, former: null, nonce: context.nonce + 1 })),
    /** A floor that a node named by mistake is forgotten: it would leave a gap forever. */
    free: assign(({ context }) => ({ holder: null, former: null, nonce: formerOf(context) })),
    reject: assign((_, params: { code: Code }) => ({ refusal: params.code })),
  },
}).createMachine({
  id: 'account',
  context: {
    organization: '',
    chainId: '',
    address: '',
    nonce: 0,
    former: null,
    holder: null,
    hold: null,
    violations: [],
    refusal: null,
    events: [],
  },
  initial: 'unused',
  states: {
    unused: {
      on: { ALLOCATE: { target: 'used', actions: ['describe', 'allocate'] } },
    },
    used: {
      on: {
        ALLOCATE: [
          { guard: 'isTaken', actions: { type: 'reject', params: { code: 'INVALID_STATUS' } } },
          { actions: 'allocate' },
        ],
        SPEND: [{ guard: 'isHolder', actions: 'spend' }, {}],
        FREE: [{ guard: 'isHolder', actions: 'free' }, {}],
      },
    },
  },
})
