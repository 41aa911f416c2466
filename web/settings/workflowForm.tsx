// The form for a new approval workflow: the payments it applies to, its approvers and how long it waits.
import { api, type Body } from '../api.js'
import { AMOUNT, count, Fields, type Rows } from '../components/fields.js'
import { CLOSES, Form, useSending } from '../components/form.js'
import { useDraft } from '../edit.js'

type Given = Body<'POST /api/approval-workflows'>

const NEW = {
  name: '',
  priority: '50',
  amountAtLeast: '',
  isFirst: false,
  requiredApprovals: '1',
  timeoutHours: '24',
  onTimeout: 'DENY' as NonNullable<Given['onTimeout']>,
}

const FIELDS: Rows<typeof NEW> = [
  { name: 'name', label: 'Name', required: true, maxLength: 100 },
  [
    { name: 'amountAtLeast', label: 'Minimum amount, USDC', path: 'conditions.amountAtLeast', ...AMOUNT },
    { name: 'priority', label: 'Priority', ...count(0, 100), hint: 'Higher numbers apply first.' },
    { name: 'requiredApprovals', label: 'Required approvals', ...count(1, 10) },
    { name: 'timeoutHours', label: 'Timeout, hours', ...count(1, 720) },
  ],
  { name: 'isFirst', path: 'conditions.newCounterparty', label: 'Only for first payments to a recipient' },
  {
    name: 'onTimeout',
    label: 'On timeout',
    options: [
      ['DENY', 'Deny'],
      ['ESCALATE', 'Escalate to the next workflow'],
    ],
  },
]

function givenIn({ amountAtLeast, isFirst, ...draft }: typeof NEW): Given {
  return {
    ...draft,
    priority: Number(draft.priority),
    requiredApprovals: Number(draft.requiredApprovals),
    timeoutHours: Number(draft.timeoutHours),
    conditions: { amountAtLeast: amountAtLeast || undefined, newCounterparty: isFirst || undefined },
  }
}

export function WorkflowForm({ onDone }: { onDone: () => void }) {
  const { draft, set } = useDraft(NEW)
  const sending = useSending(async (once) => {
    await api.call('POST /api/approval-workflows', { body: givenIn(draft) }, once)
    onDone()
    return `${draft.name} was created`
  }, CLOSES)
  return (
    <Form sending={sending} submit="Create workflow">
      <Fields draft={draft} set={set} of={FIELDS} />
    </Form>
  )
}
