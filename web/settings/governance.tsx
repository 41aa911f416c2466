// The changes that require approval.
import { api, type Body } from '../api.js'
import { ACTIONS } from '../components/approvalSummary.js'
import { Facts } from '../components/facts.js'
import { Checkbox, Field, Form, useSending } from '../components/form.js'
import { Section } from '../components/page.js'
import { isEmpty, useEdit } from '../edit.js'
import { plural } from '../format/money.js'
import { useMay, useSession, useSignedIn, type Organization } from '../session.js'

type Given = NonNullable<Body<'PATCH /api/organization'>['governance']>
type Action = NonNullable<Given['actions']>[number]

const NAMES = Object.entries(ACTIONS) as [Action, string][]

export function Governance() {
  const may = useMay('OWNER')
  return (
    <Section title="Governance" lead="The selected changes require approval by someone other than the requester.">
      <div class="card narrow">{may ? <GovernanceForm /> : <Shown />}</div>
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
        ['Required approvals', String(requiredApprovals)],
        ['Expires after', plural(timeoutHours, 'hour')],
      ]}
    />
  )
}

const COUNT = 'governance.requiredApprovals'
const HOURS = 'governance.timeoutHours'

/** Settings by the paths of their fields; each action is separate, so that several people can choose. */
type Choices = Record<Action | 'enabled' | 'strictLineage', boolean> & Record<typeof COUNT | typeof HOURS, string>

function choicesOf({ governance }: Organization): Choices {
  const { enabled, strictLineage, actions, requiredApprovals, timeoutHours } = governance
  const chosen = Object.fromEntries(NAMES.map(([action]) => [action, actions.includes(action)]))
  const numbers = { [COUNT]: String(requiredApprovals), [HOURS]: String(timeoutHours) }
  return { ...(chosen as Record<Action, boolean>), ...numbers, enabled, strictLineage }
}

/** The actions are sent as a whole: the current ones, with the changes. */
function givenIn(now: Choices, changed: Partial<Choices>): Given {
  const { enabled, strictLineage, [COUNT]: count, [HOURS]: hours } = changed
  const all = { ...now, ...changed }
  const isChosen = NAMES.some(([action]) => changed[action] !== undefined)
  return {
    enabled,
    strictLineage,
    actions: isChosen ? NAMES.map(([action]) => action).filter((action) => all[action]) : undefined,
    requiredApprovals: count === undefined ? undefined : Number(count),
    timeoutHours: hours === undefined ? undefined : Number(hours),
  }
}

function GovernanceForm() {
  const { organization } = useSignedIn()
  const { refresh } = useSession()
  const { draft, set, changes, saved } = useEdit(choicesOf(organization))
  const sending = useSending(async () => {
    const now = choicesOf(await api.call('GET /api/organization', {}))
    const changed = changes(now)
    if (isEmpty(changed)) return 'No changes to save'
    await api.call('PATCH /api/organization', { body: { governance: givenIn(now, changed) } })
    await refresh()
    saved()
    return 'The governance settings were saved'
  })
  return (
    <Form sending={sending} submit="Save">
      <Checkbox
        label="Changes require approval"
        checked={draft.enabled}
        onChecked={(enabled) => set({ enabled })}
        hint="Requires two members who can approve. Turning it off requires approval, too."
      />
      <fieldset class="checks columns">
        <legend>Changes that require approval</legend>
        {NAMES.map(([action, name]) => (
          <Checkbox key={action} label={name} checked={draft[action]} onChecked={(on) => set({ [action]: on })} />
        ))}
      </fieldset>
      <div class="fields">
        <Field
          label="Required approvals"
          path={COUNT}
          type="number"
          required
          min={1}
          max={10}
          value={draft[COUNT]}
          onValue={(count) => set({ [COUNT]: count })}
        />
        <Field
          label="Expires after, hours"
          path={HOURS}
          type="number"
          required
          min={1}
          max={720}
          value={draft[HOURS]}
          onValue={(hours) => set({ [HOURS]: hours })}
        />
      </div>
      <Checkbox
        label="Strict separation of duties"
        checked={draft.strictLineage}
        onChecked={(strictLineage) => set({ strictLineage })}
        hint="Payments cannot be approved by the creator of the agent's key or the last editor of the policy that requires approval."
      />
    </Form>
  )
}
