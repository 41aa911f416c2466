// Nodes with one journal: what one has answered, the next one has, with the secrets that it needs for it.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import test from 'ava'
import { SANCTIONS_FILE } from '../../../src/domain/parties/sanctions.js'
import { until } from '../../support/chain.js'
import { newClient } from '../../support/client.js'
import { nodeEnv, owning, PATIENT_LEASE_MS, startFollowing } from '../../support/nodes.js'
import { ask, fundedAgent } from '../../support/payments.js'
import { withOne } from '../../support/postgres/lent.js'
import { startReplicated, type ReplicatedDatabase } from '../../support/postgres/replicated.js'
import { startSingle } from '../../support/postgres/single.js'
import { newFolder, runToEnd, startService } from '../../support/process.js'
import { projectRoot } from '../../support/root.js'

let database: ReplicatedDatabase
let shards = 0

const databaseTest = withOne(test, startReplicated, (started) => (database = started))

/** A shard of an installation of its own. */
async function newShard(): Promise<{ [name: string]: string }> {
  const name = `n${(shards += 1)}`
  return nodeEnv(await database.installation(name), { BURSAR_SHARD: name, BURSAR_LEASE_MS: PATIENT_LEASE_MS })
}

databaseTest('the next owner has what was answered, and the keys of wallets', async (t) => {
  const env = await newShard()
  const first = await owning(await startFollowing(t, newFolder(t), env))
  const second = await startFollowing(t, newFolder(t), env)
  const client = newClient(t, first.url)
  const agent = await fundedAgent(client, { name: 'One', balance: 100 })
  const asked = await ask(client, agent.key, 5, { idempotencyKey: 'once' })
  t.is(asked.status, 200)
  await first.kill()
  await owning(second)
  const again = newClient(t, second.url)
  t.deepEqual((await ask(again, agent.key, 5, { idempotencyKey: 'once' })).body, asked.body)
  const contents = (folder: string, name: string): string => readFileSync(join(folder, name), 'utf8')
  for (const name of ['keyhash.secret', 'checkpoint.secret', 'webhooks.secret']) {
    t.is(contents(second.folder, name), contents(first.folder, name))
  }
  const keys = readdirSync(join(first.folder, 'keystore'))
  t.true(keys.length > 0)
  for (const name of keys) t.is(contents(second.folder, `keystore/${name}`), contents(first.folder, `keystore/${name}`))
  t.deepEqual(await second.stop(), { code: 0, signal: null })
})

databaseTest('any node answers, and says which one it was and what it is', async (t) => {
  const env = await newShard()
  const first = await owning(await startFollowing(t, newFolder(t), env))
  const second = await startFollowing(t, newFolder(t), env)
  const client = newClient(t, second.url)
  const agent = await fundedAgent(client, { name: 'One', balance: 100 })
  const { status, headers } = await ask(client, agent.key, 5)
  t.is(status, 200)
  t.is(headers['x-service-node'], first.url)
  const ready = async ({ url }: { url: string }): Promise<{ [field: string]: unknown }> =>
    (await (await fetch(`${url}/readyz`)).json()) as { [field: string]: unknown }
  const shard = env['BURSAR_SHARD']
  t.like(await ready(first), { status: 'ready', role: 'OWNER', shard, epoch: 1, lag: 0 })
  await until(async () => (await ready(second))['applied'] === (await ready(first))['applied'] || undefined, 'it lags')
  t.like(await ready(second), { status: 'ready', role: 'STANDBY', shard, epoch: 1, lag: 0 })
})

databaseTest('an owner that is stopped leaves its shard at once, and comes back as a standby', async (t) => {
  const env = { ...(await newShard()), BURSAR_LEASE_MS: '60000' }
  const folder = newFolder(t)
  const first = await owning(await startFollowing(t, folder, env))
  const second = await startFollowing(t, newFolder(t), env)
  t.deepEqual(await first.stop(), { code: 0, signal: null })
  await owning(second)
  const back = await startFollowing(t, folder, env)
  t.notRegex(back.output().stdout, /is ready/)
  t.deepEqual(await second.stop(), { code: 0, signal: null })
  await owning(back)
})

databaseTest('a folder that was lost is rebuilt from the journal', async (t) => {
  const env = await newShard()
  const folder = newFolder(t)
  const first = await owning(await startFollowing(t, folder, env))
  const agent = await fundedAgent(newClient(t, first.url), { name: 'One', balance: 100 })
  await first.stop()
  rmSync(folder, { recursive: true })
  const again = await owning(await startFollowing(t, folder, env))
  t.is((await ask(newClient(t, again.url), agent.key, 5)).status, 200)
})

databaseTest('a folder whose last entry the journal does not have is refused', async (t) => {
  t.timeout(240_000)
  const env = await newShard()
  const folder = newFolder(t)
  const first = await owning(await startFollowing(t, folder, env))
  await fundedAgent(newClient(t, first.url))
  await first.stop()
  const client = new pg.Client(env['BURSAR_JOURNAL']!.split(',')[0])
  await client.connect()
  const { rows } = await client.query('delete from bursar_journal where seq > 3 returning seq')
  await client.end()
  const last = Math.max(...rows.map(({ seq }) => Number(seq)))
  const node = await startFollowing(t, folder, env)
  t.is((await node.exited).code, 1)
  const says = `^The journal does not have entry ${last} of epoch 1, which the data folder ends with, but none: empty`
  t.regex(node.output().stderr, new RegExp(says, 'm'))
  t.notRegex(node.output().stdout, /is ready/)
})

databaseTest('what a node cannot work with ends its start with one line', async (t) => {
  const env = await newShard()
  const refused = async (more: { [name: string]: string }, says: RegExp, folder = newFolder(t)): Promise<void> => {
    const { code, stderr } = await runToEnd(t, folder, { env: { ...env, ...more } })
    t.is(code, 1)
    t.regex(stderr, says)
    t.is(stderr.trim().split('\n').length, 1, stderr)
  }
  const { BURSAR_KEYSTORE_KEY: _, ...unsealed } = env
  const { code, stderr } = await runToEnd(t, newFolder(t), { env: unsealed })
  t.is(code, 1)
  t.regex(stderr, /^BURSAR_JOURNAL needs BURSAR_KEYSTORE_KEY/)
  await refused({ BURSAR_JOURNAL: 'mysql://x:secret@y/z' }, /^BURSAR_JOURNAL must be like postgres/)
  await refused({ BURSAR_JOURNAL: 'postgres://bursar@127.0.0.1:1/x' }, /^The journal cannot be used: .*ECONNREFUSED/)
  const single = await startSingle()
  t.teardown(() => single.end())
  await refused({ BURSAR_JOURNAL: single.url }, /set synchronous_standby_names there, or BURSAR_JOURNAL_SINGLE=1/)

  const alone = newFolder(t)
  await (await startService(t, alone)).stop()
  await refused({}, /follows no journal: run bursar journal attach/, alone)

  const followed = newFolder(t)
  await (await owning(await startFollowing(t, followed, env))).stop()
  const { stderr: refusal, code: failed } = await runToEnd(t, followed)
  t.is(failed, 1)
  t.regex(refusal, /follows a journal in PostgreSQL: set BURSAR_JOURNAL/)
  await refused({ BURSAR_SHARD: 'other' }, /follows another journal than that of BURSAR_JOURNAL/, followed)
  await refused({ BURSAR_KEYSTORE_KEY: '77'.repeat(32) }, /does not open: BURSAR_KEYSTORE_KEY is not that/, followed)
})

databaseTest('a second node at the same URL is refused', async (t) => {
  const env = { ...(await newShard()), BURSAR_NODE_URL: 'http://127.0.0.1:1' }
  await owning(await startFollowing(t, newFolder(t), env))
  const { code, stderr } = await runToEnd(t, newFolder(t), { env })
  t.is(stderr, 'Another node is reached at http://127.0.0.1:1: give this one a BURSAR_NODE_URL of its own\n')
  t.is(code, 1)
})

databaseTest("a standby whose sanctions list is not the owner's does not take over until it is", async (t) => {
  const env = await newShard()
  const list = join(projectRoot, 'assets', 'sanctioned-evm-addresses.json')
  const [folder, other] = [newFolder(t), newFolder(t)]
  mkdirSync(folder, { mode: 0o700 })
  copyFileSync(list, join(folder, SANCTIONS_FILE))
  const first = await owning(await startFollowing(t, folder, env))
  await ask(newClient(t, first.url), (await fundedAgent(newClient(t, first.url))).key, 5)
  const second = await startFollowing(t, other, env)
  await first.kill()
  await until(async () => /sanctions list is not that/.test(second.output().stderr) || undefined, 'it says nothing')
  t.notRegex(second.output().stdout, /is ready/)
  copyFileSync(list, join(other, SANCTIONS_FILE))
  await owning(second)
})
