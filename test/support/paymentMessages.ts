// The messages that the walk sends to a payment: the requests that proceed differently, and each command again with
// every refusal of a gate that ends it differently.
import type { Message } from '../../src/actor/actor.js'
import type { Gate } from '../../src/domain/limits/gate.js'
import type { PaymentContext, Review } from '../../machines/payment/chart.js'
import type { Approval, Decider } from '../../src/domain/payment/approval.js'
import type { Decision, Outcome, PaymentTerms } from '../../src/domain/payment/terms.js'
import type { SettlementMode, SignedTransfer } from '../../src/domain/payment/settlement.js'
import type { ViolationType } from '../../src/domain/outcomes/violation.js'
import { approvalOf } from './messages.js'
import { message, TOMORROW } from './gateMessages.js'
import { stepIn, type Refusing, type World } from './walk.js'

const gateAt = (ref: Gate['ref']): Gate => ({ ref, amount: 60 })

const terms: PaymentTerms = {
  agentId: 'a1',
  askedBy: { type: 'AGENT_KEY', id: 'k1' },
  walletId: 'w1',
  delegationId: 'd1',
  amount: 60,
  currency: 'USDC',
  chainType: 'EVM',
  recipientAddress: '0x',
  recipientName: null,
  purpose: null,
  category: null,
  context: null,
  executionContext: null,
  urgency: 'NORMAL',
  idempotencyKey: null,
  settlementMode: 'test',
  asset: null,
  wallet: { id: 'w1', address: '0x', chainId: '1', custodyType: 'MANAGED' },
}

const because = (type: ViolationType) => [{ type, message: 'It is so' }]

const GATES = [gateAt('delegation/d1'), gateAt('wallet/w1'), gateAt('counterparty/c1')]

const decisionOf = (outcome: Outcome): Decision => ({
  id: 'x1',
  policySetHash: 'ff',
  outcome,
  violations: outcome === 'DENIED' ? because('DAILY_LIMIT') : [],
  policies: [],
  facts: {},
  timezone: 'UTC',
  preapproval: false,
})

/** A first step for two of three approvers, one of whom is barred, and a second step for anyone. */
const FIRST_REQUEST: Approval = {
  ...approvalOf('n0', []),
  barred: [{ type: 'PERSON', id: 'm3' }],
  steps: [
    { workflowId: 'f1', requiredApprovals: 2, timeoutMs: 60_000, approverIds: ['m1', 'm2', 'm3'] },
    { workflowId: null, requiredApprovals: 1, timeoutMs: 2 * 86_400_000, approverIds: [] },
  ],
}

/** A REQUEST that the facts decided this way. If approved, it has expired by TOMORROW. */
export function request(outcome: Outcome, autoExecute: boolean, settlementMode: SettlementMode = 'test'): Message {
  const fields = {
    id: 'p1',
    order: 1,
    terms: { ...terms, settlementMode },
    decision: decisionOf(outcome),
    gates: GATES,
    approvedForMs: 60_000,
    approval: outcome === 'REQUIRES_APPROVAL' ? FIRST_REQUEST : null,
    autoExecute,
    autoExecuteError: null,
    transactionId: 't1',
  }
  return message('REQUEST', { fields: fields as never })
}

/** A review under changed policies: their decision now, and the budgets that are asked from now on. */
function reviewOf(after: number, outcome: Outcome, ...budgets: Gate['ref'][]): Review {
  const decision = decisionOf(outcome)
  const gates = [...GATES, ...budgets.map(gateAt)]
  return { after, decision, gates, approval: approvalOf(`n${after + 1}`, [60_000]) }
}

const BUDGETS: Gate['ref'][] = ['budget/y1', 'budget/y2']

/** `reviews` is the number of reviews that the payment has taken; the last review here follows one that it has not. */
const reviewsAt = (reviews: number): Review[] => [
  reviewOf(reviews, 'DENIED'),
  reviewOf(reviews, 'APPROVED', ...BUDGETS),
  reviewOf(reviews, 'REQUIRES_APPROVAL', ...BUDGETS),
  reviewOf(reviews, 'REQUIRES_APPROVAL'),
  reviewOf(reviews + 1, 'APPROVED'),
]

const permit = { permitForMs: 60_000 }

/** `reviews` is the number of reviews that the payment has taken. */
const executions = (reviews: number): Message[] => [
  message('EXECUTE'),
  message('PERMIT', permit),
  ...(reviews > 0 ? [] : reviewsAt(reviews)).flatMap((review) => [
    message('EXECUTE', { review: review as never }),
    message('PERMIT', { ...permit, review: review as never }),
  ]),
]

const person = (id: string): Decider => ({ type: 'PERSON', id, name: id, countsAs: { type: 'PERSON', id } })
const said = (by: Decider, approvalId: string) => ({ by: by as never, approvalId, comment: null })

/** Decisions on the pending approval request, without and with a review. */
function decisions({ id }: Approval, reviews: number): Message[] {
  const more = reviews > 0 ? [] : [...reviewsAt(reviews), withoutDecision(reviews)]
  return [
    ...['APPROVE', 'DENY'].flatMap((type) => [
      message(type, said(person('m1'), 'another request')),
      message(type, said(person('m3'), id)),
      message(type, said(person('m4'), id)),
      message(type, said(person('m1'), id)),
    ]),
    message('APPROVE', said(person('m2'), id)),
    ...more.map((review) => message('APPROVE', { ...said(person('m2'), id), review: review as never })),
  ]
}

/** A review that keeps the decision and adds a budget. */
function withoutDecision(after: number): Review {
  return { after, gates: [...GATES, gateAt('budget/y1')] }
}

const confirmation = message('CONFIRM', { txHash: '0x1', transferKey: 'hash 0x1' })
const confirmations = [confirmation, { ...confirmation, txHash: '0x2' }]

/** A permit is requested again: in time, too late, and with a review that denies the payment. */
const permitAgain = [
  message('PERMIT', permit),
  message('PERMIT', { ...permit, now: TOMORROW }),
  message('PERMIT', { ...permit, review: reviewOf(0, 'DENIED') as never }),
]

const CARD_GATES = [gateAt('cardAssignment/s1'), gateAt('card/c1')]
const card = { id: 'c1', assignmentId: 's1', last4: '4242', brand: 'VISA' }
const onCard = {
  rail: 'CARD',
  card,
  walletId: null,
  delegationId: null,
  chainType: null,
  recipientAddress: null,
  wallet: null,
}

/** A REQUEST to pay with a card. */
function requestOnCard(): Message {
  const asked = request('APPROVED', false) as unknown as { fields: object }
  const fields = { ...asked.fields, terms: { ...terms, ...onCard }, gates: CARD_GATES }
  return message('REQUEST', { fields: fields as never, cardId: 'c1' })
}

/** As approved, with more, and again under another reference; and that nothing was charged. */
const charges: Message[] = [
  message('CHARGE', { amount: 60, reference: 'r1', lacksKey: false }),
  message('CHARGE', { amount: 90, reference: 'r2', lacksKey: true }),
  message('VOID', { reference: 'r1' }),
]

const x402 = { method: 'GET', host: 'one.test', path: '/', offer: {} }

/** A REQUEST by x402: where it is approved, it is signed or permitted at once. */
function requestByX402(outcome: Outcome, settlementMode: SettlementMode, custodyType = 'MANAGED'): Message {
  const asked = request(outcome, false, settlementMode) as unknown as { fields: object }
  const wallet = { ...terms.wallet, custodyType }
  const fields = { ...asked.fields, terms: { ...terms, settlementMode, rail: 'X402', x402, wallet } }
  return message('REQUEST', { fields: fields as never, ...(outcome === 'APPROVED' && permit) })
}

const byX402: Message[] = [
  requestByX402('APPROVED', 'test'),
  requestByX402('APPROVED', 'live'),
  requestByX402('APPROVED', 'test', 'EXTERNAL'),
  requestByX402('REQUIRES_APPROVAL', 'test'),
  requestByX402('REQUIRES_APPROVAL', 'live'),
]

/** What becomes of what was signed: by word, in a block, or nothing. */
const ofSignature: Message[] = [
  message('SETTLED', { isUndelivered: true }),
  message('DELIVERY', { isUndelivered: true }),
  message('SETTLED', { txHash: '0x1', block: 7 }),
  message('LAPSED'),
]

const always: Message[] = [
  request('APPROVED', false),
  request('APPROVED', true),
  request('REQUIRES_APPROVAL', false),
  request('REQUIRES_APPROVAL', true),
  request('DENIED', false),
  request('APPROVED', false, 'live'),
  request('APPROVED', true, 'live'),
  request('REQUIRES_APPROVAL', true, 'live'),
  { ...request('APPROVED', false), walletId: 'another' },
  requestOnCard(),
  ...byX402,
  message('CANCEL'),
  message('RELEASE_HOLD', { reason: 'Never paid' }),
  message('RELEASE_HOLD', { reason: 'Never paid', allowRetry: true }),
  message('WAKE'),
  message('WAKE', { now: TOMORROW }),
]

const transfer: SignedTransfer = {
  hash: '0x1',
  raw: '0x02',
  nonce: 0,
  maxFeePerGas: '2',
  maxPriorityFeePerGas: '1',
  gas: '65000',
  signedAt: 1,
}

/** Every outcome of an external call for a transfer that the service signs or entrusts to a provider. */
const outside: Message[] = [
  message('SIGNED', { transfer: transfer as never }),
  message('ENTRUSTED', { provider: 'x' }),
  message('UNMADE', { code: 'INSUFFICIENT_BALANCE', message: 'No gas' }),
  message('ACCEPTED', { txHash: '0x1' }),
  message('UNKNOWN'),
  message('CONFIRMED', { txHash: '0x1', block: 7 }),
  message('REVERTED', { txHash: '0x1', reason: 'Reverted' }),
  message('REORGED'),
  message('FINAL'),
]
/** Sent only once, because the payment keeps every replacement. */
const replaced = message('REPLACED', { transfer: { ...transfer, hash: '0x2' } as never })

/** Causes of refusals that proceed differently: lasting, passing, and without a reason. */
const REFUSALS: [Refusing['ask'], Refusing['violations']][] = [
  ['RESERVE', because('DAILY_LIMIT')],
  ['CAPTURE', because('DAILY_LIMIT')],
  ['CAPTURE', because('INSUFFICIENT_BALANCE')],
  ['CAPTURE', []],
  ['ADMIT', because('AGENT_NOT_ACTIVE')],
  ['RESTORE', because('DAILY_LIMIT')],
]

/** The message, and once more for each refusal by the last gate that it asks. */
function withRefusals(world: World, sent: Message): Message[] {
  const { asked } = stepIn('payment/p1', world, sent)
  const refused = REFUSALS.flatMap(([ask, violations]) => {
    const last = asked.findLast((one) => one.startsWith(`${ask} `))
    return last ? [{ ask, by: last.slice(ask.length + 1), violations }] : []
  })
  return [sent, ...refused.map((refuses) => ({ ...sent, refuses: refuses as never }))]
}

/** Two executions and one review are enough to reach every state; without a bound the walk would never end. */
export function paymentMessages(world: World): Message[] {
  return plainMessages(world).flatMap((sent) => withRefusals(world, sent))
}

function onCardMessages(state: string | undefined): Message[] {
  const again = state === 'permitted' ? permitAgain : [message('PERMIT', permit)]
  return [
    requestOnCard(),
    message('CANCEL'),
    message('RELEASE_HOLD', { reason: 'Lost' }),
    message('EXECUTE'),
    ...again,
    ...charges,
    ...confirmations,
  ]
}

function byX402Messages(reviews: number): Message[] {
  return [
    ...byX402,
    message('CANCEL'),
    message('RELEASE_HOLD', { reason: 'Lost' }),
    message('WAKE', { now: TOMORROW }),
    ...executions(reviews),
    ...ofSignature,
    ...confirmations,
  ]
}

function plainMessages({ actor }: World): Message[] {
  const context = (actor?.context ?? {}) as Partial<PaymentContext>
  const { sending = 0, reviews = 0, approval = null, transfers = [] } = context
  if (actor?.state === 'awaitingApproval') {
    return [...always, message('EXECUTE'), ...decisions(approval!, reviews)]
  }
  if (context.terms?.rail === 'X402') return byX402Messages(reviews)
  // After a decision a payment proceeds like one that needed no decision.
  if (approval?.createdAt) return sending < 1 ? [message('EXECUTE')] : []
  const signed = transfers.length === 1 ? [replaced] : []
  const chain = context.terms?.settlementMode === 'live' ? [...outside, ...signed] : []
  if (context.terms?.rail === 'CARD') return onCardMessages(actor?.state)
  const more = actor?.state === 'permitted' || actor?.state === 'executed' ? confirmations : []
  const again = actor?.state === 'permitted' ? permitAgain : []
  const said = [...always, ...more, ...again, ...chain]
  return sending < 2 ? [...said, ...executions(reviews)] : said
}
