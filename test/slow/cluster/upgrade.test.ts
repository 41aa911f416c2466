// A rolling upgrade with processes of two versions: the standbys first, then the owner. Nothing that was answered is lost,
// and a node that is still of the earlier version ends before it applies what it cannot read.
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { newClient } from '../../support/client.js'
import { nodeEnv, owning, PATIENT_LEASE_MS, startFollowing } from '../../support/nodes.js'
import { ask, balanceOf, fundedAgent } from '../../support/payments.js'
import { withOne } from '../../support/postgres/lent.js'
import { startReplicated, type ReplicatedDatabase } from '../../support/postgres/replicated.js'
import { newFolder } from '../../support/process.js'

const LATER = fileURLToPath(new URL('laterVersion.js', import.meta.url))
const ENDS = /^The journal goes on with schema \d+[^\n]*\n$/
const IN_LATER_VERSION = `exec "$1" --import="${LATER}" "$2"`

let database: ReplicatedDatabase

const databaseTest = withOne(test, startReplicated, (started) => (database = started))

databaseTest('nodes are upgraded one after the other, the owner last', async (t) => {
  const env = nodeEnv(await database.installation('upgrade'), { BURSAR_LEASE_MS: PATIENT_LEASE_MS })
  const owner = await owning(await startFollowing(t, newFolder(t), env))
  const behind = await startFollowing(t, newFolder(t), env)
  const folder = newFolder(t)
  const before = await startFollowing(t, folder, env)
  const agent = await fundedAgent(newClient(t, owner.url), { balance: 100 })
  const asked = await ask(newClient(t, owner.url), agent.key, 5, { idempotencyKey: 'once', autoExecute: true })
  t.deepEqual(await before.stop(), { code: 0, signal: null })

  const later = await startFollowing(t, folder, env, IN_LATER_VERSION)
  await ask(newClient(t, later.url), agent.key, 5, { autoExecute: true })
  // Forgotten in the upgrade; it does not take over, because it is paused meanwhile.
  process.kill(behind.pid, 'SIGSTOP')
  t.deepEqual(await owner.stop(), { code: 0, signal: null })
  const client = newClient(t, (await owning(later)).url)
  process.kill(behind.pid, 'SIGCONT')
  t.deepEqual(await behind.exited, { code: 1, signal: null })
  t.regex(behind.output().stderr, ENDS)
  t.is(await balanceOf(client, agent), 90)
  const again = await ask(client, agent.key, 5, { idempotencyKey: 'once', autoExecute: true })
  t.deepEqual(again.body, asked.body)

  const back = await startFollowing(t, owner.folder, env)
  t.deepEqual(await back.exited, { code: 1, signal: null })
  t.regex(back.output().stderr, ENDS)
  const upgraded = await startFollowing(t, newFolder(t), env, IN_LATER_VERSION)
  t.is(await balanceOf(newClient(t, upgraded.url), agent), 90)
})
