// Checks that a message was signed with the key of an address.
import type { Hex } from 'viem'

const SIGNATURE = /^0x[0-9a-fA-F]{130}$/

/** By EIP-191, as wallets sign texts for people; false for any invalid signature. */
export async function isSignedByAddress(address: string, message: string, signature: string): Promise<boolean> {
  if (!SIGNATURE.test(signature)) return false
  // Imported late: a start needs no signatures.
  const { verifyMessage } = await import('viem/utils')
  return verifyMessage({ address: address as Hex, message, signature: signature as Hex }).catch(() => false)
}
