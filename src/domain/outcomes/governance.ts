// Governance: the commands for which an organization may require a second person. It only classifies commands.
import type { Json } from '../values/canonical.js'
import { isWeaker, type AutoFreeze } from '../limits/autoFreeze.js'
import type { AgentFields } from '../parties/agent.js'
import type { Ref } from '../limits/gate.js'

export const GOVERNED_ACTIONS = [
  'policy.create',
  'policy.update',
  'policy.delete',
  'policy.rollback',
  'policy.assign',
  'policy.unassign',
  'delegation.create',
  'delegation.update',
  'agent.reactivate',
  'agent.autoFreeze',
  'counterparty.trust',
  'counterparty.unblock',
  'key.create',
  'member.update',
  'workflow.update',
  'webhook.update',
  'channel.update',
  'organization.unfreeze',
  'governance.update',
] as const
export type GovernedAction = (typeof GOVERNED_ACTIONS)[number]

export interface GovernanceSettings {
  enabled: boolean
  /** `governance.update` is always governed, listed or not: otherwise one person could switch governance off. */
  actions: GovernedAction[]
  requiredApprovals: number
  timeoutHours: number
}

/** A change that must not take effect yet. */
export interface Barrier {
  action: GovernedAction
  resource: string
  /** Null when the subject does not exist yet. */
  ref: Ref | null
  resourceId: string | null
  /** Hash of the subject's present state; null when it does not exist yet. */
  since: string | null
  /** The id that the subject gets; null when it exists already. */
  createsId: string | null
  /** True when the change was approved but its subject has changed since; false when it is not approved. */
  isStale: boolean
}

/** The right given by an approval: this change, on the subject as the approver saw it. */
export type ApprovedChange = Pick<Barrier, 'action' | 'ref' | 'since' | 'createsId'>

/** A request, held until it may be carried out. It has been checked, and is checked again then. */
export interface HeldRequest {
  method: string
  /** In router form. */
  path: string
  params: { [name: string]: string }
  /** The text after `?`. */
  query: string
  /** Null without a body; without the secrets of what is `sealed`. */
  body: Json
  /** The field of the body that may hold secrets, whole. */
  sealed?: string
  ifMatch: string | null
  requestId: string
}

type Fields = { [field: string]: unknown }
interface Command {
  fields: Fields
  /** The status that the actor showed before. */
  status: string | undefined
  /** Of a command to an agent: the agent before it. */
  agent: GovernedAgent | undefined
}
interface GovernedAgent {
  fields: Pick<AgentFields, 'callbackUrl'>
  autoFreeze: AutoFreeze | null
}
type Names = (command: Command) => GovernedAction[]

const always =
  (action: GovernedAction): Names =>
  () => [action]
/** Events of an agent's payments go there. */
const redirects: Names = ({ fields, agent }) => {
  const { callbackUrl } = (fields['changes'] ?? {}) as Fields
  const isSame = callbackUrl === undefined || callbackUrl === agent?.fields.callbackUrl
  return isSame ? [] : ['webhook.update']
}
const reactivates: Names = ({ status }) => (status === 'ACTIVE' ? [] : ['agent.reactivate'])
const weakens: Names = ({ fields, agent }) =>
  isWeaker(agent?.autoFreeze ?? null, fields['autoFreeze'] as AutoFreeze | null) ? ['agent.autoFreeze'] : []
const lifts: Names = ({ status }) => (status === 'BLOCKED' ? ['counterparty.unblock'] : [])
const trusts: Names = (command) => ['counterparty.trust', ...lifts(command)]
/** A policy made with agents is assigned to them by the same command. */
const creates: Names = ({ fields }) => {
  const { agents = [] } = fields as { agents?: unknown[] }
  return agents.length > 0 ? ['policy.create', 'policy.assign'] : ['policy.create']
}
const TRUSTING = new Set(['TRUSTED', 'VERIFIED'])
/** Governed with governance itself: the zone decides when the windows of policies begin and end. */
const SETTINGS = ['governance', 'strictLineage', 'timezone']

/** By kind and command. */
const GOVERNED: { [command: string]: Names } = {
  'policy.CREATE': creates,
  'policy.UPDATE': always('policy.update'),
  'policy.ADD_RULES': always('policy.update'),
  'policy.REPLACE_RULES': always('policy.update'),
  'policy.EDIT_RULE': always('policy.update'),
  'policy.REMOVE_RULE': always('policy.update'),
  'policy.DELETE': always('policy.delete'),
  'policy.ROLL_BACK': always('policy.rollback'),
  'policy.ASSIGN': always('policy.assign'),
  'policy.UNASSIGN': always('policy.unassign'),
  'cardAssignment.CREATE': always('delegation.create'),
  'delegation.CREATE': always('delegation.create'),
  'delegation.CONFIGURE': always('delegation.update'),
  'agent.UPDATE': redirects,
  'agent.ACTIVATE': reactivates,
  'agent.SET_AUTO_FREEZE': weakens,
  'agent.UNFREEZE': reactivates,
  'counterparty.CREATE': ({ fields }) => (TRUSTING.has(String(fields['status'])) ? ['counterparty.trust'] : []),
  'counterparty.TRUST': trusts,
  'counterparty.VERIFY': trusts,
  'counterparty.UNBLOCK': lifts,
  'counterparty.RESET': lifts,
  'key.CREATE': always('key.create'),
  'member.CREATE': always('member.update'),
  'member.INVITE': always('member.update'),
  'member.RESET_PASSWORD': always('member.update'),
  'member.UPDATE': always('member.update'),
  'member.REMOVE': always('member.update'),
  'workflow.CREATE': always('workflow.update'),
  'workflow.UPDATE': always('workflow.update'),
  'workflow.DELETE': always('workflow.update'),
  'channel.CREATE': always('channel.update'),
  'channel.UPDATE': always('channel.update'),
  'channel.PAUSE': always('channel.update'),
  'channel.RESUME': always('channel.update'),
  'channel.DELETE': always('channel.update'),
  'organization.SET_WEBHOOK': always('webhook.update'),
  'organization.CLEAR_WEBHOOK': always('webhook.update'),
  'organization.ROTATE_SECRET': always('webhook.update'),
  'organization.UNFREEZE': always('organization.unfreeze'),
  'organization.UPDATE': ({ fields }) => {
    const isGoverned = SETTINGS.some((name) => Object.hasOwn((fields['changes'] ?? {}) as Fields, name))
    return isGoverned ? ['governance.update'] : []
  },
}

/** False for commands that no organization can govern. */
export function isGovernable(kind: string, command: string): boolean {
  return Object.hasOwn(GOVERNED, `${kind}.${command}`)
}

/** The governed action of a command under these settings; undefined when it needs no approval. */
export function governedAs(
  { enabled, actions }: GovernanceSettings,
  kind: string,
  command: string,
  given: Command,
): GovernedAction | undefined {
  if (!enabled) return undefined
  const isGoverned = (action: GovernedAction): boolean => action === 'governance.update' || actions.includes(action)
  return GOVERNED[`${kind}.${command}`]!(given).find(isGoverned)
}
