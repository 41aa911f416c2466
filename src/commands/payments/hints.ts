// Helps an agent after a denial: a hint, its wallets, and next steps for its violations.
import { listing } from '../../../rules/ruleTypes/addresses.js'
import { OF_COUNTERPARTY } from '../../../rules/ruleTypes/categories.js'
import type { BudgetPeriod } from '../../../rules/facts.js'
import { paidBefore } from '../../../rules/ruleTypes/newCounterparty.js'
import { servicePeriodIn } from '../../../rules/ruleTypes/x402MaxPerService.js'
import { agentNotActive } from '../../domain/parties/agent.js'
import { CHAINS, noNode } from '../../domain/values/chains.js'
import { windowsAt, type Period } from '../../domain/time/windows.js'
import { toNumber, type Micros } from '../../domain/values/money.js'
import type { Nearest } from '../../domain/payment/terms.js'
import { UNREADABLE_LIST } from '../../domain/parties/sanctions.js'
import { ORGANIZATION_FROZEN, type Violation, type ViolationType } from '../../domain/outcomes/violation.js'
import { BALANCE_UNREAD } from '../../domain/parties/wallet.js'

/** The remedy for each cause. */
export const VIOLATION_HINTS: Record<ViolationType, string> = {
  AGENT_NOT_ACTIVE: 'The agent cannot pay until an administrator sets it ACTIVE',
  WALLET_NOT_ACTIVE: 'Name another wallet, or have an administrator set this one ACTIVE',
  DELEGATION_NOT_ALLOWED: 'Use another wallet, or have an administrator change the delegation',
  INSUFFICIENT_BALANCE: 'Have the wallet funded, or choose a smaller purchase',
  PER_TX_LIMIT: 'Have the limit per payment raised, or choose a purchase within it',
  DAILY_LIMIT: 'Wait for the next day, choose a smaller purchase, or have the daily limit raised',
  WEEKLY_LIMIT: 'Wait for the next week, choose a smaller purchase, or have the weekly limit raised',
  MONTHLY_LIMIT: 'Wait for the next month, choose a smaller purchase, or have the monthly limit raised',
  TIME_WINDOW: 'Request it again when payments are allowed',
  CONTEXT_NOT_ALLOWED: 'Name an allowed executionContext',
  BLOCKED_COUNTERPARTY: 'Choose another recipient, or have an administrator unblock this one',
  BUDGET_EXCEEDED:
    'Wait for the next period, if the budget has one, choose a smaller purchase, or have the budget raised',
  BLACKOUT_PERIOD: 'Request it again when the blackout is over',
  EXPIRED_PERMISSION: 'Request it again within the dates that the policy allows, or have them changed',
  WHITELIST_VIOLATION: 'Choose a recipient that the policy lists, or have this one listed',
  CATEGORY_RESTRICTION: 'Name a category that the policy allows',
  VELOCITY_LIMIT: 'Wait until there are fewer payments in the period',
  TRUST_SCORE: 'Choose a recipient with a higher trust score',
  COUNTERPARTY_STATUS: 'Choose a recipient with a status that the policy allows, or have this one verified',
  CONTRACT_NOT_ALLOWED: 'Choose a contract that the policy lists',
  AMOUNT_LIMIT: 'Choose a purchase within the limit, or have the policy changed',
  COMPOSITE: 'See the conditions of the policy rule',
  POLICY_ERROR: 'Have an administrator look at the policies: one of them could not be evaluated',
  UNUSUAL_ACTIVITY: 'Have an administrator look at the agent, which is frozen for this, or choose a smaller purchase',
  CARD_NOT_ACTIVE: 'Use another card, or have an administrator set this one ACTIVE',
  RAIL_NOT_ALLOWED: 'Pay by a rail that the policy allows, or have the policy changed',
  ASSET_NOT_ALLOWED:
    "Choose an offer in the chain's own USDC, by the scheme exact, on a chain that the service supports",
  X402_PRICE_CEILING:
    'The server asks for more than maxAmount: raise that if the resource is worth it, or choose another',
  X402_SERVICE_LIMIT: 'Wait for the next period, if the limit has one, or have the limit for this service raised',
  X402_SERVICE_NOT_ALLOWED: 'Choose a service that the policy lists, or have this one listed',
  X402_SERVICE_BLOCKED: 'Choose another service, or have the policy changed',
  SANCTIONED_ADDRESS: 'This recipient can never be paid',
}

const GONE = 'The agent can never pay again: have a new one registered'
const OFF_LIST = 'Choose a recipient that the policy does not list, or have the policy changed'
const OTHER_CATEGORY = "Choose another recipient, or have this one's category or the policy changed"
const NO_NODE = 'No amount can be paid on this chain until a node is configured: inform the operator of the service'

/** Remedies where a type has several causes, told apart by their messages. */
const PARTICULAR = new Map<string, string>([
  [ORGANIZATION_FROZEN.message, 'No agent can pay until an administrator unfreezes the organization'],
  [agentNotActive('REVOKED').message, GONE],
  [agentNotActive('DELETED').message, GONE],
  [UNREADABLE_LIST, 'No payment is possible until the sanctions list can be read: inform the operator of the service'],
  [
    BALANCE_UNREAD.message,
    'Request it again in a few seconds; if the balance still cannot be read, inform the operator of the service',
  ],
  ...Object.keys(CHAINS).map((chainId): [string, string] => [noNode(chainId), NO_NODE]),
  [listing('counterparties', true), OFF_LIST],
  [listing('blocked counterparties', true), OFF_LIST],
  [listing('contracts', true), 'Choose a contract that the policy does not list, or have the policy changed'],
  [
    paidBefore(false),
    'Choose a recipient that was paid before, or have the policy changed to let a first payment pass',
  ],
  [paidBefore(true), 'Choose a recipient that was never paid before, or have the policy changed'],
])

/** The limit to raise. */
const RAISED: Partial<Record<ViolationType, string>> = {
  PER_TX_LIMIT: 'the limit per payment',
  AMOUNT_LIMIT: 'the most that the policy allows',
  DAILY_LIMIT: 'the daily limit',
  WEEKLY_LIMIT: 'the weekly limit',
  MONTHLY_LIMIT: 'the monthly limit',
  BUDGET_EXCEEDED: 'the budget',
  X402_SERVICE_LIMIT: 'the limit for this service',
  VELOCITY_LIMIT: 'the number of payments that the policy allows',
}

/** Violations that time alone removes. */
const WAITING: ReadonlySet<ViolationType> = new Set([
  'DAILY_LIMIT',
  'WEEKLY_LIMIT',
  'MONTHLY_LIMIT',
  'BUDGET_EXCEEDED',
  'X402_SERVICE_LIMIT',
])

function helpFor({ type, limit, message }: Violation, amount: Micros): string {
  const raised = RAISED[type]
  if (type === 'CATEGORY_RESTRICTION' && message.startsWith(OF_COUNTERPARTY)) return OTHER_CATEGORY
  if (raised === undefined || limit === undefined) return PARTICULAR.get(message) ?? VIOLATION_HINTS[type]
  if (limit === 0) return `Have ${raised} raised: it is 0`
  return WAITING.has(type) && amount > limit
    ? `Choose a smaller purchase, or have ${raised} raised`
    : VIOLATION_HINTS[type]
}

/** The remedy for the first violation. */
export function hintOf(
  violations: readonly Violation[],
  amount: Micros,
  service: AskedService | undefined,
): string | undefined {
  const [first] = violations
  if (!first) return undefined
  const help = helpFor(first, amount)
  return first.type === 'X402_SERVICE_LIMIT' && service ? `${whichLimit(first, service)}. ${help}` : help
}

/** A service that an agent wanted to pay by x402. */
export interface AskedService {
  host: string
  /** Of the denial, epoch ms. */
  at: number
  timezone: string
}

const WINDOWS: Partial<Record<BudgetPeriod, Period>> = { DAILY: 'day', WEEKLY: 'week', MONTHLY: 'month' }

function whichLimit({ message, limit = 0 }: Violation, { host, at, timezone }: AskedService): string {
  const window = WINDOWS[servicePeriodIn(message) ?? 'TOTAL']
  const resets = window && `resets at ${new Date(windowsAt(at, timezone)[window].end).toISOString()}`
  return `The limit of ${toNumber(limit)} for ${host} ${resets ?? 'does not reset'}`
}

/** In place of hints that were left out. */
const MANY_RULES =
  'Too many rules apply for more hints: have an administrator see the trace, or ask for fewer or simpler policies'

/** Next steps for the agent: first what would pass by the facts, then one for each cause. */
export function nextStepsOf(violations: readonly Violation[], amount: Micros, way: Nearest | undefined): string[] {
  const steps: string[] = []
  if (way?.maxAmountNow) {
    const which = `Request it again for ${toNumber(way.maxAmountNow)} or less if that covers the whole purchase`
    steps.push(`${which}: ${way.asksPerson ? 'it would require approval' : 'it would be approved now'}`)
  }
  if (way?.earliestAt)
    steps.push(`Request it again at ${new Date(way.earliestAt).toISOString()}: no other reason remains`)
  if (way?.omitted) steps.push(MANY_RULES)
  if (way?.approvalWouldAllow)
    steps.push('Name another of your wallets: a payment from it could be approved by a person')
  return [...new Set([...steps, ...violations.map((violation) => helpFor(violation, amount))])]
}
