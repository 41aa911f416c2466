// What lists and the page of a wallet say of it in words.
import { fromMicros, micros } from '../format/money.js'
import { chainName, words } from '../format/words.js'
import type { Wallet } from '../records.js'

const ENFORCEMENT: Record<Wallet['enforcement'], string> = {
  SIGNER: 'Only approved payments are signed',
  COOPERATIVE: 'The agent could pay without asking',
}

export const enforcementText = (enforcement: Wallet['enforcement']): string => ENFORCEMENT[enforcement]

export const custodyText = ({ chainId, custodyType }: Pick<Wallet, 'chainId' | 'custodyType'>): string =>
  `${chainName(chainId)}, ${words(custodyType).toLowerCase()}`

/** What no payment in progress holds; nothing where the chain has less than what is held. */
export function availableIn({ balance, reserved }: Pick<Wallet, 'balance' | 'reserved'>): string {
  const available = micros(balance) - micros(reserved)
  return fromMicros(available < 0n ? 0n : available)
}
