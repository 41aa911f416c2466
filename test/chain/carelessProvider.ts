// A submitter that does not keep the contract: it sends the first transfer alone and gives the hash of that one to all;
// with the setting HASH it sends nothing and gives that text.
import type { Custody, CustodySettings } from '../../src/chain/custody.js'
import { createCustody as createProvider } from './anvilProvider.js'

export function createCustody(settings: CustodySettings): Custody {
  const provider = createProvider(settings)
  if (provider.kind !== 'submitter') throw new Error('The provider does not send')
  const { HASH: txHash } = settings
  return {
    ...provider,
    submit: async (order) => (txHash === undefined ? provider.submit(order, 'one key for all') : { is: 'accepted', txHash }),
    status: async () => (txHash === undefined ? provider.status('one key for all') : { is: 'accepted', txHash }),
  }
}
