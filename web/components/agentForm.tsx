// The form for a new agent.
import { useState } from 'preact/hooks'
import { api, type Answer, type Body } from '../api.js'
import { Field, Form, Select, TextArea, useSending } from './form.js'

type Type = Body<'POST /api/agents'>['agentType']

const TYPES: readonly (readonly [Type, string])[] = [
  ['CUSTOM', 'Custom'],
  ['PROVIDER_A_ASSISTANT', 'Assistant of provider A'],
  ['PROVIDER_B_AGENT', 'Agent of provider B'],
  ['FRAMEWORK_A', 'Framework A'],
  ['FRAMEWORK_B', 'Framework B'],
]
export const agentTypeName = (type: string): string => TYPES.find(([one]) => one === type)?.[1] ?? type

interface Props {
  submit?: string
  onDone: (agent: Answer<'POST /api/agents'>) => void
}

export function AgentForm({ submit = 'Create agent', onDone }: Props) {
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const [agentType, setType] = useState<Type>('CUSTOM')
  const sending = useSending(async (once) => {
    const body = { name, agentType, description: description || undefined }
    onDone(await api.call('POST /api/agents', { body }, once))
    return `${name} was created`
  })
  return (
    <Form sending={sending} submit={submit}>
      <Field
        label="Name"
        path="name"
        required
        maxLength={100}
        value={name}
        onValue={setName}
        hint="The name shown in approvals, such as Procurement or Support refunds."
      />
      <TextArea
        label="Description"
        path="description"
        maxLength={500}
        rows={2}
        value={description}
        onValue={setDescription}
      />
      <Select
        label="Type"
        path="agentType"
        options={TYPES}
        value={agentType}
        onValue={(value) => setType(value as Type)}
      />
    </Form>
  )
}
