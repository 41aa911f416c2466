// The payments of all organizations to one address, without their names. Who may see the figures is decided elsewhere.
import { isBlocked } from './counterparty.js'
import { historyOf, NO_HISTORY, type History } from './history.js'

export interface Network extends History {
  /** Organizations with payments to the address that were not undone. */
  organizationCount: number
  /** Organizations that block the address. */
  blockedCount: number
}

export const NO_NETWORK: Network = { ...NO_HISTORY, organizationCount: 0, blockedCount: 0 }

/** One organization's share of the figures. */
export interface Share extends History {
  isBlocked: boolean
}

/** The share of a counterparty with this state and these figures. */
export function shareOf(state: string, figures: History): Share {
  return { ...historyOf(figures), isBlocked: isBlocked(state) }
}

const NO_SHARE: Share = { ...NO_HISTORY, isBlocked: false }

const later = (a: number | null, b: number | null): number | null => (b === null || (a ?? b) > b ? a : b)
const earlier = (a: number | null, b: number | null): number | null => (b === null || (a ?? b) < b ? a : b)
const paid = ({ transactionCount }: History): number => (transactionCount > 0 ? 1 : 0)

/** The figures after one share has changed; the same object when nothing differs. */
export function networkWith(network: Network, before: Share = NO_SHARE, after: Share): Network {
  const isSame = sameFigures(before, after) && before.isBlocked === after.isBlocked
  if (isSame) return network
  const volume = network.totalVolume + after.totalVolume - before.totalVolume
  return {
    transactionCount: network.transactionCount + after.transactionCount - before.transactionCount,
    totalVolume: Math.min(Math.max(0, volume), Number.MAX_SAFE_INTEGER),
    failedCount: network.failedCount + after.failedCount - before.failedCount,
    firstTransactionAt: earlier(network.firstTransactionAt, after.firstTransactionAt),
    lastTransactionAt: later(network.lastTransactionAt, after.lastTransactionAt),
    unusualAt: later(network.unusualAt, after.unusualAt),
    organizationCount: network.organizationCount + paid(after) - paid(before),
    blockedCount: network.blockedCount + Number(after.isBlocked) - Number(before.isBlocked),
  }
}

function sameFigures(a: History, b: History): boolean {
  const fields = Object.keys(NO_HISTORY) as (keyof History)[]
  return fields.every((field) => a[field] === b[field])
}

/** The figures of one organization alone. */
function networkOf(share: Share): Network {
  return { ...historyOf(share), organizationCount: paid(share), blockedCount: Number(share.isBlocked) }
}

const FEWEST = 3

/**
 * The figures an organization may see. While fewer than three organizations paid the address, these are its own alone:
 * each of two could subtract its own figures.
 */
export function visibleNetwork(network: Network, own: Share = NO_SHARE): Network {
  return network.organizationCount < FEWEST ? networkOf(own) : network
}
