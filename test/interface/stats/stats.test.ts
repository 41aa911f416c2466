// Sums of payments, compared with a scan of all payments: whatever became of them, in whatever time zone, by every
// dimension and period, after a restart, and while more are made.
import test, { type ExecutionContext } from 'ava'
import type { ApprovalRequestList, Stats } from '../../../sdk/api.js'
import { ask, execute, fundedAgent, made, OPEN, type FundedAgent } from '../../support/payments.js'
import { ORGANIZATION_KEY, wholeFile } from '../../support/process.js'
import { Random } from '../../support/random.js'
import { OPERATOR_KEY, start, type Started } from '../../support/service.js'
import {
  expectedStats,
  scanPayments,
  shownStats,
  sumsIn,
  type Asked,
  type By,
  type Every,
} from '../../support/statsScan.js'

const scope = wholeFile(test)
let started: Started
let agents: FundedAgent[]

const HOUR_MS = 60 * 60_000
const QUARTER_MS = HOUR_MS / 4
const DAY_MS = 24 * HOUR_MS
const BEGIN = Date.parse('2026-03-26T00:00:00Z')
const BYS: (By | undefined)[] = [undefined, 'agent', 'wallet', 'policy', 'category', 'counterparty', 'status']
const EVERIES: (Every | undefined)[] = [undefined, 'day', 'week', 'month']
/** From when on which zone is in force: a change begins with the next quarter of an hour. */
const zones: [since: number, timezone: string][] = [[0, 'UTC']]
const zoneAt = (at: number): string => zones.findLast(([since]) => since <= at)![1]

async function setZone(timezone: string): Promise<void> {
  zones.push([Math.ceil(started.now() / QUARTER_MS) * QUARTER_MS, timezone])
  const { status } = await started.client.send('PATCH', '/api/organization', ORGANIZATION_KEY, { timezone })
  if (status !== 200) throw new Error(`The zone was answered ${status}`)
}

const statsOf = async ({ from, to, by, every }: Asked): Promise<Stats> => {
  const words = [by, every].filter((word) => word !== undefined).join(',')
  const range = `from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`
  const path = `/api/stats?${range}${words === '' ? '' : `&by=${words}`}`
  const { status, body } = await started.client.get<Stats>(path, ORGANIZATION_KEY)
  if (status !== 200) throw new Error(`${path} answered ${status} ${JSON.stringify(body)}`)
  return body
}

/** Payments of all kinds at this time of the clock. */
async function pay(random: Random): Promise<void> {
  const { client } = started
  const agent = random.pick(agents)
  const amount = (1 + random.below(3_000_000)) / 1e6
  const more = {
    recipientAddress: `0x${'00'.repeat(19)}b${random.below(5)}`,
    ...(random.chance(0.5) && { category: random.pick(['DATA', 'data', 'COMPUTE', 'constructor', '__proto__']) }),
  }
  const { body } = await ask(client, agent.key, amount, more)
  if (body.status === 'APPROVED' && random.chance(0.6)) await execute(client, agent.key, body.requestId)
  else if (body.status === 'APPROVED' && random.chance(0.3)) {
    await client.post(`/api/sdk/payments/${body.requestId}/cancel`, agent.key)
  }
}

async function decideSome(random: Random): Promise<void> {
  const path = '/api/approval-requests?status=PENDING&limit=20'
  const { body } = await started.client.get<ApprovalRequestList>(path, ORGANIZATION_KEY)
  for (const { id } of body.requests) {
    if (random.chance(0.5))
      await made(started.client, `/api/approval-requests/${id}/decision`, { decision: 'APPROVED' })
  }
}

test.before('a service with payments over some days', async () => {
  started = await start(scope, { at: BEGIN + 5 * HOUR_MS })
  const { client } = started
  agents = [
    await fundedAgent(client, { name: 'Small' }),
    await fundedAgent(client, { name: 'Asking', terms: { ...OPEN, delegationType: 'PREAPPROVED' } }),
    await fundedAgent(client, { name: 'Poor', balance: 4 }),
  ]
  for (const value of [2, 2.5]) {
    const rules = [{ ruleType: 'MAX_AMOUNT', operator: 'LTE', value, action: 'ALLOW' }]
    const policy = { name: `At most ${value}`, policyType: 'COMPOSITE', rules, agentIds: [agents[0]!.agentId] }
    await made(client, '/api/policies', policy)
  }
  const random = new Random(20_260_326)
  for (let step = 0; step < 60; step += 1) {
    started.setClock(started.now() + random.below(3 * HOUR_MS))
    if (step === 20) await setZone('Asia/Kolkata')
    if (step === 40) await setZone('America/New_York')
    for (let one = 0; one < 3; one += 1) await pay(random)
    if (step % 7 === 0) await decideSome(random)
    if (step === 30) await started.restart()
  }
  await nothingOverdue()
})

/** What has expired ends in the background. */
async function nothingOverdue(): Promise<void> {
  for (let round = 0; round < 500; round += 1) {
    const scanned = await scanPayments(started.client)
    const open = scanned.filter(({ payment }) => ['APPROVED', 'REQUIRES_APPROVAL'].includes(payment.status))
    if (open.every(({ payment }) => Date.parse(payment.expiresAt) > started.now() + HOUR_MS)) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('Payments are overdue and do not end')
}

async function equalsScan(t: ExecutionContext, asked: Asked): Promise<void> {
  const scanned = await scanPayments(started.client)
  const stats = await statsOf(asked)
  const span = { ...asked, from: Date.parse(stats.from), to: Date.parse(stats.to) }
  const name = `${asked.by ?? 'all'} ${asked.every ?? ''} ${stats.from} ${stats.to}`
  t.true(span.from <= asked.from && span.to >= asked.to && span.to - asked.to < HOUR_MS, name)
  t.deepEqual(shownStats(stats, asked), expectedStats(scanned, span, zoneAt), name)
  t.deepEqual(sumsIn(stats.totals), expectedStats(scanned, { from: span.from, to: span.to }, zoneAt)['|'] ?? {}, name)
}

const END = BEGIN + 40 * DAY_MS

test.serial('a payment is counted in the answer after its own, and counts of nobody else are seen', async (t) => {
  const before = await statsOf({ from: BEGIN, to: END })
  const { body } = await ask(started.client, agents[0]!.key, 1)
  const after = await statsOf({ from: BEGIN, to: END })
  t.is(after.totals.requested.count, before.totals.requested.count + 1)
  await execute(started.client, agents[0]!.key, body.requestId)
  const executed = await statsOf({ from: BEGIN, to: END, by: 'agent' })
  t.is(executed.totals.executed.count, before.totals.executed.count + 1)
  t.is(executed.rows.find(({ agentId }) => agentId === agents[0]!.agentId)!.name, 'Small')
  const decided = await statsOf({ from: BEGIN, to: END, by: 'policy' })
  t.true(decided.rows.every(({ name }) => name?.startsWith('At most ')))
  const other = await made<{ apiKey: string }>(started.client, '/api/organizations', { name: 'Other' }, OPERATOR_KEY)
  const theirs = await started.client.get<Stats>('/api/stats', other.apiKey)
  t.deepEqual([theirs.status, theirs.body.rows, theirs.body.totals.requested.count], [200, [], 0])
})

test('what cannot be asked for is refused, and says what is wrong', async (t) => {
  for (const [query, path] of [
    ['by=agent,wallet', 'by'],
    ['by=day,day', 'by'],
    ['by=', 'by'],
    ['by=agent&walletId=w', 'walletId'],
    ['agentId=a&walletId=w', 'walletId'],
    ['from=2026-04-02&to=2026-04-01', 'from'],
    ['from=2024-01-01&to=2026-04-01', 'from'],
    ['from=2026-02-30', 'from'],
    ['from=yesterday', 'from'],
    ['by=agent,day&cursor=nonsense', 'cursor'],
  ] as const) {
    const { status, body } = await started.client.get<{ code: string; details?: { path: string }[] }>(
      `/api/stats?${query}`,
      ORGANIZATION_KEY,
    )
    t.deepEqual([status, body.code, body.details?.[0]?.path], [400, 'VALIDATION_ERROR', path], query)
  }
})

test('days are those of the organization, and a filter is of its dimension', async (t) => {
  const { agentId } = agents[0]!
  const get = async (query: string) => (await started.client.get<Stats>(`/api/stats?${query}`, ORGANIZATION_KEY)).body
  const day = await get('from=2026-03-28&to=2026-03-28')
  t.deepEqual(
    [day.from, day.to, day.timezone],
    ['2026-03-28T04:00:00.000Z', '2026-03-29T04:00:00.000Z', 'America/New_York'],
  )
  const range = 'from=2026-03-26&to=2026-04-10'
  const all = await get(`${range}&by=agent`)
  const own = all.rows.filter((row) => row.agentId === agentId)
  for (const query of [`by=agent&agentId=${agentId}`, `agentId=${agentId}`]) {
    const { rows, totals } = await get(`${range}&${query}`)
    t.deepEqual(rows, own)
    t.deepEqual(totals.requested, own[0]!.requested)
  }
  const amounts = all.rows.map(({ executed }) => executed.amount)
  t.deepEqual(
    amounts,
    amounts.toSorted((a, b) => b - a),
  )
})

for (const by of BYS) {
  test(`by ${by ?? 'nothing'}, over all time and by period, the sums are those of a scan`, async (t) => {
    for (const every of EVERIES) await equalsScan(t, { from: BEGIN, to: END, by, every })
  })
}

test('any stretch of time, rounded outwards to hours, has the sums of a scan', async (t) => {
  const random = new Random(7)
  for (let run = 0; run < 12; run += 1) {
    const from = BEGIN + random.below(4 * DAY_MS)
    const to = from + 1 + random.below(3 * DAY_MS)
    await equalsScan(t, { from, to, by: random.pick(BYS), every: random.pick(EVERIES) })
  }
})
