// What denied a payment besides the rules of its policies, by where it is set: the organization, the agent, its
// delegation, the wallet or the card.
import type { Answer } from '../api.js'

type Trace = Answer<'GET /api/payments/{paymentId}'>['trace']
type Violation = Trace['violations'][number]

export interface Branch {
  name: string
  violations: Violation[]
}

const BY_TYPE: { [type: string]: string } = {
  SANCTIONED_ADDRESS: 'Organization',
  BLOCKED_COUNTERPARTY: 'Organization',
  POLICY_ERROR: 'Organization',
  AGENT_NOT_ACTIVE: 'Agent',
  CONTEXT_NOT_ALLOWED: 'Agent',
  UNUSUAL_ACTIVITY: 'Agent',
  WALLET_NOT_ACTIVE: 'Wallet',
  INSUFFICIENT_BALANCE: 'Wallet',
  ASSET_NOT_ALLOWED: 'Wallet',
  CARD_NOT_ACTIVE: 'Card',
}
/** The service reports a frozen organization as its agents being inactive. */
const isFrozen = ({ message }: Violation): boolean => message === 'The organization is frozen'

/** A limit of a policy is refused where its sum is kept: at the agent or at the budget. */
const BY_GATE: { [gate: string]: string } = {
  agent: 'Agent',
  wallet: 'Wallet',
  budget: 'Budget',
  service: 'Budget',
  card: 'Card',
  cardAssignment: 'Card',
}

export function branchesOf({ violations, policies, refusal }: Omit<Trace, 'request'>, rail: string): Branch[] {
  const told = new Set(policies.map(({ policyId }) => policyId))
  const found = new Map<string, Violation[]>()
  const add = (name: string, violation: Violation): void => {
    const already = found.get(name) ?? []
    const isKnown = already.some(({ type, message }) => type === violation.type && message === violation.message)
    if (!isKnown) found.set(name, [...already, violation])
  }
  const branchOf = (violation: Violation): string =>
    isFrozen(violation) ? 'Organization' : (BY_TYPE[violation.type] ?? (rail === 'CARD' ? 'Card' : 'Delegation'))
  for (const one of violations) if (one.policyId === undefined || !told.has(one.policyId)) add(branchOf(one), one)
  const gate = BY_GATE[refusal?.gate.split('/')[0] ?? '']
  for (const one of refusal?.violations ?? []) add(one.policyId === undefined ? branchOf(one) : (gate ?? 'Agent'), one)
  return [...found].map(([name, all]) => ({ name, violations: all }))
}
