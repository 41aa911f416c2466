// All policies of the organization: whom each applies to, its rules, and whether it is active.
import { api, type Entry } from '../api.js'
import { Badge } from '../components/badge.js'
import { Time } from '../components/amounts.js'
import { Listed } from '../components/list.js'
import { Page } from '../components/page.js'
import { Empty } from '../components/loadingStates.js'
import { Table, type Column } from '../components/table.js'
import { Tabs } from '../components/tabs.js'
import { words } from '../format/words.js'
import { useList } from '../load.js'
import { appliesTo } from '../policies/policy.js'
import { to } from '../router.js'
import type { PageProps } from '../page.js'
import { useMay } from '../session.js'

type Listed = Entry<'GET /api/policies', 'policies'>

const SHOWN = ['all', 'on', 'off'] as const
const LABELS = { all: 'All', on: 'Active', off: 'Inactive' }

export default function Policies({ query }: PageProps) {
  const shown = SHOWN.find((one) => one === query.get('shown')) ?? 'all'
  const isActive = shown === 'all' ? undefined : shown === 'on'
  const list = useList(
    (cursor) => api.call('GET /api/policies', { query: { isActive, cursor } }),
    ({ policies }) => policies,
    [shown],
  )
  const mayWrite = useMay('MANAGER')
  return (
    <Page
      title="Policies"
      lead="Rules for what agents may pay, how much, when and to whom. If several policies apply, the strictest decides."
      actions={
        mayWrite && (
          <a class="button primary" href={to('policies', 'new')}>
            New policy
          </a>
        )
      }
    >
      <Tabs
        label="Status"
        current={shown}
        tabs={SHOWN.map((id) => ({ id, label: LABELS[id], href: to('policies', { shown: id }) }))}
      />
      <Listed of={list} none={<None shown={shown} mayWrite={mayWrite} />}>
        {(rows) => <PolicyTable rows={rows} />}
      </Listed>
    </Page>
  )
}

function None({ shown, mayWrite }: { shown: (typeof SHOWN)[number]; mayWrite: boolean }) {
  if (shown !== 'all')
    return (
      <Empty icon="policies" title="No results">
        No policy is {LABELS[shown].toLowerCase()}.
      </Empty>
    )
  const action = mayWrite && (
    <a class="button primary" href={to('policies', 'new')}>
      Create policy
    </a>
  )
  return (
    <Empty icon="policies" title="No policies yet" action={action}>
      Until you create one, only the limits of delegations apply. Start with a template and preview its impact before
      you activate it.
    </Empty>
  )
}

function PolicyTable({ rows }: { rows: Listed[] }) {
  const columns: Column<Listed>[] = [
    {
      head: 'Policy',
      cell: ({ id, name }) => (
        <a class="row-link" href={to('policies', id)}>
          {name}
        </a>
      ),
    },
    { head: 'Type', cell: ({ policyType }) => words(policyType) },
    { head: 'Applies to', cell: appliesTo },
    { head: 'Rules', align: 'end', cell: ({ rules }) => rules.length },
    { head: 'Priority', align: 'end', cell: ({ priority }) => priority },
    { head: 'Version', align: 'end', cell: ({ version }) => version },
    { head: 'Updated', cell: ({ updatedAt }) => <Time at={updatedAt} as="relative" /> },
    { head: 'Status', cell: ({ isActive }) => <Badge status={isActive ? 'ACTIVE' : 'INACTIVE'} /> },
  ]
  return <Table caption="Policies" columns={columns} rows={rows} keyOf={({ id }) => id} />
}
