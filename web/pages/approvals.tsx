// The queue of payments and changes that wait for a person, and those that were decided.
import { Time, Who } from '../components/amounts.js'
import { approvalProgress, Subject, titleOf } from '../components/approvalSummary.js'
import { Badge } from '../components/badge.js'
import { Records } from '../components/list.js'
import { Page } from '../components/page.js'
import { RowLink, type Columns } from '../components/table.js'
import { Tabs } from '../components/tabs.js'
import { words } from '../format/words.js'
import { useList } from '../load.js'
import type { PageProps } from '../page.js'
import type { ApprovalRequest } from '../records.js'
import { to } from '../router.js'

const STATUSES = ['PENDING', 'APPROVED', 'DENIED', 'EXPIRED'] as const
const EVERY_MS = 5000
const NONE_PENDING = {
  title: 'No pending approvals',
  children:
    'Payments appear here when a policy requires approval, and changes when governance does. This page updates ' +
    'automatically.',
}
const NONE = { title: 'No results', children: 'No requests have this status.' }

const COLUMNS: Columns<ApprovalRequest> = [
  {
    head: 'Request',
    cell: (approval) => (
      <>
        <RowLink href={to('approvals', approval.id)}>{titleOf(approval)}</RowLink> <Subject of={approval} />
      </>
    ),
  },
  { head: 'For', cell: (approval) => (approval.kind === 'PAYMENT' ? (approval.payment.purpose ?? '–') : 'A change') },
  { head: 'Requested by', cell: ({ requestedBy }) => <Who by={requestedBy} /> },
  { head: 'Requested', cell: ({ createdAt }) => <Time at={createdAt} as="relative" /> },
  { head: 'Expires', cell: ({ expiresAt }) => <Time at={expiresAt} as="relative" /> },
  { head: 'Status', cell: (approval) => <Badge status={approval.status} says={approvalProgress(approval)} /> },
]

export default function Approvals({ query }: PageProps) {
  const status = STATUSES.find((one) => one === query.get('status')) ?? 'PENDING'
  const requests = useList('GET /api/approval-requests', 'requests', { query: { status } }, { everyMs: EVERY_MS })
  return (
    <Page title="Approvals" lead="Payments and changes that require approval by a person.">
      <Tabs
        label="Status"
        current={status}
        of={STATUSES.map((one) => [one, words(one)])}
        href={(one) => to('approvals', { status: one })}
      />
      <Records
        caption="Approval requests"
        of={requests}
        columns={COLUMNS}
        none={{ icon: 'approvals', ...(status === 'PENDING' ? NONE_PENDING : NONE) }}
      />
    </Page>
  )
}
