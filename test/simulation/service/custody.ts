// Custody of the simulation: the service makes addresses, and what it signs for x402 no chain ever reads.
import type { Keystore } from '../../../src/chain/keystore.js'
import type { Random } from '../../../src/domain/values/ids.js'
import type { Custodians } from '../../../src/service/custodians.js'

const SIGNATURE = `0x${'5'.repeat(130)}`

/** An address in lower case has no checksum to keep. */
export function fakeCustodians(random: Random): Custodians {
  const keystore: Pick<Keystore, 'newAddress' | 'signTypedData' | 'madeFor'> = {
    newAddress: async () => `0x${Buffer.from(random(20)).toString('hex')}`,
    signTypedData: async () => SIGNATURE,
    madeFor: async () => undefined,
  }
  return { keystore: keystore as Keystore, slots: new Map() }
}
