// Which fields of an actor's context people may see. Every field of every chart is listed as shown or concealed; an
// unlisted one is concealed, and a test fails until it is listed. Hashes and secrets inside shown fields, and the
// queries of URLs, are concealed too.
import type { Kind } from '../../machines/index.js'
import { TURN_FIELDS } from '../actor/contextCopies.js'
import type { Json } from '../domain/values/canonical.js'
import { isConcealed, redacted } from '../domain/audit/redact.js'

export type ShownFields = { [field: string]: Json }

const RECORD = ['id', 'organization', 'createdAt', 'updatedAt', 'order']

export const SHOWN: Record<Kind, readonly string[]> = {
  account: ['organization', 'chainId', 'address', 'nonce', 'former', 'holder'],
  agent: [
    ...RECORD,
    'edits',
    'name',
    'fields',
    'frozenFor',
    'frozenAs',
    'unfrozenFor',
    'executed',
    'tally',
    'clock',
    'autoFreeze',
    'activity',
  ],
  alert: [...RECORD, 'fields', 'count', 'lastAt', 'acknowledgedBy', 'resolvedBy', 'isOnce', 'isOver'],
  budget: ['organization', 'tally', 'joins', 'clock'],
  card: [...RECORD, 'fields', 'timezone', 'sums', 'clock'],
  cardAssignment: [...RECORD, 'agentId', 'cardId', 'terms', 'sums', 'clock'],
  change: [
    ...RECORD,
    'action',
    'resource',
    'resourceId',
    'createsId',
    'ref',
    'requestedBy',
    'isCollected',
    'approval',
    'expiresAt',
    'collectBy',
    'application',
  ],
  channel: [...RECORD, 'edits', 'fields'],
  counterparty: [
    ...RECORD,
    'edits',
    'name',
    'nameSource',
    'address',
    'category',
    'notes',
    'website',
    'type',
    'spendingCategory',
    'description',
    'reason',
    'transactionCount',
    'totalVolume',
    'failedCount',
    'firstTransactionAt',
    'lastTransactionAt',
    'unusualAt',
    'clock',
  ],
  delegation: [...RECORD, 'edits', 'agentId', 'walletId', 'terms', 'sums', 'clock'],
  key: [...RECORD, 'fields', 'expiresAt', 'usedAt'],
  member: [...RECORD, 'email', 'name', 'role', 'createdBy', 'countsAs', 'generation', 'lastSignInAt'],
  organization: [...RECORD, 'fields', 'webhook', 'alerts', 'frozenFor', 'edits'],
  payment: [
    ...RECORD,
    'gates',
    'holds',
    'terms',
    'decision',
    'review',
    'reviews',
    'asksPerson',
    'approval',
    'formerApprovals',
    'permit',
    'approvedForMs',
    'expiresAt',
    'autoExecute',
    'autoExecuteError',
    'releasedFor',
    'keepsKey',
    'causes',
    'refusedBy',
    'transactionId',
    'executedAt',
    'transferKey',
    'sending',
    'nonce',
    'provider',
    'txHash',
    'block',
    'confirmedAt',
    'stopReason',
  ],
  policy: [
    ...RECORD,
    'definition',
    'version',
    'change',
    'budgeted',
    'agents',
    'wallets',
    'cards',
    'joins',
    'former',
    'tests',
    'testsVersion',
  ],
  relationship: ['organization', 'createdAt', 'order', 'kind', 'agentId', 'counterpartyId'],
  session: [...RECORD, 'memberId', 'generation', 'expiresAt', 'usedAt', 'userAgent'],
  slackUser: [...RECORD, 'channelId', 'memberId', 'teamId', 'userId', 'userName'],
  wallet: [...RECORD, 'fields', 'balance', 'unsettled', 'observed', 'held', 'lowGas', 'clock'],
  watch: ['organization', 'walletId', 'from', 'to', 'waiting', 'found'],
  workflow: [...RECORD, 'fields'],
}

export function isShown(kind: string, field: string): boolean {
  return (SHOWN[kind as Kind] as readonly string[] | undefined)?.includes(field) === true
}

/** A field's value without its concealed parts. */
export function shownValue(field: string, value: Json | undefined): Json {
  if (value === undefined || value === null) return null
  if (isConcealed(field)) return 'CONCEALED'
  if (Array.isArray(value)) return value.map((one) => shownValue('', one))
  if (typeof value !== 'object') return redacted(field, value)
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shownValue(name, inner)]))
}

/** The shown part of a context, and the names of the concealed fields. */
export function shownContext(kind: string, context: ShownFields): { context: ShownFields; concealed: string[] } {
  const fields = Object.entries(context)
  const shown = fields.filter(([field]) => isShown(kind, field))
  return {
    context: Object.fromEntries(shown.map(([field, value]) => [field, shownValue(field, value)])),
    concealed: fields.flatMap(([field]) => (isShown(kind, field) || TURN_FIELDS.includes(field) ? [] : [field])),
  }
}
