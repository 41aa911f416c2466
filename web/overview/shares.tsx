// What was spent, by agent, recipient, category, policy and wallet: the largest parts, each with its share.
import type { ComponentChildren } from 'preact'
import { api, unlessRemoved, type Entry } from '../api.js'
import { Later } from '../components/later.js'
import { When } from '../components/loadingStates.js'
import { Section } from '../components/page.js'
import { CounterpartyName } from '../components/recipient.js'
import { decimal, fromMicros, grouped, micros, share } from '../format/money.js'
import { short, words } from '../format/words.js'
import { useLoad } from '../load.js'
import { to } from '../router.js'
import type { ShownPeriod } from './period.js'

type Row = Entry<'GET /api/stats', 'rows'>

interface Dimension {
  by: 'agent' | 'counterparty' | 'category' | 'policy' | 'wallet'
  title: string
  /** What is in no row. */
  others?: string
  idOf: (row: Row) => string
  hrefOf: (id: string, period: ShownPeriod) => string
}

const DIMENSIONS: readonly Dimension[] = [
  {
    by: 'agent',
    title: 'By agent',
    idOf: ({ agentId }) => agentId!,
    hrefOf: (agent, period) => paidIn(period, { agent }),
  },
  {
    by: 'counterparty',
    title: 'By recipient',
    others: 'Paid by card',
    idOf: ({ counterpartyId }) => counterpartyId!,
    hrefOf: (counterparty, period) => paidIn(period, { counterparty }),
  },
  {
    by: 'category',
    title: 'By category',
    others: 'No category',
    idOf: ({ category }) => category!,
    hrefOf: (category, period) => paidIn(period, { category }),
  },
  {
    by: 'policy',
    title: 'By policy',
    idOf: ({ policyId }) => policyId!,
    hrefOf: (policy, period) => paidIn(period, { policy }),
  },
  {
    by: 'wallet',
    title: 'By wallet',
    others: 'Paid by card',
    idOf: ({ walletId }) => walletId!,
    hrefOf: (wallet, period) => paidIn(period, { wallet }),
  },
]
const MOST_SHOWN = 5

function paidIn({ from, to: until }: ShownPeriod, filter: Record<string, string>): string {
  return to('payments', { ...filter, status: 'EXECUTED', from, until })
}

interface Part {
  id: string
  name: ComponentChildren
  /** Micro-units. */
  amount: bigint
}

interface Parts {
  shown: Part[]
  /** What the largest ones leave: how many more there are, and what is in no row. */
  more: { count: number; amount: bigint }
  others: bigint
  total: bigint
}

interface Props {
  period: ShownPeriod
  everyMs: number
}

export function Shares(props: Props) {
  return (
    <Section title="Where it went" lead="Payments executed in the period.">
      <div class="cards dense">
        {DIMENSIONS.map((dimension) => (
          <Share key={dimension.by} {...props} dimension={dimension} />
        ))}
      </div>
    </Section>
  )
}

function Share({ dimension, ...props }: Props & { dimension: Dimension }) {
  return (
    <div class="card">
      <h3>{dimension.title}</h3>
      <Later rows={3}>
        <Largest {...props} dimension={dimension} />
      </Later>
    </div>
  )
}

function Largest({ period, everyMs, dimension }: Props & { dimension: Dimension }) {
  const { from, to: until } = period
  const { by, others, hrefOf } = dimension
  const parts = useLoad((signal) => readParts(dimension, period, signal), [by, from, until], { everyMs })
  return (
    <When of={parts} rows={3}>
      {(known) => (
        <>
          {by === 'policy' && (
            <p class="hint">
              {known.shown.length > 0
                ? 'A payment counts for every policy that decided it.'
                : 'No policy decided these payments. Assign one to set rules beside the limits.'}
            </p>
          )}
          <ul class="shares">
            {known.shown.map(({ id, name, amount }) => (
              <Line key={id} name={name} href={hrefOf(id, period)} amount={amount} total={known.total} />
            ))}
            {known.more.count > 0 && (
              <Line name={`${grouped(known.more.count)} more`} amount={known.more.amount} total={known.total} />
            )}
            {others !== undefined && known.others > 0n && (
              <Line name={others} amount={known.others} total={known.total} />
            )}
          </ul>
        </>
      )}
    </When>
  )
}

function Line({ name, href, amount, total }: Omit<Part, 'id'> & { href?: string | undefined; total: bigint }) {
  const percent = share(amount, Number(fromMicros(total)))
  return (
    <li>
      <span class="share-name">{href === undefined ? name : <a href={href}>{name}</a>}</span>
      <span class="value">{decimal(fromMicros(amount))}</span>
      <progress class="plain" max={100} value={percent} aria-label={`${percent} % of what was spent`} />
    </li>
  )
}

async function readParts(dimension: Dimension, { from, to: until }: ShownPeriod, signal: AbortSignal): Promise<Parts> {
  const { by, idOf } = dimension
  const { rows, totals } = await api.call('GET /api/stats', { query: { from, to: until, by } }, { signal })
  const spent = rows.filter(({ executed }) => executed.count > 0)
  const amounts = spent.map(({ executed }) => micros(executed.amount))
  const [sum, total] = [sumOf(amounts), micros(totals.executed.amount)]
  const largest = spent.slice(0, MOST_SHOWN)
  const names = await Promise.all(largest.map((row) => nameOf(by, row, idOf(row), signal)))
  return {
    shown: largest.map((row, index) => ({ id: idOf(row), name: names[index], amount: amounts[index]! })),
    more: { count: spent.length - largest.length, amount: sumOf(amounts.slice(MOST_SHOWN)) },
    others: total - sum,
    total,
  }
}

const sumOf = (amounts: bigint[]): bigint => amounts.reduce((sum, one) => sum + one, 0n)

async function nameOf(by: Dimension['by'], { name }: Row, id: string, signal: AbortSignal): Promise<ComponentChildren> {
  if (by === 'category') return words(id)
  if (by !== 'counterparty') return name ?? `a removed ${by}`
  // Sums do not say who gave a name, and an agent's is a claim.
  const read = api.call('GET /api/counterparties/{counterpartyId}', { path: { counterpartyId: id } }, { signal })
  const counterparty = await unlessRemoved(read)
  if (counterparty === undefined) return 'a removed counterparty'
  if (counterparty.nameSource === null) return short(counterparty.address)
  return <CounterpartyName of={counterparty} />
}
