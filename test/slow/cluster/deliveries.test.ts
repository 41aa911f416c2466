// An owner that is paused with a delivery on its way, and woken when another node has sent the delivery, too: both have one
// id, and the woken one sends nothing more.
import { setTimeout } from 'node:timers/promises'
import test from 'ava'
import { newClient } from '../../support/client.js'
import { nodeEnv, owning, PATIENT_LEASE_MS, startFollowing } from '../../support/nodes.js'
import { made } from '../../support/payments.js'
import { lent } from '../../support/postgres/lent.js'
import { startSingle } from '../../support/postgres/single.js'
import { newFolder, ORGANIZATION_KEY } from '../../support/process.js'
import { startReceiver } from '../../support/receiver.js'

const WOKEN_MS = 1_000

test('a delivery that a paused owner and its successor have sent has one id', async (t) => {
  const database = await lent(t, startSingle)
  if (database === undefined) return
  // The first one gets no answer.
  const receiver = await startReceiver(t, () => {})
  const env = nodeEnv([database.url], {
    BURSAR_JOURNAL_SINGLE: '1',
    BURSAR_DEV_LOOPBACK_WEBHOOKS: '1',
    BURSAR_LEASE_MS: PATIENT_LEASE_MS,
  })
  const first = await owning(await startFollowing(t, newFolder(t), env))
  const second = await startFollowing(t, newFolder(t), env)
  const client = newClient(t, first.url)
  await client.send('PUT', '/api/webhooks', ORGANIZATION_KEY, { url: receiver.url })
  const { id } = await made<{ id: string }>(client, '/api/agents', { name: 'One', agentType: 'CUSTOM' })
  await client.post(`/api/agents/${id}/freeze`, ORGANIZATION_KEY, { reason: 'A test' })
  const [sent] = await receiver.until((received) => received.length > 0)
  process.kill(first.pid, 'SIGSTOP')
  receiver.answer = (_, response) => void response.writeHead(204).end()
  await owning(second)
  const copies = () => receiver.received.filter(({ body }) => body.deliveryId === sent!.body.deliveryId)
  await receiver.until(() => copies().length === 2)
  t.true(copies()[1]!.raw.equals(sent!.raw))
  process.kill(first.pid, 'SIGCONT')
  t.not((await first.exited).code, 0)
  await setTimeout(WOKEN_MS)
  t.is(copies().length, 2)
})
