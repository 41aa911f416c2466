// The overview: what waits, what was spent on what, how payments were decided, which limits run low, and what failed.
import { approvalProgress, Subject, titleOf } from '../components/approvalSummary.js'
import { Badge } from '../components/badge.js'
import { ButtonLink } from '../components/button.js'
import { Chart } from '../components/chart.js'
import { Time } from '../components/amounts.js'
import { NearestLimits } from '../components/nearestLimits.js'
import { Page } from '../components/page.js'
import { Empty, Notice, When } from '../components/loadingStates.js'
import { about, decimal } from '../format/money.js'
import { dateTime } from '../format/time.js'
import { words } from '../format/words.js'
import { useLoad, useRead } from '../load.js'
import { DAYS, readMonth, type Month, type Share } from '../month.js'
import { to } from '../router.js'
import { useSignedIn } from '../session.js'

const EVERY_MS = 30_000

export default function Overview() {
  const agents = useRead('GET /api/agents', { query: { limit: 1 } }, { everyMs: EVERY_MS })
  return (
    <Page title="Overview">
      <When of={agents} rows={6}>
        {({ total }) => (total === 0 ? <Begin /> : <Figures />)}
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

function Figures() {
  const {
    organization: { timezone },
  } = useSignedIn()
  const month = useLoad((signal) => readMonth(timezone, signal), [timezone], { everyMs: EVERY_MS })
  return (
    <>
      {month.data?.since && (
        <Notice>
          The figures cover the latest 1,000 payments, since <Time at={month.data.since} />.
        </Notice>
      )}
      <Heads month={month.data} />
      <div class="wide-and-side">
        <div class="stack">
          <When of={month} rows={8}>
            {(data) => <Charts of={data} />}
          </When>
        </div>
        <div class="stack">
          <PendingApprovals />
          {month.data && <Shares title="By agent" of={month.data.byAgent} />}
          {month.data && (
            <Shares title="By category" of={month.data.byCategory.map((one) => ({ ...one, name: words(one.name) }))} />
          )}
        </div>
      </div>
      <NearestLimits everyMs={EVERY_MS} />
    </>
  )
}

function Heads({ month }: { month: Month | undefined }) {
  const failed = useRead(
    'GET /api/webhooks/deliveries',
    { query: { status: 'FAILED', limit: 1 } },
    { everyMs: EVERY_MS },
  )
  const lost = failed.data?.pagination.total
  const span = month?.since ? `since ${dateTime(month.since)}` : `in ${DAYS} days`
  return (
    <div class="figures">
      <a class="figure" href={to('payments', { status: 'EXECUTED' })}>
        <span>Spent {month?.since && month.days.length === 1 ? span : 'today'}</span>
        <strong>{month ? decimal(month.today) : '…'}</strong>
        <span>USDC</span>
      </a>
      <a class="figure" href={to('payments', { status: 'EXECUTED' })}>
        <span>Spent {span}</span>
        <strong>{month ? decimal(month.total) : '…'}</strong>
        <span>USDC</span>
      </a>
      <a class="figure" href={to('payments', { status: 'DENIED' })}>
        <span>Denied {span}</span>
        <strong>{month ? month.denied.toLocaleString('en') : '…'}</strong>
        <span>payments</span>
      </a>
      <a class="figure" href={to('webhooks', { status: 'FAILED' })}>
        <span>Failed deliveries</span>
        <strong>{lost === undefined ? '…' : lost.toLocaleString('en')}</strong>
        <span>in 7 days</span>
      </a>
    </div>
  )
}

function Charts({ of: { days, spent, decisions } }: { of: Month }) {
  return (
    <>
      <div class="card">
        <h2>Spent by day</h2>
        <Chart
          title="Spent by day"
          days={days}
          write={about}
          series={[{ label: 'USDC', tone: 'plain', values: spent }]}
        />
      </div>
      <div class="card">
        <h2>Decisions</h2>
        <Chart
          title="Decisions by day"
          days={days}
          write={(count) => String(count)}
          series={[
            { label: 'Denied or failed', tone: 'bad', values: decisions.denied },
            { label: 'Approval required or expired', tone: 'waiting', values: decisions.waiting },
            { label: 'Approved', tone: 'good', values: decisions.executed },
          ]}
        />
      </div>
    </>
  )
}

function Shares({ title, of }: { title: string; of: Share[] }) {
  return (
    <div class="card">
      <h2>{title}</h2>
      {of.length === 0 && <p class="hint">No spending.</p>}
      <ul class="shares">
        {of.slice(0, 6).map(({ name, amount, percent }) => (
          <li key={name}>
            <span>{name}</span>
            <span class="value">{decimal(amount)}</span>
            <progress class="plain" max={100} value={percent} aria-label={`${name}: ${percent} %`} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function PendingApprovals() {
  const requests = useRead(
    'GET /api/approval-requests',
    { query: { status: 'PENDING', limit: 5 } },
    { everyMs: EVERY_MS },
  )
  return (
    <div class="card">
      <div class="card-head">
        <h2>Pending approvals</h2>
        <a href={to('approvals')}>View all</a>
      </div>
      <When of={requests} rows={2}>
        {(page) =>
          page.requests.length === 0 ? (
            <p class="hint">No pending approvals.</p>
          ) : (
            <ul class="lines">
              {page.requests.map((approval) => (
                <li key={approval.id}>
                  <span>
                    <a href={to('approvals', approval.id)}>{titleOf(approval)}</a> <Subject of={approval} />
                    <br />
                    <span class="hint">
                      expires <Time at={approval.expiresAt} as="relative" />
                    </span>
                  </span>
                  <Badge status={approval.status} says={approvalProgress(approval)} />
                </li>
              ))}
            </ul>
          )
        }
      </When>
    </div>
  )
}
