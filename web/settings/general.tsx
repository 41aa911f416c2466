// The organization's name, time zone and waiting times of payments; and freezing everything.
import type { Body } from '../api.js'
import { Long } from '../components/amounts.js'
import { Badge } from '../components/badge.js'
import { Facts } from '../components/facts.js'
import { count, type Rows } from '../components/fields.js'
import { FreezeOrganization } from '../components/freezeOrganization.js'
import { Section } from '../components/page.js'
import { isEmpty } from '../edit.js'
import { useMay, useSignedIn, type Organization } from '../session.js'
import { OrganizationForm } from './organizationForm.js'

export function General() {
  const { organization } = useSignedIn()
  const may = useMay('ADMIN')
  const { name, timezone, settlementMode, id } = organization
  return (
    <>
      <div class="card narrow">
        {may && (
          <OrganizationForm draftOf={settingsOf} bodyOf={bodyOf} done="The settings were saved" fields={FIELDS} />
        )}
        <Facts
          of={[
            ['Name', !may && name],
            ['Time zone', !may && timezone],
            ['Settlement', settlementMode === 'test' ? 'simulated: no funds move' : 'live: on-chain transfers'],
            ['ID', <Long text={id} what="organization id" />],
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

const FIELDS: Rows<Settings> = [
  { name: 'name', label: 'Name', required: true, maxLength: 100 },
  {
    name: 'timezone',
    label: 'Time zone',
    required: true,
    hint: 'Such as Europe/Berlin. Daily, weekly and monthly limits reset in this time zone.',
  },
  [
    { name: MINUTES, label: 'Approved payments expire after, minutes', ...count(1, 1440) },
    { name: HOURS, label: 'Approval requests expire after, hours', ...count(1, 720) },
  ],
]

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

function Freeze() {
  const { status } = useSignedIn().organization
  return (
    <Section
      title="Freeze organization"
      lead="For emergencies: no payment is executed until the organization is unfrozen. Also in the navigation."
    >
      <div class="actions">
        <Badge status={status} />
        <FreezeOrganization />
      </div>
    </Section>
  )
}
