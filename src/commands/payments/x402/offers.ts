// Chooses among the offers of a server: the open attempt's, where the server still makes it, else the cheapest that the
// service can sign and the agent has a wallet for.
import type { Offer } from '../../../domain/payment/x402.js'
import { chainIdOf, X402_SCHEME, X402_TEST_CHAINS } from '../../../domain/payment/x402.js'
import { parseAddress, type Address } from '../../../domain/values/address.js'
import { CHAINS } from '../../../domain/values/chains.js'
import type { Micros } from '../../../domain/values/money.js'
import type { Services } from '../../ports.js'

/** An offer that can be read, whether or not it can be paid. */
export interface ReadOffer {
  offer: Offer
  amount: Micros
  payTo: Address
  /** Undefined for a chain that the service does not know. */
  chainId: string | undefined
}

export type OfferChoice =
  | { is: 'payable'; offer: ReadOffer; chainId: string }
  /** The first of the offers, of which none can be paid. */
  | { is: 'unsupported'; offer: ReadOffer }
  | { is: 'otherSettlement'; chainId: string }

/** Just below the bound of amounts, 1,000,000,000. */
const LARGEST: Micros = 999_999_999_999_999

/** Undefined for an offer whose amount or recipient cannot be read. */
export function readOffer(offer: Offer): ReadOffer | undefined {
  const amount = /^[1-9][0-9]{0,15}$/.test(offer.amount) ? Number(offer.amount) : undefined
  const payTo = parseAddress(offer.payTo, { checksum: 'ignored' })
  if (amount === undefined || amount > LARGEST || payTo?.chainType !== 'EVM') return undefined
  const chainId = chainIdOf(offer.network)
  const isKnown = chainId !== undefined && CHAINS[chainId]?.chainType === 'EVM'
  return { offer, amount, payTo, chainId: isKnown ? chainId : undefined }
}

/** What decides between several offers; most servers make one. */
interface Preference {
  /** Of the open attempt, or of the one that was paid. */
  former(): Offer | undefined
  /** Where the agent has a wallet. */
  chains(): ReadonlySet<string>
}

export function chooseOffer(
  services: Services,
  offers: readonly [ReadOffer, ...ReadOffer[]],
  preference: Preference,
): OfferChoice {
  const payable = offers.filter((one) => isPayable(services, one))
  const chosen = payable.length > 1 ? preferred(payable, preference) : payable[0]
  if (chosen) return { is: 'payable', offer: chosen, chainId: chosen.chainId! }
  const elsewhere = offers.find(({ chainId }) => chainId !== undefined && !isSettled(services, chainId))
  return elsewhere ? { is: 'otherSettlement', chainId: elsewhere.chainId! } : { is: 'unsupported', offer: offers[0] }
}

function preferred(payable: readonly ReadOffer[], preference: Preference): ReadOffer {
  const former = preference.former()
  const again = former && payable.find(({ offer }) => isSamePrice(offer, former))
  if (again) return again
  const chains = preference.chains()
  return payable.toSorted((a, b) => rank(a, chains) - rank(b, chains) || a.amount - b.amount)[0]!
}

/** What else a server writes of an offer may be new each time. */
function isSamePrice(one: Offer, other: Offer): boolean {
  return (['scheme', 'network', 'asset', 'payTo', 'amount'] as const).every((field) => one[field] === other[field])
}

/** Offers on chains where the agent has a wallet come first. */
function rank({ chainId }: ReadOffer, chains: ReadonlySet<string>): number {
  return chains.has(chainId!) ? 0 : 1
}

function isPayable(services: Services, { offer, chainId }: ReadOffer): boolean {
  if (offer.scheme !== X402_SCHEME || chainId === undefined || !isSettled(services, chainId)) return false
  const own = services.assetContracts[chainId] ?? CHAINS[chainId]!.contract
  // A local chain in test settlement has no contract of its own: nothing there is of value.
  if (own === undefined) return parseAddress(offer.asset)?.chainType === 'EVM'
  return parseAddress(offer.asset, { checksum: 'ignored' })?.canonical === own.toLowerCase()
}

/** Test settlement signs only where nothing is of value. */
function isSettled({ settlement }: Services, chainId: string): boolean {
  return settlement !== null || X402_TEST_CHAINS.includes(chainId)
}
