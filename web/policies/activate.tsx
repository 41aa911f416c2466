// Activates or deactivates a policy, with the impact shown beforehand.
import { useState } from 'preact/hooks'
import { api, isOvertaken } from '../api.js'
import { Dialog } from '../components/dialog.js'
import { CLOSES, Form, useSending } from '../components/form.js'
import { useImpact } from './draft.js'
import { ForceAnyway, ImpactOf } from './impact.js'
import { readPolicy } from './policy.js'
import type { Policy } from '../records.js'

interface Props {
  policy: Policy
  onChanged: () => void
}

const labelOf = (isOn: boolean): string => (isOn ? 'Activate' : 'Deactivate')

/** The dialog keeps the direction that it was opened for, whatever others do to the policy meanwhile. */
export function Activate({ policy, onChanged }: Props) {
  const [target, setTarget] = useState<boolean>()
  return (
    <>
      <button type="button" onClick={() => setTarget(!policy.isActive)}>
        {labelOf(!policy.isActive)}
      </button>
      {target !== undefined && (
        <Dialog title={`${labelOf(target)} ${policy.name}?`} onClose={() => setTarget(undefined)}>
          <ActivateForm policy={policy} target={target} onChanged={onChanged} />
        </Dialog>
      )}
    </>
  )
}

function ActivateForm({ policy: { id, version }, target, onChanged }: Props & { target: boolean }) {
  const [force, setForce] = useState(false)
  const edit = { isActive: target }
  const looked = useImpact(id, edit)
  const path = { policyId: id }
  const sending = useSending(async () => {
    const parts = { path, body: edit, query: { force: force || undefined } }
    const overtaken = await api.call('PATCH /api/policies/{policyId}', parts, { ifMatch: version }).then(
      () => undefined,
      (error: unknown) => error,
    )
    if (overtaken !== undefined && !isOvertaken(overtaken)) throw overtaken
    onChanged()
    const said = target ? 'active' : 'inactive'
    if (overtaken === undefined) return `The policy is ${said}`
    const now = await readPolicy(id)
    if (now.isActive !== target) throw overtaken
    return `The policy is already ${said}`
  }, CLOSES)
  return (
    <Form sending={sending} submit={labelOf(target)} tone={target ? 'primary' : 'danger'} cancel>
      <p>
        {target
          ? 'Its rules apply to every payment from now on.'
          : 'Its rules stop applying immediately. Assignments and history are kept.'}
      </p>
      <ImpactOf looked={looked} />
      <ForceAnyway looked={looked} force={force} onForce={setForce} />
    </Form>
  )
}
