// Parses wallet addresses into a form to compare and a form to show. It knows nothing of who holds an address.
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { BoundedCache } from './boundedCache.js'
import { CHAINS, type ChainType } from './chains.js'

export interface Address {
  chainType: ChainType
  /** Equal for equal addresses: lower-case hex, or the base58 text. */
  canonical: string
  /** EIP-55 form, or the base58 text. */
  display: string
}

export interface AddressOptions {
  /** Whether a mixed-case EVM address needs a right EIP-55 checksum; default `required-if-mixed`. */
  checksum?: 'required-if-mixed' | 'ignored'
}

const EVM = /^0x[0-9A-Fa-f]{40}$/
// The lengths of 32 bytes in base58. Checked first, because decoding takes time quadratic in the length.
const SOLANA = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/
const ZERO: ReadonlySet<string> = new Set([`0x${'0'.repeat(40)}`, '1'.repeat(32)])

/**
 * Parses `0x` + 40 hex digits (EVM) or base58 of exactly 32 bytes (Solana). Undefined for anything else, and for a
 * mixed-case EVM address with a wrong checksum.
 */
export function parseAddress(text: unknown, options: AddressOptions = {}): Address | undefined {
  if (typeof text !== 'string') return undefined
  if (EVM.test(text)) return parseEvm(text, options.checksum !== 'ignored')
  if (!SOLANA.test(text) || base58.decode(text).length !== 32) return undefined
  return { chainType: 'SOLANA', canonical: text, display: text }
}

function parseEvm(text: string, checked: boolean): Address | undefined {
  const canonical = text.toLowerCase()
  const display = displays.getOrInsertComputed(canonical, toChecksum)
  if (checked && text !== display && isMixed(text, canonical)) return undefined
  return { chainType: 'EVM', canonical, display }
}

/** Shown forms of recent addresses: recipients recur, and hashing is most of the work. */
const displays = new BoundedCache<string, string>(10_000)

function isMixed(text: string, canonical: string): boolean {
  const digits = text.slice(2)
  return text !== canonical && digits !== digits.toUpperCase()
}

/** The EIP-55 form of a lower-case EVM address. */
export function toChecksum(canonical: string): string {
  const digits = canonical.slice(2)
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)))
  let display = '0x'
  for (let at = 0; at < digits.length; at += 1) {
    const digit = digits.charAt(at)
    display += hash.charAt(at) > '7' ? digit.toUpperCase() : digit
  }
  return display
}

/** True for the address of 20 or 32 zero bytes, from which nothing comes back (on Solana the system program). */
export function isZeroAddress(canonical: string): boolean {
  return ZERO.has(canonical)
}

const CONTRACTS: ReadonlySet<string> = new Set(
  Object.values(CHAINS).flatMap(({ contract, mint }) =>
    [contract, mint].flatMap((own) => (own ? [comparable(own)] : [])),
  ),
)

/**
 * True for the asset's own contract or mint on any chain, which must not be paid. `overrides` (chain id → contract, EVM ones in
 * any letter case) adds configured contracts; those of the table stay refused.
 */
export function isAssetContract(canonical: string, overrides: Readonly<Record<string, string>> = {}): boolean {
  return CONTRACTS.has(canonical) || Object.values(overrides).some((contract) => comparable(contract) === canonical)
}

/**
 * Why nothing may be paid to the address, said of the request's `field`; undefined when it may. `overrides` as for
 * `isAssetContract`.
 */
export function unpayable(
  { canonical }: Address,
  overrides: Readonly<Record<string, string>>,
  field: string,
): string | undefined {
  if (isZeroAddress(canonical)) return `${field} is the zero address`
  return isAssetContract(canonical, overrides) ? `${field} is the asset's own contract` : undefined
}

/** The canonical form of a valid address in any letter case. */
export function comparable(address: string): string {
  return address.startsWith('0x') ? address.toLowerCase() : address
}
