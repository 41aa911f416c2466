// The service's terms for people: codes in lower case, long ids shortened to be recognizable.

/** `REQUIRES_APPROVAL` → `Requires approval`, `cardAssignment` → `Card assignment`. */
export function words(code: string): string {
  const text = code
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[_.]/g, ' ')
    .toLowerCase()
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

/** What carries the money, by its code. */
export const RAIL_NAMES = [
  ['TRANSFER', 'Transfer'],
  ['CARD', 'Card'],
  ['X402', 'x402'],
] as const
export const railName = (rail: string): string => RAIL_NAMES.find(([code]) => code === rail)?.[1] ?? words(rail)

/** `Visa ending in 4242`. */
export function cardName({ brand, last4 }: { brand: string; last4: string }): string {
  return `${words(brand)} ending in ${last4}`
}

const STATES: { [state: string]: string } = {
  awaitingApproval: 'Pending approval',
  permitted: 'Approved',
  authorized: 'Executing',
  transferring: 'Executing',
  transferred: 'Executed',
  charged: 'Executed',
  paid: 'Executed',
}

/** The state of an actor as a status: `kept.frozen` → `Frozen`, `transferring.signing` → `Executing`. */
export function statusOfState(state: string): string {
  const [outer = state] = state.split('.')
  return STATES[outer] ?? words(state.split('.').at(-1)!)
}
