// Whoever was answered sees it in every later read, by id and in lists, whatever others write meanwhile.
import test from 'ava'
import { ORGANIZATION_KEY } from '../../support/process.js'
import { start } from '../../support/service.js'
import { ask, fundedAgent, status } from '../../support/payments.js'
import type { TransactionList } from '../../../sdk/api.js'

const CONNECTIONS = 64
const ROUNDS = 4

test(`${CONNECTIONS} callers read each of their payments after each write`, async (t) => {
  t.timeout(60_000)
  const { client } = await start(t)
  const agents = await Promise.all(
    Array.from({ length: 8 }, (_, index) => fundedAgent(client, { name: `Agent ${index}`, balance: 10_000 })),
  )
  const call = async (caller: number): Promise<void> => {
    const { agentId, key } = agents[caller % agents.length]!
    for (let round = 0; round < ROUNDS; round += 1) {
      const { body } = await ask(client, key, 1)
      t.is((await status(client, key, body.requestId)).body.status, 'APPROVED')
      const executed = await client.post(`/api/sdk/payments/${body.requestId}/execute`, key)
      t.is(executed.status, 200)
      const path = `/api/transactions?agentId=${agentId}&limit=100`
      const { transactions } = (await client.get<TransactionList>(path, ORGANIZATION_KEY)).body
      const found = transactions.find(({ requestId }) => requestId === body.requestId)
      t.is(found?.status, 'CONFIRMED', `round ${round} of caller ${caller}`)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, caller) => call(caller)))
})
