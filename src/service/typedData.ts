// Signs typed data (EIP-712) with the keys that the service keeps.
import { refuse, succeed, type Result } from '../domain/outcomes/result.js'
import { CustodyError } from '../chain/custody.js'
import type { Keystore } from '../chain/keystore.js'
import type { LeaseDeadline } from '../async/leaseDeadline.js'
import type { Services } from '../commands/ports.js'

/** A node that does not own its shard any more signs nothing. */
export function typedDataSigner(keystore: Keystore, lease: LeaseDeadline | undefined): Services['signTypedData'] {
  return async (address, organization, data) => {
    if (lease?.isHeld === false) return refuse('UNAVAILABLE', 'This node does not own its shard any more')
    try {
      const account = await keystore.account(address, organization)
      return succeed(await account.signTypedData(data as never))
    } catch (error) {
      return refused(error)
    }
  }
}

function refused(error: unknown): Result<never, 'UNAVAILABLE' | 'WALLET_CONFIG_ERROR'> {
  if (!(error instanceof CustodyError)) throw error
  return refuse(error.code === 'UNAVAILABLE' ? 'UNAVAILABLE' : 'WALLET_CONFIG_ERROR', error.message)
}
