// Hashes of transfers as chains write them. Whether there is such a transfer is not asked here.
import { base58 } from '@scure/base'
import type { ChainType } from './chains.js'

const EVM_HASH = /^0x[0-9a-f]{64}$/i
const SIGNATURE_BYTES = 64

/** What a transfer's hash is taken as: it counts for one payment of the installation, whatever its chain. */
export function transferKey(txHash: string): string {
  return `transfer ${txHash}`
}

/** The one form in which a hash is kept and compared; undefined for what cannot be one on this chain. */
export function parseTransferHash(text: string, chainType: ChainType): string | undefined {
  if (chainType === 'EVM') return EVM_HASH.test(text) ? text.toLowerCase() : undefined
  try {
    return base58.decode(text).length === SIGNATURE_BYTES ? text : undefined
  } catch {
    return undefined
  }
}
