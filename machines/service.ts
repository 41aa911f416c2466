// A service: a host that an organization pays by x402, and the gate that counts these payments. It begins with the first
// reservation, and keeps who is paid there and whom of them a person has approved.
import { assign, setup } from 'xstate'
import { capturedHold, gateGuards, gateTime, type GateContext, type GateMessage } from '../src/domain/limits/gate.js'
import { addCapped, type Micros } from '../src/domain/values/money.js'
import { listed, listOf, type List, type Listing } from '../src/domain/values/lists.js'

export interface Payee {
  /** In display form. */
  address: string
  /** A person has approved a payment to it at this host. */
  isApproved: boolean
}

export interface ServiceContext extends GateContext {
  id: string
  createdAt: number
  updatedAt: number
  order: number
  host: string
  /** The latest last. A host that names ever new ones keeps no more than these, those approved before others. */
  payees: Payee[]
  payments: number
  total: Micros
  /** Epoch ms; null before the first payment. */
  lastAt: number | null
}

const MAX_PAYEES = 50

export function servicesOf(organization: string): List<'service'> {
  return listOf(`services/${organization}`)
}

export function serviceListing({ context }: { context: ServiceContext }): Listing {
  return listed(servicesOf(context.organization))
}

function met({ now, organization, terms }: GateMessage) {
  const { id = '', host = '', order = '0' } = terms ?? {}
  return { id, organization, host, order: Number(order), createdAt: now, updatedAt: now }
}

/** The payee of this payment becomes the latest. */
function paying(payees: readonly Payee[], { terms }: GateMessage): Payee[] {
  const { payTo: address = '', person } = terms ?? {}
  const former = payees.find((payee) => payee.address === address)
  const others = payees.filter((payee) => payee !== former)
  const isApproved = former?.isApproved === true || person === 'true'
  const dropped = others.length < MAX_PAYEES ? undefined : (others.find((one) => !one.isApproved) ?? others[0])
  return [...others.filter((one) => one !== dropped), { address, isApproved }]
}

export const service = setup({
  types: { context: {} as ServiceContext, events: {} as GateMessage },
  guards: gateGuards,
  actions: {
    meet: assign(({ event }) => met(event)),
    hold: assign(({ event }) => ({ hold: { amount: event.amount } })),
    capture: assign(({ context, event }) => {
      const clock = gateTime(context, event)
      return {
        hold: capturedHold(context.hold!, clock),
        payees: paying(context.payees, event),
        payments: context.payments + 1,
        total: addCapped(context.total, context.hold!.amount),
        lastAt: clock,
        clock,
        updatedAt: clock,
      }
    }),
    uncapture: assign(({ context }) => ({
      payments: context.payments - 1,
      total: context.total - context.hold!.amount,
    })),
    restore: assign(({ context }) => ({ hold: { amount: context.hold!.amount } })),
    release: assign({ hold: null }),
  },
}).createMachine({
  id: 'service',
  context: {
    id: '',
    organization: '',
    createdAt: 0,
    updatedAt: 0,
    order: 0,
    host: '',
    payees: [],
    payments: 0,
    total: 0,
    lastAt: null,
    clock: 0,
    hold: null,
    violations: [],
    refusal: null,
    events: [],
  },
  initial: 'unmet',
  on: {
    CAPTURE: { actions: 'capture' },
    SETTLE: { actions: 'capture' },
    RESTORE: { actions: ['uncapture', 'restore'] },
    RELEASE: [{ guard: 'captured', actions: ['uncapture', 'release'] }, { actions: 'release' }],
  },
  states: {
    unmet: { meta: { gone: true }, on: { RESERVE: { target: 'met', actions: ['meet', 'hold'] } } },
    met: { on: { RESERVE: { actions: 'hold' } } },
  },
})
