// The approvers of payments that need a person: the first workflow that matches, by priority.
import { api, type Entry } from '../api.js'
import { Confirm, Opening } from '../components/dialog.js'
import { Records } from '../components/list.js'
import { Section } from '../components/page.js'
import { actionColumn, type Columns } from '../components/table.js'
import { money, plural } from '../format/money.js'
import { words } from '../format/words.js'
import { useList } from '../load.js'
import { useMay } from '../session.js'
import { WorkflowForm } from './workflowForm.js'

type Workflow = Entry<'GET /api/approval-workflows', 'workflows'>

export function Workflows() {
  const may = useMay('ADMIN')
  const workflows = useList('GET /api/approval-workflows', 'workflows', {})
  const create = may && (
    <Opening label="New workflow" icon="plus" title="New approval workflow" class="primary">
      <WorkflowForm onDone={workflows.reload} />
    </Opening>
  )
  return (
    <Section
      title="Approval workflows"
      lead="The first matching workflow determines the approvers of a payment and the timeout."
      actions={create}
    >
      <Records
        caption="Approval workflows"
        of={workflows}
        columns={columnsFor(may, workflows.reload)}
        none={{
          icon: 'approvals',
          title: 'No workflows',
          children: 'By default, one person approves within 24 hours.',
        }}
      />
    </Section>
  )
}

/** The conditions of a workflow as a phrase. */
function conditionsOf({
  amountAtLeast,
  categories = [],
  agentIds = [],
  newCounterparty,
}: Workflow['conditions']): string {
  const parts = [
    amountAtLeast !== undefined && `from ${money(amountAtLeast)}`,
    categories.length > 0 && `for ${categories.map(words).join(' or ')}`,
    agentIds.length > 0 && `of ${plural(agentIds.length, 'agent')}`,
    newCounterparty && 'first payment to recipient',
  ].filter(Boolean)
  return parts.length > 0 ? parts.join(', ') : 'always'
}

const columnsFor = (may: boolean, reload: () => void): Columns<Workflow> => [
  { head: 'Name', cell: ({ name }) => <strong>{name}</strong> },
  { head: 'Priority', align: 'end', cell: ({ priority }) => priority },
  { head: 'Conditions', cell: ({ conditions }) => conditionsOf(conditions) },
  {
    head: 'Required approvals',
    cell: ({ requiredApprovals, approverIds }) =>
      approverIds.length > 0 ? `${requiredApprovals} of ${approverIds.length} approvers` : requiredApprovals,
  },
  {
    head: 'Timeout',
    cell: ({ timeoutHours, onTimeout }) =>
      `${plural(timeoutHours, 'hour')}, then ${onTimeout === 'DENY' ? 'deny' : 'escalate'}`,
  },
  may &&
    actionColumn(({ id: workflowId, name }) => (
      <Confirm
        label="Remove"
        title={`Remove ${name}?`}
        danger
        act={() => api.call('DELETE /api/approval-workflows/{workflowId}', { path: { workflowId } })}
        after={reload}
        done={`${name} was removed`}
      >
        Pending approvals keep their terms.
      </Confirm>
    )),
]
