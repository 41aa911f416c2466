// Which changes need a second person.
import { useState } from 'preact/hooks'
import { api, type Body } from '../api.js'
import { ACTIONS } from '../components/asked.js'
import { Facts } from '../components/facts.js'
import { Checkbox, Field, Form, useSending } from '../components/form.js'
import { Section } from '../components/page.js'
import { plural } from '../format/money.js'
import { useMay, useSession, useSignedIn } from '../session.js'

type Given = NonNullable<Body<'PATCH /api/organization'>['governance']>
type Action = NonNullable<Given['actions']>[number]

const NAMES = Object.entries(ACTIONS) as [Action, string][]

export function Governance() {
  const {
    organization: { governance },
  } = useSignedIn()
  const may = useMay('ADMIN')
  return (
    <Section
      title="Governance"
      lead="A change of these kinds waits until somebody else agrees. Nobody decides what they asked for."
    >
      <div class="card narrow">{may ? <GovernanceForm key={JSON.stringify(governance)} /> : <Shown />}</div>
    </Section>
  )
}

function Shown() {
  const { enabled, actions, requiredApprovals, timeoutHours } = useSignedIn().organization.governance
  return (
    <Facts
      of={[
        ['Governance', enabled ? 'on' : 'off'],
        ['Changes', actions.map((action) => ACTIONS[action]).join(', ')],
        ['Who agrees', plural(requiredApprovals, 'person', 'people')],
        ['Waits', plural(timeoutHours, 'hour')],
      ]}
    />
  )
}

function GovernanceForm() {
  const {
    organization: { governance },
  } = useSignedIn()
  const { refresh } = useSession()
  const [enabled, setEnabled] = useState(governance.enabled)
  const [strictLineage, setStrict] = useState(governance.strictLineage)
  const [actions, setActions] = useState<readonly Action[]>(governance.actions)
  const [count, setCount] = useState(String(governance.requiredApprovals))
  const [hours, setHours] = useState(String(governance.timeoutHours))
  const sending = useSending(async () => {
    const given = { enabled, strictLineage, actions, requiredApprovals: Number(count), timeoutHours: Number(hours) }
    await api.call('PATCH /api/organization', { body: { governance: given } })
    await refresh()
    return 'Governance was saved'
  })
  const turn = (action: Action, on: boolean): void =>
    setActions(NAMES.map(([one]) => one).filter((one) => (one === action ? on : actions.includes(one))))
  return (
    <Form sending={sending} submit="Save">
      <Checkbox
        label="Changes need a second person"
        checked={enabled}
        onChecked={setEnabled}
        hint="Two people who may decide are needed to turn it on; turning it off needs both of them."
      />
      <fieldset class="checks columns">
        <legend>Which changes</legend>
        {NAMES.map(([action, name]) => (
          <Checkbox key={action} label={name} checked={actions.includes(action)} onChecked={(on) => turn(action, on)} />
        ))}
      </fieldset>
      <div class="fields">
        <Field
          label="How many others agree"
          path="governance.requiredApprovals"
          type="number"
          required
          min={1}
          max={10}
          value={count}
          onValue={setCount}
        />
        <Field
          label="Hours until it lapses"
          path="governance.timeoutHours"
          type="number"
          required
          min={1}
          max={720}
          value={hours}
          onValue={setHours}
        />
      </div>
      <Checkbox
        label="Strict lineage"
        checked={strictLineage}
        onChecked={setStrict}
        hint="A payment is not decided by whoever made the agent's key or last edited the policy that asks."
      />
    </Form>
  )
}
