// A policy's name, description, scope and priority in a dialog, with the impact of what would change.
import { useState } from 'preact/hooks'
import { api } from '../api.js'
import { Opening } from '../components/dialog.js'
import { Field, Form, Select, TextArea, useSending } from '../components/form.js'
import { useImpact } from './draft.js'
import { ForceAnyway, ImpactOf } from './impact.js'
import type { Policy } from './policy.js'

interface Props {
  policy: Policy
  onChanged: () => void
}

export function Details(props: Props) {
  return (
    <Opening label="Edit details" title="Details of the policy">
      {(close) => <DetailsForm {...props} onClose={close} />}
    </Opening>
  )
}

function DetailsForm({ policy, onChanged, onClose }: Props & { onClose: () => void }) {
  const { id, version } = policy
  const [name, setName] = useState(policy.name)
  const [description, setDescription] = useState(policy.description ?? '')
  const [scope, setScope] = useState<string>(policy.scope)
  const [priority, setPriority] = useState(String(policy.priority))
  const [force, setForce] = useState(false)
  const body = { name, description: description || null, scope: scope as Policy['scope'], priority: Number(priority) }
  const looked = useImpact(id, scope === policy.scope ? undefined : { scope: body.scope })
  const sending = useSending(async () => {
    const query = { force: force || undefined }
    await api.call('PATCH /api/policies/{policyId}', { path: { policyId: id }, body, query }, { ifMatch: version })
    onChanged()
    return 'The details are saved as a new version'
  })
  const send = async (): Promise<boolean> => {
    const isDone = await sending.send()
    if (isDone) onClose()
    return isDone
  }
  return (
    <Form
      sending={{ ...sending, send }}
      submit="Save as a new version"
      beside={
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      }
    >
      <Field label="Name" path="name" required maxLength={100} value={name} onValue={setName} />
      <TextArea label="Description" path="description" maxLength={500} value={description} onValue={setDescription} />
      <Select
        label="Applies to"
        path="scope"
        value={scope}
        onValue={setScope}
        options={[
          ['assigned', 'Agents and wallets it is assigned to'],
          ['organization', 'All agents of the organization'],
        ]}
      />
      <Field
        label="Priority"
        path="priority"
        type="number"
        min={0}
        max={100}
        required
        value={priority}
        onValue={setPriority}
        hint="0 to 100. Where several policies deny, the highest is named first."
      />
      <ImpactOf looked={looked} />
      <ForceAnyway looked={looked} force={force} onForce={setForce} />
    </Form>
  )
}
