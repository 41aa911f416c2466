// All agents, with their purpose and whether they may pay.
import { api, type Entry } from '../api.js'
import { AgentForm, agentTypeName } from '../components/agentForm.js'
import { Badge } from '../components/badge.js'
import { Opening } from '../components/dialog.js'
import { Time } from '../components/amounts.js'
import { Filter, SearchFilter } from '../components/filter.js'
import { Icon } from '../components/icon.js'
import { Listed, NoResults } from '../components/list.js'
import { Page } from '../components/page.js'
import { Empty } from '../components/loadingStates.js'
import { Table, type Column } from '../components/table.js'
import { useList } from '../load.js'
import { words } from '../format/words.js'
import { go, to } from '../router.js'
import type { PageProps } from '../page.js'
import { useMay } from '../session.js'

type Agent = Entry<'GET /api/agents', 'agents'>

const STATUSES = ['ACTIVE', 'PAUSED', 'SUSPENDED', 'REVOKED'] as const

export default function Agents({ query }: PageProps) {
  const status = STATUSES.find((one) => one === query.get('status'))
  const search = query.get('search') || undefined
  const agents = useList(
    (cursor) => api.call('GET /api/agents', { query: { status, search, cursor } }),
    (page) => page.agents,
    [status, search],
  )
  const filters = { path: 'agents', query }
  return (
    <Page
      title="Agents"
      lead="AI agents that request payments, with their wallets, limits and keys."
      actions={<NewAgent />}
    >
      <div class="filters">
        <SearchFilter {...filters} label="Search" name="search" />
        <Filter
          {...filters}
          label="Status"
          name="status"
          options={[['', 'All'], ...STATUSES.map((one) => [one, words(one)] as const)]}
        />
      </div>
      <Listed of={agents} none={<None filtered={[...query].length > 0} />}>
        {(rows) => <Table caption="Agents" columns={COLUMNS} rows={rows} keyOf={({ id }) => id} />}
      </Listed>
    </Page>
  )
}

const COLUMNS: Column<Agent>[] = [
  {
    head: 'Name',
    cell: ({ id, name }) => (
      <a class="row-link" href={to('agents', id)}>
        {name}
      </a>
    ),
  },
  { head: 'Status', cell: ({ status }) => <Badge status={status} /> },
  { head: 'Description', cell: ({ description }) => description ?? '–' },
  { head: 'Type', cell: ({ agentType }) => agentTypeName(agentType) },
  { head: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
]

function None({ filtered }: { filtered: boolean }) {
  if (filtered)
    return (
      <NoResults title="No results" all={to('agents')}>
        Change the search or the status.
      </NoResults>
    )
  return (
    <Empty
      icon="agents"
      title="No agents yet"
      action={
        <a class="button primary" href={to('welcome')}>
          Set up an agent
        </a>
      }
    >
      Give an agent a wallet, spending limits and a key. It takes a minute.
    </Empty>
  )
}

function NewAgent() {
  if (!useMay('MANAGER')) return null
  return (
    <Opening
      label={
        <>
          <Icon name="plus" />
          New agent
        </>
      }
      title="New agent"
      class="primary"
    >
      {() => <AgentForm onDone={({ id }) => go(to('agents', id))} />}
    </Opening>
  )
}
