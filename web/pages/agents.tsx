// All agents: whether they may pay, what they have spent today and may still spend, what waits for a decision, and their
// last payments.
import type { Entry } from '../api.js'
import { AgentForm, agentTypeName } from '../components/agentForm.js'
import { LimitLeft } from '../components/limitBar.js'
import { Money, Time } from '../components/amounts.js'
import { Badge } from '../components/badge.js'
import { ButtonLink } from '../components/button.js'
import { Opening } from '../components/dialog.js'
import { ListPage } from '../components/list.js'
import { NameCell } from '../components/nameCell.js'
import { type Columns } from '../components/table.js'
import { decimal, grouped, micros } from '../format/money.js'
import { useList } from '../load.js'
import { dayAt, daysLater } from '../overview/period.js'
import type { PageProps } from '../page.js'
import { go, to } from '../router.js'
import { useMay, useSignedIn } from '../session.js'
import { useSums, type ShowSums } from '../sums.js'

/** An approval request has steps of at most thirty days. */
const LONGEST_WAIT_DAYS = 90
const STATUSES = ['ACTIVE', 'PAUSED', 'SUSPENDED', 'REVOKED'] as const

interface Shown {
  today: ShowSums
  /** Also of payments that were requested long ago, and still wait. */
  latest: ShowSums
}

type Listed = Entry<'GET /api/agents', 'agents'>

const columnsOf = ({ today, latest }: Shown): Columns<Listed> => [
  {
    head: 'Name',
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
    head: 'Spent today',
    align: 'end',
    cell: ({ id, activity }) => (
      <div>
        {today(id, ({ executed }) => decimal(executed.amount))}
        {activity && <DailyLimit of={activity} />}
      </div>
    ),
  },
  {
    head: 'Pending',
    align: 'end',
    cell: ({ id }) => latest(id, ({ pendingApproval }) => grouped(pendingApproval.count)),
  },
  { head: 'Last payment', cell: ({ activity }) => <Last of={activity?.lastPayment} /> },
]

/** What the daily limits of its wallets leave, together. */
function DailyLimit({ of }: { of: NonNullable<Listed['activity']> }) {
  const { wallets, spentToday, reserved, dailyLimit } = of
  if (wallets === 0) return <div class="hint">no wallet</div>
  if (dailyLimit === null) return <div class="hint">no daily limit</div>
  return (
    <div class="limit-cell">
      <LimitLeft label="Daily limit" limit={dailyLimit} used={micros(spentToday) + micros(reserved)} />
    </div>
  )
}

function Last({ of }: { of: NonNullable<Listed['activity']>['lastPayment'] | undefined }) {
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
  const agents = useList('GET /api/agents', 'agents', {
    query: { status, search, include: 'activity' },
  })
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
      columns={columnsOf(sums)}
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
