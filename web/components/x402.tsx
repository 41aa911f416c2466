// A payment by x402: what is paid for, as its agent says, and how far the payment is.
import { to } from '../router.js'
import type { Payment } from '../records.js'
import { Long, Time } from './amounts.js'
import { Facts, type Fact } from './facts.js'

type Bought = NonNullable<Payment['x402']>

/** It may still be settled. */
const OPEN = ['REQUIRES_APPROVAL', 'APPROVED', 'EXECUTING']

/** For `Facts`. */
export function resourceFacts({ x402 }: Pick<Payment, 'x402'>): Fact[] {
  return [
    ['Service', x402 && <Service of={x402} />],
    ['Resource', x402 && `${x402.method} ${x402.path}`],
  ]
}

function Service({ of: { host } }: { of: Bought }) {
  return (
    <>
      <a href={to('services')}>{host}</a>
      <div class="hint">named by the agent</div>
    </>
  )
}

export function X402Steps({ of }: { of: Payment }) {
  const { x402, recipientAddress } = of
  if (x402 === undefined) return null
  return (
    <div class="card">
      <h2>Payment by x402</h2>
      <Facts
        of={[
          ...resourceFacts(of),
          ['Recipient', recipientAddress && <Long text={recipientAddress} />],
          ['Signature valid until', x402.validBefore && <Time at={x402.validBefore} />],
          ['Settled', <Settled of={of} />],
          ['Delivered', of.status === 'EXECUTED' && deliveryText(x402)],
        ]}
      />
    </div>
  )
}

function Settled({ of: { status, x402, transaction } }: { of: Payment }) {
  if (transaction?.confirmedAt) return <Time at={transaction.confirmedAt} />
  if (status === 'EXECUTED') return <>yes</>
  if (OPEN.includes(status)) return <>not yet</>
  return <>{status === 'EXPIRED' && x402?.validBefore ? 'no: the signature has expired' : 'no'}</>
}

/** Only the agent knows, and it reports no more than that something is missing. */
function deliveryText({ delivered }: Bought): string {
  return delivered === false ? 'no: the server was paid and did not give the resource' : 'nothing reported as missing'
}
