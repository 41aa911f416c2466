// What every host must do alike, as a table: the messages sent before, those sent concurrently, and what is answered
// and stored afterwards. Cases know commands, states and rows, and nothing about any host.
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
    title: 'a request with autoExecute is executed when it is answered',
    given: world(),
    when: [pay('p', 10, { autoExecute: true })],
    answers: { executed: 1 },
    rows: { p: everywhere('captured') },
  },
  {
    title: 'a request that the facts deny asks no gate and creates no counterparty',
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
    title: 'a request above the daily limit is denied and releases what it held',
    given: world({ spendLimitDaily: 9 }),
    when: [pay('p', 10)],
    answers: { denied: 1 },
    rows: { p: { ...everywhere(undefined), 'agent/a': 'released', 'delegation/d': 'refused' } },
    states: { 'counterparty/c': undefined },
    fields: { ...NOTHING_HELD, 'payment/p': { 'causes.0.type': 'DAILY_LIMIT' } },
  },
  {
    title: 'a request above the balance is denied and releases what it held',
    given: world({}, 9),
    when: [pay('p', 10)],
    answers: { denied: 1 },
    rows: { p: { 'agent/a': 'released', 'delegation/d': 'released', 'wallet/w': 'refused' } },
    fields: { ...NOTHING_HELD, 'payment/p': { 'causes.0.type': 'INSUFFICIENT_BALANCE' } },
  },
  {
    title: 'a cancelled payment releases what it held',
    given: [...world(), pay('p', 10)],
    when: [cancel('p')],
    answers: { cancelled: 1 },
    rows: { p: everywhere('released') },
    fields: NOTHING_HELD,
  },
  {
    title: 'an executed payment cannot be cancelled',
    given: [...world(), pay('p', 10), execute('p')],
    when: [cancel('p')],
    answers: { ALREADY_EXECUTED: 1 },
    rows: { p: everywhere('captured') },
  },
]

const CROWDS: Case[] = [
  {
    title: 'of 200 concurrent executions one succeeds',
    given: [...world(), pay('p', 10)],
    when: times(200, () => execute('p')),
    answers: { executed: 1, ALREADY_EXECUTED: 199 },
    fields: { 'wallet/w': { balance: 999_990, held: 0 } },
  },
  {
    title: 'of 500 concurrent requests of 10 a daily limit of 1000 approves 100',
    given: world({ spendLimitDaily: 1_000 }),
    when: times(500, (index) => pay(`p${index}`, 10)),
    answers: { approved: 100, denied: 400 },
    fields: { 'delegation/d': { 'sums.held': 1_000 }, 'wallet/w': { held: 1_000 } },
  },
  {
    title: 'of 11 concurrent requests of 0.7 a daily limit of 7 approves 10',
    given: world({ spendLimitDaily: 7_000_000 }, 100_000_000),
    when: times(11, (index) => pay(`p${index}`, 700_000)),
    answers: { approved: 10, denied: 1 },
    fields: { 'delegation/d': { 'sums.held': 7_000_000 } },
  },
  {
    title: 'of 60 concurrent autoExecute payments of 10 a balance of 450 pays 45',
    given: world({}, 450),
    when: times(60, (index) => pay(`p${index}`, 10, { autoExecute: true })),
    answers: { executed: 45, denied: 15 },
    fields: { 'wallet/w': { balance: 0, held: 0 }, 'counterparty/c': { transactionCount: 45 } },
  },
  {
    title: 'a repeated request gets its first answer and holds once',
    given: [...world(), pay('p', 10)],
    when: times(50, () => pay('p', 10)),
    answers: { approved: 50 },
    fields: { 'delegation/d': { 'sums.held': 10 }, 'wallet/w': { held: 10 } },
  },
  {
    title: 'a request repeated after its execution pays nothing more',
    given: [...world(), pay('p', 10), execute('p')],
    when: [pay('p', 10)],
    answers: { executed: 1 },
    fields: { 'wallet/w': { balance: 999_990, held: 0 } },
  },
]

const CHANGES: Case[] = [
  {
    title: 'a pause between approval and execution stops the execution temporarily',
    given: [...world(), pay('p', 10), setStatus(NOON, 'a', 'PAUSE')],
    when: [execute('p')],
    answers: { INVALID_STATUS: 1 },
    states: { 'payment/p': 'approved' },
    rows: { p: everywhere('held') },
    fields: { 'payment/p': { 'causes.0.type': 'AGENT_NOT_ACTIVE' } },
  },
  {
    title: 'a frozen wallet stops an execution temporarily, and what other gates captured is held again',
    given: [...world(), pay('p', 10), say('FREEZE', 'wallet/w', NOON)],
    when: [execute('p')],
    answers: { INVALID_STATUS: 1 },
    states: { 'payment/p': 'approved' },
    rows: { p: everywhere('held') },
    fields: { 'agent/a': { executed: 0 }, 'delegation/d': { 'sums.held': 10, 'sums.day.spent': 0 } },
  },
  {
    title: 'a temporarily stopped payment is executed when the agent is active again',
    given: [...world(), pay('p', 10), setStatus(NOON, 'a', 'PAUSE'), execute('p'), setStatus(NOON, 'a', 'ACTIVATE')],
    when: [execute('p')],
    answers: { executed: 1 },
    rows: { p: everywhere('captured') },
  },
  {
    title: 'a block between approval and execution denies permanently and undoes everything',
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
    title: 'a limit lowered after the approval denies permanently',
    given: [...world(), pay('p', 10), configure(NOON, 'd', { spendLimitDaily: 9 })],
    when: [execute('p')],
    answers: { LIMIT_EXCEEDED: 1 },
    states: { 'payment/p': 'denied' },
    rows: { p: everywhere('released') },
    fields: NOTHING_HELD,
  },
  {
    title: 'a delegation revoked after the approval denies permanently',
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
    title: 'a command at the expiry of a payment finds it expired',
    given: [...world(), pay('p', 10)],
    when: [execute('p', after(5 * 60_000))],
    answers: { EXPIRED: 1 },
    states: { 'payment/p': 'expired' },
    rows: { p: everywhere('released') },
    fields: NOTHING_HELD,
  },
  {
    title: 'a payment is executed just before its expiry',
    given: [...world(), pay('p', 10)],
    when: [execute('p', after(5 * 60_000 - 1))],
    answers: { executed: 1 },
  },
  {
    title: 'a timer that fires at the expiry expires the payment',
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
    title: "yesterday's spending does not count today",
    given: [...world({ spendLimitDaily: 10 }), pay('p', 10), execute('p')],
    when: [pay('next', 10, {}, after(12 * HOUR))],
    answers: { approved: 1 },
    fields: { 'delegation/d': { 'sums.held': 10, 'sums.day.spent': 0, 'sums.week.spent': 10 } },
  },
  {
    title: "a hold from yesterday counts against today's limit",
    given: [...world({ spendLimitDaily: 10 }), pay('p', 10, { approvedForMs: 3 * DAY })],
    when: [pay('next', 1, {}, after(12 * HOUR))],
    answers: { denied: 1 },
  },
  {
    title: 'an execution counts on the day on which it happens',
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
    title: 'a message with an old time does not reopen yesterday',
    given: [...world({ spendLimitDaily: 10 }), pay('p', 10, { approvedForMs: 3 * DAY }, after(12 * HOUR))],
    when: [pay('next', 1, { approvedForMs: 3 * DAY })],
    answers: { denied: 1 },
  },
]

export const CASES: Case[] = [...LIVES, ...CROWDS, ...CHANGES, ...TIMES, ...CLAIMS]

/** A command to another organization's agent, which must not be carried out. */
export const CROSSING = {
  given: world(),
  when: setStatus({ ...NOON, organization: 'other' }, 'a', 'PAUSE'),
}

/** A request whose answer is remembered for its idempotency key. */
export const REMEMBERED = { given: world(), when: pay('p', 10) }
