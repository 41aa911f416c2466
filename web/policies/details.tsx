// A dialog for a policy's name, description, scope and priority, with the impact of the change.
import { useState } from 'preact/hooks'
import { api } from '../api.js'
import { Opening } from '../components/dialog.js'
import { count, Fields, type Rows } from '../components/fields.js'
import { CLOSES, Form, useSending } from '../components/form.js'
import { isEmpty, useEdit } from '../edit.js'
import { useImpact } from './draft.js'
import { ForceAnyway, ImpactOf } from './impact.js'
import { readPolicy, SCOPES } from './policy.js'
import type { Policy } from '../records.js'

interface Props {
  policy: Policy
  onChanged: () => void
}

export function Details(props: Props) {
  return (
    <Opening label="Edit details" title="Edit policy details">
      <DetailsForm {...props} />
    </Opening>
  )
}

const detailsOf = ({ name, description, scope, priority }: Policy) => ({
  name,
  description: description ?? '',
  scope,
  priority: String(priority),
})

const FIELDS: Rows<ReturnType<typeof detailsOf>> = [
  { name: 'name', label: 'Name', required: true, maxLength: 100 },
  { name: 'description', label: 'Description', maxLength: 500, rows: 3 },
  { name: 'scope', label: 'Applies to', options: SCOPES },
  {
    name: 'priority',
    label: 'Priority',
    ...count(0, 100),
    hint: '0 to 100. If several policies deny, the highest is listed first.',
  },
]

function bodyOf({ name, description, scope, priority }: Partial<ReturnType<typeof detailsOf>>) {
  return {
    name,
    scope,
    ...(description !== undefined && { description: description || null }),
    ...(priority !== undefined && { priority: Number(priority) }),
  }
}

function DetailsForm({ policy, onChanged }: Props) {
  const path = { policyId: policy.id }
  const { draft, set, changes } = useEdit(detailsOf(policy))
  const { scope } = draft
  const [force, setForce] = useState(false)
  const looked = useImpact(policy.id, scope === policy.scope ? undefined : { scope })
  const sending = useSending(async () => {
    const now = await readPolicy(policy.id)
    const changed = changes(detailsOf(now))
    if (isEmpty(changed)) return 'No changes to save'
    const parts = { path, body: bodyOf(changed), query: { force: force || undefined } }
    await api.call('PATCH /api/policies/{policyId}', parts, { ifMatch: now.version })
    onChanged()
    return 'The details were saved as a new version'
  }, CLOSES)
  return (
    <Form sending={sending} submit="Save as new version" cancel>
      <Fields draft={draft} set={set} of={FIELDS} />
      <ImpactOf looked={looked} />
      <ForceAnyway looked={looked} force={force} onForce={setForce} />
    </Form>
  )
}
