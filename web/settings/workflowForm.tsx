// The form for a new approval workflow: the payments it applies to, its approvers and how long it waits.
import { useState } from 'preact/hooks'
import { api, type Body } from '../api.js'
import { Checkbox, Field, Form, Select, useSending } from '../components/form.js'

type Given = Body<'POST /api/approval-workflows'>
type OnTimeout = NonNullable<Given['onTimeout']>

const NEW = {
  name: '',
  priority: '50',
  amountAtLeast: '',
  isNew: false,
  requiredApprovals: '1',
  timeoutHours: '24',
  onTimeout: 'DENY' as OnTimeout,
}
type Draft = typeof NEW

function givenIn(draft: Draft): Given {
  const { name, priority, amountAtLeast, isNew, requiredApprovals, timeoutHours, onTimeout } = draft
  return {
    name,
    onTimeout,
    priority: Number(priority),
    requiredApprovals: Number(requiredApprovals),
    timeoutHours: Number(timeoutHours),
    conditions: {
      amountAtLeast: amountAtLeast === '' ? undefined : amountAtLeast,
      newCounterparty: isNew ? true : undefined,
    },
  }
}

export function WorkflowForm({ onDone }: { onDone: () => void }) {
  const [draft, setDraft] = useState(NEW)
  const set = (part: Partial<Draft>): void => setDraft((before) => ({ ...before, ...part }))
  const sending = useSending(async (once) => {
    await api.call('POST /api/approval-workflows', { body: givenIn(draft) }, once)
    onDone()
    return `${draft.name} was created`
  })
  return (
    <Form sending={sending} submit="Create workflow">
      <Field label="Name" path="name" required maxLength={100} value={draft.name} onValue={(name) => set({ name })} />
      <Numbers draft={draft} set={set} />
      <Checkbox
        label="Only for first payments to a recipient"
        checked={draft.isNew}
        onChecked={(isNew) => set({ isNew })}
      />
      <Select
        label="On timeout"
        path="onTimeout"
        options={[
          ['DENY', 'Deny'],
          ['ESCALATE', 'Escalate to the next workflow'],
        ]}
        value={draft.onTimeout}
        onValue={(value) => set({ onTimeout: value as OnTimeout })}
      />
    </Form>
  )
}

function Numbers({ draft, set }: { draft: Draft; set: (part: Partial<Draft>) => void }) {
  const whole = (name: 'priority' | 'requiredApprovals' | 'timeoutHours') => ({
    path: name,
    type: 'number' as const,
    required: true,
    value: draft[name],
    onValue: (value: string) => set({ [name]: value }),
  })
  return (
    <div class="fields">
      <Field
        label="Minimum amount, USDC"
        path="conditions.amountAtLeast"
        inputMode="decimal"
        pattern="[0-9]+([.][0-9]{1,6})?"
        value={draft.amountAtLeast}
        onValue={(amountAtLeast) => set({ amountAtLeast })}
      />
      <Field label="Priority" min={0} max={100} {...whole('priority')} hint="Higher numbers apply first." />
      <Field label="Required approvals" min={1} max={10} {...whole('requiredApprovals')} />
      <Field label="Timeout, hours" min={1} max={720} {...whole('timeoutHours')} />
    </div>
  )
}
