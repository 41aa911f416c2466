// What an organization may know of an address from the payments of all organizations: ranges as of the beginning of the
// day. While too few have paid, it sees its own payments alone.
import { statusOfCounterparty } from '../status.js'
import type { Actor } from '../../actor/actor.js'
import { comparable } from '../../domain/values/address.js'
import type { CounterpartyStatus } from '../../domain/parties/counterparty.js'
import { isUnusual } from '../../domain/parties/paymentHistory.js'
import type { Micros } from '../../domain/values/money.js'
import { shareOf, visibleNetwork, type Seen } from '../../domain/parties/networkTotals.js'
import { globalScore } from '../../domain/parties/trust.js'
import type { Services } from '../ports.js'

export const NETWORK_FLAGS = ['SANCTIONED', 'BLOCKED', 'UNUSUAL_PATTERN', 'FAILED_PAYMENTS', 'NEW_ADDRESS'] as const
type NetworkFlag = (typeof NETWORK_FLAGS)[number]

export interface NetworkTrust {
  globalScore: number
  transactionCount: number
  organizationCount: number
  /** Percent. */
  successRate: number
  averageAmount: Micros
  /** Epoch ms; null without payments. */
  firstSeen: number | null
  lastSeen: number | null
  status: CounterpartyStatus
  flags: NetworkFlag[]
}

export interface Risk {
  ofacMatch: boolean
  highRiskCountry: boolean
  unusualPattern: boolean
}

const TRUSTED_FROM = 70
const VERIFIED_FROM = 40
const FEW_SUCCEED = 90
const NEW_MS = 30 * 24 * 60 * 60_000

function networkStatus({ transactionCount, blockedBy }: Seen, score: number): CounterpartyStatus {
  if (transactionCount === 0) return 'UNKNOWN'
  if (blockedBy === 'MOST') return 'BLOCKED'
  if (score >= TRUSTED_FROM) return 'TRUSTED'
  return score >= VERIFIED_FROM ? 'VERIFIED' : 'UNKNOWN'
}

function flagsOf(seen: Seen, now: number, isListed: boolean): NetworkFlag[] {
  if (seen.transactionCount === 0) return []
  const raised: Record<NetworkFlag, boolean> = {
    SANCTIONED: isListed,
    BLOCKED: seen.blockedBy !== 'NOBODY',
    UNUSUAL_PATTERN: isUnusual(seen, now),
    FAILED_PAYMENTS: seen.successRate < FEW_SUCCEED,
    NEW_ADDRESS: now - (seen.firstTransactionAt ?? now) < NEW_MS,
  }
  return NETWORK_FLAGS.filter((flag) => raised[flag])
}

/** `own` is the organization's own record of the address, if any. */
export async function networkTrust(
  services: Services,
  canonical: string,
  own: Actor<'counterparty'> | undefined,
): Promise<{ trust: NetworkTrust; risk: Risk }> {
  const rows = [await services.query.network(canonical), ...(await services.otherShards.network(canonical))]
  const now = services.now()
  const seen = visibleNetwork(rows, own && shareOf(statusOfCounterparty(own), own.context), now)
  const { transactionCount, organizationCount, successRate, averageAmount } = seen
  const score = globalScore(seen, now)
  const isPaid = transactionCount > 0
  // While the list cannot be read, every address counts as listed.
  const isListed = services.sanctions().list?.addresses.has(canonical) ?? true
  return {
    trust: {
      globalScore: score,
      transactionCount,
      organizationCount,
      successRate,
      averageAmount,
      firstSeen: isPaid ? seen.firstTransactionAt : null,
      lastSeen: isPaid ? seen.lastTransactionAt : null,
      status: networkStatus(seen, score),
      flags: flagsOf(seen, now, isListed),
    },
    // There is no data on countries.
    risk: { ofacMatch: isListed, highRiskCountry: false, unusualPattern: isUnusual(seen, now) },
  }
}

/** The same for a counterparty's address. */
export async function networkTrustOf(services: Services, counterparty: Actor<'counterparty'>): Promise<NetworkTrust> {
  const { address } = counterparty.context
  return (await networkTrust(services, comparable(address), counterparty)).trust
}
