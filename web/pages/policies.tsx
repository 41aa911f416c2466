// All policies of the organization: whom each applies to, what it has decided, its rules, and whether it is active.
import type { Entry } from '../api.js'
import { Time } from '../components/amounts.js'
import { Badge } from '../components/badge.js'
import { ButtonLink } from '../components/button.js'
import { Records } from '../components/list.js'
import { Page } from '../components/page.js'
import { NameCell } from '../components/nameCell.js'
import { TwoLines, type Columns } from '../components/table.js'
import { Tabs } from '../components/tabs.js'
import { words } from '../format/words.js'
import { useList } from '../load.js'
import type { PageProps } from '../page.js'
import { appliesTo } from '../policies/policy.js'
import { to } from '../router.js'
import { useMay } from '../session.js'
import { useSums, type ShownSums } from '../sums.js'
import { grouped } from '../format/money.js'

const SHOWN = [
  ['all', 'All'],
  ['on', 'Active'],
  ['off', 'Inactive'],
] as const

const columnsOf = (latest: ShownSums): Columns<Entry<'GET /api/policies', 'policies'>> => [
  {
    head: 'Policy',
    cell: ({ id, name, policyType }) => (
      <NameCell name={name} href={to('policies', id)} about={words(policyType)} id={id} what="policy id" />
    ),
  },
  { head: 'Status', cell: ({ isActive }) => <Badge status={isActive ? 'ACTIVE' : 'INACTIVE'} /> },
  { head: 'Applies to', cell: appliesTo },
  {
    head: 'Decided in 30 days',
    align: 'end',
    cell: ({ id }) => (
      <TwoLines
        first={latest.show(id, ({ requested }) => grouped(requested.count))}
        second={latest.show(id, ({ denied }) => `${grouped(denied.count)} denied`)}
      />
    ),
  },
  { head: 'Rules', align: 'end', cell: ({ rules }) => rules.length },
  { head: 'Priority', align: 'end', cell: ({ priority }) => priority },
  { head: 'Version', align: 'end', cell: ({ version }) => version },
  { head: 'Updated', cell: ({ updatedAt }) => <Time at={updatedAt} as="relative" /> },
]

export default function Policies({ query }: PageProps) {
  const [shown, label] = SHOWN.find(([id]) => id === query.get('shown')) ?? SHOWN[0]
  const isActive = shown === 'all' ? undefined : shown === 'on'
  const list = useList('GET /api/policies', 'policies', { query: { isActive } })
  const latest = useSums('policy')
  const may = useMay('MANAGER')
  const none =
    shown === 'all'
      ? {
          title: 'No policies yet',
          children:
            'Until you create one, only the limits of delegations apply. Start with a template and preview its impact ' +
            'before you activate it.',
          action: may && <ButtonLink primary href={to('policies', 'new')} label="Create policy" />,
        }
      : { title: 'No results', children: `No policy is ${label.toLowerCase()}.` }
  return (
    <Page
      title="Policies"
      lead="Rules for what agents may pay, how much, when and to whom. If several policies apply, the strictest decides."
      actions={may && <ButtonLink primary href={to('policies', 'new')} label="New policy" />}
    >
      <Tabs label="Status" current={shown} of={SHOWN} href={(id) => to('policies', { shown: id })} />
      <Records caption="Policies" of={list} columns={columnsOf(latest)} none={{ icon: 'policies', ...none }} />
    </Page>
  )
}
