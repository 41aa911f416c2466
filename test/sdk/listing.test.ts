// A list is one page when awaited and all entries when iterated; it requests no more pages than it needs.
import test from 'ava'
import { Bursar, BursarAdmin } from '../../sdk/index.js'
import { start } from '../support/service.js'
import { fundedAgent, RECIPIENT } from '../support/payments.js'
import { ORGANIZATION_KEY } from '../support/process.js'
import { serve, tell } from '../support/server.js'

test('Lists of both clients return every entry once, newest first, for any page size', async (t) => {
  const { url, client } = await start(t)
  const admin = new BursarAdmin({ apiKey: ORGANIZATION_KEY, baseUrl: url })
  const names = ['first', 'second', 'third', 'fourth', 'fifth']
  for (const name of names) await admin.agents.create({ name, agentType: 'CUSTOM' })
  for (const limit of [1, 2, 5, 100]) {
    const seen: string[] = []
    for await (const { name } of admin.agents.list({ limit })) seen.push(name)
    t.deepEqual(seen, names.toReversed())
  }
  const page = await admin.agents.list({ limit: 2, offset: 1 })
  t.deepEqual(
    page.agents.map(({ name }) => name),
    ['fourth', 'third'],
  )
  t.is(page.total, 5)

  const { key } = await fundedAgent(client, { balance: 10 })
  const bursar = new Bursar({ apiKey: key, baseUrl: url })
  for (const amount of [1, 2, 3]) await bursar.payments.pay({ amount, recipientAddress: RECIPIENT })
  const amounts: number[] = []
  for await (const { amount } of bursar.transactions({ limit: 1 })) amounts.push(amount)
  t.deepEqual(amounts, [3, 2, 1])
  const pages: number[] = []
  for await (const { payments } of admin.payments.list({ limit: 2 }).pages()) pages.push(payments.length)
  t.deepEqual(pages, [2, 1])
})

test('A loop that ends early requests no further page', async (t) => {
  const server = await serve(t, ({ path }, response) => {
    const cursor = new URL(path, 'http://x').searchParams.get('cursor')
    const pagination = { limit: 1, hasMore: true, nextCursor: `${cursor ?? ''}+` }
    tell(response, { status: 200, body: { wallets: [{ id: cursor ?? '' }], pagination } })
  })
  const admin = new BursarAdmin({ apiKey: 'key', baseUrl: server.url })
  const seen: string[] = []
  for await (const { id } of admin.wallets.list({ status: 'ACTIVE', limit: 1 })) {
    seen.push(id)
    if (seen.length === 3) break
  }
  t.deepEqual(seen, ['', '+', '++'])
  t.is(server.sent.length, 3)
  t.true(server.sent.every(({ path }) => path.includes('status=ACTIVE&limit=1')))
})
