// The queue of payments and changes that wait for a person, where they are decided one by one or several at once, and
// those that were decided.
import { useState } from 'preact/hooks'
import { Time, Who } from '../components/amounts.js'
import { approvalProgress, Subject, titleOf } from '../components/approvalSummary.js'
import { Badge } from '../components/badge.js'
import { Label } from '../components/button.js'
import { DecideDialog } from '../components/decideDialog.js'
import { useBarrier, type Verdict } from '../components/decision.js'
import { Records } from '../components/list.js'
import { Page } from '../components/page.js'
import { NameCell } from '../components/nameCell.js'
import { PickBox, SelectionBar, useSelection, type Selection } from '../components/selection.js'
import { actionColumn, type Columns } from '../components/table.js'
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

interface Deciding {
  decision: Verdict
  approvals: readonly ApprovalRequest[]
}

interface Choosing {
  selection: Selection
  mayDecide: (approval: ApprovalRequest) => boolean
  decide: (deciding: Deciding) => void
}

const columnsFor = ({ selection, mayDecide }: Choosing): Columns<ApprovalRequest> => [
  {
    head: 'Request',
    cell: (approval) => (
      <>
        {mayDecide(approval) && <PickBox of={selection} id={approval.id} about={titleOf(approval)} />}
        <NameCell
          name={titleOf(approval)}
          href={to('approvals', approval.id)}
          about={<Subject of={approval} />}
          id={approval.id}
          what="request id"
        />
      </>
    ),
  },
  { head: 'For', cell: (approval) => (approval.kind === 'PAYMENT' ? (approval.payment.purpose ?? '–') : 'A change') },
  { head: 'Requested by', cell: ({ requestedBy }) => <Who by={requestedBy} /> },
  { head: 'Requested', cell: ({ createdAt }) => <Time at={createdAt} as="relative" /> },
  { head: 'Expires', cell: ({ expiresAt }) => <Time at={expiresAt} as="relative" /> },
  { head: 'Status', cell: (approval) => <Badge status={approval.status} says={approvalProgress(approval)} /> },
]

const decisionColumn = ({ mayDecide, decide }: Choosing) =>
  actionColumn<ApprovalRequest>(
    (approval) => mayDecide(approval) && <DecideButtons of={[approval]} about={titleOf(approval)} decide={decide} />,
  )

interface ButtonsProps extends Pick<Choosing, 'decide'> {
  of: readonly ApprovalRequest[]
  count?: number
  about?: string
}

/** With the number of requests where they are several. */
function DecideButtons({ of, count, about, decide }: ButtonsProps) {
  const label = (verb: string): string => (count ? `${verb} ${count}` : verb)
  const button = (decision: Verdict, verb: string, look?: string) => (
    <button type="button" class={look} disabled={of.length === 0} onClick={() => decide({ decision, approvals: of })}>
      <Label label={label(verb)} about={about} />
    </button>
  )
  return (
    <>
      {button('DENIED', 'Deny', 'danger')}
      {button('APPROVED', 'Approve')}
    </>
  )
}

export default function Approvals({ query }: PageProps) {
  const status = STATUSES.find((one) => one === query.get('status')) ?? 'PENDING'
  const requests = useList('GET /api/approval-requests', 'requests', { query: { status } }, { everyMs: EVERY_MS })
  const selection = useSelection()
  const [deciding, setDeciding] = useState<Deciding>()
  const barrier = useBarrier()
  const mayDecide = (approval: ApprovalRequest): boolean =>
    approval.status === 'PENDING' && barrier(approval) === undefined
  const open = (requests.data ?? []).filter(mayDecide)
  const picked = open.filter(({ id }) => selection.picked.has(id))
  const choosing = { selection, mayDecide, decide: setDeciding }
  return (
    <Page title="Approvals" lead="Payments and changes that require approval by a person.">
      <Tabs
        label="Status"
        current={status}
        of={STATUSES.map((one) => [one, words(one)])}
        href={(one) => to('approvals', { status: one })}
      />
      {open.length > 0 && (
        <SelectionBar of={selection} ids={open.map(({ id }) => id)}>
          <DecideButtons of={picked} count={picked.length} decide={setDeciding} />
        </SelectionBar>
      )}
      <Records
        caption="Approval requests"
        of={requests}
        columns={[...columnsFor(choosing), open.length > 0 && decisionColumn(choosing)]}
        none={{ icon: 'approvals', ...(status === 'PENDING' ? NONE_PENDING : NONE) }}
      />
      {deciding && <DecideDialog {...deciding} onDecided={requests.reload} onClose={() => setDeciding(undefined)} />}
    </Page>
  )
}
