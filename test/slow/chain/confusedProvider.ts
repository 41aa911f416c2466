// A submitter that confuses hashes: it returns none for its first transfer until there is a second, and for the second
// it returns the hash of the first until it is asked again.
import type { Custody, CustodySettings, Submission } from '../../../src/chain/custody.js'
import { createCustody as createProvider } from './anvilProvider.js'

export function createCustody(settings: CustodySettings): Custody {
  const provider = createProvider(settings)
  if (provider.kind !== 'submitter') throw new Error('The provider does not send')
  const sent = new Map<string, Submission>()
  return {
    ...provider,
    submit: async (order, key) => {
      sent.set(key, await provider.submit(order, key))
      const [first] = sent.values()
      return sent.size === 1 ? { is: 'accepted' } : first!
    },
    status: async (key) => (sent.size === 1 ? { is: 'accepted' } : provider.status(key)),
  }
}
