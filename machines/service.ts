// A service: a host that an organization pays by x402, and the gate that counts these payments. It begins with the first
// reservation, and keeps who is paid there and whom of them a person has approved.
import { assign, setup } from 'xstate'
import { capturedHold, gateGuards, gateTime, type GateContext, type GateMessage } from '../src/domain/limits/gate.js'
import { addCapped, type Micros } from '../src/domain/values/money.js'
import { listed, listOf, type List, type Listing } from '../src/domain/values/lists.js'

export interface ServiceRecipient {
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
  recipients: ServiceRecipient[]
  payments: number
  total: Micros
  /** What was paid on each of the latest days (UTC, since 1970), the latest last; days without a payment are left out. */
  days: { day: number; total: Micros }[]
  /** Epoch ms; null before the first payment. */
  lastAt: number | null
}

const MAX_RECIPIENTS = 50
const MAX_DAYS = 31

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

/** The recipient of this payment becomes the latest. */
function paying(recipients: readonly ServiceRecipient[], { terms }: GateMessage): ServiceRecipient[] {
  const { payTo: address = '', person } = terms ?? {}
  const former = recipients.find((one) => one.address === address)
  const others = recipients.filter((one) => one !== former)
  const isApproved = former?.isApproved === true || person === 'true'
  const dropped = others.length < MAX_RECIPIENTS ? undefined : (others.find((one) => !one.isApproved) ?? others[0])
  return [...others.filter((one) => one !== dropped), { address, isApproved }]
}

const DAY_MS = 86_400_000

/** With so much more on the day of that time, or less. */
function dayPlus(days: ServiceContext['days'], at: number, amount: Micros): ServiceContext['days'] {
  const day = Math.floor(at / DAY_MS)
  const known = days.find((one) => one.day === day)
  const total = addCapped(known?.total ?? 0, amount)
  const others = days.filter((one) => one !== known)
  // What is taken back on a day that is forgotten changes nothing.
  if (known === undefined && amount < 0) return days
  return [...others, ...(total > 0 ? [{ day, total }] : [])].sort((a, b) => a.day - b.day).slice(-MAX_DAYS)
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
        recipients: paying(context.recipients, event),
        days: dayPlus(context.days, clock, context.hold!.amount),
        payments: context.payments + 1,
        total: addCapped(context.total, context.hold!.amount),
        lastAt: clock,
        clock,
        updatedAt: clock,
      }
    }),
    uncapture: assign(({ context }) => ({
      payments: context.payments - 1,
      lastAt: context.payments > 1 ? context.lastAt : null,
      total: context.total - context.hold!.amount,
      days: dayPlus(context.days, context.hold!.capturedAt ?? context.clock, -context.hold!.amount),
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
    recipients: [],
    payments: 0,
    total: 0,
    days: [],
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
