// The terms of a payment's approval request: its steps and approvers, the hash it is bound to, and the identities
// barred from approving.
import { paymentContentHash, type Approval } from '../../domain/payment/approval.js'
import { newId } from '../../domain/values/ids.js'
import type { Decision, PaymentTerms } from '../../domain/payment/terms.js'
import type { Identity } from '../../domain/access/principal.js'
import { stepsOf } from '../../domain/payment/workflow.js'
import type { RuleEvaluation } from '../../../rules/evaluate.js'
import type { GatheredFacts } from './facts.js'
import type { Services } from '../ports.js'
import { workflowsOf } from '../people/workflows.js'

export interface ApprovalSubject {
  paymentId: string
  terms: PaymentTerms
  facts: GatheredFacts
  decision: Decision
  /** The rules that require a person, and why. */
  askedBy: Pick<RuleEvaluation, 'requiresApprovalBy' | 'approvalReasons'>
}

/** A request before it is opened; its times begin with its first step. */
export function approvalFor(services: Services, asked: ApprovalSubject): Approval {
  const { paymentId, terms, facts, decision } = asked
  const { id: organization, fields } = facts.organization
  const { agentId, amount, category } = terms
  const newCounterparty = !facts.isMet
  const found = stepsOf(workflowsOf(services, organization), { agentId, amount, category, newCounterparty })
  const usual = { workflowId: null, requiredApprovals: 1, timeoutMs: fields.waitsForMs, approverIds: [] }
  return {
    id: newId(services.random),
    status: 'PENDING',
    reasons: reasonsOf(asked),
    contentHash: paymentContentHash(paymentId, terms, decision.policySetHash),
    steps: found.length > 0 ? found : [usual],
    step: 0,
    barred: fields.strictLineage ? [terms.askedBy, ...lastEditors(services, asked)] : [],
    decisions: [],
    createdAt: 0,
    expiresAt: 0,
  }
}

function reasonsOf({ decision, askedBy }: ApprovalSubject): string[] {
  const own = decision.preapproval ? ['The delegation is PREAPPROVED: a person approves each of its payments'] : []
  return [...own, ...askedBy.approvalReasons]
}

/** The identities behind the last edits of the policies that require a person. */
function lastEditors(services: Services, { askedBy }: ApprovalSubject): Identity[] {
  const ids = new Set(askedBy.requiresApprovalBy.map(({ policyId }) => policyId))
  const policies = [...ids].map((id) => services.host.peek(`policy/${id}`))
  const editors = policies.flatMap((policy) => (policy ? [policy.context.change!.changedBy] : []))
  return editors.map(({ type, id }) => countedAs(services, { type: type as Identity['type'], id }))
}

/** The identity that a principal's actions count as: for a key, that of its maker. */
export function countedAs({ host }: Services, identity: Identity): Identity {
  const member = identity.type === 'PERSON' ? host.peek(`member/${identity.id}`) : undefined
  const key = identity.type === 'ORGANIZATION_KEY' ? host.peek(`key/${identity.id}`) : undefined
  return (member && member.context.countsAs) ?? (key && key.context.fields.countsAs) ?? identity
}
