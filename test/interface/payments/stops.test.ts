// What stops a payment after it was approved: a paused agent, a frozen wallet, or changed terms of its delegation.
import test from 'ava'
import { start } from '../../support/service.js'
import type { Answer, Client, Failure } from '../../support/client.js'
import { ORGANIZATION_KEY, wholeFile } from '../../support/process.js'
import {
  ask,
  balanceOf,
  delegationOf,
  execute,
  fundedAgent,
  status,
  type Agent,
  type FundedAgent,
} from '../../support/payments.js'

const scope = wholeFile(test)
let client: Client

test.before('the service starts', async () => {
  ;({ client } = await start(scope, { at: Date.parse('2031-07-09T12:00:00Z') }))
})

let agents = 0
const buyer = (options: object = {}) => fundedAgent(client, { ...options, name: `Buyer ${(agents += 1)}` })

const failureOf = ({ status, body }: Answer<unknown>) => ({ status, code: (body as Failure).code })

async function patch(path: string, body: object): Promise<void> {
  const answer = await client.send('PATCH', path, ORGANIZATION_KEY, body)
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status} ${JSON.stringify(answer.body)}`)
}

const becomes =
  (status: string) =>
  ({ agentId }: FundedAgent) =>
    patch(`/api/agents/${agentId}`, { status })
const walletBecomes =
  (status: string) =>
  ({ walletId }: FundedAgent) =>
    patch(`/api/wallets/${walletId}`, { status })
const limited =
  (terms: object) =>
  ({ agentId, walletId }: FundedAgent) =>
    patch(`/api/agents/${agentId}/wallets/${walletId}`, terms)

type Act = (agent: FundedAgent) => Promise<void>

const PASSING: [string, Act, Act, string][] = [
  ['a PAUSED agent', becomes('PAUSED'), becomes('ACTIVE'), 'AGENT_NOT_ACTIVE'],
  ['a SUSPENDED agent', becomes('SUSPENDED'), becomes('ACTIVE'), 'AGENT_NOT_ACTIVE'],
  ['a FROZEN wallet', walletBecomes('FROZEN'), walletBecomes('ACTIVE'), 'WALLET_NOT_ACTIVE'],
]

for (const [what, stop, go, violation] of PASSING) {
  test(`${what} denies requests, and an approved payment waits until it is ACTIVE again`, async (t) => {
    const agent = await buyer({ balance: 100 })
    const { requestId } = (await ask(client, agent.key, 10)).body
    await stop(agent)
    const denied = (await ask(client, agent.key, 5)).body
    t.is(denied.status, 'DENIED')
    t.deepEqual(
      denied.violations!.map(({ type }) => type),
      [violation],
    )
    t.deepEqual(failureOf(await execute(client, agent.key, requestId)), { status: 400, code: 'INVALID_STATUS' })
    t.is((await status(client, agent.key, requestId)).body.status, 'APPROVED')
    t.like(await delegationOf(client, agent), { reserved: 10, spent: { day: 0 } })
    await go(agent)
    t.is((await execute(client, agent.key, requestId)).status, 200)
    t.is(await balanceOf(client, agent), 90)
  })
}

const LASTING: [string, Act][] = [
  ['a lowered limit per payment', limited({ spendLimitPerTx: 9 })],
  ['a lowered daily limit', limited({ spendLimitDaily: 9 })],
  ['a change of the allowed days', limited({ allowedDays: ['Mon'] })],
  ['a change to VIEW_ONLY', limited({ delegationType: 'VIEW_ONLY' })],
]

for (const [what, stop] of LASTING) {
  test(`${what} denies an approved payment at its execution`, async (t) => {
    const agent = await buyer({ balance: 100 })
    const { requestId } = (await ask(client, agent.key, 10)).body
    await stop(agent)
    t.deepEqual(failureOf(await execute(client, agent.key, requestId)), { status: 400, code: 'LIMIT_EXCEEDED' })
    t.is((await status(client, agent.key, requestId)).body.status, 'DENIED')
    t.like(await delegationOf(client, agent), { reserved: 0, spent: { day: 0 } })
    t.is(await balanceOf(client, agent), 100)
  })
}

test('once a pause is answered, every new request is denied, whatever is in flight', async (t) => {
  const agent = await buyer({ balance: 10_000 })
  const paying = Array.from({ length: 100 }, () => ask(client, agent.key, 1, { autoExecute: true }))
  await becomes('PAUSED')(agent)
  const late = await Promise.all(Array.from({ length: 50 }, () => ask(client, agent.key, 1, { autoExecute: true })))
  t.true(late.every(({ body }) => body.status === 'DENIED'))
  const early = (await Promise.all(paying)).map(({ body }) => body.status)
  const executed = early.filter((status) => status === 'EXECUTED').length
  t.is(await balanceOf(client, agent), 10_000 - executed)
  const { body } = await client.get<Agent>(`/api/agents/${agent.agentId}`, ORGANIZATION_KEY)
  t.is(body._count!.sentTransactions, executed)
})

test('a deleted agent is gone, its key is invalid and its name is free', async (t) => {
  const agent = await buyer()
  const path = `/api/agents/${agent.agentId}`
  const { name } = (await client.get<Agent>(path, ORGANIZATION_KEY)).body
  await ask(client, agent.key, 10)
  t.is((await client.send('DELETE', path, ORGANIZATION_KEY)).status, 200)
  t.deepEqual(failureOf(await client.get(path, ORGANIZATION_KEY)), { status: 404, code: 'NOT_FOUND' })
  t.deepEqual(failureOf(await ask(client, agent.key, 10)), { status: 401, code: 'AUTH_FAILED' })
  const again = await client.post('/api/agents', ORGANIZATION_KEY, { name, agentType: 'CUSTOM' })
  t.is(again.status, 201)
})
