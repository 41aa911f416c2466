// What was noticed about agents, wallets, payments and deliveries, newest first; the list updates itself.
import { Time } from '../components/amounts.js'
import { useAgentFilter } from '../components/agentFilter.js'
import { alertTypeName, ALERT_TYPES, AlertStatus } from '../components/alertNames.js'
import { Badge } from '../components/badge.js'
import { ButtonLink } from '../components/button.js'
import { ListPage } from '../components/list.js'
import { NameCell } from '../components/nameCell.js'
import { type Columns } from '../components/table.js'
import { useList } from '../load.js'
import type { PageProps } from '../page.js'
import type { Alert } from '../records.js'
import { to } from '../router.js'
import { grouped } from '../format/money.js'

const STATUSES = ['ACTIVE', 'ACKNOWLEDGED', 'RESOLVED'] as const
const SEVERITIES = ['CRITICAL', 'WARNING', 'INFO'] as const
const EVERY_MS = 5000

const COLUMNS: Columns<Alert> = [
  {
    head: 'Alert',
    cell: ({ id, title, message }) => (
      <NameCell name={title} href={to('alerts', id)} about={message} id={id} what="alert id" />
    ),
  },
  { head: 'Severity', cell: ({ severity }) => <Badge status={severity} /> },
  { head: 'Status', cell: ({ status }) => <AlertStatus of={status} /> },
  { head: 'Count', align: 'end', cell: ({ count }) => grouped(count) },
  { head: 'Last', cell: ({ lastAt }) => <Time at={lastAt} /> },
]

export default function Alerts({ query }: PageProps) {
  const status = STATUSES.find((one) => one === query.get('status'))
  const severity = SEVERITIES.find((one) => one === query.get('severity'))
  const type = ALERT_TYPES.find((one) => one === query.get('type'))
  const agentId = query.get('agent') ?? undefined
  const wanted = { query: { status, severity, type, agentId } }
  const alerts = useList('GET /api/alerts', 'alerts', wanted, { everyMs: EVERY_MS })
  return (
    <ListPage
      title="Alerts"
      lead="Each alert counts one cause until it is resolved. Channels tell people of new ones."
      actions={<ButtonLink href={to('settings', 'alerts')} label="Alert settings" />}
      path="alerts"
      query={query}
      filters={[
        { label: 'Status', name: 'status', options: STATUSES },
        { label: 'Severity', name: 'severity', options: SEVERITIES },
        { label: 'Type', name: 'type', options: ALERT_TYPES.map((one) => [one, alertTypeName(one)] as const) },
        useAgentFilter(agentId),
      ]}
      of={alerts}
      columns={COLUMNS}
      none={{
        icon: 'alerts',
        title: 'No alerts',
        children: 'Denials, failed payments, limits close to exhaustion and suspended agents appear here.',
      }}
      noResults="Change the filters to see more."
    />
  )
}
