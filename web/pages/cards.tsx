// The payment cards that agents may be assigned: limits, what was spent today, pausing and cancelling them.
import { api } from '../api.js'
import { Badge } from '../components/badge.js'
import { CardForm, EditCard } from '../components/cardForm.js'
import { Confirm, Opening } from '../components/dialog.js'
import { ListPage } from '../components/list.js'
import { NameCell } from '../components/nameCell.js'
import { actionColumn, TwoLines, type Columns } from '../components/table.js'
import { decimal, limitText } from '../format/money.js'
import { cardName, words } from '../format/words.js'
import { useList } from '../load.js'
import type { PageProps } from '../page.js'
import type { Card } from '../records.js'
import { useMay } from '../session.js'

const STATUSES = ['ACTIVE', 'PAUSED', 'CANCELLED'] as const

export default function Cards({ query }: PageProps) {
  const may = useMay('ADMIN')
  const status = STATUSES.find((one) => one === query.get('status'))
  const cards = useList('GET /api/cards', 'cards', { query: { status } })
  const create = may && (
    <Opening label="New card" icon="plus" title="New card" class="primary">
      <CardForm onDone={cards.reload} />
    </Opening>
  )
  return (
    <ListPage
      title="Cards"
      lead="Payment cards. An agent can ask to pay with a card once it is assigned to the agent. Card numbers are never stored."
      actions={create}
      path="cards"
      query={query}
      filters={[{ label: 'Status', name: 'status', options: STATUSES }]}
      of={cards}
      columns={columnsFor(may, cards.reload)}
      none={{
        icon: 'cards',
        title: 'No cards yet',
        children: 'Register one here, then assign it to an agent with limits.',
      }}
    />
  )
}

const columnsFor = (may: boolean, reload: () => void): Columns<Card> => [
  {
    head: 'Name',
    cell: (card) => <NameCell name={card.name} about={cardName(card)} id={card.id} what="card id" />,
  },
  { head: 'Provider', cell: ({ provider }) => words(provider) },
  { head: 'Status', cell: ({ status }) => <Badge status={status} /> },
  { head: 'Per payment, USD', align: 'end', cell: ({ spendLimitPerTx }) => limitText(spendLimitPerTx) },
  {
    head: 'Daily, USD',
    align: 'end',
    cell: ({ spendLimitDaily, spentToday, reserved }) => (
      <TwoLines
        first={limitText(spendLimitDaily)}
        second={`${decimal(spentToday)} spent, ${decimal(reserved)} reserved`}
      />
    ),
  },
  may && actionColumn((card) => card.status !== 'CANCELLED' && <Actions of={card} reload={reload} />),
]

function Actions({ of, reload }: { of: Card; reload: () => void }) {
  const { id: cardId, name, status } = of
  const set = (next: Card['status']) =>
    api.call('PATCH /api/cards/{cardId}', { path: { cardId }, body: { status: next } })
  return (
    <>
      <Opening label="Edit" about={name} title={`Edit ${name}`}>
        <EditCard of={of} onDone={reload} />
      </Opening>
      {status === 'ACTIVE' ? (
        <Confirm
          label="Pause"
          about={name}
          title={`Pause ${name}?`}
          act={() => set('PAUSED')}
          after={reload}
          done={`${name} is paused`}
        >
          No payment on it is approved until it is resumed.
        </Confirm>
      ) : (
        <Confirm
          label="Resume"
          about={name}
          title={`Resume ${name}?`}
          act={() => set('ACTIVE')}
          after={reload}
          done={`${name} is active`}
        >
          Agents may ask to pay with it again.
        </Confirm>
      )}
      <Confirm
        label="Cancel"
        about={name}
        title={`Cancel ${name}?`}
        danger
        act={() => set('CANCELLED')}
        after={reload}
        done={`${name} is cancelled`}
      >
        No payment on it is approved any more. What it is still charged with is recorded. This cannot be undone.
      </Confirm>
    </>
  )
}
