// Response records of counterparties: for administrators, for agents, and of an address across all organizations.
import { statusOfCounterparty } from '../../../commands/status.js'
import * as v from 'valibot'
import type { Actor } from '../../../actor/actor.js'
import { NETWORK_FLAGS, type NetworkTrust } from '../../../commands/counterparties/networkTrust.js'
import { COUNTERPARTY_CATEGORIES, COUNTERPARTY_STATUSES, NAME_SOURCES } from '../../../domain/parties/counterparty.js'
import { averageAmount } from '../../../domain/parties/paymentHistory.js'
import { toNumber } from '../../../domain/values/money.js'
import { riskLevel, trustLevel, trustScoreOf } from '../../../domain/parties/trust.js'
import { iso } from '../../server/respond.js'
import { recordSchema } from '../../input/schemas.js'

const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at))

export const nameSourceSchema = v.pipe(
  v.nullable(v.picklist(NAME_SOURCES)),
  v.description('Who gave the name; null if nobody did: the name is then the address.'),
)

export const listItemSchema = recordSchema('CounterpartySummary', {
  id: v.string(),
  name: v.string(),
  nameSource: nameSourceSchema,
  address: v.string(),
  status: v.picklist(COUNTERPARTY_STATUSES),
  trustScore: v.number(),
  category: v.picklist(COUNTERPARTY_CATEGORIES),
  transactionCount: v.number(),
  totalVolume: v.number(),
  lastTransactionAt: v.nullable(v.string()),
  createdAt: v.string(),
})

export const counterpartySchema = recordSchema('Counterparty', {
  ...listItemSchema.entries,
  notes: v.nullable(v.string()),
  website: v.nullable(v.string()),
  averageAmount: v.number(),
  networkTrust: v.object({
    globalScore: v.number(),
    transactionCount: v.number(),
    organizationCount: v.number(),
    lastUpdated: v.nullable(v.string()),
  }),
  updatedAt: v.string(),
})

function scoreOf(actor: Actor<'counterparty'>, now: number): number {
  return trustScoreOf(actor.context, statusOfCounterparty(actor), now)
}

/** Scores are computed for the time `now`. */
export function listItem(actor: Actor<'counterparty'>, now: number): v.InferOutput<typeof listItemSchema> {
  const { id, name, nameSource, address, category, createdAt, ...history } = actor.context
  return {
    id,
    name,
    nameSource,
    address,
    status: statusOfCounterparty(actor),
    trustScore: scoreOf(actor, now),
    category,
    transactionCount: history.transactionCount,
    totalVolume: toNumber(history.totalVolume),
    lastTransactionAt: isoOrNull(history.lastTransactionAt),
    createdAt: iso(createdAt),
  }
}

export function counterpartyRecord(
  actor: Actor<'counterparty'>,
  trust: NetworkTrust,
  now: number,
): v.InferOutput<typeof counterpartySchema> {
  const { notes, website, updatedAt, ...history } = actor.context
  const { globalScore, transactionCount, organizationCount, lastSeen } = trust
  return {
    ...listItem(actor, now),
    notes,
    website,
    averageAmount: toNumber(averageAmount(history)),
    networkTrust: { globalScore, transactionCount, organizationCount, lastUpdated: isoOrNull(lastSeen) },
    updatedAt: iso(updatedAt),
  }
}

const LEVELS = ['LOW', 'MEDIUM', 'HIGH'] as const

export const agentViewSchema = recordSchema('AgentView', {
  id: v.string(),
  name: v.string(),
  nameSource: nameSourceSchema,
  address: v.string(),
  type: v.string(),
  category: v.nullable(v.string()),
  description: v.nullable(v.string()),
  trustScore: v.number(),
  trustLevel: v.picklist(LEVELS),
  riskLevel: v.picklist(LEVELS),
})

/** The record for agents, with their own category and the score as a fraction. */
export function agentView(actor: Actor<'counterparty'>, now: number): v.InferOutput<typeof agentViewSchema> {
  const { id, name, nameSource, address, type, spendingCategory, description } = actor.context
  const score = scoreOf(actor, now)
  return {
    id,
    name,
    nameSource,
    address,
    type,
    category: spendingCategory,
    description,
    trustScore: score / 100,
    trustLevel: trustLevel(score),
    riskLevel: riskLevel(statusOfCounterparty(actor)),
  }
}

export const networkSchema = recordSchema('NetworkHistory', {
  globalScore: v.number(),
  transactionCount: v.number(),
  organizationCount: v.number(),
  successRate: v.number(),
  averageAmount: v.number(),
  firstSeen: v.nullable(v.string()),
  lastSeen: v.nullable(v.string()),
  status: v.picklist(COUNTERPARTY_STATUSES),
  flags: v.array(v.picklist(NETWORK_FLAGS)),
})

export function networkRecord({
  averageAmount: average,
  firstSeen,
  lastSeen,
  ...trust
}: NetworkTrust): v.InferOutput<typeof networkSchema> {
  return { ...trust, averageAmount: toNumber(average), firstSeen: isoOrNull(firstSeen), lastSeen: isoOrNull(lastSeen) }
}
