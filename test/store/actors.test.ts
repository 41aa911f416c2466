// Actors that count payments: what they count lies apart, and a payment leaves their other row as it is.
import test from 'ava'
import { charts } from '../../machines/index.js'
import { noRandom } from '../../src/domain/values/ids.js'
import { Store } from '../../src/store/store.js'
import { rowsIn } from '../support/integrity.js'
import { ask, execute, fundedAgent } from '../support/payments.js'
import { start } from '../support/service.js'

const COUNTING = ['agent', 'delegation', 'wallet', 'counterparty']

function rowsOf(folder: string, table: string): Promise<Map<string, unknown>> {
  const store = new Store(noRandom, charts)
  store.open(folder)
  const rows = new Map(rowsIn(store, table).filter(([key]) => COUNTING.includes(key.slice(0, key.indexOf('/')))))
  return store.close().then(() => rows)
}

test('a payment changes what its gates count, and nothing else of them', async (t) => {
  const service = await start(t)
  const agent = await fundedAgent(service.client)
  await ask(service.client, agent.key, 1, { autoExecute: true })
  await service.stop()
  const [others, counts] = [await rowsOf(service.folder, 'actors'), await rowsOf(service.folder, 'actorCounts')]
  t.deepEqual([...others.keys()], [...counts.keys()])
  await service.restart()
  const { body } = await ask(service.client, agent.key, 1)
  await execute(service.client, agent.key, body.requestId)
  await service.stop()
  t.deepEqual(await rowsOf(service.folder, 'actors'), others)
  for (const [ref, row] of await rowsOf(service.folder, 'actorCounts')) t.notDeepEqual(row, counts.get(ref), ref)
})
