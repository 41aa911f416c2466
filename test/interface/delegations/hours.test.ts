// Time in delegations: hours and days apply in the delegation's zone, windows end with the local day, and no change of
// the zone makes spent amounts available again.
import test from 'ava'
import type { Answer, Failure } from '../../support/client.js'
import { ORGANIZATION_KEY } from '../../support/process.js'
import { ask, execute, fundedAgent, made, type Decision } from '../../support/payments.js'
import { start, type Started } from '../../support/service.js'
import type { Delegation, DelegationList } from '../../../sdk/api.js'

const WEDNESDAY = Date.parse('2031-07-09T12:00:00Z')
const failureOf = ({ status, body }: Answer<unknown>) => ({ status, code: (body as Failure).code })
const typesOf = ({ body }: Answer<Decision>) => (body.violations ?? []).map(({ type }) => type)
const delegationOf = async ({ client }: Started, { agentId }: { agentId: string }): Promise<Delegation> =>
  (await client.get<DelegationList>(`/api/agents/${agentId}/wallets`, ORGANIZATION_KEY)).body.wallets[0]!

test('a delegation keeps the zone that its organization had when it was created', async (t) => {
  const own = await start(t, { at: WEDNESDAY })
  const organization = (body: object) => own.client.send('PATCH', '/api/organization', ORGANIZATION_KEY, body)
  t.is((await organization({ timezone: 'Asia/Tokyo' })).status, 200)
  const agent = await fundedAgent(own.client)
  await organization({ timezone: 'Europe/Berlin' })
  const { timezone, resetsAt } = await delegationOf(own, agent)
  t.deepEqual([timezone, resetsAt.day], ['Asia/Tokyo', '2031-07-09T15:00:00.000Z'])
})

const OPENINGS: [terms: object, at: string, open: boolean][] = [
  [{ allowedHoursStart: 9, allowedHoursEnd: 17 }, '2031-07-09T08:59:50Z', false],
  [{ allowedHoursStart: 9, allowedHoursEnd: 17 }, '2031-07-09T09:00:00Z', true],
  [{ allowedHoursStart: 9, allowedHoursEnd: 17 }, '2031-07-09T16:59:50Z', true],
  [{ allowedHoursStart: 9, allowedHoursEnd: 17 }, '2031-07-09T17:00:00Z', false],
  [{ allowedHoursStart: 22, allowedHoursEnd: 6, allowedDays: ['Wed'] }, '2031-07-09T21:59:50Z', false],
  [{ allowedHoursStart: 22, allowedHoursEnd: 6, allowedDays: ['Wed'] }, '2031-07-09T22:00:00Z', true],
  [{ allowedHoursStart: 22, allowedHoursEnd: 6, allowedDays: ['Wed'] }, '2031-07-10T05:59:50Z', true],
  [{ allowedHoursStart: 22, allowedHoursEnd: 6, allowedDays: ['Wed'] }, '2031-07-10T06:00:00Z', false],
  [{ allowedHoursStart: 22, allowedHoursEnd: 6, allowedDays: ['Wed'] }, '2031-07-09T05:00:00Z', false],
  [{ allowedDays: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'] }, '2031-07-11T23:59:50Z', true],
  [{ allowedDays: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'] }, '2031-07-12T00:00:00Z', false],
  [{ allowedDays: ['Sat'], timezone: 'Pacific/Auckland' }, '2031-07-11T12:00:00Z', true],
  [{ allowedDays: ['Sat'], timezone: 'Pacific/Auckland' }, '2031-07-11T11:59:50Z', false],
  [{ allowedHoursStart: 9, allowedHoursEnd: 10, timezone: 'America/New_York' }, '2031-07-09T13:00:00Z', true],
  [{ allowedHoursStart: 9, allowedHoursEnd: 10, timezone: 'America/New_York' }, '2031-12-10T13:30:00Z', false],
  [{ allowedHoursStart: 9, allowedHoursEnd: 10, timezone: 'America/New_York' }, '2031-12-10T14:30:00Z', true],
  [{ allowedDays: [] }, '2031-07-09T12:00:00Z', false],
]

/** A delegation's clock never runs backwards, so each delegation is created before all of these times. */
const BEFORE = Date.parse('2031-07-09T00:00:00Z')

test("allowed hours and days apply in the delegation's zone", async (t) => {
  const own = await start(t)
  for (const [index, [terms, at, open]] of OPENINGS.entries()) {
    own.setClock(BEFORE)
    const agent = await fundedAgent(own.client, { name: `Opening ${index}`, terms })
    own.setClock(Date.parse(at))
    t.deepEqual(
      typesOf(await ask(own.client, agent.key, 1)),
      open ? [] : ['TIME_WINDOW'],
      `${JSON.stringify(terms)} at ${at}`,
    )
  }
})

test('a payment is not executed after the allowed hours have ended', async (t) => {
  const own = await start(t, { at: Date.parse('2031-07-09T16:58:00Z') })
  const agent = await fundedAgent(own.client, { terms: { allowedHoursStart: 9, allowedHoursEnd: 17 } })
  const { requestId } = (await ask(own.client, agent.key, 1)).body
  own.setClock(Date.parse('2031-07-09T17:00:00Z'))
  t.deepEqual(failureOf(await execute(own.client, agent.key, requestId)), { status: 400, code: 'LIMIT_EXCEEDED' })
})

test('a window ends with the local day, and reservations carry over into the next', async (t) => {
  const own = await start(t, { at: Date.parse('2031-03-29T22:57:00Z') })
  const terms = { timezone: 'Europe/Berlin', spendLimitDaily: 10, spendLimitWeekly: 15 }
  const agent = await fundedAgent(own.client, { terms })
  t.is((await ask(own.client, agent.key, 6, { autoExecute: true })).body.status, 'EXECUTED')
  const held = (await ask(own.client, agent.key, 4)).body.requestId
  // On the last Sunday of March the day has 23 hours, and it ends the week.
  t.like((await delegationOf(own, agent)).resetsAt, {
    day: '2031-03-29T23:00:00.000Z',
    week: '2031-03-30T22:00:00.000Z',
    month: '2031-03-31T22:00:00.000Z',
  })
  own.setClock(Date.parse('2031-03-29T23:00:00Z'))
  t.like(await delegationOf(own, agent), {
    spent: { day: 0, week: 6 },
    reserved: 4,
    remaining: { day: 6, week: 5 },
    resetsAt: { day: '2031-03-30T22:00:00.000Z' },
  })
  t.is((await execute(own.client, agent.key, held)).status, 200)
  t.like(await delegationOf(own, agent), {
    spent: { day: 4, week: 10, month: 10 },
    reserved: 0,
    remaining: { day: 6, week: 5 },
  })
  t.deepEqual(typesOf(await ask(own.client, agent.key, 7)), ['DAILY_LIMIT', 'WEEKLY_LIMIT'])
  own.setClock(Date.parse('2031-03-30T22:00:00Z'))
  t.like(await delegationOf(own, agent), { spent: { day: 0, week: 0, month: 10 } })
})

test('a change of the zone makes no spent amount available again', async (t) => {
  const own = await start(t, { at: WEDNESDAY })
  const agent = await fundedAgent(own.client, { terms: { spendLimitDaily: 10, timezone: 'UTC' } })
  await ask(own.client, agent.key, 10, { autoExecute: true })
  for (const timezone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'UTC']) {
    const path = `/api/agents/${agent.agentId}/wallets/${agent.walletId}`
    const { body } = await own.client.send<Delegation>('PATCH', path, ORGANIZATION_KEY, { timezone })
    t.like(body, { timezone, spent: { day: 10 }, remaining: { day: 0 } })
    t.is((await ask(own.client, agent.key, 1)).body.status, 'DENIED')
  }
})

test('a zone in which day, week and month have not ended counts what they have spent, until they end', async (t) => {
  const own = await start(t, { at: Date.parse('2031-11-30T23:30:00Z') })
  const terms = { spendLimitDaily: 10, spendLimitWeekly: 10, spendLimitMonthly: 10, timezone: 'UTC' }
  const agent = await fundedAgent(own.client, { terms })
  await ask(own.client, agent.key, 10, { autoExecute: true })
  // A Monday, and in New York still the Sunday before.
  own.setClock(Date.parse('2031-12-01T00:30:00Z'))
  t.like(await delegationOf(own, agent), { spent: { day: 0, week: 0, month: 0 } })
  const path = `/api/agents/${agent.agentId}/wallets/${agent.walletId}`
  const timezone = 'America/New_York'
  const { body } = await own.client.send<Delegation>('PATCH', path, ORGANIZATION_KEY, { timezone })
  t.like(body, { spent: { day: 10, week: 10, month: 10 }, resetsAt: { day: '2031-12-01T05:00:00.000Z' } })
  t.deepEqual(typesOf(await ask(own.client, agent.key, 1)), ['DAILY_LIMIT', 'WEEKLY_LIMIT', 'MONTHLY_LIMIT'])
  own.setClock(Date.parse('2031-12-01T05:00:00Z'))
  t.is((await ask(own.client, agent.key, 10)).body.status, 'APPROVED')
})

test("a policy's day goes on in the organization's new zone, and counts the day before until it ends", async (t) => {
  const own = await start(t, { at: Date.parse('2031-07-08T20:00:00Z') })
  const agent = await fundedAgent(own.client)
  const rules = [{ ruleType: 'DAILY_LIMIT', operator: 'LTE', value: 10 }]
  await made(own.client, '/api/policies', { name: 'Day', policyType: 'SPEND_LIMIT', scope: 'organization', rules })
  await ask(own.client, agent.key, 10, { autoExecute: true })
  own.setClock(WEDNESDAY)
  // There, this Wednesday began on Tuesday at 18:30 UTC.
  await own.client.send('PATCH', '/api/organization', ORGANIZATION_KEY, { timezone: 'Asia/Kolkata' })
  t.is((await ask(own.client, agent.key, 1)).body.status, 'DENIED')
  own.setClock(Date.parse('2031-07-09T18:30:00Z'))
  t.is((await ask(own.client, agent.key, 10)).body.status, 'APPROVED')
})
