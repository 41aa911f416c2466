// The latest denied payments, each with its first reason.
import { AgentLink, Time } from '../components/amounts.js'
import { LaterCard } from '../components/later.js'
import { When } from '../components/loadingStates.js'
import { PaymentTitle } from '../components/paymentTitle.js'
import { useRead } from '../load.js'
import type { Payment } from '../records.js'
import { to } from '../router.js'

export function Denials({ everyMs }: { everyMs: number }) {
  return (
    <LaterCard title="Denied, and why" href={to('payments', { status: 'DENIED' })} rows={2}>
      <Latest everyMs={everyMs} />
    </LaterCard>
  )
}

function Latest({ everyMs }: { everyMs: number }) {
  const denied = useRead('GET /api/payments', { query: { status: 'DENIED', limit: 5 } }, { everyMs })
  return (
    <When of={denied} rows={2}>
      {({ payments }) =>
        payments.length === 0 ? (
          <p class="hint">No denied payments.</p>
        ) : (
          <ul class="lines">
            {payments.map((payment) => (
              <Denial key={payment.id} of={payment} />
            ))}
          </ul>
        )
      }
    </When>
  )
}

function Denial({ of: payment }: { of: Payment }) {
  const { id, agentId, createdAt, denial, reasons } = payment
  return (
    <li>
      <span>
        <PaymentTitle of={payment} href={to('payments', id)} />
        <br />
        {denial?.message ?? reasons[0]}
        <br />
        <span class="hint">
          <AgentLink id={agentId} />, <Time at={createdAt} as="relative" />
        </span>
      </span>
    </li>
  )
}
