// A wallet's fixed fields, and the one check of its balance.
import { comparable } from '../values/address.js'
import type { ChainType } from '../values/chains.js'
import { toNumber, type Micros } from '../values/money.js'
import type { Violation } from '../outcomes/violation.js'

export const CUSTODY_TYPES = ['MANAGED', 'PROVIDER_A', 'PROVIDER_B', 'EXTERNAL', 'SMART_CONTRACT'] as const
export type CustodyType = (typeof CUSTODY_TYPES)[number]

/** The custody types of which the service's configuration says who they are. */
export const SLOTS = ['PROVIDER_A', 'PROVIDER_B'] as const satisfies CustodyType[]
export type SlotName = (typeof SLOTS)[number]

/** True for a wallet that a provider pays from. */
export function isProviderSlot(custodyType: CustodyType): custodyType is SlotName {
  return (SLOTS as readonly CustodyType[]).includes(custodyType)
}

/** Whether an agent can pay from the wallet without asking: not where this service or its provider signs. */
export const ENFORCEMENTS = ['SIGNER', 'COOPERATIVE'] as const
export type Enforcement = (typeof ENFORCEMENTS)[number]

export function enforcementOf(custodyType: CustodyType): Enforcement {
  return custodyType === 'MANAGED' || isProviderSlot(custodyType) ? 'SIGNER' : 'COOPERATIVE'
}

export interface WalletFields {
  name: string
  /** In display form: EIP-55 or base58. */
  address: string
  walletType: string
  chainType: ChainType
  chainId: string
  custodyType: CustodyType
  currency: string
}

/**
 * The key of an address, on all chains, that the organization takes which proves first that it controls it: the service
 * made the key for it, a signature shows it, or its provider has signed or agreed to pay.
 */
export function provenAddressKey(address: string): string {
  return `proven address ${comparable(address)}`
}

/** A custody slot as one organization meets it. */
export interface SlotUse {
  slot: SlotName
  /** The only organization that the slot serves, where the operator named one. */
  owner: string | undefined
  organization: string
  /** Organizations of the installation. */
  organizations: number
}

/** Why a slot makes no wallets for the organization; undefined when it does. */
export function slotObjection({ slot, owner, organization, organizations }: SlotUse): string | undefined {
  if (owner !== undefined) return owner === organization ? undefined : `${slot} serves another organization`
  return organizations > 1 ? noOwner(slot) : undefined
}

/** Why it pays from an address for the organization no longer; `prover` has proved it. */
export function payingObjection(use: SlotUse, prover: string | undefined): string | undefined {
  const isProved = use.owner === undefined && prover === use.organization
  return isProved ? undefined : slotObjection(use)
}

export function provedByOthers(address: string): string {
  return `${address} is not this organization's: another has proved it first`
}

export function noOwner(slot: SlotName): string {
  return `${slot} has no owner, but there are several organizations: the operator sets BURSAR_${slot}_ORGANIZATION`
}

export const WALLET_NOT_ACTIVE: Violation = { type: 'WALLET_NOT_ACTIVE', message: 'The wallet is not ACTIVE' }

export const BALANCE_UNREAD: Violation = {
  type: 'INSUFFICIENT_BALANCE',
  message: "The wallet's balance could not be read from its chain yet",
}

/** Why `amount` cannot be held from `balance`, of which `held` is taken; empty when it can. */
export function balanceViolations(balance: Micros, held: Micros, amount: Micros): Violation[] {
  const available = balance - held
  if (amount <= available) return []
  const message = `${toNumber(amount)} is more than the ${toNumber(available)} that the wallet has free`
  return [{ type: 'INSUFFICIENT_BALANCE', limit: balance, current: held, message }]
}

export const WALLET_STATUSES = ['ACTIVE', 'FROZEN', 'ARCHIVED'] as const
export type WalletStatus = (typeof WALLET_STATUSES)[number]
