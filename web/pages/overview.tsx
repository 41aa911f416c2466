// The overview: what was spent, by whom, on what, against which limit; what waits; what was denied and why; what is wrong.
import { useAttention } from '../attention/context.js'
import { ButtonLink } from '../components/button.js'
import { Empty, When } from '../components/loadingStates.js'
import { NearestLimits } from '../components/nearestLimits.js'
import { Page } from '../components/page.js'
import { useLoad, useRead, type Loaded } from '../load.js'
import { Charts } from '../overview/charts.js'
import { Denials } from '../overview/denials.js'
import { Figures } from '../overview/figures.js'
import { PendingApprovals } from '../overview/pendingApprovals.js'
import { periodOf, type ShownPeriod } from '../overview/period.js'
import { PeriodPicker } from '../overview/periodPicker.js'
import { readOverview, type Overviewed } from '../overview/read.js'
import { Shares } from '../overview/shares.js'
import { Troubles } from '../overview/troubles.js'
import type { PageProps } from '../page.js'
import { to } from '../router.js'
import { useSignedIn } from '../session.js'

const EVERY_MS = 30_000

export default function Overview({ query }: PageProps) {
  const { organization } = useSignedIn()
  const period = periodOf(query, organization.timezone)
  const isValid = period.length > 0
  // Both at once: an organization without agents has sums, too.
  const agents = useRead('GET /api/agents', { query: { limit: 1 } }, { everyMs: EVERY_MS })
  const overview = useLoad(async (signal) => (isValid ? readOverview(period, signal) : undefined), [period], {
    everyMs: EVERY_MS,
  })
  return (
    <Page title="Overview">
      <When of={agents} rows={6}>
        {({ total }) => (total === 0 ? <Begin /> : <All period={period} overview={overview} />)}
      </When>
    </Page>
  )
}

function Begin() {
  return (
    <Empty
      icon="agents"
      title="No agents yet"
      action={<ButtonLink primary href={to('welcome')} label="Set up an agent" />}
    >
      Give an agent a wallet, limits and a key. It takes a minute, and the first payments are simulated unless the
      service settles live.
    </Empty>
  )
}

interface AllProps {
  period: ShownPeriod
  overview: Loaded<Overviewed | undefined>
}

function All({ period, overview }: AllProps) {
  const attention = useAttention()
  const isValid = period.length > 0
  const { data } = overview
  return (
    <>
      <PeriodPicker period={period} />
      {isValid && <Figures of={data} period={period} failedDeliveries={attention.data?.totals.failedDeliveries} />}
      {isValid && (
        <When of={overview} rows={8}>
          {(known) => known && (hasAny(known) ? period.length > 1 && <Charts of={known} /> : <NoPayments />)}
        </When>
      )}
      <div class="cards dense">
        <PendingApprovals everyMs={EVERY_MS} />
        <Denials everyMs={EVERY_MS} />
        <Troubles of={attention} />
      </div>
      {data && data.totals.executed.count > 0 && <Shares period={period} everyMs={EVERY_MS} />}
      <NearestLimits everyMs={EVERY_MS} />
    </>
  )
}

const hasAny = ({ totals: { requested, executed } }: Overviewed): boolean => requested.count + executed.count > 0

function NoPayments() {
  return (
    <Empty
      icon="payments"
      title="No payments in this period"
      action={<ButtonLink href={to('agents')} label="View agents" />}
    >
      Choose a longer period. Agents request payments with a key, which you create on the page of an agent.
    </Empty>
  )
}
