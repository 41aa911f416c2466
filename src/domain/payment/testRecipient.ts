// Whom a test payment would be paid to, where nobody is named and the agent has paid nobody. Nothing is ever paid there.
import type { ChainType } from '../values/chains.js'

export const TEST_RECIPIENT = {
  name: 'Test recipient',
  addresses: {
    EVM: '0x7e57000000000000000000000000000000007e57',
    SOLANA: 'TestRecipient111111111111111111111111111111',
  } satisfies Record<ChainType, string>,
}

/** How the recipient of a test payment was chosen. */
export const CHOSEN_BY = ['REQUEST', 'LAST_PAID', 'TEST_ADDRESS'] as const
export type ChosenBy = (typeof CHOSEN_BY)[number]
