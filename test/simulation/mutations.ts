// Charts with one protection removed each: the simulation must find a violation with every one of them.
import { assign } from 'xstate'
import { agent } from '../../machines/agent.js'
import { budget } from '../../machines/budget.js'
import { claim } from '../../machines/claim.js'
import { counterparty } from '../../machines/counterparty.js'
import { delegation } from '../../machines/delegation.js'
import { charts } from '../../machines/index.js'
import { organization } from '../../machines/organization.js'
import { payment } from '../../machines/payment.js'
import { wallet } from '../../machines/wallet.js'
import type { ChartBook } from '../../src/actor/turn.js'
import { delegationViolations } from '../../src/domain/delegation.js'
import { capturedEntry, gateTime, releasedEntry, type GateMessage } from '../../src/domain/gate.js'
import { historyOf, withPayment } from '../../src/domain/history.js'
import { NO_TALLY, tallyAt } from '../../src/domain/tally.js'
import type { Invariant } from './violated.js'

export interface Mutation {
  /** The protection that is removed. */
  without: string
  book: ChartBook
  /** One of these invariants must be the first to be violated. */
  breaks: Invariant[]
}

type Machines = Partial<Record<string, ChartBook[string]['machine']>>

/** The shipped charts with some machines replaced; stored actors keep their versions. */
function book(machines: Machines): ChartBook {
  const changed = Object.entries(machines).map(([kind, machine]) => [kind, { machine, version: 1 }])
  return { ...charts, ...(Object.fromEntries(changed) as ChartBook) }
}

const never = (): boolean => false

export const MUTATIONS: Mutation[] = [
  {
    without: 'the tombstone of a RELEASE that comes before its RESERVE',
    book: book({
      agent: agent.provide({ actions: { tombstone: assign({}) } }),
      delegation: delegation.provide({ actions: { tombstone: assign({}) } }),
      wallet: wallet.provide({ actions: { tombstone: assign({}) } }),
      budget: budget.provide({ actions: { tombstone: assign({}) } }),
      counterparty: counterparty.provide({ actions: { tombstone: assign({}) } }),
    }),
    breaks: ['rows'],
  },
  {
    without: 'the RELEASE',
    book: book({
      agent: agent.provide({ actions: { release: assign({}) } }),
      delegation: delegation.provide({ actions: { release: assign({}) } }),
      wallet: wallet.provide({ actions: { release: assign({}) } }),
      budget: budget.provide({ actions: { release: assign({}) } }),
      counterparty: counterparty.provide({ actions: { release: assign({}) } }),
    }),
    breaks: ['rows', 'sums'],
  },
  {
    without: 'the reduction of the sums by a RELEASE',
    book: book({
      delegation: delegation.provide({
        actions: {
          release: assign(({ context, event }) => ({ entry: releasedEntry(event as GateMessage, context.entry) })),
        },
      }),
    }),
    breaks: ['sums'],
  },
  {
    without: 'the limits at CAPTURE',
    book: book({
      delegation: delegation.provide({
        guards: {
          allows: ({ context, event }) => {
            const { type, amount, now } = event as GateMessage
            const payment = { amount, now: Math.max(now, context.clock), listed: false, person: true }
            return type === 'CAPTURE' || delegationViolations(context.terms, context.sums, payment).length === 0
          },
        },
      }),
    }),
    breaks: ['limit'],
  },
  {
    without: 'the check for a block at CAPTURE',
    book: book({
      counterparty: counterparty.provide({
        actions: {
          refuseBlocked: assign(({ context, event }) => {
            if (event.type !== 'CAPTURE') return { violations: [{ type: 'BLOCKED_COUNTERPARTY', message: 'Blocked' }] }
            const entry = capturedEntry(event, context.entry!, context.clock)
            return { ...withPayment(historyOf(context), entry.amount, context.clock), entry }
          }),
        },
      }),
    }),
    breaks: ['barred'],
  },
  {
    without: 'the check for a pause at CAPTURE',
    book: book({
      agent: agent.provide({
        actions: {
          refuseInactive: assign(({ context, event }) => {
            if (event.type !== 'CAPTURE') return { violations: [{ type: 'AGENT_NOT_ACTIVE', message: 'Paused' }] }
            const entry = capturedEntry(event, context.entry!, context.clock)
            return { entry, executed: context.executed + 1 }
          }),
        },
      }),
    }),
    breaks: ['barred'],
  },
  {
    without: 'the answer to a repeated RESERVE from its row',
    book: book({
      agent: agent.provide({ guards: { answered: never } }),
      delegation: delegation.provide({ guards: { answered: never } }),
      wallet: wallet.provide({ guards: { answered: never } }),
      counterparty: counterparty.provide({ guards: { answered: never } }),
    }),
    breaks: ['sums', 'closed', 'rows'],
  },
  {
    without: 'the attempt number that bars an abandoned CAPTURE',
    book: book({
      agent: agent.provide({ guards: { notCapturable: ({ context }) => context.entry?.state !== 'held' } }),
      delegation: delegation.provide({ guards: { notCapturable: ({ context }) => context.entry?.state !== 'held' } }),
      wallet: wallet.provide({ guards: { notCapturable: ({ context }) => context.entry?.state !== 'held' } }),
      counterparty: counterparty.provide({
        guards: { notCapturable: ({ context }) => context.entry?.state !== 'held' },
      }),
    }),
    breaks: ['rows'],
  },
  {
    without: 'the check that a WAKE is due',
    book: book({ payment: payment.provide({ guards: { due: () => true } }) }),
    breaks: ['time'],
  },
  {
    without: 'the check whether the agent has the name already',
    book: book({ agent: agent.provide({ guards: { ownsName: never } }) }),
    breaks: ['names'],
  },
  {
    without: 'the limits of policies at an agent',
    book: book({ agent: agent.provide({ guards: { allows: () => true } }) }),
    breaks: ['limit'],
  },
  {
    without: 'the limits that agents share under a policy',
    book: book({ budget: budget.provide({ guards: { allows: () => true } }) }),
    breaks: ['limit'],
  },
  {
    without: 'the opening sum of a budget',
    book: book({
      budget: budget.provide({
        actions: {
          open: assign(({ context, event }) => {
            const clock = gateTime(context, event)
            const { timezone = 'UTC' } = event.terms ?? {}
            return { organization: event.organization, tally: tallyAt(NO_TALLY, clock, timezone, undefined), clock }
          }),
        },
      }),
    }),
    breaks: ['sums'],
  },
  {
    without: 'the reservation at gates that policies add later',
    book: book({ payment: payment.provide({ guards: { hasNewGates: never } }) }),
    breaks: ['rows', 'causes'],
  },
  {
    without: 'the number of required approvals',
    book: book({ payment: payment.provide({ guards: { lacksApprovals: never } }) }),
    breaks: ['asked'],
  },
  {
    without: 'the check whether the person has decided already',
    book: book({ payment: payment.provide({ guards: { alreadyDecided: never } }) }),
    breaks: ['asked'],
  },
  {
    without: "the bar on deciding one's own request",
    book: book({ payment: payment.provide({ guards: { ownRequest: never } }) }),
    breaks: ['asked'],
  },
  {
    without: 'the refusal by a frozen organization',
    book: book({ organization: organization.provide({ actions: { refuseFrozen: assign({}) } }) }),
    breaks: ['barred'],
  },
  {
    without: 'the claim on the hash of a transfer',
    book: book({ claim: claim.provide({ actions: { settle: assign({}) } }) }),
    breaks: ['rows', 'names'],
  },
]
