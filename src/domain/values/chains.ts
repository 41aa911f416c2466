// The one table of chains that payments move on, with the contract of the asset.
export type ChainType = 'EVM' | 'SOLANA'

export interface Chain {
  chainType: ChainType
  /** For people. */
  name: string
  asset: 'USDC'
  /** Decimals of the asset on this chain. */
  decimals: 6
  /** The asset's contract in EIP-55 form; absent where only the configuration names it. */
  contract?: string
  /** The asset's mint, on Solana. */
  mint?: string
  /** Blocks after which a transfer is final. More is safer, and later. */
  confirmations: number
  /** The highest fee for a unit of gas, in billionths of the chain's coin (gwei); 0 where nothing is sent. */
  mostFeeGwei: number
  /** What the asset's contract calls itself in signed data (EIP-712); absent on Solana. */
  tokenName?: string
  tokenVersion?: string
}

const evm = (
  name: string,
  confirmations: number,
  mostFeeGwei: number,
  contract?: string,
  tokenName = 'USD Coin',
): Chain => ({
  chainType: 'EVM',
  name,
  asset: 'USDC',
  decimals: 6,
  confirmations,
  mostFeeGwei,
  tokenName,
  tokenVersion: '2',
  ...(contract === undefined ? {} : { contract }),
})
const solana = (name: string, mint: string): Chain => ({
  chainType: 'SOLANA',
  name,
  asset: 'USDC',
  decimals: 6,
  mint,
  confirmations: 32,
  mostFeeGwei: 0,
})

const TABLE: Record<string, Chain> = {
  '8453': evm('Base', 10, 20, '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'),
  '84532': evm('Base Sepolia', 5, 20, '0x036CbD53842c5426634e7929541eC2318f3dCF7e', 'USDC'),
  '1': evm('Ethereum', 12, 500, '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'),
  '42161': evm('Arbitrum One', 20, 20, '0xaf88d065e77c8cC2239327C5EDb3A432268e5831'),
  '137': evm('Polygon', 64, 5_000, '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359'),
  '31337': evm('Local', 2, 10_000),
  'solana-mainnet': solana('Solana', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'),
  'solana-devnet': solana('Solana Devnet', '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU'),
}

/** By chain id. Without a prototype, so that an id like `constructor` finds nothing. */
export const CHAINS: Readonly<Record<string, Chain>> = Object.assign(Object.create(null), TABLE)

export function noNode(chainId: string): string {
  return `No node is configured for chain ${chainId}: set BURSAR_RPC_${chainId}`
}

/** True when the service reads chains of this type: balances and transfers. */
export function isRead(chainType: ChainType): boolean {
  return chainType === 'EVM'
}

/** The chain of a wallet that names none. */
export const DEFAULT_CHAIN: Readonly<Record<ChainType, string>> = { EVM: '84532', SOLANA: 'solana-devnet' }
