// The queue of payments and changes that wait for a person, and those that were decided.
import { api } from '../api.js'
import { approvalProgress, Subject, titleOf } from '../components/approvalSummary.js'
import { Badge } from '../components/badge.js'
import { Time, Who } from '../components/amounts.js'
import { Listed } from '../components/list.js'
import { Page } from '../components/page.js'
import { Empty } from '../components/loadingStates.js'
import { Table, type Column } from '../components/table.js'
import { Tabs } from '../components/tabs.js'
import { useList } from '../load.js'
import type { ApprovalRequest } from '../records.js'
import { to } from '../router.js'
import type { PageProps } from '../page.js'

const STATUSES = ['PENDING', 'APPROVED', 'DENIED', 'EXPIRED'] as const
const EVERY_MS = 5000

export default function Approvals({ query }: PageProps) {
  const status = STATUSES.find((one) => one === query.get('status')) ?? 'PENDING'
  const requests = useList(
    (cursor) => api.call('GET /api/approval-requests', { query: { status, cursor } }),
    (page) => page.requests,
    [status],
    { everyMs: EVERY_MS },
  )
  return (
    <Page title="Approvals" lead="Payments and changes that require approval by a person.">
      <Tabs
        label="Status"
        current={status}
        tabs={STATUSES.map((one) => ({
          id: one,
          label: one === 'PENDING' ? 'Pending' : one.charAt(0) + one.slice(1).toLowerCase(),
          href: to('approvals', { status: one }),
        }))}
      />
      <Listed of={requests} none={<None status={status} />}>
        {(rows) => <Requests rows={rows} />}
      </Listed>
    </Page>
  )
}

function None({ status }: { status: string }) {
  if (status !== 'PENDING')
    return (
      <Empty icon="approvals" title="No results">
        No requests have this status.
      </Empty>
    )
  return (
    <Empty icon="approvals" title="No pending approvals">
      Payments appear here when a policy requires approval, and changes when governance does. This page updates
      automatically.
    </Empty>
  )
}

function Requests({ rows }: { rows: ApprovalRequest[] }) {
  const columns: Column<ApprovalRequest>[] = [
    {
      head: 'Request',
      cell: (approval) => (
        <>
          <a class="row-link" href={to('approvals', approval.id)}>
            {titleOf(approval)}
          </a>{' '}
          <Subject of={approval} />
        </>
      ),
    },
    { head: 'For', cell: (approval) => (approval.kind === 'PAYMENT' ? (approval.payment.purpose ?? '–') : 'A change') },
    { head: 'Requested by', cell: ({ requestedBy }) => <Who by={requestedBy} /> },
    { head: 'Requested', cell: ({ createdAt }) => <Time at={createdAt} as="relative" /> },
    { head: 'Expires', cell: ({ expiresAt }) => <Time at={expiresAt} as="relative" /> },
    { head: 'Status', cell: (approval) => <Badge status={approval.status} says={approvalProgress(approval)} /> },
  ]
  return <Table caption="Approval requests" columns={columns} rows={rows} keyOf={({ id }) => id} />
}
