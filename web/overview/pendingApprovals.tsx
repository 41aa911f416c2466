// What waits for a decision, newest first.
import { approvalProgress, Subject, titleOf } from '../components/approvalSummary.js'
import { Time } from '../components/amounts.js'
import { Badge } from '../components/badge.js'
import { LaterCard } from '../components/later.js'
import { When } from '../components/loadingStates.js'
import { PaymentTitle } from '../components/paymentTitle.js'
import { useRead } from '../load.js'
import type { ApprovalRequest } from '../records.js'
import { to } from '../router.js'

export function PendingApprovals({ everyMs }: { everyMs: number }) {
  return (
    <LaterCard title="Pending approvals" href={to('approvals')} rows={2}>
      <Newest everyMs={everyMs} />
    </LaterCard>
  )
}

function Newest({ everyMs }: { everyMs: number }) {
  const requests = useRead('GET /api/approval-requests', { query: { status: 'PENDING', limit: 5 } }, { everyMs })
  return (
    <When of={requests} rows={2}>
      {(page) =>
        page.requests.length === 0 ? (
          <p class="hint">No pending approvals.</p>
        ) : (
          <ul class="lines">
            {page.requests.map((approval) => (
              <li key={approval.id}>
                <span>
                  <Title of={approval} />
                  <br />
                  <span class="hint">
                    expires <Time at={approval.expiresAt} as="relative" />
                  </span>
                </span>
                <Badge status={approval.status} says={approvalProgress(approval)} />
              </li>
            ))}
          </ul>
        )
      }
    </When>
  )
}

function Title({ of: approval }: { of: ApprovalRequest }) {
  const href = to('approvals', approval.id)
  if (approval.kind === 'PAYMENT') return <PaymentTitle of={approval.payment} href={href} />
  return (
    <>
      <a href={href}>{titleOf(approval)}</a> <Subject of={approval} />
    </>
  )
}
