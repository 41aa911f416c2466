// The scenario of each chart's walk: the actor, and the messages that it receives. If no message here leads to some
// transition, the coverage test fails.
import type { AskedChange } from '../../machines/change.js'
import type { Kind } from '../../machines/index.js'
import { fieldsOf, type Message } from '../../src/actor/actor.js'
import type { DelegationTerms } from '../../src/domain/parties/delegation.js'
import type { LimitTerm } from '../../src/domain/limits/limit.js'
import { WEEKDAYS } from '../../src/domain/time/schedule.js'
import type { Sums } from '../../src/domain/limits/sums.js'
import type { Tally } from '../../src/domain/limits/tally.js'
import { asksOf, fewAsksOf, limitTo, message, OPENED_WITH, TODAY, TOMORROW } from './gateMessages.js'
import { keyMessages } from './keyMessages.js'
import { paymentMessages } from './paymentMessages.js'
import { policyMessages } from './policyMessages.js'
import { fieldsIn, type Scenario, type World } from './walk.js'

const agentFields = {
  agentType: 'CUSTOM',
  description: null,
  publicKey: '',
  externalId: null,
  allowedContexts: [],
  callbackUrl: null,
}

const agentCommands: Message[] = [
  message('CREATE', { fields: agentFields, id: 'a1', name: 'first', order: 1 }),
  message('RENAME', { name: 'second' }),
  message('UPDATE', { changes: { description: 'Buys paper' } }),
  ...['ACTIVATE', 'PAUSE', 'SUSPEND', 'REVOKE'].map((type) => message(type, { changes: {} })),
  message('FREEZE', { reason: 'Lost' }),
  message('UNFREEZE', { reason: null }),
  message('SET_AUTO_FREEZE', { autoFreeze: { action: 'FREEZE', consecutiveViolations: 2, paymentFactor: 2 } }),
  message('DELETE'),
]

/** A capture under a limit that was lowered after the hold. */
const captureUnder = (limit: LimitTerm): Message =>
  message('CAPTURE', { holder: 'p1', amount: 60, limits: [limit] as never })

const agentAsks: Message[] = [
  ...asksOf('p1', 60, { limits: [limitTo(100, 'DAY')] }),
  captureUnder(limitTo(50, 'WEEK')),
  ...[0, 1].flatMap((counted) => {
    return fewAsksOf('p2', 60, { limits: [limitTo(100, 'DAY'), { ...limitTo(1, 'COUNT'), counted }] })
  }),
]
const sums: Sums = {
  held: 0,
  day: { start: Date.UTC(2024, 1, 28), spent: OPENED_WITH },
  week: { start: Date.UTC(2024, 1, 26), spent: OPENED_WITH },
  month: { start: Date.UTC(2024, 1, 1), spent: OPENED_WITH },
}
const opening: Tally = { sums, total: OPENED_WITH, timezone: 'UTC' }
const shared = [limitTo(100, 'DAY', 'POLICY'), limitTo(200, 'TOTAL', 'POLICY')]
const budgetMessages: Message[] = [
  ...asksOf('p1', 60, { limits: shared, opening }),
  captureUnder(limitTo(50, 'MONTH', 'POLICY')),
  ...fewAsksOf('p2', 60, { limits: shared, opening, terms: { joins: '1' } }),
  ...fewAsksOf('p3', 60, { limits: [limitTo(50, 'TOTAL', 'POLICY')], opening }),
]

const accountMessages: Message[] = [
  ...['p1', 'p2'].flatMap((payment) => [
    message('ALLOCATE', { payment, floor: 2, chainId: '1', address: '0x' }),
    message('FREE', { payment }),
  ]),
  message('SPEND', { payment: 'p1' }),
]

/** Three nonces are enough. */
function accountWorldMessages({ actor }: World): Message[] {
  return Number(fieldsIn(actor)['nonce'] ?? 0) < 4 ? accountMessages : accountMessages.slice(0, -1)
}

const outgoing = { walletId: 'w1', txHash: '0x1', logIndex: 0, place: 0, to: '0x2', amount: 5, block: 7 }
const watchMessages: Message[] = [
  message('WATCH', { walletId: 'w1', from: 6 }),
  message('ADVANCE', { to: 7, waiting: [{ ...outgoing, paymentId: 'p1' }] }),
  message('ADVANCE', { to: 6, waiting: [] }),
  message('FIND', { to: 8, waiting: [], found: [outgoing] }),
]

const walletFields = {
  name: 'Main',
  address: '0x',
  walletType: 'EOA',
  chainType: 'EVM',
  chainId: '1',
  custodyType: 'MANAGED',
  currency: 'USDC',
}

const walletMessages: Message[] = [
  message('CREATE', { id: 'w1', order: 1, fields: walletFields }),
  ...['ACTIVATE', 'FREEZE', 'ARCHIVE', 'PROVE', 'DELETE'].map((type) => message(type)),
  ...asksOf('p1', 60),
  // No payment captures an amount other than that of its hold; the gate does not rely on that.
  message('CAPTURE', { holder: 'p1', amount: 70 }),
  ...fewAsksOf('p2', 60),
]

const observe = (balance: number, block: number): Message => message('OBSERVE', { balance, block, lowGas: null })

const unseen = message('RESERVE', { holder: 'p2', amount: 1, terms: { funds: 'chain' } })

/** In live settlement: a transfer that the service made, one that someone else made, and two readings of the chain. */
const observedMessages: Message[] = [
  ...asksOf('p1', 60, { terms: { funds: 'chain', transfer: 'own' } }).filter(({ now }) => now === TODAY),
  message('RECONCILE', { holder: 'p1', amount: 60, terms: { block: '5' } }),
  ...fewAsksOf('p2', 60, { terms: { funds: 'chain' } }),
  observe(100, 4),
  observe(40, 6),
]

/**
 * Sent only after a reading that includes the block; before, each return of the transfer subtracts its amount again.
 */
const leavesBlock = message('RECONCILE', { holder: 'p1', amount: 60, terms: {} })
const showsBlock = (actor: World['actor']): boolean =>
  (fieldsIn(actor)['observed'] as { readAt: number } | null)?.readAt === 6

const isObserved = (actor: World['actor']): boolean => (fieldsIn(actor)['observed'] ?? null) !== null

/**
 * The wallet is funded twice, for one payment and for two, and renamed only before the first, which makes fewer worlds.
 */
function walletWorldMessages({ actor, holds }: World): Message[] {
  if (isObserved(actor)) return showsBlock(actor) ? [...observedMessages, leavesBlock] : observedMessages
  if (Object.keys(holds).length > 0) return walletMessages
  const funding = fieldsIn(actor)['balance'] === 200 ? [] : [message('FUND', { amount: 100 })]
  const tooMuch = message('FUND', { amount: Number.MAX_SAFE_INTEGER })
  const isFresh = actor?.state === 'kept.active' && fieldsOf(actor)['balance'] === 0 && actor.revision < 3
  const unobserved = isFresh ? [unseen, observe(100, 4)] : []
  const overfunding = funding.length > 0 ? [] : [tooMuch]
  return [...walletMessages, ...unobserved, ...funding, ...overfunding, message('UPDATE', { name: 'Other' })]
}

const terms: DelegationTerms = {
  delegationType: 'LIMITED',
  spendLimitPerTx: 100,
  spendLimitDaily: 100,
  spendLimitWeekly: 1_000,
  spendLimitMonthly: null,
  allowedHoursStart: 0,
  allowedHoursEnd: 24,
  allowedDays: [...WEEKDAYS],
  timezone: 'UTC',
}

const delegationFields = { id: 'd1', agentId: 'a1', walletId: 'w1', order: 1, terms }

const delegationMessages: Message[] = [
  message('CREATE', { fields: delegationFields as never }),
  message('CONFIGURE', { changes: { spendLimitPerTx: 10 } }),
  message('CONFIGURE', { changes: { allowedHoursStart: 24 } }),
  message('REVOKE'),
  ...asksOf('p1', 60),
  ...fewAsksOf('p2', 60),
]

const recipient = { id: 'c1', name: 'Paper Ltd', address: '0x', order: '7' }

/** The same as a payment's registration, so that both lead to one world, which makes fewer worlds. */
const registered = { id: 'c1', address: '0x', order: 7 }
const counterpartyFields = { name: 'Paper Ltd', category: 'OTHER', notes: null, website: null }

function counterpartyMessages({ actor }: World): Message[] {
  const statuses = actor ? ['UNKNOWN'] : ['UNKNOWN', 'VERIFIED', 'TRUSTED', 'BLOCKED']
  return [
    ...statuses.map((status) => message('CREATE', { ...registered, status, fields: counterpartyFields })),
    message('UPSERT', { ...registered, fields: { name: 'Paper Ltd' } }),
    message('UPDATE', { changes: { notes: null } }),
    ...['BLOCK', 'UNBLOCK', 'TRUST', 'VERIFY', 'RESET', 'DELETE'].map((type) => message(type)),
    ...asksOf('p1', 60, { terms: recipient }),
    message('RELEASE', { holder: 'p1', amount: 60, failed: true }),
    ...fewAsksOf('p2', 60, { terms: recipient }),
  ]
}

const relationshipMessages: Message[] = [
  message('CREATE', { agentId: 'a1', counterpartyId: 'c1', order: 1 }),
  message('END'),
]

const invitation = {
  id: 'm1',
  order: 1,
  email: 'ada@example.com',
  name: null,
  role: 'ADMIN',
  createdBy: { type: 'ORGANIZATION_KEY', id: 'k0' },
  countsAs: null,
  setUp: { hash: 'aa', expiresAt: TOMORROW },
}

const memberMessages: Message[] = [
  message('CREATE', invitation),
  message('INVITE', { setUp: { hash: 'bb', expiresAt: TOMORROW } }),
  message('SET_UP', { hash: 'bb', password: { hash: 'p1' } }),
  message('SET_UP', { hash: 'bb', password: { hash: 'p1' }, now: TOMORROW }),
  message('UPDATE', { changes: { role: 'OWNER', name: 'Ada' } }),
  message('CHANGE_PASSWORD', { generation: 1, password: { hash: 'p2' } }),
  message('REHASH', { generation: 1, password: { hash: 'p3' } }),
  message('USE'),
  message('REMOVE'),
]

const reset = message('RESET_PASSWORD', { setUp: { hash: 'bb', expiresAt: TOMORROW } })

/** A password is reset once: each reset allows a further generation. */
function memberMessagesIn({ actor }: World): Message[] {
  return Number(fieldsIn(actor)['generation'] ?? 0) < 2 ? [...memberMessages, reset] : memberMessages
}

const begun = { id: 's1', order: 1, memberId: 'm1', hash: 'cc', generation: 1, expiresAt: TOMORROW, userAgent: null }

const raised = {
  id: 'l1',
  order: 1,
  fields: {
    type: 'FAILED_TRANSACTION',
    severity: 'CRITICAL',
    title: 'Payment failed',
    message: 'It failed',
    agentId: 'a1',
    walletId: null,
    paymentId: 'p1',
  },
  key: 'kk',
  isOnce: false,
}

/** Its cause comes twice: a count without an end would be worlds without an end. */
const alertMessages = ({ actor }: World): Message[] => [
  ...(fieldsIn(actor)['count'] === 2 ? [] : [message('RAISE', raised)]),
  message('END_CAUSE'),
  message('ACKNOWLEDGE', { by: { type: 'PERSON', id: 'm1' } }),
  message('RESOLVE', { by: { type: 'PERSON', id: 'm2' } }),
]

const sessionMessages: Message[] = [
  message('CREATE', begun),
  message('USE', { now: TODAY + 1 }),
  message('END'),
  message('WAKE'),
  message('WAKE', { now: TOMORROW }),
]

const decider = (id: string, countsAs = id) => {
  const type = 'ORGANIZATION_KEY' as const
  return { type, id, name: id, countsAs: { type, id: countsAs } }
}

const changeAsked = (isCollected: boolean): AskedChange => ({
  action: 'policy.update',
  resource: 'policy',
  resourceId: 'y1',
  createsId: null,
  ref: 'policy/y1',
  since: 'aa',
  heldRequest: { method: 'PATCH', path: '/', params: {}, query: '', body: null, ifMatch: null, requestId: 'r1' },
  requestedBy: decider('k1'),
  isCollected,
  approval: {
    id: 'g1',
    status: 'PENDING',
    reasons: ['It is large'],
    contentHash: 'cc',
    steps: [{ workflowId: null, requiredApprovals: 2, timeoutMs: TOMORROW - TODAY, approverIds: [] }],
    step: 0,
    barred: [decider('k1').countsAs],
    decisions: [],
    createdAt: TODAY,
    expiresAt: TOMORROW,
  },
})

const changeMessages: Message[] = [
  ...[true, false].map((isCollected) =>
    message('CREATE', { id: 'g1', order: 1, asked: changeAsked(isCollected) as never }),
  ),
  ...['APPROVE', 'DENY'].flatMap((type) =>
    [decider('k1'), decider('k1a', 'k1'), decider('k2'), decider('k2a', 'k2'), decider('k3')].map((by) =>
      message(type, { by: by as never, comment: null }),
    ),
  ),
  message('SETTLE', { application: { status: 'APPLIED' }, resourceId: 'y1' }),
  message('SETTLE', { application: { status: 'STALE' }, resourceId: 'y1' }),
  message('OUTDATE'),
  message('WAKE'),
  message('WAKE', { now: TOMORROW }),
]

const organizationFields = { name: 'Acme', timezone: 'UTC', approvedForMs: 1, waitsForMs: 2, strictLineage: false }

const organizationMessages: Message[] = [
  message('CREATE', { id: 'o1', order: 1, fields: organizationFields }),
  message('UPDATE', { changes: { name: 'Ajax' }, now: TODAY + 1 }),
  message('SET_WEBHOOK', { url: 'https://events.bursar.zz/', secret: 'sealed' }),
  message('ISSUE_SECRET', { secret: 'sealed too' }),
  message('SET_ALERTS', { alerts: { spendWarningAt: 50, lowBalanceBelow: 1, highValueAbove: null } }),
  message('CLEAR_WEBHOOK'),
  message('ROTATE_SECRET', { secret: 'sealed anew', overlapMs: 1 }),
  message('REDELIVER', { delivery: 'd1', now: TODAY + 1 }),
  message('FREEZE', { reason: 'Stolen keys' }),
  message('UNFREEZE'),
  message('ADMIT'),
]

const workflowFields = {
  name: 'Large',
  priority: 1,
  conditions: {},
  requiredApprovals: 1,
  timeoutHours: 1,
  onTimeout: 'DENY',
  approverIds: [],
}

const workflowMessages: Message[] = [
  message('CREATE', { id: 'f1', order: 1, fields: workflowFields }),
  message('UPDATE', { changes: { name: 'Huge' } }),
  message('DELETE'),
]

const channelMessages: Message[] = [
  message('CREATE', {
    id: 'h1',
    order: 1,
    fields: {
      name: 'Ops',
      type: 'EMAIL',
      takes: ['alert.raised'],
      config: {},
      target: '',
      secret: {},
      setBy: { type: 'PERSON', id: 'm1', name: 'Ann', countsAs: { type: 'PERSON', id: 'm1' } },
    },
  }),
  message('UPDATE', { changes: { name: 'Operations' } }),
  message('PAUSE'),
  message('RESUME'),
  message('DELETE'),
]

const slackLink = { id: 'k1', order: 1, channelId: 'h1', memberId: 'm1', teamId: 'T1', userId: 'U1', userName: 'al' }
const slackUserMessages: Message[] = [
  message('LINK', slackLink),
  message('LINK', { ...slackLink, memberId: 'm2' }),
  message('UNLINK'),
]

const cardFields = {
  name: 'Ads',
  provider: 'MANUAL',
  last4: '4242',
  brand: 'VISA',
  spendLimitPerTx: 100,
  spendLimitDaily: 100,
}

const withoutRestore = ({ type }: Message): boolean => type !== 'RESTORE'

const cardMessages: Message[] = [
  message('CREATE', { id: 'c1', order: 1, fields: cardFields, timezone: 'UTC' }),
  message('UPDATE', { changes: { spendLimitDaily: 50 } }),
  ...['ACTIVATE', 'PAUSE', 'CANCEL'].map((type) => message(type)),
  ...asksOf('p1', 60).filter(withoutRestore),
  ...fewAsksOf('p2', 60),
]

const assignmentTerms = {
  spendLimitPerTx: 100,
  spendLimitDaily: 100,
  allowedHoursStart: 0,
  allowedHoursEnd: 24,
  allowedDays: [...WEEKDAYS],
  blockedCategories: ['7995'],
  timezone: 'UTC',
}

const cardAssignmentMessages: Message[] = [
  message('CREATE', { fields: { id: 's1', agentId: 'a1', cardId: 'c1', order: 1, terms: assignmentTerms } as never }),
  message('REVOKE'),
  ...asksOf('p1', 60, { terms: { category: '5734' } }).filter(withoutRestore),
  ...fewAsksOf('p2', 60, { terms: { category: '7995' } }),
  message('CAPTURE', { holder: 'p1', amount: 60, terms: { category: '7995' } }),
]

const atHost = (payTo: string, person: boolean) => ({
  terms: { id: 'v1', host: 'api.example.com', payTo, order: '1', person: String(person) },
})
const serviceMessages: Message[] = [
  ...asksOf('p1', 60, atHost('0xA', false)),
  ...fewAsksOf('p2', 60, atHost('0xB', true)),
]

/** A run of denials could go on forever. */
function agentMessagesIn({ actor }: World): Message[] {
  const { activity } = (actor?.context ?? {}) as { activity?: { violations: number } | null }
  const isEnough = activity !== null && activity !== undefined && activity.violations >= 1
  const notes = isEnough ? [] : [message('NOTE', { amount: 60, isDenied: true })]
  return [...agentCommands, ...agentAsks, ...notes]
}

export const scenarios: Record<Kind, Scenario> = {
  account: { ref: 'account/x1', messages: accountWorldMessages },
  agent: { ref: 'agent/a1', messages: agentMessagesIn },
  alert: { ref: 'alert/l1', messages: alertMessages },
  budget: { ref: 'budget/b1', messages: () => budgetMessages },
  card: { ref: 'card/c1', messages: () => cardMessages },
  cardAssignment: { ref: 'cardAssignment/s1', messages: () => cardAssignmentMessages },
  change: { ref: 'change/g1', messages: () => changeMessages },
  channel: { ref: 'channel/h1', messages: () => channelMessages },
  counterparty: { ref: 'counterparty/c1', messages: counterpartyMessages },
  delegation: { ref: 'delegation/d1', messages: () => delegationMessages },
  key: { ref: 'key/k1', messages: keyMessages },
  member: { ref: 'member/m1', messages: memberMessagesIn },
  organization: { ref: 'organization/o1', messages: () => organizationMessages },
  payment: { ref: 'payment/p1', messages: paymentMessages },
  policy: { ref: 'policy/y1', messages: policyMessages },
  service: { ref: 'service/v1', messages: () => serviceMessages },
  slackUser: { ref: 'slackUser/k1', messages: () => slackUserMessages },
  session: { ref: 'session/s1', messages: () => sessionMessages },
  relationship: { ref: 'relationship/r1', messages: () => relationshipMessages },
  wallet: { ref: 'wallet/w1', messages: walletWorldMessages },
  watch: { ref: 'watch/w1', messages: () => watchMessages },
  workflow: { ref: 'workflow/f1', messages: () => workflowMessages },
}
