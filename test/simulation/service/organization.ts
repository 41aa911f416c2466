// What the people of one organization know of it: what they made, and what they were answered about it. Watches compare
// it with what the service says later.
import type { Held } from './changes.js'
import type { Body, Call } from './world.js'

export type Role = 'OWNER' | 'ADMIN' | 'MANAGER' | 'VIEWER'
export type Preset = 'READ_ONLY' | 'STANDARD' | 'ADMIN'

/** What a request is authorized by: a key, or a person's session. */
export interface Credential {
  name: string
  type: 'PERSON' | 'ORGANIZATION_KEY' | 'AGENT_KEY'
  /** Of the member or the key. */
  id: string
  headers: { [name: string]: string }
  organization: Organization
  /** The id of whom its actions count for. */
  countsAs: string
  /** The person that it belongs to, if it does. */
  member: Member | undefined
  agent: Agent | undefined
  preset: Preset | undefined
  /** Of an agent's key. */
  scopes: readonly string[] | undefined
  /** Epoch ms. */
  expiresAt: number | undefined
  /** Somebody was answered that it ended. */
  isEnded: boolean
}

export interface Member {
  id: string
  name: string
  role: Role
  isRemoved: boolean
}

export interface Agent {
  id: string
  name: string
  status: 'ACTIVE' | 'PAUSED' | 'SUSPENDED' | 'DELETED'
  keys: Credential[]
}

export interface Wallet {
  id: string
  address: string
  isExternal: boolean
  funded: number
  isFrozen: boolean
}

export interface Delegation {
  agent: Agent
  wallet: Wallet
  perTx: number | null
  daily: number | null
  /** All daily limits since, each with the time of its answer. */
  dailies: { from: number; limit: number | null }[]
  isRevoked: boolean
}

export interface Workflow {
  id: string
  priority: number
  amountAtLeast: number
  requiredApprovals: number
  timeoutHours: number
  escalates: boolean
  approverIds: string[]
}

export interface Policy {
  id: string
  /** Of its only rule, which applies to the whole organization. */
  approvalAbove: number
  version: number
}

export interface Recipient {
  address: string
  /** Its record, once somebody made it. */
  id: string | undefined
  status: 'UNKNOWN' | 'VERIFIED' | 'TRUSTED' | 'BLOCKED'
}

export type Rail = 'request' | 'external' | 'card' | 'x402'

export interface Payment {
  id: string
  rail: Rail
  agent: Agent
  amount: number
  recipient: Recipient | undefined
  wallet: Wallet | undefined
  card: Card | undefined
  paymentKey: string | undefined
  /** As the last answer said. */
  status: string
  approvalId: string | undefined
  /** What its agent pays with. */
  token: string | undefined
  /** When it was requested, and when its present state ends by itself (epoch ms). */
  at: number
  expiresAt: number | undefined
}

export interface Card {
  id: string
  perTx: number | null
  daily: number | null
  status: 'ACTIVE' | 'PAUSED'
  agents: Agent[]
}

export interface Governance {
  enabled: boolean
  actions: string[]
  requiredApprovals: number
}

export interface Organization {
  id: string
  name: string
  /** The first key, which nobody revokes. */
  root: Credential
  members: Member[]
  credentials: Credential[]
  agents: Agent[]
  wallets: Wallet[]
  delegations: Delegation[]
  workflows: Workflow[]
  policy: Policy | undefined
  recipients: Recipient[]
  payments: Payment[]
  cards: Card[]
  held: Held[]
  /** How often each subject of governed changes was changed. */
  revisions: Map<string, number>
  /** What was sent under an idempotency key, and may be sent again. */
  repeatable: { call: Call; learned: (body: Body) => void }[]
  governance: Governance
  isFrozen: boolean
  webhook: string | null
  /** It has had an endpoint since before its first payment, and never removes it. */
  isAlwaysTold: boolean
  highValueAbove: number | null
}

/** What roles and presets may do, as the guides say it. */
const STANDARD_NOUNS = ['agents', 'wallets', 'policies', 'counterparties', 'alerts']
const ADMIN_NOUNS = ['transactions', 'approvals', 'webhooks', 'channels', 'cards', 'audit', 'keys', 'organization']
const NOUNS = [...STANDARD_NOUNS, ...ADMIN_NOUNS]
const WRITES = { READ_ONLY: [], STANDARD: STANDARD_NOUNS, ADMIN: NOUNS }
const PRESET_OF = { OWNER: 'ADMIN', ADMIN: 'ADMIN', MANAGER: 'STANDARD', VIEWER: 'READ_ONLY' } as const

function presetAllows(preset: Preset, scope: string): boolean {
  const [noun, right] = scope.split(':') as [string, string]
  return NOUNS.includes(noun) && (right === 'read' || (WRITES[preset] as readonly string[]).includes(noun))
}

/** Whether it may do what needs this scope, as long as it gives access at all. */
export function allows({ scopes, preset, member }: Credential, scope: string): boolean {
  if (scopes !== undefined) return scopes.includes(scope)
  const byPerson = member === undefined || presetAllows(PRESET_OF[member.role], scope)
  return byPerson && (preset === undefined || presetAllows(preset, scope))
}

/** An owner, or a key that counts as no lesser person. */
export const isOwner = ({ member, agent }: Credential): boolean =>
  agent === undefined && (member === undefined || member.role === 'OWNER')

/** Whether it gives access at `now`, by what was answered. */
export function isLive({ isEnded, member, agent, expiresAt }: Credential, now: number): boolean {
  const isGone = isEnded || member?.isRemoved === true || agent?.status === 'DELETED'
  return !isGone && (expiresAt === undefined || now < expiresAt)
}
