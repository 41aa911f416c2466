// What the routes of events write: each call is one commit.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import test from 'ava'
import { CONFIRMED, confirmedIn, isJournal, seedOf } from '../../../src/store/journal/files.js'
import { ORGANIZATION_KEY } from '../../support/process.js'
import { startReceiver } from '../../support/receiver.js'
import { start } from '../../support/service.js'

const ENV = { BURSAR_DEV_LOOPBACK_WEBHOOKS: '1', BURSAR_WEBHOOK_RETRY_MS: '200,400' }

/** The number of commits in the journal, which says a moment after an answer that its commit is confirmed. */
async function commits(folder: string): Promise<number> {
  const name = readdirSync(folder).find(isJournal)!
  const read = (): number => confirmedIn(readFileSync(join(folder, name, CONFIRMED)), seedOf(name))!
  for (let last = read(); ; last = read()) {
    await pause(100)
    if (read() === last) return last
  }
}

test('a test and a redelivery are each one commit with their idempotency record', async (t) => {
  const receiver = await startReceiver(t, () => {})
  // Far from the next minute, in which the use of the key would be a commit of its own.
  const { client, folder } = await start(t, { env: ENV, at: Date.parse('2031-07-09T12:00:01Z') })
  await client.send('PUT', '/api/webhooks', ORGANIZATION_KEY, { url: receiver.url })
  const queue = async (path: string, key: string): Promise<string> => {
    const headers = { 'Idempotency-Key': key }
    const before = await commits(folder)
    const { body } = await client.send<{ deliveryId: string }>('POST', path, ORGANIZATION_KEY, undefined, headers)
    t.is((await commits(folder)) - before, 1, path)
    return body.deliveryId
  }
  const id = await queue('/api/webhooks/test', 'one')
  await queue(`/api/webhooks/deliveries/${id}/redeliver`, 'two')
})
