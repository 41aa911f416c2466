// Rolling back to an earlier version, which creates a new one: with its impact and a note.
import { useState } from 'preact/hooks'
import { api, isOvertaken } from '../api.js'
import { Dialog } from '../components/dialog.js'
import { CLOSES, Field, Form, useSending } from '../components/form.js'
import { When } from '../components/loadingStates.js'
import { useRead } from '../load.js'
import { useImpact } from './draft.js'
import { ForceAnyway, ImpactOf } from './impact.js'
import type { Policy } from '../records.js'
import type { Definition } from './policy.js'
import { RuleSentences } from './sentences.js'

interface Props {
  policy: Policy
  version: number
  onClose: () => void
  onChanged: () => void
}

export function RollBack(props: Props) {
  const {
    policy: { id: policyId },
    version,
    onClose,
  } = props
  const read = useRead('GET /api/policies/{policyId}/versions/{version}', { path: { policyId, version } })
  return (
    <Dialog title={`Roll back to version ${version}?`} onClose={onClose}>
      <When of={read}>{({ snapshot }) => <RollBackForm {...props} snapshot={snapshot as Definition} />}</When>
    </Dialog>
  )
}

function RollBackForm({ policy, version, onChanged, snapshot }: Props & { snapshot: Definition }) {
  const { name, description, scope, priority, rules } = snapshot
  // Of an inactive policy, what it will do once it is activated; a rollback leaves it inactive.
  const looked = useImpact(policy.id, { name, description, scope, priority, isActive: true, rules })
  const [note, setNote] = useState('')
  const [force, setForce] = useState(false)
  const path = { policyId: policy.id, version }
  const sending = useSending(async (once) => {
    const parts = { path, body: { note: note || undefined }, query: { force: force || undefined } }
    const options = { ...once, ifMatch: policy.version }
    const rolled = api.call('POST /api/policies/{policyId}/versions/{version}/rollback', parts, options)
    await rolled.catch((error: unknown) => {
      if (isOvertaken(error)) onChanged()
      throw error
    })
    onChanged()
    return `Version ${version} was restored as a new version`
  }, CLOSES)
  return (
    <Form sending={sending} submit="Roll back" cancel>
      <p class="hint">No version is lost: version {policy.version} stays in the history. Restored rules:</p>
      <RuleSentences rules={rules} whole={{}} />
      <ImpactOf looked={looked} />
      <ForceAnyway looked={looked} force={force} onForce={setForce} />
      <Field label="Note" path="note" maxLength={500} value={note} onValue={setNote} hint="Saved with the version." />
    </Form>
  )
}
