// Services that agents have paid by x402: who is paid at each host, how much, and on which days.
import type { Entry } from '../api.js'
import { Long, Money, Time } from '../components/amounts.js'
import { ButtonLink } from '../components/button.js'
import { Opening } from '../components/dialog.js'
import { Listed } from '../components/list.js'
import { Page } from '../components/page.js'
import { actionColumn, Table, type Columns } from '../components/table.js'
import { dayInUtc } from '../format/time.js'
import { useList } from '../load.js'
import { to } from '../router.js'

type Service = Entry<'GET /api/x402/services', 'services'>
type Day = NonNullable<Service['days']>[number]

const DAYS: Columns<Day> = [
  { head: 'Day (UTC)', cell: ({ day }) => dayInUtc(day) },
  { head: 'Paid', align: 'end', cell: ({ total }) => <Money amount={total} /> },
]

const COLUMNS: Columns<Service> = [
  { head: 'Host', cell: ({ host }) => <strong>{host}</strong> },
  { head: 'Payments', align: 'end', cell: ({ payments }) => payments },
  { head: 'Total paid', align: 'end', cell: ({ total }) => <Money amount={total} /> },
  { head: 'Last payment', cell: ({ lastAt }) => (lastAt === null ? 'never' : <Time at={lastAt} />) },
  {
    head: 'Recipients',
    cell: ({ payTo }) => (
      <ul>
        {payTo.map((address) => (
          <li key={address}>
            <Long text={address} />
          </li>
        ))}
      </ul>
    ),
  },
  actionColumn(
    ({ host, days = [] }) =>
      days.length > 0 && (
        <Opening label="Spend by day" about={host} title={`Spend by day at ${host}`}>
          <Table caption={`Spend by day at ${host}`} rows={days.toReversed()} columns={DAYS} keyOf={({ day }) => day} />
        </Opening>
      ),
  ),
]

export default function Services() {
  const services = useList('GET /api/x402/services', 'services', {})
  const none = {
    icon: 'services',
    title: 'No services yet',
    children: 'A service is added when an agent pays a server that answers HTTP\u00a0402.',
  } as const
  return (
    <Page
      title="Services"
      lead="Servers that agents pay by x402. Policies say which services may be paid, and how much."
      actions={<ButtonLink href={to('payments', { rail: 'X402' })} icon="payments" label="View payments" />}
    >
      <Listed of={services} none={none}>
        {(rows) => <Table caption="Services" columns={COLUMNS} rows={rows} keyOf={({ host }) => host} />}
      </Listed>
    </Page>
  )
}
