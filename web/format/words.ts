// The service's terms for people: codes in lower case, long ids shortened to be recognizable.

/** `REQUIRES_APPROVAL` → `Requires approval`. */
export function words(code: string): string {
  const text = code.replaceAll(/[_.]/g, ' ').toLowerCase()
  return (text.charAt(0).toUpperCase() + text.slice(1)).replace(/\bapi\b/i, 'API')
}

/** `0x1234…cdef`. */
export function short(long: string, head = 6, tail = 4): string {
  return long.length <= head + tail + 1 ? long : `${long.slice(0, head)}…${long.slice(-tail)}`
}

/** For comparisons: the letter case of an EVM address is a checksum that the service adds. */
export const uncased = (value: unknown): unknown =>
  typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value) ? value.toLowerCase() : value

const CHAINS: { [chainId: string]: string } = {
  8453: 'Base',
  84532: 'Base Sepolia',
  1: 'Ethereum',
  42161: 'Arbitrum',
  137: 'Polygon',
  31337: 'Local chain',
  'solana-mainnet': 'Solana',
  'solana-devnet': 'Solana devnet',
}
export const chainName = (chainId: string): string => CHAINS[chainId] ?? `Chain ${chainId}`
export const CHAIN_IDS = ['84532', '8453', '1', '42161', '137', '31337', 'solana-mainnet', 'solana-devnet'] as const

/** `Visa ending in 4242`. */
export function cardName({ brand, last4 }: { brand: string; last4: string }): string {
  return `${words(brand)} ending in ${last4}`
}
