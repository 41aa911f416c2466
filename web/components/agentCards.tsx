// The cards that an agent may pay with: the limits, what is left of them, and the terms.
import { useState } from 'preact/hooks'
import { api, everyOne } from '../api.js'
import { useDraft } from '../edit.js'
import { decimal, limitText } from '../format/money.js'
import { cardName } from '../format/words.js'
import { useLoad } from '../load.js'
import type { Agent, AssignedCard, Card } from '../records.js'
import { useMay } from '../session.js'
import { ALL_TIMES, AllowedTimes, timesText } from './allowedTimes.js'
import { Badge } from './badge.js'
import { Confirm, Opening } from './dialog.js'
import { Facts } from './facts.js'
import { AMOUNT, Fields, type Rows } from './fields.js'
import { CLOSES, Form, Select, useSending } from './form.js'
import { Empty, When } from './loadingStates.js'
import { Section } from './page.js'

export function AgentCards({ agent }: { agent: Agent }) {
  const agentId = agent.id
  const may = useMay('ADMIN') && agent.status !== 'REVOKED'
  const cards = useLoad(
    () => everyOne(api.list('GET /api/agents/{agentId}/cards', 'cards', { path: { agentId }, query: { limit: 100 } })),
    [agentId],
  )
  const assign = may && (
    <Opening label="Assign card" icon="plus" title={`Assign a card to ${agent.name}`}>
      <Assign agent={agent} taken={cards.data ?? []} reload={cards.reload} />
    </Opening>
  )
  return (
    <Section title="Cards" actions={assign}>
      <When of={cards} rows={1}>
        {(all) =>
          all.length === 0 ? (
            <p class="hint">No card is assigned.</p>
          ) : (
            <div class="cards">
              {all.map((of) => (
                <OneCard key={of.id} of={of} agentName={agent.name} may={may} reload={cards.reload} />
              ))}
            </div>
          )
        }
      </When>
    </Section>
  )
}

interface OneProps {
  of: AssignedCard
  agentName: string
  may: boolean
  reload: () => void
}

function OneCard({ of, agentName, may, reload }: OneProps) {
  const { agentId, cardId, name, status, blockedCategories } = of
  return (
    <div class="card">
      <div class="card-head">
        <h3>
          {name} <span class="hint">{cardName(of)}</span>
        </h3>
        {status !== 'ACTIVE' && <Badge status={status} />}
      </div>
      <Facts
        of={[
          ['Per payment', `${limitText(of.spendLimitPerTx)} USD`],
          ['Daily', `${limitText(of.spendLimitDaily)} USD, ${decimal(of.spentToday)} spent`],
          ['Reserved', of.reserved > 0 && `${decimal(of.reserved)} for payments in progress`],
          ['Allowed hours', timesText(of)],
          ['Blocked categories', blockedCategories.length > 0 && blockedCategories.join(', ')],
        ]}
      />
      {may && (
        <div class="actions">
          <Confirm
            label="Unassign"
            about={name}
            title={`Unassign ${name} from ${agentName}?`}
            danger
            act={() => api.call('DELETE /api/agents/{agentId}/cards', { path: { agentId }, query: { cardId } })}
            after={reload}
            done={`${name} was unassigned`}
          >
            The agent can no longer ask to pay with this card.
          </Confirm>
        </div>
      )}
    </div>
  )
}

interface AssignProps {
  agent: Agent
  taken: readonly AssignedCard[]
  reload: () => void
}

function Assign({ agent, taken, reload }: AssignProps) {
  const cards = useLoad(
    () => everyOne(api.list('GET /api/cards', 'cards', { query: { status: 'ACTIVE', limit: 100 } })),
    [],
  )
  return (
    <When of={cards}>
      {(all) => {
        const free = all.filter(({ id }) => !taken.some(({ cardId }) => cardId === id))
        if (free.length === 0)
          return (
            <Empty icon="cards" title="No other card">
              Register one under Cards first.
            </Empty>
          )
        return <AssignCard agentId={agent.id} cards={free} onDone={reload} />
      }}
    </When>
  )
}

const NEW = { spendLimitPerTx: '', spendLimitDaily: '', blockedCategories: '', ...ALL_TIMES }
type Draft = typeof NEW

const LIMITS: Rows<Draft> = [
  [
    { name: 'spendLimitPerTx', label: 'Per payment, USD', ...AMOUNT, hint: 'Empty for the limit of the card.' },
    { name: 'spendLimitDaily', label: 'Daily, USD', ...AMOUNT, hint: 'Empty for the limit of the card.' },
  ],
  {
    name: 'blockedCategories',
    label: 'Blocked categories',
    hint: 'Merchant category codes of four digits, separated by commas.',
  },
]

function termsIn({
  spendLimitPerTx,
  spendLimitDaily,
  blockedCategories,
  allowedHoursStart,
  allowedHoursEnd,
  ...more
}: Draft) {
  return {
    ...more,
    spendLimitPerTx: spendLimitPerTx.trim() || undefined,
    spendLimitDaily: spendLimitDaily.trim() || undefined,
    blockedCategories: blockedCategories.split(/[\s,]+/).filter((code) => code !== ''),
    allowedHoursStart: Number(allowedHoursStart),
    allowedHoursEnd: Number(allowedHoursEnd),
  }
}

function AssignCard({ agentId, cards, onDone }: { agentId: string; cards: readonly Card[]; onDone: () => void }) {
  const [cardId, setCard] = useState(cards[0]!.id)
  const { draft, set } = useDraft(NEW)
  const sending = useSending(async (once) => {
    const body = { cardId, ...termsIn(draft) }
    await api.call('POST /api/agents/{agentId}/cards', { path: { agentId }, body }, once)
    onDone()
    return 'The card was assigned'
  }, CLOSES)
  return (
    <Form sending={sending} submit="Assign">
      <Select
        label="Card"
        path="cardId"
        options={cards.map((card) => [card.id, `${card.name}, ${cardName(card)}`])}
        value={cardId}
        onValue={setCard}
      />
      <Fields draft={draft} set={set} of={LIMITS} />
      <AllowedTimes draft={draft} set={set} />
    </Form>
  )
}
