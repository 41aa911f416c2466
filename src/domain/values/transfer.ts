// Hashes of transfers as chains write them. It does not check that such a transfer exists.
import { base58 } from '@scure/base'
import type { ChainType } from './chains.js'

const EVM_HASH = /^0x[0-9a-f]{64}$/i
const SIGNATURE_BYTES = 64

/** The key that a transfer's hash is: for one payment of the installation, whatever its chain. */
export function transferKey(txHash: string): string {
  return `transfer ${txHash}`
}

/** The form in which a hash is stored and compared; undefined for text that cannot be a hash on this chain. */
export function parseTransferHash(text: string, chainType: ChainType): string | undefined {
  if (chainType === 'EVM') return EVM_HASH.test(text) ? text.toLowerCase() : undefined
  try {
    return base58.decode(text).length === SIGNATURE_BYTES ? text : undefined
  } catch {
    return undefined
  }
}
