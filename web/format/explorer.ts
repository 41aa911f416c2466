// Where a chain's explorer shows a transaction. Local and unknown chains have none.
const EXPLORERS: { [chainId: string]: string } = {
  1: 'https://etherscan.io/tx/HASH',
  137: 'https://polygonscan.com/tx/HASH',
  8453: 'https://basescan.org/tx/HASH',
  42161: 'https://arbiscan.io/tx/HASH',
  84532: 'https://sepolia.basescan.org/tx/HASH',
  'solana-mainnet': 'https://explorer.solana.com/tx/HASH',
  'solana-devnet': 'https://explorer.solana.com/tx/HASH?cluster=devnet',
}

export function explorerLink(chainId: string, hash: string): string | undefined {
  return EXPLORERS[chainId]?.replace('HASH', encodeURIComponent(hash))
}
