// The fields of an actor that the approval of a change is bound to: those the approver has seen. Changes to other
// fields, above all the sums of payments, do not make an approval stale.
import type { AgentContext } from '../../machines/agent.js'
import type { CounterpartyContext } from '../../machines/counterparty.js'
import type { DelegationContext } from '../../machines/delegation.js'
import type { MemberContext } from '../../machines/member.js'
import type { OrganizationContext } from '../../machines/organization.js'
import type { PolicyContext } from '../../machines/policy.js'
import type { WorkflowContext } from '../../machines/workflow.js'
import type { Actor } from '../actor/actor.js'
import { canonicalJson, type Json } from '../domain/canonical.js'
import { sha256Hex } from '../domain/digest.js'
import type { GovernedAction } from '../domain/governance.js'

type ReadFields = (context: Actor['context']) => unknown[]

const reading = <Context>(read: (context: Context) => unknown[]): ReadFields => {
  return (context) => read(context as unknown as Context)
}

const policy = reading<PolicyContext>(({ version }) => [version])
const delegation = reading<DelegationContext>(({ terms, edits }) => [terms, edits])
// `edits` is included because a second freeze or block looks the same as the first.
const agent = reading<AgentContext>(({ status, frozenFor, edits }) => [status, frozenFor, edits])
const counterparty = reading<CounterpartyContext>(({ name, category, notes, website, reason, edits }) => {
  return [name, category, notes, website, reason, edits]
})
const member = reading<MemberContext>(({ role, name }) => [role, name])
const workflow = reading<WorkflowContext>(({ fields }) => [fields])
const nothing: ReadFields = () => []

const SUBJECT_FIELDS: Record<GovernedAction, ReadFields> = {
  'policy.create': nothing,
  'policy.update': policy,
  'policy.delete': policy,
  'policy.rollback': policy,
  'policy.assign': policy,
  'policy.unassign': policy,
  'delegation.create': nothing,
  'delegation.update': delegation,
  'agent.reactivate': agent,
  'counterparty.trust': counterparty,
  'counterparty.unblock': counterparty,
  'key.create': nothing,
  'member.update': member,
  'workflow.update': workflow,
  'webhook.update': reading<OrganizationContext>(({ webhook }) => [webhook.webhookUrl]),
  'governance.update': reading<OrganizationContext>(({ fields }) => [fields]),
}

/** The hash that the approval of this action on this actor is bound to. */
export function subjectHash(action: GovernedAction, { state, context }: Actor): string {
  return sha256Hex(canonicalJson([state, ...SUBJECT_FIELDS[action](context)] as Json))
}
