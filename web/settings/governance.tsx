// The changes that require approval.
import type { Body } from '../api.js'
import { ACTIONS } from '../components/approvalSummary.js'
import { Facts } from '../components/facts.js'
import { count, Fields, type Rows } from '../components/fields.js'
import { Problem } from '../components/form.js'
import { Section } from '../components/page.js'
import { plural } from '../format/money.js'
import { useMay, useSignedIn, type Organization } from '../session.js'
import { OrganizationForm } from './organizationForm.js'

type Given = NonNullable<Body<'PATCH /api/organization'>['governance']>
type Action = NonNullable<Given['actions']>[number]

const NAMES = Object.entries(ACTIONS) as [Action, string][]

export function Governance() {
  const may = useMay('OWNER')
  return (
    <Section title="Governance" lead="The selected changes require approval by someone other than the requester.">
      <div class="card narrow">{may ? <GovernanceForm /> : <GovernanceFacts />}</div>
    </Section>
  )
}

function GovernanceFacts() {
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
function bodyOf(changed: Partial<Choices>, now: Organization): { governance: Given } {
  const { enabled, strictLineage, [COUNT]: approvals, [HOURS]: hours } = changed
  const all = { ...choicesOf(now), ...changed }
  const isChosen = NAMES.some(([action]) => changed[action] !== undefined)
  return {
    governance: {
      enabled,
      strictLineage,
      actions: isChosen ? NAMES.map(([action]) => action).filter((action) => all[action]) : undefined,
      requiredApprovals: approvals === undefined ? undefined : Number(approvals),
      timeoutHours: hours === undefined ? undefined : Number(hours),
    },
  }
}

const ENABLED: Rows<Choices> = [
  {
    name: 'enabled',
    path: 'governance.enabled',
    label: 'Changes require approval',
    hint: 'Requires two members who can approve. Turning it off requires approval, too.',
  },
]
const CHANGES: Rows<Choices> = NAMES.map(([name, label]) => ({ name, label }))
const TERMS: Rows<Choices> = [
  [
    { name: COUNT, label: 'Required approvals', ...count(1, 10) },
    { name: HOURS, label: 'Expires after, hours', ...count(1, 720) },
  ],
  {
    name: 'strictLineage',
    path: 'governance.strictLineage',
    label: 'Strict separation of duties',
    hint: "Payments cannot be approved by the creator of the agent's key or the last editor of the policy that requires approval.",
  },
]

function GovernanceForm() {
  return (
    <OrganizationForm draftOf={choicesOf} bodyOf={bodyOf} done="The governance settings were saved">
      {(edit) => (
        <>
          <Fields {...edit} of={ENABLED} />
          <fieldset class="checks columns">
            <legend>Changes that require approval</legend>
            <Fields {...edit} of={CHANGES} />
            <Problem path="governance.actions" />
          </fieldset>
          <Fields {...edit} of={TERMS} />
        </>
      )}
    </OrganizationForm>
  )
}
