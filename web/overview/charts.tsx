// Spending and decisions, day by day. A single day has nothing to draw: the service counts no hours.
import { Chart } from '../components/chart.js'
import { about, decimal, grouped } from '../format/money.js'
import type { Overviewed } from './read.js'

type Sums = NonNullable<Overviewed['days'][number]['sums']>

/** Decisions are whole. */
const countTick = (count: number): string => (Number.isInteger(count) ? grouped(count) : '')

export function Charts({ of: { days } }: { of: Overviewed }) {
  const starts = days.map(({ day }) => Date.parse(day))
  const values = (pick: (sums: Sums) => number): number[] => days.map(({ sums }) => (sums ? pick(sums) : 0))
  return (
    <div class="cards">
      <div class="card">
        <h2>Spent by day</h2>
        <Chart
          title="Spent by day"
          days={starts}
          write={decimal}
          tick={about}
          series={[{ label: 'USDC', tone: 'plain', values: values(({ executed }) => executed.amount) }]}
        />
      </div>
      <div class="card">
        <h2>Decisions by day</h2>
        <Chart
          title="Decisions by day"
          days={starts}
          write={grouped}
          tick={countTick}
          series={[
            { label: 'Denied', tone: 'bad', values: values(({ denied }) => denied.count) },
            { label: 'Pending', tone: 'waiting', values: values(({ pendingApproval }) => pendingApproval.count) },
            { label: 'Approved', tone: 'good', values: values(({ approved }) => approved.count) },
          ]}
        />
      </div>
    </div>
  )
}
