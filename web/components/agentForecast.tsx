// When the limits of an agent will be used up, going by its last 24 hours.
import { about, decimal, fromMicros, micros, money } from '../format/money.js'
import type { Entry } from '../api.js'
import { useRead } from '../load.js'
import type { Agent } from '../records.js'
import { Named, Time } from './amounts.js'
import { When } from './loadingStates.js'
import { Section } from './page.js'
import { Table, type Columns } from './table.js'

type Limit = Entry<'GET /api/agents/{agentId}/forecast', 'limits'>

const WINDOWS = { DAY: 'Today', WEEK: 'This week', MONTH: 'This month' } as const
const EVERY_MS = 30_000

const COLUMNS: Columns<Limit> = [
  { head: 'Wallet', cell: ({ walletId }) => <Named type="WALLET" id={walletId} /> },
  { head: 'Limit', cell: ({ window, limit }) => `${WINDOWS[window]}, ${money(limit)}` },
  { head: 'Used', align: 'end', cell: ({ spent, reserved }) => decimal(fromMicros(micros(spent) + micros(reserved))) },
  { head: 'Per hour', align: 'end', cell: ({ perHour }) => about(perHour) },
  {
    head: 'Forecast',
    cell: ({ exhaustedAt: at }) =>
      at === undefined ? (
        'Lasts until it resets'
      ) : (
        <>
          Used up by <Time at={at} />
        </>
      ),
  },
]

/** Nothing for an agent without limits by day, week or month. */
export function AgentForecast({ agent: { id: agentId, wallets } }: { agent: Agent }) {
  const isLimited = wallets.some((one) => one.spendLimitDaily ?? one.spendLimitWeekly ?? one.spendLimitMonthly)
  return isLimited ? <Forecast agentId={agentId} /> : null
}

function Forecast({ agentId }: { agentId: string }) {
  const forecast = useRead('GET /api/agents/{agentId}/forecast', { path: { agentId } }, { everyMs: EVERY_MS })
  return (
    <Section title="Forecast" lead="When limits will be used up at the rate of the last 24 hours.">
      <When of={forecast} rows={2}>
        {({ limits }) => (
          <Table
            caption="Forecast"
            columns={COLUMNS}
            rows={limits}
            keyOf={({ walletId, window }) => `${walletId} ${window}`}
          />
        )}
      </When>
    </Section>
  )
}
