// The organization's name, zone and how long payments wait; and stopping everything at once.
import { useState } from 'preact/hooks'
import { api } from '../api.js'
import { Badge } from '../components/badge.js'
import { Ask } from '../components/dialog.js'
import { Facts } from '../components/facts.js'
import { Long } from '../components/figures.js'
import { Field, Form, useSending } from '../components/form.js'
import { Icon } from '../components/icon.js'
import { Section } from '../components/page.js'
import { useMay, useSession, useSignedIn } from '../session.js'

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
              organization.settlementMode === 'test' ? 'simulated: no funds move' : 'live: transfers go to the chain',
            ],
            ['Id', <Long text={organization.id} what="organization id" />],
          ]}
        />
      </div>
      <Freeze />
    </>
  )
}

function GeneralForm() {
  const {
    organization: { name: before, timezone: zoneBefore, paymentTimeouts },
  } = useSignedIn()
  const { refresh } = useSession()
  const [name, setName] = useState(before)
  const [timezone, setZone] = useState(zoneBefore)
  const [minutes, setMinutes] = useState(String(paymentTimeouts.approvedMinutes))
  const [hours, setHours] = useState(String(paymentTimeouts.approvalHours))
  const sending = useSending(async () => {
    const body = { name, timezone, paymentTimeouts: { approvedMinutes: Number(minutes), approvalHours: Number(hours) } }
    await api.call('PATCH /api/organization', { body })
    await refresh()
    return 'The settings were saved'
  })
  return (
    <Form sending={sending} submit="Save">
      <Field label="Name" path="name" required maxLength={100} value={name} onValue={setName} />
      <Field
        label="Time zone"
        path="timezone"
        required
        value={timezone}
        onValue={setZone}
        hint="As in Europe/Berlin. Days, weeks and months of limits begin in it."
      />
      <div class="fields">
        <Field
          label="Approved payments wait, minutes"
          path="paymentTimeouts.approvedMinutes"
          type="number"
          required
          min={1}
          max={1440}
          value={minutes}
          onValue={setMinutes}
        />
        <Field
          label="Approvals wait, hours"
          path="paymentTimeouts.approvalHours"
          type="number"
          required
          min={1}
          max={720}
          value={hours}
          onValue={setHours}
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
  const freeze = async (reason: string): Promise<string> => {
    const { auditSequence } = await api.call('POST /api/organization/freeze', { body: { reason } })
    await refresh()
    return `Everything is frozen: nothing is carried out after audit entry ${auditSequence}`
  }
  const unfreeze = async (): Promise<string> => {
    await api.call('POST /api/organization/unfreeze', {})
    await refresh()
    return 'Payments are carried out again'
  }
  return (
    <Section
      title="Stop everything"
      lead="For an emergency: no payment of any agent is carried out until somebody unfreezes the organization."
    >
      <div class="actions">
        <Badge status={status} />
        {may && status === 'ACTIVE' && (
          <Ask
            label={
              <>
                <Icon name="freeze" />
                Freeze {name}
              </>
            }
            class="danger"
            title={`Freeze ${name}?`}
            confirm="Freeze everything"
            danger
            reason
            act={freeze}
          >
            No payment is carried out, approved ones neither, until it is unfrozen. Requests are still decided and kept.
          </Ask>
        )}
        {may && status === 'FROZEN' && (
          <Ask label="Unfreeze" class="primary" title={`Unfreeze ${name}?`} confirm="Unfreeze" act={unfreeze}>
            Payments are carried out again.
          </Ask>
        )}
      </div>
    </Section>
  )
}
