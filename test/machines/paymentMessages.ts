// What the walk sends to a payment: the requests that differ in how they go on, every answer, and the three refusals
// that end differently.
import type { Message } from '../../src/actor/actor.js'
import type { Gate } from '../../src/domain/gate.js'
import type { Decision, Outcome, PaymentTerms } from '../../src/domain/payment.js'
import type { ViolationType } from '../../src/domain/violation.js'
import { ANSWERS, message, TOMORROW } from './gateMessages.js'
import type { World } from './walk.js'

const gateAt = (ref: Gate['ref']): Gate => ({ ref, holder: 'p1', amount: 60 })

const terms: PaymentTerms = {
  agentId: 'a1',
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
  wallet: { id: 'w1', address: '0x', chainId: '1', custodyType: 'MANAGED' },
}

const because = (type: ViolationType) => [{ type, message: 'It is so' }]

const GATES = [gateAt('agent/a1'), gateAt('delegation/d1'), gateAt('wallet/w1')]

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

/** A request that the facts decided this way. Its approval is over tomorrow. */
export function request(outcome: Outcome, autoExecute: boolean): Message {
  const fields = {
    id: 'p1',
    order: 1,
    terms,
    decision: decisionOf(outcome),
    gates: GATES,
    approvedForMs: 60_000,
    waitsForMs: 3_600_000,
    autoExecute,
    autoExecuteError: null,
    transactionId: 't1',
  }
  return message('REQUEST', { fields: fields as never })
}

/** An execution under policies that changed: what they decide now, and the budgets that are asked from now on. */
function reviewed(after: number, outcome: Outcome, ...budgets: Gate['ref'][]): Message {
  const review = { after, decision: decisionOf(outcome), gates: [...GATES, ...budgets.map(gateAt)] }
  return message('EXECUTE', { review: review as never })
}

const BUDGETS: Gate['ref'][] = ['budget/y1', 'budget/y2']

/** `reviews` is how many the payment has taken; the last one looked at another payment. */
const executions = (reviews: number): Message[] => [
  message('EXECUTE'),
  reviewed(reviews, 'DENIED'),
  reviewed(reviews, 'APPROVED', ...BUDGETS),
  reviewed(reviews, 'REQUIRES_APPROVAL', ...BUDGETS),
  reviewed(reviews + 1, 'APPROVED'),
]

const always: Message[] = [
  request('APPROVED', false),
  request('APPROVED', true),
  request('REQUIRES_APPROVAL', false),
  request('DENIED', false),
  message('CANCEL'),
  message('RELEASE_HOLD', { reason: 'Never paid' }),
  message('WAKE'),
  message('WAKE', { now: TOMORROW }),
  ...ANSWERS,
  message('REFUSED', { violations: because('DAILY_LIMIT') as never }),
  message('REFUSED', { violations: because('INSUFFICIENT_BALANCE') as never }),
  message('REFUSED', { violations: [] }),
]

/** Two executions are enough to meet every state with an attempt behind it; more would never end. */
export function paymentMessages({ actor }: World): Message[] {
  const attempts = actor?.context['attempt'] ?? 0
  return Number(attempts) < 2 ? [...always, ...executions(Number(actor?.context['reviews'] ?? 0))] : always
}
