// Custody of the simulation: the service makes addresses, and nothing is ever signed in test settlement.
import type { Keystore } from '../../../src/chain/keystore.js'
import type { Random } from '../../../src/domain/values/ids.js'
import type { Custodians } from '../../../src/service/custodians.js'

const SIGNATURE = `0x${'5'.repeat(130)}`

/** An address in lower case has no checksum to keep. */
export function fakeCustodians(random: Random): Custodians {
  const keystore: Pick<Keystore, 'newAddress' | 'account' | 'madeFor'> = {
    newAddress: async () => `0x${Buffer.from(random(20)).toString('hex')}`,
    account: async () => ({ signTypedData: async () => SIGNATURE }) as never,
    madeFor: async () => undefined,
  }
  return { keystore: keystore as Keystore, slots: new Map() }
}
