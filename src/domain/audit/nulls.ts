// The log has no nulls: what an object in it lacks of these members was null.
import type { Json } from '../values/canonical.js'

/** Of an object, or of each object in a list. */
interface Members {
  [member: string]: Members | null
}

type Data = { [field: string]: Json | undefined }

const LIMITS = { spendLimitPerTx: null, spendLimitDaily: null, spendLimitWeekly: null, spendLimitMonthly: null }
const CARD_LIMITS = { spendLimitPerTx: null, spendLimitDaily: null }
const APPROVAL = { steps: { workflowId: null }, decisions: { comment: null } }
const DECISION = { nearest: { maxAmountNow: null, earliestAt: null } }
const TERMS = {
  walletId: null,
  delegationId: null,
  chainType: null,
  recipientAddress: null,
  recipientName: null,
  purpose: null,
  category: null,
  context: null,
  executionContext: null,
  idempotencyKey: null,
  asset: null,
  wallet: null,
}

const NULLABLE: { [resource: string]: Members } = {
  agent: { fields: { description: null, externalId: null, callbackUrl: null } },
  alert: { fields: { agentId: null, walletId: null, paymentId: null } },
  card: { fields: CARD_LIMITS },
  cardAssignment: { terms: CARD_LIMITS },
  change: { approval: APPROVAL },
  delegation: { terms: LIMITS },
  key: { fields: { agentId: null, scopePreset: null, countsAs: null, memberId: null } },
  member: { setUp: { renewedBy: null } },
  organization: {
    fields: { limits: { payments: null, agents: null, policies: null, counterparties: null } },
    webhook: { webhookUrl: null, previousUntil: null },
    alerts: { lowBalanceBelow: null, highValueAbove: null },
  },
  payment: { terms: TERMS, decision: DECISION, review: DECISION, approval: APPROVAL, formerApprovals: APPROVAL },
  policy: { definition: { description: null, rules: { operator: null } }, change: { note: null } },
}

/** Without members that are null, at any depth. */
export function withoutNulls(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.length === 0 ? value : value.map(withoutNulls)
  const kept: Data = {}
  for (const member in value) {
    const inner = value[member]
    if (inner !== null && inner !== undefined) kept[member] = withoutNulls(inner)
  }
  return kept
}

/** A field of the log with its nulls; null where it is missing. */
export function withNulls(resource: string, field: string, value: Json | undefined): Json {
  return completed(value ?? null, NULLABLE[resource]?.[field] ?? {})
}

function completed(value: Json, members: Members): Json {
  if (Array.isArray(value)) return value.map((one) => completed(one, members))
  if (typeof value !== 'object' || value === null) return value
  const whole: Data = { ...value }
  for (const [member, inner] of Object.entries(members)) {
    const known = whole[member]
    if (known === undefined) {
      if (inner === null) whole[member] = null
    } else if (inner !== null) whole[member] = completed(known, inner)
  }
  return whole
}
