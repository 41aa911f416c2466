// The form for a new agent.
import { api, type Answer, type Body } from '../api.js'
import { useDraft } from '../edit.js'
import { Fields, type Rows } from './fields.js'
import { Form, useSending } from './form.js'

type Type = Body<'POST /api/agents'>['agentType']

const TYPES: readonly (readonly [Type & string, string])[] = [
  ['CUSTOM', 'Custom'],
  ['PROVIDER_A_ASSISTANT', 'Assistant of provider A'],
  ['PROVIDER_B_AGENT', 'Agent of provider B'],
  ['FRAMEWORK_A', 'Framework A'],
  ['FRAMEWORK_B', 'Framework B'],
]
export const agentTypeName = (type: string): string => TYPES.find(([one]) => one === type)?.[1] ?? type

const NEW = { name: '', description: '', agentType: 'CUSTOM' as Type }
const FIELDS: Rows<typeof NEW> = [
  {
    name: 'name',
    label: 'Name',
    required: true,
    maxLength: 100,
    hint: 'The name shown in approvals, such as Procurement or Support refunds.',
  },
  { name: 'description', label: 'Description', maxLength: 500, rows: 2 },
  { name: 'agentType', label: 'Type', options: TYPES },
]

interface Props {
  submit?: string
  onDone: (agent: Answer<'POST /api/agents'>) => void
}

export function AgentForm({ submit = 'Create agent', onDone }: Props) {
  const { draft, set } = useDraft(NEW)
  const sending = useSending(async (once) => {
    const body = { ...draft, description: draft.description || undefined }
    onDone(await api.call('POST /api/agents', { body }, once))
    return `${draft.name} was created`
  })
  return (
    <Form sending={sending} submit={submit}>
      <Fields draft={draft} set={set} of={FIELDS} />
    </Form>
  )
}
