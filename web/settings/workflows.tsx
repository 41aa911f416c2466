// The approvers of payments that need a person: the first workflow that matches, by priority.
import { api, type Entry } from '../api.js'
import { Confirm, Opening } from '../components/dialog.js'
import { Icon } from '../components/icon.js'
import { Listed } from '../components/list.js'
import { Section } from '../components/page.js'
import { Empty } from '../components/loadingStates.js'
import { Table, type Column } from '../components/table.js'
import { money, plural } from '../format/money.js'
import { words } from '../format/words.js'
import { useList } from '../load.js'
import { useMay } from '../session.js'
import { WorkflowForm } from './workflowForm.js'

type Workflow = Entry<'GET /api/approval-workflows', 'workflows'>

export function Workflows() {
  const may = useMay('ADMIN')
  const workflows = useList(
    (cursor) => api.call('GET /api/approval-workflows', { query: { cursor } }),
    (page) => page.workflows,
    [],
  )
  const make = may && (
    <Opening
      label={
        <>
          <Icon name="plus" />
          New workflow
        </>
      }
      title="New approval workflow"
      class="primary"
    >
      {(close) => (
        <WorkflowForm
          onDone={() => {
            workflows.reload()
            close()
          }}
        />
      )}
    </Opening>
  )
  return (
    <Section
      title="Approval workflows"
      lead="The first matching workflow determines the approvers of a payment and the timeout."
      actions={make}
    >
      <Listed
        of={workflows}
        none={
          <Empty icon="approvals" title="No workflows">
            By default, one person approves within 24 hours.
          </Empty>
        }
      >
        {(rows) => (
          <Table
            caption="Approval workflows"
            columns={columnsFor(may, workflows.reload)}
            rows={rows}
            keyOf={({ id }) => id}
          />
        )}
      </Listed>
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

function columnsFor(may: boolean, reload: () => void): Column<Workflow>[] {
  const remove = async ({ id, name }: Workflow): Promise<string> => {
    await api.call('DELETE /api/approval-workflows/{workflowId}', { path: { workflowId: id } })
    reload()
    return `${name} was removed`
  }
  const columns: Column<Workflow>[] = [
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
  ]
  if (may) {
    columns.push({
      head: 'Actions',
      bare: true,
      align: 'end',
      cell: (workflow) => (
        <Confirm
          label="Remove"
          class="small danger"
          title={`Remove ${workflow.name}?`}
          confirm="Remove"
          danger
          act={() => remove(workflow)}
        >
          Pending approvals keep their terms.
        </Confirm>
      ),
    })
  }
  return columns
}
