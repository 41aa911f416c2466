// Whom a payment that needs a person asks: the first workflow that fits, by priority.
import { useState } from 'preact/hooks'
import { api, type Entry } from '../api.js'
import { Ask } from '../components/dialog.js'
import { Checkbox, Field, Form, Select, useSending } from '../components/form.js'
import { Icon } from '../components/icon.js'
import { Opening } from '../components/opening.js'
import { Section } from '../components/page.js'
import { Empty, More, When } from '../components/states.js'
import { Table, type Column } from '../components/table.js'
import { money, plural } from '../format/money.js'
import { words } from '../format/words.js'
import { useList } from '../load.js'
import { useMay } from '../session.js'

type Workflow = Entry<'GET /api/approval-workflows', 'workflows'>

export function Workflows() {
  const may = useMay('ADMIN')
  const workflows = useList((cursor) => api.call('GET /api/approval-workflows', { query: { cursor } }), (page) => page.workflows, [])
  const make = may && (
    <Opening label={<><Icon name="plus" />New workflow</>} title="New approval workflow" class="primary">
      {(close) => <WorkflowForm onDone={() => { workflows.reload(); close() }} />}
    </Opening>
  )
  return (
    <Section title="Approval workflows" lead="The first that fits a payment says how many approve it and how long it waits. Without one: one person, 24 hours." actions={make}>
      <When of={workflows}>
        {(rows) => rows.length > 0
          ? <Table caption="Approval workflows" columns={columnsFor(may, workflows.reload)} rows={rows} keyOf={({ id }) => id} />
          : <Empty icon="approvals" title="No workflows">One person decides each payment that needs one, within 24 hours.</Empty>}
      </When>
      <More of={workflows} />
    </Section>
  )
}

/** When it is used, in a phrase. */
function conditionsOf({ amountAtLeast, categories = [], agentIds = [], newCounterparty }: Workflow['conditions']): string {
  const parts = [
    amountAtLeast !== undefined && `from ${money(amountAtLeast)}`,
    categories.length > 0 && `for ${categories.map(words).join(' or ')}`,
    agentIds.length > 0 && `of ${plural(agentIds.length, 'agent')}`,
    newCounterparty && 'to somebody new',
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
    { head: 'When', cell: ({ conditions }) => conditionsOf(conditions) },
    { head: 'Asks', cell: ({ requiredApprovals, approverIds }) => `${plural(requiredApprovals, 'person', 'people')}${approverIds.length > 0 ? ` of ${approverIds.length} named` : ''}` },
    { head: 'Waits', cell: ({ timeoutHours, onTimeout }) => `${plural(timeoutHours, 'hour')}, then ${onTimeout === 'DENY' ? 'denied' : 'asks further'}` },
  ]
  if (may) {
    columns.push({ head: 'Actions', bare: true, align: 'end', cell: (workflow) => (
      <Ask label="Remove" class="small danger" title={`Remove ${workflow.name}?`} confirm="Remove" danger act={() => remove(workflow)}>Payments that wait keep what they asked for.</Ask>
    ) })
  }
  return columns
}

function WorkflowForm({ onDone }: { onDone: () => void }) {
  const [name, setName] = useState('')
  const [priority, setPriority] = useState('50')
  const [amount, setAmount] = useState('')
  const [isNew, setNew] = useState(false)
  const [count, setCount] = useState('1')
  const [hours, setHours] = useState('24')
  const [onTimeout, setTimeoutDeed] = useState<Workflow['onTimeout']>('DENY')
  const sending = useSending(async () => {
    const conditions = { amountAtLeast: amount === '' ? undefined : amount, newCounterparty: isNew ? true : undefined }
    await api.call('POST /api/approval-workflows', {
      body: { name, priority: Number(priority), conditions, requiredApprovals: Number(count), timeoutHours: Number(hours), onTimeout },
    })
    onDone()
    return `${name} is in force`
  })
  return (
    <Form sending={sending} submit="Make the workflow">
      <Field label="Name" path="name" required maxLength={100} value={name} onValue={setName} />
      <div class="fields">
        <Field label="From amount, USDC" path="conditions.amountAtLeast" inputMode="decimal" pattern="[0-9]+([.][0-9]{1,6})?" value={amount} onValue={setAmount} />
        <Field label="Priority" path="priority" type="number" required min={0} max={100} value={priority} onValue={setPriority} hint="Higher goes first." />
        <Field label="How many approve" path="requiredApprovals" type="number" required min={1} max={10} value={count} onValue={setCount} />
        <Field label="Hours it waits" path="timeoutHours" type="number" required min={1} max={720} value={hours} onValue={setHours} />
      </div>
      <Checkbox label="Only for recipients nobody has paid before" checked={isNew} onChecked={setNew} />
      <Select label="When nobody decides" path="onTimeout" options={[['DENY', 'It is denied'], ['ESCALATE', 'It asks by the next workflow']]} value={onTimeout} onValue={(value) => setTimeoutDeed(value as Workflow['onTimeout'])} />
    </Form>
  )
}
