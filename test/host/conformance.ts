// What every host must do alike, as a table: what was said before, what is said (all of it at once), and what is
// answered and stored after that. Cases know commands, states and rows, and nothing of any host.
import type { Entry, Ref } from '../../src/domain/gate.js'
import type { DelegationTerms } from '../../src/domain/delegation.js'
import {
  claimOf,
  configure,
  createAgent,
  createDelegation,
  createWallet,
  fund,
  rename,
  request,
  say,
  type Asked,
  type Letter,
  type Stamp,
} from './messages.js'

export interface Case {
  title: string
  /** Said one after the other. */
  given: Letter[]
  /** Said at once. */
  when: Letter[]
  /** How often which answer: the state of the actor, or the code of a refusal. */
  answers: { [answer: string]: number }
  /** States of actors after that; undefined when there must be none. */
  states?: { [ref: Ref]: string | undefined }
  /** Rows after that: by holder, then by gate. */
  rows?: { [holder: string]: { [gate: Ref]: Entry['state'] | undefined } }
  /** Some fields of actors' contexts after that. */
  fields?: { [ref: Ref]: { [field: string]: unknown } }
}

const HOUR = 60 * 60_000
const DAY = 24 * HOUR
/** Wednesday, 2026-03-04, 12:00 UTC. */
const NOON: Stamp = { organization: 'o', now: 1_772_625_600_000 }
const after = (ms: number): Stamp => ({ ...NOON, now: NOON.now + ms })

const GATES: Ref[] = ['agent/a', 'delegation/d', 'wallet/w', 'counterparty/c']
const everywhere = (state: Entry['state'] | undefined): { [gate: Ref]: Entry['state'] | undefined } =>
  Object.fromEntries(GATES.map((gate) => [gate, state]))

const PAIR = { agentId: 'a', walletId: 'w' }
/** An agent that may spend from a wallet with 1,000,000 in it. */
function world(terms: Partial<DelegationTerms> = {}, balance = 1_000_000): Letter[] {
  return [
    createAgent(NOON, 'a', 'ada'),
    createWallet(NOON, 'w', '0x1'),
    fund(NOON, 'w', balance),
    createDelegation(NOON, 'd', PAIR, terms),
  ]
}

function pay(id: string, amount: number, more: Partial<Asked> = {}, stamp = NOON): Letter {
  return request(stamp, { id, amount, agentId: 'a', walletId: 'w', delegationId: 'd', address: 'c', ...more })
}
const execute = (id: string, stamp = NOON): Letter => say('EXECUTE', `payment/${id}`, stamp)
const cancel = (id: string): Letter => say('CANCEL', `payment/${id}`, NOON)
const times = (count: number, letter: (index: number) => Letter): Letter[] =>
  Array.from({ length: count }, (_, index) => letter(index))

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
    given: [...world(), pay('p', 10), say('PAUSE', 'agent/a', NOON)],
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
      say('PAUSE', 'agent/a', NOON),
      execute('p'),
      say('ACTIVATE', 'agent/a', NOON, { changes: {} }),
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
    given: [...world({ spendLimitDaily: 10 }), pay('p', 10, { approvedForMs: 3 * DAY }), execute('p', after(12 * HOUR))],
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

const NAMES: Case[] = [
  {
    title: 'of two agents that are created at once with one name one is refused',
    given: [],
    when: [createAgent(NOON, 'a', 'ada'), createAgent(NOON, 'b', 'ada')],
    answers: { 'registered.active': 1, ALREADY_EXISTS: 1 },
  },
  {
    title: 'an agent cannot take the name of another and keeps its own',
    given: [createAgent(NOON, 'a', 'ada'), createAgent(NOON, 'b', 'ben'), rename(NOON, 'b', 'ada', 'once')],
    when: [createAgent(NOON, 'c', 'ben')],
    answers: { ALREADY_EXISTS: 1 },
    states: { 'agent/b': 'registered.active' },
    fields: { 'agent/b': { name: 'ben' }, 'claim/o.name.ada': { owner: 'a.created' } },
  },
  {
    title: 'a name that an agent gave up is free, and so is that of one that is deleted',
    given: [
      createAgent(NOON, 'a', 'ada'),
      rename(NOON, 'a', 'ann', 'once'),
      createAgent(NOON, 'b', 'ben'),
      say('DELETE', 'agent/b', NOON),
    ],
    when: [createAgent(NOON, 'c', 'ada'), createAgent(NOON, 'd', 'ben')],
    answers: { 'registered.active': 2 },
    states: { 'agent/b': 'deleted' },
  },
  {
    title: 'an agent that is renamed twice to the same name still owns it',
    given: [createAgent(NOON, 'a', 'ada'), rename(NOON, 'a', 'ann', 'once'), rename(NOON, 'a', 'ann', 'twice')],
    when: [createAgent(NOON, 'b', 'ann')],
    answers: { ALREADY_EXISTS: 1 },
    fields: { 'agent/a': { name: 'ann', gates: [claimOf('o', 'name.ann', 'a.once')] } },
  },
  {
    title: 'a paused agent is still paused after it is renamed',
    given: [createAgent(NOON, 'a', 'ada'), say('PAUSE', 'agent/a', NOON)],
    when: [rename(NOON, 'a', 'ann', 'once')],
    answers: { 'registered.paused': 1 },
  },
  {
    title: 'one address has one wallet until that is deleted',
    given: [
      createWallet(NOON, 'w', '0x1'),
      createWallet(NOON, 'refused', '0x1'),
      say('DELETE', 'wallet/w', NOON),
    ],
    when: [createWallet(NOON, 'v', '0x1')],
    answers: { 'kept.active': 1 },
    states: { 'wallet/refused': 'rejected', 'wallet/w': 'deleted' },
  },
  {
    title: 'a wallet of which something is held cannot be deleted',
    given: [...world(), pay('p', 10)],
    when: [say('DELETE', 'wallet/w', NOON)],
    answers: { INVALID_STATUS: 1 },
    states: { 'wallet/w': 'kept.active' },
  },
  {
    title: 'one pair has one delegation until that is revoked',
    given: [...world(), createDelegation(NOON, 'refused', PAIR, {}), say('REVOKE', 'delegation/d', NOON)],
    when: [createDelegation(NOON, 'e', PAIR, {})],
    answers: { active: 1 },
    states: { 'delegation/refused': 'rejected', 'delegation/d': 'revoked' },
  },
  {
    title: 'two organizations have agents of one name',
    given: [createAgent(NOON, 'a', 'ada')],
    when: [createAgent({ ...NOON, organization: 'other' }, 'b', 'ada')],
    answers: { 'registered.active': 1 },
  },
]

export const CASES: Case[] = [...LIVES, ...CROWDS, ...CHANGES, ...TIMES, ...NAMES]

/** What must not be carried out at all: a command to another organization's agent. */
export const CROSSING = {
  given: world(),
  when: say('PAUSE', 'agent/a', { ...NOON, organization: 'other' }),
}

/** What leaves a memory: a request, with what its idempotency key will remember. */
export const REMEMBERED = { given: world(), when: pay('p', 10) }
