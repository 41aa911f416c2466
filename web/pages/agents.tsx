// All agents, with their purpose and whether they may pay.
import type { Entry } from '../api.js'
import { AgentForm, agentTypeName } from '../components/agentForm.js'
import { Time } from '../components/amounts.js'
import { Badge } from '../components/badge.js'
import { ButtonLink } from '../components/button.js'
import { Opening } from '../components/dialog.js'
import { ListPage } from '../components/list.js'
import { RowLink, type Columns } from '../components/table.js'
import { useList } from '../load.js'
import type { PageProps } from '../page.js'
import { go, to } from '../router.js'
import { useMay } from '../session.js'

const STATUSES = ['ACTIVE', 'PAUSED', 'SUSPENDED', 'REVOKED'] as const

const COLUMNS: Columns<Entry<'GET /api/agents', 'agents'>> = [
  { head: 'Name', cell: ({ id, name }) => <RowLink href={to('agents', id)}>{name}</RowLink> },
  { head: 'Status', cell: ({ status }) => <Badge status={status} /> },
  { head: 'Description', cell: ({ description }) => description ?? '–' },
  { head: 'Type', cell: ({ agentType }) => agentTypeName(agentType) },
  { head: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
]

export default function Agents({ query }: PageProps) {
  const status = STATUSES.find((one) => one === query.get('status'))
  const search = query.get('search') || undefined
  const agents = useList('GET /api/agents', 'agents', { query: { status, search } })
  const create = useMay('MANAGER') && (
    <Opening label="New agent" icon="plus" title="New agent" class="primary">
      <AgentForm onDone={({ id }) => go(to('agents', id))} />
    </Opening>
  )
  return (
    <ListPage
      title="Agents"
      lead="AI agents that request payments, with their wallets, limits and keys."
      actions={create}
      path="agents"
      query={query}
      filters={[
        { label: 'Search', name: 'search' },
        { label: 'Status', name: 'status', options: STATUSES },
      ]}
      of={agents}
      columns={COLUMNS}
      none={{
        icon: 'agents',
        title: 'No agents yet',
        children: 'Give an agent a wallet, spending limits and a key. It takes a minute.',
        action: <ButtonLink primary href={to('welcome')} label="Set up an agent" />,
      }}
      noResults="Change the search or the status."
    />
  )
}
