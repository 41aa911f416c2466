// The fields of an actor that the approval of a change is bound to: those the approver has seen. Changes to other
// fields, above all the sums of payments, do not make an approval stale.
import { isOf, type Actor } from '../actor/actor.js'
import { canonicalJson, type Json } from '../domain/values/canonical.js'
import { sha256Hex } from '../domain/values/digest.js'
import type { ContextOf, Kind } from '../domain/values/kinds.js'
import type { GovernedAction } from '../domain/outcomes/governance.js'

type ReadFields = (actor: Actor) => unknown[]

function ofKind<K extends Kind>(kind: K, fields: (context: ContextOf<K>) => unknown[]): ReadFields {
  return (actor) => {
    if (!isOf(kind, actor)) throw new Error(`${actor.ref} is no ${kind}`)
    return fields(actor.context)
  }
}

const policy = ofKind('policy', ({ version }) => [version])
const delegation = ofKind('delegation', ({ terms, edits }) => [terms, edits])
// `edits` is included because a second freeze or block looks the same as the first.
const agent = ofKind('agent', ({ frozenFor, edits }) => [frozenFor, edits])
const counterparty = ofKind('counterparty', ({ name, category, notes, website, reason, edits }) => {
  return [name, category, notes, website, reason, edits]
})
const member = ofKind('member', ({ role, name }) => [role, name])
/** The URL of the organization or of an agent, whose status the same request may change. */
const webhook: ReadFields = (actor) =>
  isOf('agent', actor) ? [...agent(actor), actor.context.fields.callbackUrl] : organizationUrl(actor)
const organizationUrl = ofKind('organization', ({ webhook: { webhookUrl } }) => [webhookUrl])
const channel = ofKind('channel', ({ edits }) => [edits])
const workflow = ofKind('workflow', ({ fields }) => [fields])
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
  // The same request may change the agent's status.
  'agent.autoFreeze': ofKind('agent', ({ frozenFor, edits, autoFreeze }) => [frozenFor, edits, autoFreeze]),
  'counterparty.trust': counterparty,
  'counterparty.unblock': counterparty,
  'key.create': nothing,
  'member.update': member,
  'workflow.update': workflow,
  'webhook.update': webhook,
  'channel.update': channel,
  'organization.unfreeze': ofKind('organization', ({ frozenFor, edits }) => [frozenFor, edits]),
  'governance.update': ofKind('organization', ({ fields }) => [fields]),
}

/** The hash that the approval of this action on this actor is bound to. */
export function subjectHash(action: GovernedAction, actor: Actor): string {
  return sha256Hex(canonicalJson([actor.state, ...SUBJECT_FIELDS[action](actor)] as Json))
}
