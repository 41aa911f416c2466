// Charts with one protection removed each: the simulation must find a violation with every one of them.
import { assign, createMachine, type AnyStateMachine } from 'xstate'
import { agent } from '../../machines/agent.js'
import { budget } from '../../machines/budget.js'
import { counterparty } from '../../machines/counterparty.js'
import { delegation } from '../../machines/delegation.js'
import { charts, type Kind } from '../../machines/index.js'
import { organization } from '../../machines/organization.js'
import { payment } from '../../machines/payment/chart.js'
import { wallet } from '../../machines/wallet.js'
import type { Meta } from '../../src/domain/values/meta.js'
import type { KernelChart, ChartBook } from '../../src/actor/turn.js'
import { delegationViolations } from '../../src/domain/parties/delegation.js'
import { capturedHold, type GateMessage } from '../../src/domain/limits/gate.js'
import { historyOf, withPayment } from '../../src/domain/parties/paymentHistory.js'
import { held } from '../../src/domain/limits/tallyGate.js'
import type { Invariant } from './kernel/violated.js'

export interface Mutation {
  /** The protection that is removed. */
  without: string
  book: ChartBook
  /** One of these invariants must be the first to be violated. */
  breaks: Invariant[]
  /** Where the search begins at less than the full depth, because the first seeds violate nothing. */
  seed?: number
}

/** The shipped charts with some of them changed; stored actors keep their versions. */
function book(changes: Partial<Record<Kind, Partial<KernelChart>>>): ChartBook {
  const changed = Object.entries(changes).map(([kind, change]) => [kind, { ...charts[kind as Kind], ...change }])
  return { ...charts, ...(Object.fromEntries(changed) as ChartBook) }
}

/** The payment's chart with another `meta` in one of its states. */
function declaring(state: string, change: Meta): ChartBook {
  const { config, implementations } = payment as AnyStateMachine
  const states = config.states as Record<string, { meta: Meta }>
  const changed = { ...states[state]!, meta: { ...states[state]!.meta, ...change } }
  const machine = createMachine(
    { ...config, states: { ...states, [state]: changed } } as never,
    implementations as never,
  )
  return book({ payment: { machine: machine as unknown as AnyStateMachine } })
}

const never = (): boolean => false
const always = (): boolean => true
const provided = (implementations: object) => book({ payment: { machine: payment.provide(implementations) } })

export const MUTATIONS: Mutation[] = [
  {
    without: 'the hold of a payment that waits for a person',
    book: declaring('awaitingApproval', { hold: 'none' }),
    breaks: ['holds'],
  },
  { without: 'the capture of a payment', seed: 2, book: declaring('executed', { hold: 'held' }), breaks: ['holds'] },
  {
    without: 'the release of a cancelled payment',
    seed: 3,
    book: declaring('cancelled', { hold: 'held' }),
    breaks: ['holds'],
  },
  {
    without: 'the promise that a permit cannot be refused',
    seed: 6,
    book: declaring('permitted', { hold: 'held' }),
    breaks: ['works'],
  },
  {
    without: 'the news of a block to the wallet',
    seed: 2,
    book: declaring('transferred', { tell: {} }),
    breaks: ['holds'],
  },
  {
    without: 'the reduction of the sums by a RELEASE',
    book: book({ delegation: { machine: delegation.provide({ actions: { release: assign({ hold: null }) } }) } }),
    breaks: ['sums'],
  },
  {
    without: 'the reduction of the funds by a RELEASE',
    book: book({ wallet: { machine: wallet.provide({ actions: { release: assign({ hold: null }) } }) } }),
    breaks: ['sums'],
  },
  {
    without: 'the count of executions that a RESTORE takes back',
    seed: 8,
    book: book({ agent: { machine: agent.provide({ actions: { uncapture: assign({}) } }) } }),
    breaks: ['sums'],
  },
  {
    without: 'the limits at CAPTURE',
    seed: 9,
    book: book({
      delegation: {
        machine: delegation.provide({
          guards: {
            allows: ({ context, event }) => {
              const { type, amount, now } = event as GateMessage
              const asked = { amount, now: Math.max(now, context.clock), listed: false, person: true }
              return type === 'CAPTURE' || delegationViolations(context.terms, context.sums, asked).length === 0
            },
          },
        }),
      },
    }),
    breaks: ['limit'],
  },
  {
    without: 'the check for a block at CAPTURE',
    seed: 34,
    book: book({
      counterparty: {
        machine: counterparty.provide({
          actions: {
            refuseBlocked: assign(({ context, event }) => {
              if (event.type !== 'CAPTURE')
                return { violations: [{ type: 'BLOCKED_COUNTERPARTY', message: 'Blocked' }] }
              const hold = capturedHold(context.hold!, context.clock)
              return { ...withPayment(historyOf(context), hold.amount, context.clock), hold }
            }),
          },
        }),
      },
    }),
    breaks: ['barred'],
  },
  {
    without: 'the check for a pause at CAPTURE',
    seed: 9,
    book: book({
      agent: {
        machine: agent.provide({
          actions: {
            refuseInactive: assign(({ context, event }) => {
              if (event.type !== 'CAPTURE') return { violations: [{ type: 'AGENT_NOT_ACTIVE', message: 'Paused' }] }
              return { hold: capturedHold(context.hold!, context.clock), executed: context.executed + 1 }
            }),
          },
        }),
      },
    }),
    breaks: ['barred'],
  },
  {
    without: 'the refusal by a frozen organization',
    seed: 3,
    book: book({ organization: { machine: organization.provide({ actions: { refuseFrozen: assign({}) } }) } }),
    breaks: ['barred'],
  },
  { without: 'the check that a WAKE is due', seed: 2, book: provided({ guards: { due: always } }), breaks: ['time'] },
  { without: 'the WAKE of an approved payment', book: declaring('approved', { wakeAt: 'none' }), breaks: ['time'] },
  { without: 'the keys of agents', book: book({ agent: { keys: () => [] } }), breaks: ['names'] },
  { without: 'the keys of transfers', seed: 6, book: book({ payment: { keys: () => [] } }), breaks: ['names'] },
  {
    without: 'the limits of policies at an agent',
    book: book({ agent: { machine: agent.provide({ guards: { allows: always } }) } }),
    breaks: ['limit'],
  },
  {
    without: 'the time of a payment that an agent counts',
    book: book({
      agent: {
        machine: agent.provide({
          actions: { hold: assign(({ context, event }) => held(context, event as GateMessage)) },
        }),
      },
    }),
    breaks: ['sums'],
  },
  {
    without: 'the limits that agents share under a policy',
    seed: 4,
    book: book({ budget: { machine: budget.provide({ guards: { allows: always } }) } }),
    breaks: ['limit'],
  },
  {
    without: 'the opening sum of a budget',
    seed: 4,
    book: book({
      budget: {
        machine: budget.provide({
          actions: {
            hold: assign(({ context, event }) => {
              const { opening: _opening, ...unopened } = event
              return { organization: event.organization, ...held(context, unopened) }
            }),
          },
        }),
      },
    }),
    breaks: ['sums'],
  },
  {
    without: 'the number of required approvals',
    seed: 5,
    book: provided({ guards: { lacksApprovals: never } }),
    breaks: ['asked'],
  },
  {
    without: 'the check whether the person has decided already',
    seed: 6,
    book: provided({ guards: { alreadyDecided: never } }),
    breaks: ['asked'],
  },
  {
    without: "the bar on deciding one's own request",
    seed: 27,
    book: provided({ guards: { ownRequest: never } }),
    breaks: ['asked'],
  },
]
