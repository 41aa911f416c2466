// What the facts say about a payment by one route: every violation, in the order of the checks, and the outcome.
// It proposes; the gates decide.
import { delegationViolations } from '../domain/delegation.js'
import type { Micros } from '../domain/money.js'
import type { Outcome } from '../domain/payment.js'
import type { Violation } from '../domain/violation.js'
import { balanceViolations, WALLET_NOT_ACTIVE } from '../domain/wallet.js'
import { agentContext } from './agents.js'
import { delegationContext } from './delegations.js'
import { isListed, type Facts, type Route } from './facts.js'
import { walletContext } from './wallets.js'

export interface Wish {
  amount: Micros
  executionContext: string | null
}

export interface Evaluation {
  outcome: Outcome
  violations: Violation[]
  /** The delegation itself asks for a person. */
  needsPerson: boolean
}

function agentViolations(facts: Facts, executionContext: string | null): Violation[] {
  const { status, fields } = agentContext(facts.agent)
  const found: Violation[] = []
  if (status !== 'ACTIVE') found.push({ type: 'AGENT_NOT_ACTIVE', message: `The agent is ${status}` })
  const { allowedContexts } = fields
  if (allowedContexts.length > 0 && !allowedContexts.includes(executionContext ?? '')) {
    const message = `executionContext must be one of ${allowedContexts.join(', ')}`
    found.push({ type: 'CONTEXT_NOT_ALLOWED', message })
  }
  return found
}

function counterpartyViolations({ counterparty }: Facts): Violation[] {
  if (counterparty?.state !== 'blocked') return []
  return [{ type: 'BLOCKED_COUNTERPARTY', message: 'The recipient is blocked' }]
}

export function evaluate(facts: Facts, route: Route, wish: Wish): Evaluation {
  const { terms, sums, clock } = delegationContext(route.delegation)
  const { balance, held } = walletContext(route.wallet)
  const payment = { amount: wish.amount, now: Math.max(clock, facts.now), listed: isListed(facts.counterparty) }
  const violations = [
    ...agentViolations(facts, wish.executionContext),
    ...(route.wallet.state === 'kept.active' ? [] : [WALLET_NOT_ACTIVE]),
    ...counterpartyViolations(facts),
    ...delegationViolations(terms, sums, payment),
    ...balanceViolations(balance, held, wish.amount),
  ]
  const needsPerson = terms.delegationType === 'PREAPPROVED'
  const outcome = violations.length > 0 ? 'DENIED' : needsPerson ? 'REQUIRES_APPROVAL' : 'APPROVED'
  return { outcome, violations, needsPerson }
}

const MILDNESS: Record<Outcome, number> = { APPROVED: 0, REQUIRES_APPROVAL: 1, DENIED: 2 }

/** The first of the routes with the mildest outcome. */
export function mildest(facts: Facts, routes: readonly Route[], wish: Wish): { route: Route; evaluation: Evaluation } {
  let best: { route: Route; evaluation: Evaluation } | undefined
  for (const route of routes) {
    const evaluation = evaluate(facts, route, wish)
    if (!best || MILDNESS[evaluation.outcome] < MILDNESS[best.evaluation.outcome]) best = { route, evaluation }
    if (evaluation.outcome === 'APPROVED') break
  }
  return best!
}
