// All agents: whether they may pay, what they have spent today and may still spend, what waits for a decision, and their
// last payments.
import { useMemo } from 'preact/hooks'
import type { Entry } from '../api.js'
import { AgentForm, agentTypeName } from '../components/agentForm.js'
import { LimitLeft } from '../components/limitBar.js'
import { Money, Time } from '../components/amounts.js'
import { Badge } from '../components/badge.js'
import { ButtonLink } from '../components/button.js'
import { Opening } from '../components/dialog.js'
import { ListPage } from '../components/list.js'
import { NameCell } from '../components/nameCell.js'
import {
  SortNotice,
  sortFilter,
  sortHead,
  sortingIn,
  useSorted,
  type SortColumns,
  type SortedHeads,
} from '../components/sorting.js'
import { type Columns } from '../components/table.js'
import { decimal, grouped, micros } from '../format/money.js'
import { useList } from '../load.js'
import { dayAt, daysLater } from '../overview/period.js'
import type { PageProps } from '../page.js'
import { go, to } from '../router.js'
import { useMay, useSignedIn } from '../session.js'
import { useSums, type ShownSums } from '../sums.js'

/** An approval request has steps of at most thirty days. */
const LONGEST_WAIT_DAYS = 90
const MOST_AT_ONCE = 100
const STATUSES = ['ACTIVE', 'PAUSED', 'SUSPENDED', 'REVOKED'] as const

interface Sums {
  today: ShownSums
  /** Also of payments that were requested long ago, and still wait. */
  latest: ShownSums
}

type Listed = Entry<'GET /api/agents', 'agents'>
type Activity = NonNullable<Listed['activity']>

/** By what the list is sorted: what its columns show. */
const sortColumnsOf = (today: ShownSums): SortColumns<Listed> => ({
  name: { label: 'Name', ways: ['A to Z', 'Z to A'], valueOf: ({ name }) => name },
  spent: {
    label: 'Spent today',
    ways: ['least first', 'most first'],
    greatestFirst: true,
    valueOf: ({ id }) => micros(today.of(id)?.executed.amount ?? 0),
  },
  left: {
    label: 'Daily limit',
    ways: ['least left first', 'most left first'],
    valueOf: ({ activity }) => activity && leftOf(activity),
  },
  last: {
    label: 'Last payment',
    ways: ['oldest first', 'newest first'],
    greatestFirst: true,
    valueOf: ({ activity }) => activity?.lastPayment?.createdAt,
  },
})

const usedOf = ({ spentToday, reserved }: Activity): bigint => micros(spentToday) + micros(reserved)
const leftOf = (of: Activity): bigint | undefined =>
  of.dailyLimit === null ? undefined : micros(of.dailyLimit) - usedOf(of)

const columnsOf = ({ today, latest }: Sums, heads: SortedHeads): Columns<Listed> => [
  {
    ...sortHead(heads, 'name'),
    cell: ({ id, name, description, agentType }) => (
      <NameCell
        name={name}
        href={to('agents', id)}
        about={description || agentTypeName(agentType)}
        id={id}
        what="agent id"
      />
    ),
  },
  { head: 'Status', cell: ({ status }) => <Badge status={status} /> },
  {
    ...sortHead(heads, 'spent'),
    align: 'end',
    cell: ({ id }) => today.show(id, ({ executed }) => decimal(executed.amount)),
  },
  {
    ...sortHead(heads, 'left'),
    align: 'end',
    cell: ({ activity }) => activity && <DailyLimit of={activity} />,
  },
  {
    head: 'Pending',
    align: 'end',
    cell: ({ id }) => latest.show(id, ({ pendingApproval }) => grouped(pendingApproval.count)),
  },
  { ...sortHead(heads, 'last'), cell: ({ activity }) => <Last of={activity?.lastPayment} /> },
]

/** What the daily limits of its wallets leave, together. */
function DailyLimit({ of }: { of: Activity }) {
  const { wallets, dailyLimit } = of
  if (wallets === 0) return <div class="hint">no wallet</div>
  if (dailyLimit === null) return <div class="hint">no daily limit</div>
  return (
    <div class="limit-cell">
      <LimitLeft label="Daily limit" limit={dailyLimit} used={usedOf(of)} />
    </div>
  )
}

function Last({ of }: { of: Activity['lastPayment'] | undefined }) {
  if (!of) return <>never</>
  const { id, amount, currency, status, createdAt } = of
  return (
    <div>
      <a href={to('payments', id)}>
        <Money amount={amount} currency={currency} />
      </a>
      {status !== 'EXECUTED' && (
        <>
          {' '}
          <Badge status={status} />
        </>
      )}
      <div class="hint">
        <Time at={createdAt} as="relative" />
      </div>
    </div>
  )
}

export default function Agents({ query }: PageProps) {
  const status = STATUSES.find((one) => one === query.get('status'))
  const search = query.get('search') || undefined
  const { organization } = useSignedIn()
  const today = dayAt(Date.now(), organization.timezone)
  const sums = {
    today: useSums('agent', { from: today, to: today }),
    latest: useSums('agent', { from: daysLater(today, -LONGEST_WAIT_DAYS), to: today }),
  }
  const sortColumns = useMemo(() => sortColumnsOf(sums.today), [sums.today])
  const wanted = sortingIn(query, sortColumns)
  const all = useList('GET /api/agents', 'agents', {
    // All are read to be sorted.
    query: { status, search, include: 'activity', limit: wanted && MOST_AT_ONCE },
  })
  const agents = useSorted(all, sortColumns, wanted, wanted?.name === 'spent' ? sums.today.areRead : true)
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
        sortFilter(sortColumns),
      ]}
      besides={<SortNotice of={agents} what="agents" />}
      of={agents.list}
      columns={columnsOf(sums, { path: 'agents', query, columns: sortColumns, now: agents.now })}
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
