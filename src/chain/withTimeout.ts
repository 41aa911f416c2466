// Adds a timeout to a custody adapter. A signature that comes late is not used; the outcome of a submission that comes
// late is unknown.
import { CustodyError, type Custody, type Signer, type Submitter } from './custody.js'

/** The same custody with calls that reject after `limitMs`. */
export function withTimeout(custody: Custody, limitMs: number): Custody {
  return custody.kind === 'signer' ? signerWithTimeout(custody, limitMs) : submitterWithTimeout(custody, limitMs)
}

function signerWithTimeout(signer: Signer, limitMs: number): Signer {
  return {
    kind: 'signer',
    account: async (address, organization) => {
      const account = await within(limitMs, () => signer.account(address, organization))
      const signTransaction = (...given: Parameters<typeof account.signTransaction>) =>
        within(limitMs, () => account.signTransaction(...given))
      return { address: account.address, signTransaction: signTransaction as typeof account.signTransaction }
    },
  }
}

function submitterWithTimeout(submitter: Submitter, limitMs: number): Submitter {
  return {
    kind: 'submitter',
    id: submitter.id,
    submit: (order, key) => within(limitMs, () => submitter.submit(order, key)),
    status: (key) => within(limitMs, () => submitter.status(key)),
  }
}

async function within<Result>(limitMs: number, work: () => Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const error = new CustodyError('UNAVAILABLE', 'The custody of the wallet did not answer in time')
    timer = setTimeout(() => reject(error), limitMs)
  })
  try {
    return await Promise.race([work(), late])
  } finally {
    clearTimeout(timer)
  }
}
