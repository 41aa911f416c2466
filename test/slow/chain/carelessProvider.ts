// A submitter that violates the contract: it sends only the first transfer and returns its hash for all others too;
// with the setting HASH it sends nothing and returns that text.
import type { Custody, CustodySettings } from '../../../src/chain/custody.js'
import { createCustody as createProvider } from './anvilProvider.js'

export function createCustody(settings: CustodySettings): Custody {
  const provider = createProvider(settings)
  if (provider.kind !== 'submitter') throw new Error('The provider does not send')
  const { HASH: txHash } = settings
  return {
    ...provider,
    submit: async (order) =>
      txHash === undefined ? provider.submit(order, 'one key for all') : { is: 'accepted', txHash },
    status: async () => (txHash === undefined ? provider.status('one key for all') : { is: 'accepted', txHash }),
  }
}
