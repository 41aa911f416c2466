// Addresses and signatures of the keys that the service keeps.
import { refuse, succeed, type Result } from '../domain/outcomes/result.js'
import { isSignedByAddress } from '../chain/addressProof.js'
import { CustodyError } from '../chain/custody.js'
import type { Keystore } from '../chain/keystore.js'
import type { LeaseDeadline } from '../async/leaseDeadline.js'
import type { Services } from '../commands/ports.js'

export interface SigningParts {
  lease: LeaseDeadline | undefined
  /** Resolves when the key is kept wherever the service may run. */
  onNewKey: (address: string) => Promise<void>
}

export function signingWith(
  keystore: Keystore,
  { lease, onNewKey }: SigningParts,
): Pick<Services, 'newAddress' | 'isSignedBy' | 'signTypedData'> {
  return {
    newAddress: async (organization) => {
      const address = await keystore.newAddress(organization)
      await onNewKey(address)
      return address
    },
    isSignedBy: isSignedByAddress,
    signTypedData: typedDataSigner(keystore, lease),
  }
}

/** A node that does not own its shard any more signs nothing. */
function typedDataSigner(keystore: Keystore, lease: LeaseDeadline | undefined): Services['signTypedData'] {
  const isOwner = (): boolean => lease?.isHeld !== false
  return async (address, organization, data) => {
    if (!isOwner()) return disowned()
    try {
      const signature = await keystore.signTypedData(address, organization, data)
      // It may have waited for others. A signature that nobody gets is none.
      return isOwner() ? succeed(signature) : disowned()
    } catch (error) {
      return refused(error)
    }
  }
}

const disowned = () => refuse('UNAVAILABLE', 'This node does not own its shard any more')

function refused(error: unknown): Result<never, 'UNAVAILABLE' | 'WALLET_CONFIG_ERROR'> {
  if (!(error instanceof CustodyError)) throw error
  return refuse(error.code === 'UNAVAILABLE' ? 'UNAVAILABLE' : 'WALLET_CONFIG_ERROR', error.message)
}
