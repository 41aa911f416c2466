// A wallet that is taken from an agent and given back: what was spent counts on in its windows, so that removing a
// delegation and renewing it opens no limit twice.
import { randomBytes } from 'node:crypto'
import test from 'ava'
import { inspect } from '../../support/integrity.js'
import { ORGANIZATION_KEY } from '../../support/process.js'
import { EVERY_DAY, RECIPIENT, type Delegation, type FundedAgent } from '../../support/payments.js'
import { DAY_MS, NOON, startStage, type Stage } from '../../support/policies.js'

const LIMITS = { spendLimitPerTx: 1_000, spendLimitDaily: 100, spendLimitMonthly: 150, allowedDays: EVERY_DAY }

async function renew(stage: Stage, { agentId, walletId }: FundedAgent, terms: object = {}): Promise<Delegation> {
  const place = `/api/agents/${agentId}/wallets`
  await stage.client.send('DELETE', `${place}?walletId=${walletId}`, ORGANIZATION_KEY)
  return stage.must<Delegation>('POST', place, { walletId, ...LIMITS, ...terms })
}

test('what a delegation has spent survives its removal and renewal, as long as its windows last', async (t) => {
  const stage = await startStage(t)
  const agent = await stage.agent({ terms: LIMITS })
  t.is((await stage.pay(agent, 60)).status, 'EXECUTED')
  t.like(await renew(stage, agent), { spent: { day: 60, week: 60, month: 60 }, reserved: 0, remaining: { day: 40 } })
  t.like(await renew(stage, agent, { timezone: 'Asia/Tokyo' }), { spent: { day: 60, month: 60 } })
  t.is((await stage.ask(agent, 41)).violations![0]!.type, 'DAILY_LIMIT')
  t.is((await stage.pay(agent, 40)).status, 'EXECUTED')
  stage.setClock(NOON + 2 * DAY_MS)
  t.like(await renew(stage, agent), { spent: { day: 0, month: 100 }, remaining: { day: 100 } })
  t.is((await stage.ask(agent, 51)).violations![0]!.type, 'MONTHLY_LIMIT')
  const [one] = await Promise.all([1, 2, 3].map(() => stage.pay(agent, 50)))
  t.is(one!.status, 'EXECUTED')
  t.like(await renew(stage, agent), { spent: { day: 50, month: 150 } })
  await stage.stop()
  t.deepEqual((await inspect(stage.folder)).problems, [])
})

test('what may have been paid under a permit counts for the renewed delegation, other reservations do not', async (t) => {
  const stage = await startStage(t)
  const address = `0x${randomBytes(20).toString('hex')}`
  const agent = await stage.agent({ terms: LIMITS, wallet: { custodyType: 'EXTERNAL', address } })
  const [permitted, approved] = [await stage.ask(agent, 50), await stage.ask(agent, 30)]
  const path = `/api/sdk/payments/${permitted.requestId}`
  const { body: permit } = await stage.client.post<{ approvalToken: string }>(`${path}/approve`, agent.key)
  t.like(await renew(stage, agent), { spent: { day: 50 }, reserved: 0 })
  t.is((await stage.ask(agent, 51)).violations![0]!.type, 'DAILY_LIMIT')
  const txHash = `0x${'ab'.repeat(32)}`
  const paid = { txHash, approvalToken: permit.approvalToken }
  t.is((await stage.client.post(`${path}/confirm`, agent.key, paid)).status, 200)
  t.like(await renew(stage, agent), { spent: { day: 50 }, reserved: 0 }, 'it is counted once')
  const late = await stage.client.post<{ status: string }>(`/api/sdk/payments/${approved.requestId}/approve`, agent.key)
  t.is(late.body.status, 'DENIED', 'it ended with its own delegation')
  t.is((await stage.ask(agent, 50, { recipientAddress: RECIPIENT })).status, 'APPROVED')
  await stage.stop()
  t.deepEqual((await inspect(stage.folder)).problems, [])
})
