// A wallet's fixed fields, and the one check of its balance.
import { comparable } from './address.js'
import type { ChainType } from './chains.js'
import { toNumber, type Micros } from './money.js'
import type { Violation } from './violation.js'

export const CUSTODY_TYPES = ['MANAGED', 'PROVIDER_A', 'PROVIDER_B', 'EXTERNAL', 'SMART_CONTRACT'] as const
export type CustodyType = (typeof CUSTODY_TYPES)[number]

/** The custody types of which the service's configuration says who they are. */
export const SLOTS = ['PROVIDER_A', 'PROVIDER_B'] as const satisfies CustodyType[]
export type SlotName = (typeof SLOTS)[number]

/** True for a wallet that a provider pays from. */
export function isProviderSlot(custodyType: CustodyType): custodyType is SlotName {
  return (SLOTS as readonly CustodyType[]).includes(custodyType)
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

/** The key of an address that a provider or a key made here pays from, on all chains: one organization has it. */
export function providerAddressKey(address: string): string {
  return `provider address ${comparable(address)}`
}

/** A second key of it, taken once the provider has agreed to pay, which proves control of the address. */
export function provenAddressKey(address: string): string {
  return `proven address ${comparable(address)}`
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
