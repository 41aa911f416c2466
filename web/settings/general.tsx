// The organization's name, time zone and waiting times of payments; and freezing everything.
import { api, type Body } from '../api.js'
import { Badge } from '../components/badge.js'
import { Confirm } from '../components/dialog.js'
import { Facts } from '../components/facts.js'
import { Long } from '../components/amounts.js'
import { Field, Form, useSending, type Once } from '../components/form.js'
import { Icon } from '../components/icon.js'
import { Section } from '../components/page.js'
import { isEmpty, useEdit } from '../edit.js'
import { useMay, useSession, useSignedIn, type Organization } from '../session.js'

export function General() {
  const { organization } = useSignedIn()
  const may = useMay('ADMIN')
  return (
    <>
      <div class="card narrow">
        {may ? (
          <GeneralForm key={organization.id} />
        ) : (
          <Facts
            of={[
              ['Name', organization.name],
              ['Time zone', organization.timezone],
            ]}
          />
        )}
        <Facts
          of={[
            [
              'Settlement',
              organization.settlementMode === 'test' ? 'simulated: no funds move' : 'live: on-chain transfers',
            ],
            ['ID', <Long text={organization.id} what="organization id" />],
          ]}
        />
      </div>
      <Freeze />
    </>
  )
}

const MINUTES = 'paymentTimeouts.approvedMinutes'
const HOURS = 'paymentTimeouts.approvalHours'

/** Settings by the paths of their fields. */
type Settings = Record<'name' | 'timezone' | typeof MINUTES | typeof HOURS, string>

const settingsOf = ({ name, timezone, paymentTimeouts }: Organization): Settings => ({
  name,
  timezone,
  [MINUTES]: String(paymentTimeouts.approvedMinutes),
  [HOURS]: String(paymentTimeouts.approvalHours),
})

function bodyOf(changed: Partial<Settings>): Body<'PATCH /api/organization'> {
  const { name, timezone, [MINUTES]: minutes, [HOURS]: hours } = changed
  const waits = {
    ...(minutes !== undefined && { approvedMinutes: Number(minutes) }),
    ...(hours !== undefined && { approvalHours: Number(hours) }),
  }
  return { name, timezone, ...(!isEmpty(waits) && { paymentTimeouts: waits }) }
}

function GeneralForm() {
  const { organization } = useSignedIn()
  const { refresh } = useSession()
  const { draft, set, changes, saved } = useEdit(settingsOf(organization))
  const sending = useSending(async () => {
    const changed = changes(settingsOf(await api.call('GET /api/organization', {})))
    if (isEmpty(changed)) return 'No changes to save'
    await api.call('PATCH /api/organization', { body: bodyOf(changed) })
    await refresh()
    saved()
    return 'The settings were saved'
  })
  return (
    <Form sending={sending} submit="Save">
      <Field label="Name" path="name" required maxLength={100} value={draft.name} onValue={(name) => set({ name })} />
      <Field
        label="Time zone"
        path="timezone"
        required
        value={draft.timezone}
        onValue={(timezone) => set({ timezone })}
        hint="Such as Europe/Berlin. Daily, weekly and monthly limits reset in this time zone."
      />
      <div class="fields">
        <Field
          label="Approved payments expire after, minutes"
          path={MINUTES}
          type="number"
          required
          min={1}
          max={1440}
          value={draft[MINUTES]}
          onValue={(minutes) => set({ [MINUTES]: minutes })}
        />
        <Field
          label="Approval requests expire after, hours"
          path={HOURS}
          type="number"
          required
          min={1}
          max={720}
          value={draft[HOURS]}
          onValue={(hours) => set({ [HOURS]: hours })}
        />
      </div>
    </Form>
  )
}

function Freeze() {
  const {
    organization: { name, status },
  } = useSignedIn()
  const { refresh } = useSession()
  const may = useMay('ADMIN')
  const freeze = async (once: Once, reason: string): Promise<string> => {
    const { auditSequence } = await api.call('POST /api/organization/freeze', { body: { reason } }, once)
    await refresh()
    return `The organization is frozen: no payment is executed after audit entry ${auditSequence}`
  }
  const unfreeze = async (once: Once): Promise<string> => {
    await api.call('POST /api/organization/unfreeze', {}, once)
    await refresh()
    return 'Payments can be executed again'
  }
  return (
    <Section
      title="Freeze organization"
      lead="For emergencies: no payment is executed until the organization is unfrozen."
    >
      <div class="actions">
        <Badge status={status} />
        {may && status === 'ACTIVE' && (
          <Confirm
            label={
              <>
                <Icon name="freeze" />
                Freeze {name}
              </>
            }
            class="danger"
            title={`Freeze ${name}?`}
            confirm="Freeze organization"
            danger
            reason
            act={freeze}
          >
            No payment is executed, not even approved ones, until it is unfrozen. Requests are still decided and
            recorded.
          </Confirm>
        )}
        {may && status === 'FROZEN' && (
          <Confirm label="Unfreeze" class="primary" title={`Unfreeze ${name}?`} confirm="Unfreeze" act={unfreeze}>
            Payments can be executed again.
          </Confirm>
        )}
      </div>
    </Section>
  )
}
