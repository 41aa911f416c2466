// Lists over HTTP: every entry once, newest first, whether by offset or by cursor, and only what is on disk.
import { isGone } from '../../../src/actor/turn.js'
import { listOf } from '../../../src/domain/values/lists.js'
import { randomBytes } from 'node:crypto'
import test, { type ExecutionContext } from 'ava'
import { deliver } from '../../../src/actor/host.js'
import { charts } from '../../../machines/index.js'
import type { Message } from '../../../src/actor/actor.js'
import { EmbeddedHost } from '../../../src/host/embedded.js'
import { Query } from '../../../src/store/query.js'
import { Store } from '../../../src/store/store.js'
import { start } from '../../support/service.js'
import type { Client } from '../../support/client.js'
import { newFolder, ORGANIZATION_KEY, wholeFile } from '../../support/process.js'
import { ask, execute, fundedAgent, made } from '../../support/payments.js'
import type { AgentList, PaymentList } from '../../../sdk/api.js'

const scope = wholeFile(test)
let client: Client

test.before('the service starts', async () => {
  ;({ client } = await start(scope))
})

const idsOf = ({ payments }: PaymentList) => payments.map(({ requestId }) => requestId)

/** All pages of `limit`, one after the other by cursor. */
async function byCursor(t: ExecutionContext, path: string, key: string, limit: number): Promise<string[]> {
  const ids: string[] = []
  let cursor = ''
  for (;;) {
    const { body } = await client.get<PaymentList>(`${path}limit=${limit}${cursor}`, key)
    ids.push(...idsOf(body))
    const { hasMore, nextCursor } = body.pagination
    t.is(hasMore, nextCursor !== undefined)
    if (nextCursor === undefined) return ids
    cursor = `&cursor=${nextCursor}`
  }
}

test('a list shows every payment once, newest first, whatever their states', async (t) => {
  const { key } = await fundedAgent(client, { balance: 5, name: 'Reader' })
  const made: string[] = []
  for (let index = 0; index < 23; index += 1) made.unshift((await ask(client, key, 1)).body.requestId)
  await execute(client, key, made.at(-1)!)
  const path = '/api/sdk/payments?'
  for (const limit of [1, 7, 22, 23, 24, 100]) t.deepEqual(await byCursor(t, path, key, limit), made)
  const { body } = await client.get<PaymentList>(`${path}limit=10&offset=15`, key)
  t.deepEqual(idsOf(body), made.slice(15))
  t.deepEqual(body.pagination, { total: 23, limit: 10, offset: 15, hasMore: false })
  t.deepEqual(await byCursor(t, `${path}status=EXECUTED&`, key, 5), made.slice(-1))
  t.deepEqual(await byCursor(t, `${path}status=APPROVED&`, key, 3), made.slice(18, 22))
  t.deepEqual(await byCursor(t, `${path}status=DENIED&`, key, 5), made.slice(0, 18))
  t.is((await client.get(`${path}cursor=nonsense`, key)).status, 400)
})

test('a list of agents shows every agent once', async (t) => {
  const names = ['List one', 'List two', 'List three']
  for (const name of names) await made(client, '/api/agents', { name, agentType: 'CUSTOM' })
  const { body } = await client.get<AgentList>('/api/agents?limit=100', ORGANIZATION_KEY)
  t.is(body.agents.length, body.total)
  t.is(new Set(body.agents.map(({ id }) => id)).size, body.total)
  t.deepEqual(
    body.agents.map(({ name }) => name).filter((name) => names.includes(name)),
    names.toReversed(),
  )
})

test('a list never shows uncommitted changes', async (t) => {
  const folder = newFolder(t)
  const store = new Store(randomBytes, charts)
  store.open(folder)
  void store.takeOver()
  const host = new EmbeddedHost(charts, store, { hotActors: 1000 })
  const query = new Query(store, (actor) => isGone(charts, actor))
  const by = { type: 'OPERATOR', id: 'test' }
  const tell = (type: string, fields: object = {}) => {
    const command = { type, now: 0, organization: 'o', ...fields } as Message
    return deliver(host, by, 'organization/o', command)
  }
  const fields = { name: 'One', timezone: 'UTC', approvedForMs: 1, waitsForMs: 1 }
  await tell('CREATE', { id: 'o', order: 1, fields })
  let done = false
  const writing = (async () => {
    for (let count = 0; !done; count += 1) await tell('UPDATE', { changes: { name: `Name ${count}` } })
  })()
  t.teardown(async () => {
    done = true
    await writing
    await store.close()
  })
  for (let reads = 0; reads < 500; reads += 1) {
    const paging = query.page({ list: listOf('organizations'), limit: 1, offset: 0 })
    const [paged, all] = await Promise.all([paging, query.all(listOf('organizations'))])
    const { revision } = store.committed('organization/o')!
    t.true(paged!.actors[0]!.revision <= revision)
    t.true(all[0]!.revision <= revision)
  }
})
