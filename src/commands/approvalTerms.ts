// What is asked when a payment needs a person: whom, bound to what, and who may not answer.
import { paymentContentHash, type Approval } from '../domain/approval.js'
import { newId } from '../domain/ids.js'
import type { Decision, PaymentTerms } from '../domain/payment.js'
import type { Identity } from '../domain/principal.js'
import { stepsOf } from '../domain/workflow.js'
import type { Asking } from '../../rules/evaluate.js'
import { counterpartyContext, keyContext, policyContext } from './contexts.js'
import type { Facts } from './facts.js'
import type { Services } from './ports.js'
import { workflowsOf } from './workflows.js'

export interface AskedFor {
  paymentId: string
  terms: PaymentTerms
  facts: Facts
  decision: Decision
  /** The rules that ask for a person. */
  askedBy: readonly Asking[]
}

/** A request that nobody was asked yet; its times begin when somebody is. */
export function approvalFor(services: Services, asked: AskedFor): Approval {
  const { paymentId, terms, facts, decision } = asked
  const { id: organization, fields } = facts.organization
  const { agentId, amount, category } = terms
  const { counterparty } = facts
  const newCounterparty = counterparty === undefined || counterpartyContext(counterparty).transactionCount === 0
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

function reasonsOf({ decision, askedBy }: AskedFor): string[] {
  const own = decision.preapproval ? ['The delegation is PREAPPROVED: a person approves each of its payments'] : []
  return [...own, ...askedBy.map(({ message }) => message)]
}

/** Whom the last edits of the policies that ask for a person count as. */
function lastEditors(services: Services, { askedBy }: AskedFor): Identity[] {
  const ids = new Set(askedBy.map(({ policyId }) => policyId))
  const policies = [...ids].map((id) => services.host.peek(`policy/${id}`))
  const editors = policies.flatMap((policy) => (policy ? [policyContext(policy).change!.changedBy] : []))
  return editors.map(({ type, id }) => countedAs(services, { type: type as Identity['type'], id }))
}

/** Whose deeds this one's deeds are. */
export function countedAs({ host }: Services, identity: Identity): Identity {
  if (identity.type !== 'ORGANIZATION_KEY') return identity
  const key = host.peek(`key/${identity.id}`)
  return (key && keyContext(key).fields.countsAs) ?? identity
}
