// What every host must do alike, as a table: what was said before, what is said (all of it at once), and what is
// answered and stored after that. Cases know commands, states and rows, and nothing of any host.
import { CLAIMS } from './claims.js'
import { configure, say, setStatus } from './messages.js'
import { after, cancel, DAY, everywhere, execute, HOUR, NOON, pay, times, world, type Case } from './stage.js'

const NOTHING_HELD = { 'delegation/d': { 'sums.held': 0, 'sums.day.spent': 0 }, 'wallet/w': { held: 0 } } as const

const LIVES: Case[] = [
  {
    title: 'an approved request holds its amount at every gate',
    given: world(),
    when: [pay('p', 10)],
    answers: { approved: 1 },
    rows: { p: everywhere('held') },
    fields: { 'delegation/d': { 'sums.held': 10, 'sums.day.spent': 0 }, 'wallet/w': { balance: 1_000_000, held: 10 } },
  },
  {
    title: 'an execution captures the amount at every gate',
    given: [...world(), pay('p', 10)],
    when: [execute('p')],
    answers: { executed: 1 },
    rows: { p: everywhere('captured') },
    fields: {
      'agent/a': { executed: 1 },
      'delegation/d': { 'sums.held': 0, 'sums.day.spent': 10, 'sums.week.spent': 10, 'sums.month.spent': 10 },
      'wallet/w': { balance: 999_990, held: 0 },
      'counterparty/c': { transactionCount: 1, totalVolume: 10 },
    },
  },
  {
    title: 'a request that executes by itself is executed when it is answered',
    given: world(),
    when: [pay('p', 10, { autoExecute: true })],
    answers: { executed: 1 },
    rows: { p: everywhere('captured') },
  },
  {
    title: 'a request that the facts deny asks no gate and meets no counterparty',
    given: world(),
    when: [pay('p', 10, { outcome: 'DENIED' })],
    answers: { denied: 1 },
    rows: { p: everywhere(undefined) },
    states: { 'counterparty/c': undefined },
  },
  {
    title: 'a request that needs a person holds its amount and cannot be executed',
    given: [...world(), pay('p', 10, { outcome: 'REQUIRES_APPROVAL' })],
    when: [execute('p')],
    answers: { INVALID_STATUS: 1 },
    states: { 'payment/p': 'awaitingApproval' },
    rows: { p: everywhere('held') },
  },
  {
    title: 'a request beyond the daily limit is denied and lets go of what it held',
    given: world({ spendLimitDaily: 9 }),
    when: [pay('p', 10)],
    answers: { denied: 1 },
    rows: { p: { ...everywhere(undefined), 'agent/a': 'released', 'delegation/d': 'refused' } },
    states: { 'counterparty/c': undefined },
    fields: { ...NOTHING_HELD, 'payment/p': { 'causes.0.type': 'DAILY_LIMIT' } },
  },
  {
    title: 'a request beyond the balance is denied and lets go of what it held',
    given: world({}, 9),
    when: [pay('p', 10)],
    answers: { denied: 1 },
    rows: { p: { 'agent/a': 'released', 'delegation/d': 'released', 'wallet/w': 'refused' } },
    fields: { ...NOTHING_HELD, 'payment/p': { 'causes.0.type': 'INSUFFICIENT_BALANCE' } },
  },
  {
    title: 'a cancelled payment lets go of what it held',
    given: [...world(), pay('p', 10)],
    when: [cancel('p')],
    answers: { cancelled: 1 },
    rows: { p: everywhere('released') },
    fields: NOTHING_HELD,
  },
  {
    title: 'a payment that is executed cannot be cancelled',
    given: [...world(), pay('p', 10), execute('p')],
    when: [cancel('p')],
    answers: { ALREADY_EXECUTED: 1 },
    rows: { p: everywhere('captured') },
  },
]

const CROWDS: Case[] = [
  {
    title: 'of 200 executions at once one succeeds',
    given: [...world(), pay('p', 10)],
    when: times(200, () => execute('p')),
    answers: { executed: 1, ALREADY_EXECUTED: 199 },
    fields: { 'wallet/w': { balance: 999_990, held: 0 } },
  },
  {
    title: 'of 500 requests of 10 at once a daily limit of 1000 approves 100',
    given: world({ spendLimitDaily: 1_000 }),
    when: times(500, (index) => pay(`p${index}`, 10)),
    answers: { approved: 100, denied: 400 },
    fields: { 'delegation/d': { 'sums.held': 1_000 }, 'wallet/w': { held: 1_000 } },
  },
  {
    title: 'of 11 requests of 0.7 at once a daily limit of 7 approves 10',
    given: world({ spendLimitDaily: 7_000_000 }, 100_000_000),
    when: times(11, (index) => pay(`p${index}`, 700_000)),
    answers: { approved: 10, denied: 1 },
    fields: { 'delegation/d': { 'sums.held': 7_000_000 } },
  },
  {
    title: 'of 60 payments of 10 that execute at once a balance of 450 pays 45',
    given: world({}, 450),
    when: times(60, (index) => pay(`p${index}`, 10, { autoExecute: true })),
    answers: { executed: 45, denied: 15 },
    fields: { 'wallet/w': { balance: 0, held: 0 }, 'counterparty/c': { transactionCount: 45 } },
  },
  {
    title: 'a request that is repeated gets its first answer and holds once',
    given: [...world(), pay('p', 10)],
    when: times(50, () => pay('p', 10)),
    answers: { approved: 50 },
    fields: { 'delegation/d': { 'sums.held': 10 }, 'wallet/w': { held: 10 } },
  },
  {
    title: 'a request that is repeated after its execution pays nothing more',
    given: [...world(), pay('p', 10), execute('p')],
    when: [pay('p', 10)],
    answers: { executed: 1 },
    fields: { 'wallet/w': { balance: 999_990, held: 0 } },
  },
]

const CHANGES: Case[] = [
  {
    title: 'a pause between approval and execution stops it for now',
    given: [...world(), pay('p', 10), setStatus(NOON, 'a', 'PAUSE')],
    when: [execute('p')],
    answers: { INVALID_STATUS: 1 },
    states: { 'payment/p': 'approved' },
    rows: { p: everywhere('held') },
    fields: { 'payment/p': { 'causes.0.type': 'AGENT_NOT_ACTIVE' } },
  },
  {
    title: 'a frozen wallet stops an execution for now, and what others captured is held again',
    given: [...world(), pay('p', 10), say('FREEZE', 'wallet/w', NOON)],
    when: [execute('p')],
    answers: { INVALID_STATUS: 1 },
    states: { 'payment/p': 'approved' },
    rows: { p: everywhere('held') },
    fields: { 'agent/a': { executed: 0 }, 'delegation/d': { 'sums.held': 10, 'sums.day.spent': 0 } },
  },
  {
    title: 'a payment that was stopped for now is executed when the agent is active again',
    given: [
      ...world(),
      pay('p', 10),
      setStatus(NOON, 'a', 'PAUSE'),
      execute('p'),
      setStatus(NOON, 'a', 'ACTIVATE'),
    ],
    when: [execute('p')],
    answers: { executed: 1 },
    rows: { p: everywhere('captured') },
  },
  {
    title: 'a block between approval and execution denies for good and undoes everything',
    given: [...world(), pay('p', 10), say('BLOCK', 'counterparty/c', NOON)],
    when: [execute('p')],
    answers: { INVALID_STATUS: 1 },
    states: { 'payment/p': 'denied' },
    rows: { p: everywhere('released') },
    fields: {
      ...NOTHING_HELD,
      'agent/a': { executed: 0 },
      'wallet/w': { balance: 1_000_000, held: 0 },
      'counterparty/c': { transactionCount: 0, totalVolume: 0 },
    },
  },
  {
    title: 'a blocked counterparty is paid again after it is unblocked',
    given: [
      ...world(),
      pay('p', 10),
      say('BLOCK', 'counterparty/c', NOON),
      pay('refused', 10),
      say('UNBLOCK', 'counterparty/c', NOON),
    ],
    when: [execute('p')],
    answers: { executed: 1 },
    states: { 'payment/refused': 'denied' },
  },
  {
    title: 'a limit that was lowered after the approval denies for good',
    given: [...world(), pay('p', 10), configure(NOON, 'd', { spendLimitDaily: 9 })],
    when: [execute('p')],
    answers: { LIMIT_EXCEEDED: 1 },
    states: { 'payment/p': 'denied' },
    rows: { p: everywhere('released') },
    fields: NOTHING_HELD,
  },
  {
    title: 'a delegation that was revoked after the approval denies for good',
    given: [...world(), pay('p', 10), say('REVOKE', 'delegation/d', NOON)],
    when: [execute('p')],
    answers: { LIMIT_EXCEEDED: 1 },
    states: { 'payment/p': 'denied', 'delegation/d': 'revoked' },
    rows: { p: everywhere('released') },
    fields: NOTHING_HELD,
  },
]

const TIMES: Case[] = [
  {
    title: 'a command that comes when a payment\'s time is over finds it expired',
    given: [...world(), pay('p', 10)],
    when: [execute('p', after(5 * 60_000))],
    answers: { EXPIRED: 1 },
    states: { 'payment/p': 'expired' },
    rows: { p: everywhere('released') },
    fields: NOTHING_HELD,
  },
  {
    title: 'a payment whose time is not quite over is executed',
    given: [...world(), pay('p', 10)],
    when: [execute('p', after(5 * 60_000 - 1))],
    answers: { executed: 1 },
  },
  {
    title: 'a timer that fires at its time ends a payment',
    given: [...world(), pay('p', 10, { outcome: 'REQUIRES_APPROVAL' })],
    when: [say('WAKE', 'payment/p', after(DAY))],
    answers: { expired: 1 },
    rows: { p: everywhere('released') },
  },
  {
    title: 'a timer that fires before its time changes nothing',
    given: [...world(), pay('p', 10)],
    when: [say('WAKE', 'payment/p', after(5 * 60_000 - 1))],
    answers: { INVALID_STATUS: 1 },
    rows: { p: everywhere('held') },
  },
  {
    title: 'what was spent yesterday is free today',
    given: [...world({ spendLimitDaily: 10 }), pay('p', 10), execute('p')],
    when: [pay('next', 10, {}, after(12 * HOUR))],
    answers: { approved: 1 },
    fields: { 'delegation/d': { 'sums.held': 10, 'sums.day.spent': 0, 'sums.week.spent': 10 } },
  },
  {
    title: 'what is held since yesterday counts today',
    given: [...world({ spendLimitDaily: 10 }), pay('p', 10, { approvedForMs: 3 * DAY })],
    when: [pay('next', 1, {}, after(12 * HOUR))],
    answers: { denied: 1 },
  },
  {
    title: 'an execution is booked on the day on which it happens',
    given: [
      ...world({ spendLimitDaily: 10 }),
      pay('p', 10, { approvedForMs: 3 * DAY }),
      execute('p', after(12 * HOUR)),
    ],
    when: [pay('next', 1, {}, after(13 * HOUR))],
    answers: { denied: 1 },
    fields: { 'delegation/d': { 'sums.held': 0, 'sums.day.spent': 10 } },
  },
  {
    title: 'a message with an old time does not bring yesterday back',
    given: [...world({ spendLimitDaily: 10 }), pay('p', 10, { approvedForMs: 3 * DAY }, after(12 * HOUR))],
    when: [pay('next', 1, { approvedForMs: 3 * DAY })],
    answers: { denied: 1 },
  },
]

export const CASES: Case[] = [...LIVES, ...CROWDS, ...CHANGES, ...TIMES, ...CLAIMS]

/** What must not be carried out at all: a command to another organization's agent. */
export const CROSSING = {
  given: world(),
  when: setStatus({ ...NOON, organization: 'other' }, 'a', 'PAUSE'),
}

/** What leaves a memory: a request, with what its idempotency key will remember. */
export const REMEMBERED = { given: world(), when: pay('p', 10) }
