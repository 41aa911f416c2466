// What waits for a decision, newest first.
import { approvalProgress, Subject, titleOf } from '../components/approvalSummary.js'
import { Time } from '../components/amounts.js'
import { Badge } from '../components/badge.js'
import { When } from '../components/loadingStates.js'
import { useRead } from '../load.js'
import { to } from '../router.js'

export function PendingApprovals({ everyMs }: { everyMs: number }) {
  const requests = useRead('GET /api/approval-requests', { query: { status: 'PENDING', limit: 5 } }, { everyMs })
  return (
    <div class="card">
      <div class="card-head">
        <h2>Pending approvals</h2>
        <a href={to('approvals')}>View all</a>
      </div>
      <When of={requests} rows={2}>
        {(page) =>
          page.requests.length === 0 ? (
            <p class="hint">No pending approvals.</p>
          ) : (
            <ul class="lines">
              {page.requests.map((approval) => (
                <li key={approval.id}>
                  <span>
                    <a href={to('approvals', approval.id)}>{titleOf(approval)}</a> <Subject of={approval} />
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
    </div>
  )
}
