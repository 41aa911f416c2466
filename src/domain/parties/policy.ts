// A policy as people write it: label, scope, priority and rules. The meaning of rules belongs to rules/.
import type { Outcome } from '../payment/terms.js'
import { isSameJson, type Json } from '../values/canonical.js'

export const POLICY_TYPES = [
  'SPEND_LIMIT',
  'TIME_WINDOW',
  'CATEGORY',
  'VELOCITY',
  'APPROVAL_THRESHOLD',
  'COUNTERPARTY',
  'BUDGET_ALLOCATION',
  'WHITELIST',
  'EXPIRATION',
  'CONTRACT_ALLOWLIST',
  'BLACKOUT_PERIOD',
  'COMPOSITE',
] as const
export type PolicyType = (typeof POLICY_TYPES)[number]

export const POLICY_SCOPES = ['assigned', 'organization'] as const
export type PolicyScope = (typeof POLICY_SCOPES)[number]

export interface PolicyRule {
  id: string
  ruleType: string
  /** Null for rule types without operators. */
  operator: string | null
  value: Json
  action: string
}

/** Of one policy. */
export const MAX_RULES = 100

/** That apply to all agents of an organization, that are assigned to one agent, and to one wallet. */
export const MAX_POLICIES = 100

/** The content of a version, kept forever. */
export interface PolicyDefinition {
  name: string
  description: string | null
  policyType: PolicyType
  scope: PolicyScope
  /** 0-100, highest first. */
  priority: number
  isActive: boolean
  rules: PolicyRule[]
}

/** The ids of rules are no part of what they say. */
export function isSameDefinition(one: PolicyDefinition, other: PolicyDefinition): boolean {
  const said = ({ rules, ...fields }: PolicyDefinition): Json => {
    return { ...fields, rules: rules.map(({ id: _id, ...content }) => content) }
  }
  return isSameJson(said(one), said(other))
}

export type ChangeType = 'CREATED' | 'UPDATED' | 'RULES_UPDATED' | 'ROLLED_BACK' | 'DELETED'

/** The author and kind of a change. */
export interface PolicyChange {
  changeType: ChangeType
  changedBy: { type: string; id: string; name: string }
  note: string | null
  /** Epoch ms. */
  at: number
}

/** One version of a policy. INVARIANT: never changed, never removed. */
export interface PolicyVersion extends PolicyChange {
  policyId: string
  organization: string
  version: number
  definition: PolicyDefinition
}

export interface PolicyAssignment {
  id: string
  /** The id of the agent or wallet. */
  subjectId: string
  /** Epoch ms. */
  at: number
  /** Its place among the joins of the policy; absent for one that the policy was created with. */
  join?: number
}

/** What a policy can be assigned to. */
export const POLICY_SUBJECTS = ['agents', 'wallets', 'cards'] as const
export type PolicySubjectKind = (typeof POLICY_SUBJECTS)[number]

/** Who is under a policy: agents, wallets and cards by id, or all agents of the organization. */
export interface PolicySubjects {
  agents: string[]
  wallets: string[]
  cards?: string[]
  all: boolean
}

/** A test kept with a policy: the expected decision on this payment under these facts. */
export interface PolicyTest {
  name: string
  payment: { [field: string]: Json }
  facts: { [field: string]: Json }
  expect: Outcome
}
