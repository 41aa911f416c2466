// The first answer survives the process: it is given again after a kill and a restart.
import test from 'ava'
import { newClient } from '../../support/client.js'
import { newFolder, startService } from '../../support/process.js'
import { ask, balanceOf, fundedAgent } from '../../support/payments.js'

test('answers are replayed after a kill and a restart', async (t) => {
  const folder = newFolder(t)
  const service = await startService(t, folder)
  const before = newClient(t, service.url)
  const agent = await fundedAgent(before)
  const asked = await ask(before, agent.key, 5, { idempotencyKey: 'order' })
  const path = `/api/sdk/payments/${asked.body.requestId}/execute`
  const done = await before.post(path, agent.key, undefined, { 'Idempotency-Key': 'run' })
  await service.kill()
  const after = newClient(t, (await startService(t, folder)).url)
  t.deepEqual((await ask(after, agent.key, 5, { idempotencyKey: 'order' })).body, asked.body)
  const again = await after.post(path, agent.key, undefined, { 'Idempotency-Key': 'run' })
  t.is(again.headers['idempotency-replayed'], 'true')
  t.deepEqual(again.body, done.body)
  t.is(await balanceOf(after, agent), 9995)
})
