// Adds a timeout to a custody adapter, and asks before each call. A signature that comes late is not used; the outcome of
// a submission that comes late is unknown.
import { CustodyError, type Custody, type Signer, type Submitter } from './custody.js'

interface Bounds {
  limitMs: number
  /** Throws where this process must not act any more. */
  mayAct: () => void
}

/** The same custody with calls that reject after `limitMs`, or where they must not be made. */
export function withTimeout(custody: Custody, bounds: Bounds): Custody {
  return custody.kind === 'signer' ? signerWithTimeout(custody, bounds) : submitterWithTimeout(custody, bounds)
}

function signerWithTimeout(signer: Signer, bounds: Bounds): Signer {
  return {
    kind: 'signer',
    account: async (address, organization) => {
      const account = await within(bounds, () => signer.account(address, organization))
      const signTransaction = (...given: Parameters<typeof account.signTransaction>) =>
        within(bounds, () => account.signTransaction(...given))
      return { address: account.address, signTransaction: signTransaction as typeof account.signTransaction }
    },
  }
}

function submitterWithTimeout(submitter: Submitter, bounds: Bounds): Submitter {
  return {
    kind: 'submitter',
    id: submitter.id,
    submit: (order, key) => within(bounds, () => submitter.submit(order, key)),
    status: (key) => within(bounds, () => submitter.status(key)),
  }
}

async function within<Result>({ limitMs, mayAct }: Bounds, work: () => Promise<Result>): Promise<Result> {
  mayAct()
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
