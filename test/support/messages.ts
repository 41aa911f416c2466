// Messages as the command layer sends them, for tests that use a host directly: the actor and the message to it.
import { sha256Hex } from '../../src/domain/values/digest.js'
import type { Message } from '../../src/actor/actor.js'
import type { AgentEvent } from '../../machines/agent.js'
import type { CounterpartyEvent } from '../../machines/counterparty.js'
import type { OrganizationEvent } from '../../machines/organization.js'
import type { DelegationEvent } from '../../machines/delegation.js'
import type { PaymentEvent } from '../../machines/payment/chart.js'
import type { PolicyEvent } from '../../machines/policy.js'
import type { WalletEvent } from '../../machines/wallet.js'
import type { CounterpartyStatus } from '../../src/domain/parties/counterparty.js'
import type { Approval } from '../../src/domain/payment/approval.js'
import type { DelegationTerms } from '../../src/domain/parties/delegation.js'
import type { Gate, Ref } from '../../src/domain/limits/gate.js'
import type { LimitTerm } from '../../src/domain/limits/limit.js'
import type { Micros } from '../../src/domain/values/money.js'
import type { PolicyDefinition, PolicyRule } from '../../src/domain/parties/policy.js'
import type { Violation } from '../../src/domain/outcomes/violation.js'
import type { Decision, Outcome, PaymentTerms } from '../../src/domain/payment/terms.js'

/** A message and the actor that it is for. */
export interface Letter {
  to: Ref
  message: Message
}

/** The organization and time of a message. */
export interface Stamp {
  organization: string
  now: number
}

/** A command without fields: `say('EXECUTE', 'payment/p1', stamp)`. */
export function say(type: string, to: Ref, stamp: Stamp, fields: object = {}): Letter {
  return { to, message: { type, ...stamp, ...fields } }
}

type Fields<Event, Type> = Omit<Extract<Event, { type: Type }>, 'type' | 'now' | 'organization'>

export function createAgent(stamp: Stamp, id: string, name: string): Letter {
  const fields: Fields<AgentEvent, 'CREATE'> = {
    id,
    name,
    order: 0,
    fields: {
      agentType: 'CUSTOM',
      description: null,
      publicKey: `0x${'0'.repeat(40)}`,
      externalId: null,
      allowedContexts: [],
      callbackUrl: null,
    },
  }
  return say('CREATE', `agent/${id}`, stamp, fields)
}

export function setStatus(stamp: Stamp, id: string, type: 'ACTIVATE' | 'PAUSE' | 'SUSPEND' | 'REVOKE'): Letter {
  const fields: Pick<Extract<AgentEvent, { changes: unknown }>, 'changes'> = { changes: {} }
  return say(type, `agent/${id}`, stamp, fields)
}

export function rename(stamp: Stamp, id: string, name: string): Letter {
  const fields: Fields<AgentEvent, 'RENAME'> = { name }
  return say('RENAME', `agent/${id}`, stamp, fields)
}

export function createWallet(stamp: Stamp, id: string, address: string): Letter {
  const fields: Fields<WalletEvent, 'CREATE'> = {
    id,
    order: 0,
    fields: {
      name: id,
      address,
      walletType: 'EOA',
      chainType: 'EVM',
      chainId: '84532',
      custodyType: 'MANAGED',
      currency: 'USDC',
    },
  }
  return say('CREATE', `wallet/${id}`, stamp, fields)
}

const BY = { type: 'USER', id: 'u', name: 'Ada' }

export function createPolicy(stamp: Stamp, id: string, definition: PolicyDefinition): Letter {
  const budgeted = isShared(definition.rules)
  const fields: Fields<PolicyEvent, 'CREATE'> = { id, order: 0, definition, agents: [], by: BY, budgeted }
  return say('CREATE', `policy/${id}`, stamp, fields)
}

export function replaceRules(stamp: Stamp, id: string, rules: PolicyRule[]): Letter {
  const budgeted = isShared(rules)
  const fields: Omit<Extract<PolicyEvent, { rules: unknown }>, 'type' | 'now'> = { rules, by: BY, budgeted }
  return say('REPLACE_RULES', `policy/${id}`, stamp, fields)
}

export function rollBack(stamp: Stamp, id: string, definition: PolicyDefinition): Letter {
  const fields: Fields<PolicyEvent, 'ROLL_BACK'> = { definition, by: BY, budgeted: isShared(definition.rules) }
  return say('ROLL_BACK', `policy/${id}`, stamp, fields)
}

function isShared(rules: readonly PolicyRule[]): boolean {
  return rules.some(({ value }) => (value as Partial<LimitTerm>).of === 'POLICY')
}

export function assignAgent(stamp: Stamp, id: string, subjectId: string): Letter {
  const assignment = { id: `${id}.${subjectId}`, subjectId, at: stamp.now }
  const fields: Fields<PolicyEvent, 'ASSIGN'> = { to: 'agents', assignment }
  return say('ASSIGN', `policy/${id}`, stamp, fields)
}

export function unassignAgent(stamp: Stamp, id: string, subjectId: string): Letter {
  const fields: Fields<PolicyEvent, 'UNASSIGN'> = { from: 'agents', subjectId }
  return say('UNASSIGN', `policy/${id}`, stamp, fields)
}

export function fund(stamp: Stamp, id: string, amount: Micros): Letter {
  const fields: Fields<WalletEvent, 'FUND'> = { amount }
  return say('FUND', `wallet/${id}`, stamp, fields)
}

/** `id` is also the address. */
export function createCounterparty(stamp: Stamp, id: string, status: CounterpartyStatus): Letter {
  const fields: Fields<CounterpartyEvent, 'CREATE'> = {
    id,
    address: id,
    order: 0,
    status,
    fields: { name: id, category: 'OTHER', notes: null, website: null },
  }
  return say('CREATE', `counterparty/${id}`, stamp, fields)
}

export function upsertCounterparty(stamp: Stamp, id: string): Letter {
  const fields: Fields<CounterpartyEvent, 'UPSERT'> = { id, address: id, order: 0, fields: { name: id } }
  return say('UPSERT', `counterparty/${id}`, stamp, fields)
}

/** No limits, at any time of any day. */
const UNLIMITED: DelegationTerms = {
  delegationType: 'FULL',
  spendLimitPerTx: null,
  spendLimitDaily: null,
  spendLimitWeekly: null,
  spendLimitMonthly: null,
  allowedHoursStart: 0,
  allowedHoursEnd: 24,
  allowedDays: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
  timezone: 'UTC',
}

/** The agent and the wallet of a delegation. */
export interface Pair {
  agentId: string
  walletId: string
}

export function createDelegation(stamp: Stamp, id: string, pair: Pair, terms: Partial<DelegationTerms>): Letter {
  const { agentId, walletId } = pair
  const fields: Fields<DelegationEvent, 'CREATE'>['fields'] = {
    id,
    agentId,
    walletId,
    order: 0,
    terms: { ...UNLIMITED, ...terms },
  }
  return say('CREATE', `delegation/${id}`, stamp, { fields })
}

export function configure(stamp: Stamp, id: string, changes: Partial<DelegationTerms>): Letter {
  const fields: Fields<DelegationEvent, 'CONFIGURE'> = { changes }
  return say('CONFIGURE', `delegation/${id}`, stamp, fields)
}

/** The terms of a payment request that differ between tests. */
export interface Asked {
  id: string
  agentId: string
  walletId: string
  delegationId: string
  /** The recipient's address, which is also the counterparty's id here. */
  address: string
  amount: Micros
  outcome?: Outcome
  approvedForMs?: number
  waitsForMs?: number
  /** For a payment that needs a person. */
  approval?: Approval
  autoExecute?: boolean
  demands?: Demands
  /** In live settlement, who makes the transfer: the service, or the agent by itself. Left out, it is simulated. */
  transfer?: 'own' | 'agent'
}

/** What policies demand of a payment's gates. */
export interface Demands {
  policySetHash: string
  /** The organization's zone. */
  timezone: string
  /** Limits on the agent's own sums and counts. */
  limits: LimitTerm[]
  budgets: Pick<Gate, 'ref' | 'limits' | 'opening'>[]
}

/** The gates of a payment, in the order in which it asks them. */
export function gatesOf({ agentId, walletId, delegationId, address, amount, demands, transfer }: Asked): Gate[] {
  const hold = { amount }
  const terms = { id: address, name: address, address, order: '0' }
  const { timezone = 'UTC', limits, budgets = [] } = demands ?? {}
  return [
    { ref: `agent/${agentId}`, ...hold, terms: { timezone }, ...(limits && { limits }) },
    { ref: `delegation/${delegationId}`, ...hold, terms: { listed: 'false' } },
    { ref: `wallet/${walletId}`, ...hold, ...(transfer && { terms: { funds: 'chain', transfer } }) },
    ...budgets.map((gate) => ({ ...gate, ...hold, terms: { timezone } })),
    { ref: `counterparty/${address}`, ...hold, terms },
  ]
}

function termsOf({ agentId, walletId, delegationId, amount, address, transfer }: Asked): PaymentTerms {
  return {
    agentId,
    askedBy: { type: 'AGENT_KEY', id: agentId },
    walletId,
    delegationId,
    amount,
    currency: 'USDC',
    chainType: 'EVM',
    recipientAddress: address,
    recipientName: null,
    purpose: null,
    category: null,
    context: {},
    executionContext: null,
    urgency: 'NORMAL',
    idempotencyKey: null,
    settlementMode: transfer ? 'live' : 'test',
    asset: null,
    wallet: {
      id: walletId,
      address: walletId,
      chainId: '84532',
      custodyType: transfer === 'agent' ? 'EXTERNAL' : 'MANAGED',
    },
  }
}

const DENIED_BY_FACTS: Violation = { type: 'CONTEXT_NOT_ALLOWED', message: 'The context is not allowed' }

export function decisionOf({ id, demands }: Asked, outcome: Outcome): Decision {
  const violations = outcome === 'DENIED' ? [DENIED_BY_FACTS] : []
  const { policySetHash = '', timezone = 'UTC' } = demands ?? {}
  return { id, outcome, violations, policySetHash, policies: [], facts: {}, timezone, preapproval: false }
}

/** An approval request with one step of one approver for each of these timeouts (ms). */
export function approvalOf(id: string, timeoutsMs: readonly number[]): Approval {
  const steps = timeoutsMs.map((timeoutMs) => ({ workflowId: null, requiredApprovals: 1, timeoutMs, approverIds: [] }))
  const none = { reasons: [], decisions: [], barred: [], step: 0, createdAt: 0, expiresAt: 0 }
  return { id, status: 'PENDING', contentHash: 'ff', steps, ...none }
}

/** The organization itself, which every execution asks. */
export function createOrganization(stamp: Stamp): Letter {
  const fields: Fields<OrganizationEvent, 'CREATE'> = {
    id: stamp.organization,
    order: 0,
    fields: {
      name: stamp.organization,
      timezone: 'UTC',
      approvedForMs: 300_000,
      waitsForMs: 86_400_000,
      strictLineage: false,
      governance: { enabled: false, actions: [], requiredApprovals: 1, timeoutHours: 24 },
      limits: { payments: null, agents: null, policies: null, counterparties: null },
    },
  }
  return say('CREATE', `organization/${stamp.organization}`, stamp, fields)
}

/** No two ids have the same, as no two payments do. */
function orderBy(id: string): number {
  return Number.parseInt(sha256Hex(id).slice(0, 12), 16)
}

export function request(stamp: Stamp, asked: Asked): Letter {
  const { id, outcome = 'APPROVED', approvedForMs = 300_000, waitsForMs = 86_400_000, autoExecute = false } = asked
  const fields: Fields<PaymentEvent, 'REQUEST'>['fields'] = {
    id,
    order: orderBy(id),
    terms: termsOf(asked),
    decision: decisionOf(asked, outcome),
    gates: gatesOf(asked),
    approvedForMs,
    approval: outcome === 'REQUIRES_APPROVAL' ? (asked.approval ?? approvalOf(`${id}.approval`, [waitsForMs])) : null,
    autoExecute,
    autoExecuteError: null,
    transactionId: `${id}.transaction`,
  }
  return say('REQUEST', `payment/${id}`, stamp, { fields })
}
