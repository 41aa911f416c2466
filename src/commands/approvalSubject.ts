// The fields of an actor that the approval of a change is bound to: those the approver has seen. Changes to other
// fields, above all the sums of payments, do not make an approval stale.
import { kindOf, type Actor } from '../actor/actor.js'
import { canonicalJson, type Json } from '../domain/values/canonical.js'
import { sha256Hex } from '../domain/values/digest.js'
import type { GovernedAction } from '../domain/outcomes/governance.js'
import {
  agentContext,
  channelContext,
  counterpartyContext,
  delegationContext,
  memberContext,
  organizationContext,
  policyContext,
  workflowContext,
} from './contexts.js'

type ReadFields = (actor: Actor) => unknown[]

const policy: ReadFields = (actor) => [policyContext(actor).version]
const delegation: ReadFields = (actor) => {
  const { terms, edits } = delegationContext(actor)
  return [terms, edits]
}
// `edits` is included because a second freeze or block looks the same as the first.
const agent: ReadFields = (actor) => {
  const { frozenFor, edits } = agentContext(actor)
  return [frozenFor, edits]
}
const counterparty: ReadFields = (actor) => {
  const { name, category, notes, website, reason, edits } = counterpartyContext(actor)
  return [name, category, notes, website, reason, edits]
}
const member: ReadFields = (actor) => {
  const { role, name } = memberContext(actor)
  return [role, name]
}
/** The URL of the organization or of an agent, whose status the same request may change. */
const webhook: ReadFields = (actor) =>
  kindOf(actor.ref) === 'agent'
    ? [...agent(actor), agentContext(actor).fields.callbackUrl]
    : [organizationContext(actor).webhook.webhookUrl]
const channel: ReadFields = (actor) => [channelContext(actor).edits]
const workflow: ReadFields = (actor) => [workflowContext(actor).fields]
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
  'webhook.update': webhook,
  'channel.update': channel,
  'organization.unfreeze': (actor) => {
    const { frozenFor, edits } = organizationContext(actor)
    return [frozenFor, edits]
  },
  'governance.update': (actor) => [organizationContext(actor).fields],
}

/** The hash that the approval of this action on this actor is bound to. */
export function subjectHash(action: GovernedAction, actor: Actor): string {
  return sha256Hex(canonicalJson([actor.state, ...SUBJECT_FIELDS[action](actor)] as Json))
}
