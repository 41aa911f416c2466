// Switches a policy on or off, with the impact of that before it is done.
import { useState } from 'preact/hooks'
import { api, isOvertaken } from '../api.js'
import { Opening } from '../components/dialog.js'
import { Form, useSending } from '../components/form.js'
import { useImpact } from './draft.js'
import { ForceAnyway, ImpactOf } from './impact.js'
import type { Policy } from './policy.js'

interface Props {
  policy: Policy
  onChanged: () => void
}

export function SwitchOn({ policy, onChanged }: Props) {
  const label = policy.isActive ? 'Switch off' : 'Switch on'
  return (
    <Opening label={label} title={`${label} ${policy.name}?`}>
      {(close) => <SwitchForm policy={policy} label={label} onChanged={onChanged} onClose={close} />}
    </Opening>
  )
}

function SwitchForm({
  policy: { id, version, isActive },
  label,
  onChanged,
  onClose,
}: Props & { label: string; onClose: () => void }) {
  const [force, setForce] = useState(false)
  const edit = { isActive: !isActive }
  const looked = useImpact(id, edit)
  const sending = useSending(async () => {
    const query = { force: force || undefined }
    const parts = { path: { policyId: id }, body: edit, query }
    await api.call('PATCH /api/policies/{policyId}', parts, { ifMatch: version }).catch((error: unknown) => {
      if (isOvertaken(error)) onChanged()
      throw error
    })
    onChanged()
    return isActive ? 'The policy is switched off' : 'The policy is switched on'
  })
  const send = async (): Promise<boolean> => {
    const isDone = await sending.send()
    if (isDone) onClose()
    return isDone
  }
  return (
    <Form
      sending={{ ...sending, send }}
      submit={label}
      tone={isActive ? 'danger' : 'primary'}
      beside={
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      }
    >
      <p>
        {isActive
          ? 'Its rules stop counting at once. It keeps its assignments and its history.'
          : 'Its rules count for every payment from then on.'}
      </p>
      <ImpactOf looked={looked} />
      <ForceAnyway looked={looked} force={force} onForce={setForce} />
    </Form>
  )
}
