// `bursar journal`: a folder moves into a journal and out of it, is compared with it and rebuilt from it.
import { cpSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { open } from 'lmdb'
import test, { type ExecutionContext } from 'ava'
import { runCommand } from '../../../src/cli/bursar.js'
import { ENVIRONMENT } from '../../../src/store/open.js'
import { StoredRows } from '../../../src/store/storedRows.js'
import { until } from '../../support/chain.js'
import { newClient, type Client } from '../../support/client.js'
import { surroundings } from '../../support/commandContext.js'
import { KEYSTORE_KEY, nodeEnv, owning, PATIENT_LEASE_MS, startFollowing } from '../../support/nodes.js'
import { ask, balanceOf, fundedAgent, type FundedAgent } from '../../support/payments.js'
import { startReplicated, type ReplicatedDatabase } from '../../support/postgres/replicated.js'
import { startSingle } from '../../support/postgres/single.js'
import { newFolder, ORGANIZATION_KEY, startService, type Service } from '../../support/process.js'

type Settings = { [name: string]: string }

let database: ReplicatedDatabase
let shards = 0

test.before(async () => {
  database = await startReplicated()
})

test.after.always(() => database?.end())

/** A shard of an installation of its own. */
async function newShard(): Promise<Settings> {
  const name = `c${(shards += 1)}`
  return nodeEnv(await database.installation(name), { BURSAR_SHARD: name, BURSAR_LEASE_MS: PATIENT_LEASE_MS })
}

interface Answered {
  exit: number
  json: { [field: string]: unknown }
  error: string
}

/** What a command answers on this folder. */
async function bursar(env: Settings, folder: string, ...args: string[]): Promise<Answered> {
  const context = surroundings({ env, dataDir: () => folder })
  const exit = await runCommand([...args, '--json'], context).catch((error: Error) => {
    context.complain(JSON.stringify({ error: error.message }))
    return 1
  })
  const parsed = (lines: string[]) => (lines.length > 0 ? JSON.parse(lines.join('\n')) : {}) as Answered['json']
  return { exit, json: parsed(context.said), error: String(parsed(context.complained)['error'] ?? '') }
}

const journal = (env: Settings, folder: string, ...args: string[]): Promise<Answered> =>
  bursar(env, folder, 'journal', ...args)

async function done(t: ExecutionContext, env: Settings, folder: string, ...args: string[]): Promise<Answered['json']> {
  const { exit, json, error } = await bursar(env, folder, ...args)
  t.is(error, '')
  t.is(exit, 0)
  return json
}

async function refused(
  t: ExecutionContext,
  { env, folder, says }: { env: Settings; folder: string; says: RegExp },
  ...args: string[]
): Promise<void> {
  const { exit, error } = await bursar(env, folder, ...args)
  t.regex(error, says)
  t.notRegex(error, /\n/)
  t.is(exit, 1)
}

interface Payer extends FundedAgent {
  client: Client
}

async function payerOn(t: ExecutionContext, { url }: Service): Promise<Payer> {
  const client = newClient(t, url)
  return { client, ...(await fundedAgent(client, { name: 'One', balance: 100 })) }
}

async function pay(t: ExecutionContext, { client, key }: Payer, times = 1): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    const { status, body } = await ask(client, key, 1, { autoExecute: true })
    t.is(status, 200, JSON.stringify(body))
  }
}

/** An owner of a new shard. */
async function newOwner(t: ExecutionContext): Promise<{ env: Settings; node: Service }> {
  const env = await newShard()
  return { env, node: await owning(await startFollowing(t, newFolder(t), env)) }
}

async function backup(t: ExecutionContext, env: Settings, folder: string): Promise<string> {
  const target = newFolder(t)
  await done(t, env, folder, 'backup', target)
  return target
}

async function restored(t: ExecutionContext, env: Settings, from: string): Promise<string> {
  const folder = newFolder(t)
  await done(t, env, folder, 'restore', from)
  return folder
}

test.serial('a journal that nobody has begun has no status, and a folder without one is not detached', async (t) => {
  const folder = newFolder(t)
  await refused(
    t,
    { env: await newShard(), folder, says: /^The database has no journal: the first node/ },
    'journal',
    'status',
  )
  await refused(t, { env: {}, folder, says: /^BURSAR_JOURNAL is missing: set it/ }, 'journal', 'status')
  const nowhere = { BURSAR_JOURNAL: 'postgres://bursar@127.0.0.1:1/x' }
  await refused(t, { env: nowhere, folder, says: /^The journal cannot be used: .*ECONNREFUSED/ }, 'journal', 'status')
  const env = { BURSAR_KEYSTORE_KEY: KEYSTORE_KEY }
  const service = await startService(t, folder, { env })
  await refused(t, { env, folder, says: /is in use by another process$/ }, 'journal', 'detach')
  await service.stop()
  await refused(t, { env, folder, says: /follows no journal$/ }, 'journal', 'detach')
})

test.serial('the status says whether the owner is heard of', async (t) => {
  const { env, node } = await newOwner(t)
  const shard = env['BURSAR_SHARD']
  const while_ = await done(t, env, '', 'journal', 'status')
  t.like(while_, { shard, epoch: 1, owner: node.url, isOwnerHeardOf: true, first: { sequence: 1, epoch: 1 } })
  t.is(while_['replication'], 'UNSEEN')
  t.true((while_['bytes'] as number) > 1_000)
  await node.kill()
  t.like(await done(t, env, '', 'journal', 'status'), { owner: node.url, isOwnerHeardOf: false })
  const context = surroundings({ env })
  t.is(await runCommand(['journal', 'status'], context), 0)
  t.regex(context.said.join('\n'), /^heard of +no$/m)
})

test.serial('a service becomes the first node of its shard, with what its own journal alone has', async (t) => {
  const env = await newShard()
  const folder = newFolder(t)
  const alone = await startService(t, folder, { env: { BURSAR_KEYSTORE_KEY: KEYSTORE_KEY } })
  const payer = await payerOn(t, alone)
  const asked = await ask(payer.client, payer.key, 5, { idempotencyKey: 'once' })
  await alone.kill()
  t.true(readdirSync(folder).some((name) => name.startsWith('journal.')))
  const { BURSAR_KEYSTORE_KEY: _, ...unsealed } = env
  await refused(t, { env: unsealed, folder, says: /needs BURSAR_KEYSTORE_KEY/ }, 'journal', 'attach')
  const { sequence } = await done(t, env, folder, 'journal', 'attach')
  t.false(readdirSync(folder).some((name) => name.startsWith('journal.')))
  t.like(await done(t, env, folder, 'journal', 'attach'), { sequence })
  t.like(await done(t, env, '', 'journal', 'status'), { entries: 1, epoch: 0, first: { sequence, epoch: 0 } })

  // A folder that begins with nothing would lack what was in the first one.
  const says = /^The journal begins at \d+: name the newest backup of a node$/
  await refused(t, { env, folder: '', says }, 'journal', 'rebuild', newFolder(t))
  const node = await owning(await startFollowing(t, folder, env))
  const again = newClient(t, node.url)
  t.deepEqual((await ask(again, payer.key, 5, { idempotencyKey: 'once' })).body, asked.body)
  await pay(t, { ...payer, client: again })
  const second = await restored(t, env, await backup(t, env, folder))
  await owningAfter(t, node, await startFollowing(t, second, env), payer)
})

/** The next node has what this one has answered. */
async function owningAfter(t: ExecutionContext, first: Service, second: Service, payer: Payer): Promise<void> {
  const client = newClient(t, first.url)
  await pay(t, { ...payer, client }, 3)
  const before = await balanceOf(client, payer)
  await first.kill()
  await owning(second)
  t.is(await balanceOf(newClient(t, second.url), payer), before)
}

test.serial('what was interrupted is finished with the same folder, and with no other', async (t) => {
  const env = await newShard()
  const folder = newFolder(t)
  const settings = { env: { BURSAR_KEYSTORE_KEY: KEYSTORE_KEY } }
  await (await startService(t, folder, settings)).stop()
  // The journal has the entry, and the folder does not know.
  const interrupted = newFolder(t)
  cpSync(folder, interrupted, { recursive: true })
  const { sequence } = await done(t, env, folder, 'journal', 'attach')
  t.like(await done(t, env, interrupted, 'journal', 'attach'), { sequence })

  const later = newFolder(t)
  cpSync(folder, later, { recursive: true })
  await done(t, env, later, 'journal', 'detach')
  const gone = await startService(t, later, settings)
  await payerOn(t, gone)
  await gone.stop()
  t.true(((await done(t, env, later, 'journal', 'attach'))['sequence'] as number) > (sequence as number))
  t.like(await done(t, env, '', 'journal', 'status'), { entries: 1 })

  const other = newFolder(t)
  await (await startService(t, other, settings)).stop()
  const says = /^The journal of shard \S+ has entries: nothing was written/
  await refused(t, { env, folder: other, says }, 'journal', 'attach')
  const node = await owning(await startFollowing(t, later, env))
  await node.stop()
  await done(t, env, later, 'journal', 'detach')
  await refused(t, { env, folder: later, says }, 'journal', 'attach')
  await refused(t, { env: await newShard(), folder, says: /follows another journal than that/ }, 'journal', 'attach')
})

test.serial('keys of wallets that were sealed with a generated key need that key', async (t) => {
  const env = await newShard()
  const folder = newFolder(t)
  const alone = await startService(t, folder)
  await payerOn(t, alone)
  await alone.stop()
  const says = /sealed with \S+keystore\.secret: set BURSAR_KEYSTORE_KEY to what that file has$/
  await refused(t, { env, folder, says }, 'journal', 'attach')
})

test.serial(
  'a folder equals the journal row by row, also while its node works, and a difference is named',
  async (t) => {
    const { env, node } = await newOwner(t)
    const payer = await payerOn(t, node)
    let isPaying = true
    const paying = (async () => {
      while (isPaying) await pay(t, payer)
    })()
    const equal = await done(t, env, node.folder, 'journal', 'verify')
    isPaying = false
    await paying
    t.like(equal, { isEqual: true, difference: null })
    t.true((equal['rows'] as number) > 50, String(equal['rows']))
    t.deepEqual(
      readdirSync(join(node.folder, '..')).filter((name) => name !== 'data'),
      [],
    )
    await node.stop()
    const change = (work: (rows: StoredRows) => void) => changed(node.folder, 'counts', work)
    const [key, value] = await change((rows) => rows.put('one', Buffer.from('\0\0\0\0' + '5')))
    t.like(await compared(env, node.folder), {
      exit: 1,
      difference: { table: 'counts', key: 'one', missingIn: 'second' },
    })
    await change((rows) => {
      rows.remove('one')
      rows.put(key, Buffer.from('\0\0\0\0' + '77'))
    })
    const other = await compared(env, node.folder)
    t.deepEqual(other, { exit: 1, difference: { table: 'counts', key } })
    await change((rows) => rows.remove(key))
    t.like(await compared(env, node.folder), { exit: 1, difference: { table: 'counts', key, missingIn: 'first' } })
    await change((rows) => rows.put(key, value))
    t.like(await compared(env, node.folder), { exit: 0, difference: null })
  },
)

async function compared(env: Settings, folder: string) {
  const { exit, json } = await journal(env, folder, 'verify')
  return { exit, difference: json['difference'] }
}

/** Changes a table as nobody should; the first row that it had before. */
async function changed(folder: string, name: string, work: (rows: StoredRows) => void): Promise<[string, Buffer]> {
  const root = open({ path: folder, ...ENVIRONMENT })
  const rows = new StoredRows(root, name)
  const [first] = [...rows.range({ limit: 1 })].map(({ key, value }): [string, Buffer] => [key, Buffer.from(value)])
  root.transactionSync(() => work(rows))
  await root.close()
  return first!
}

test.serial('what a backup has is removed from the journal, and not needed with it', async (t) => {
  const { env, node } = await newOwner(t)
  const payer = await payerOn(t, node)
  await pay(t, payer, 5)
  const early = await backup(t, env, node.folder)
  await pay(t, payer, 5)
  const late = await backup(t, env, node.folder)
  await pay(t, payer, 5)
  const { removed, first } = await done(t, env, node.folder, 'journal', 'trim', late)
  t.true((removed as number) > 10)
  t.like(await done(t, env, '', 'journal', 'status'), { first })
  t.like(await done(t, env, node.folder, 'journal', 'trim', late), { removed: 0, first })
  const lost = { env, folder: node.folder }
  await refused(
    t,
    { ...lost, says: /^The journal begins at \d+: name the newest backup of a node$/ },
    'journal',
    'verify',
  )
  await refused(t, { ...lost, says: /does not have entry \d+ .*: name the newest backup/ }, 'journal', 'verify', early)
  t.like(await done(t, env, node.folder, 'journal', 'verify', late), { isEqual: true })
  await refused(t, { ...lost, says: /nothing was removed$/ }, 'journal', 'trim', early)

  const service = await startService(t, newFolder(t), { env: { BURSAR_KEYSTORE_KEY: KEYSTORE_KEY } })
  const foreign = await backup(t, env, service.folder)
  await refused(t, { ...lost, says: /follows no journal$/ }, 'journal', 'trim', foreign)
  const another = await newOwner(t)
  const elsewhere = await backup(t, another.env, another.node.folder)
  await refused(t, { ...lost, says: /follows another journal than that/ }, 'journal', 'trim', elsewhere)
  writeFileSync(join(late, 'keyhash.secret'), 'x')
  await refused(t, { ...lost, says: /is damaged: keyhash\.secret was changed$/ }, 'journal', 'trim', late)
})

test.serial('a node becomes a service of its own, once it has all and no node owns the shard', async (t) => {
  const { env, node } = await newOwner(t)
  const payer = await payerOn(t, node)
  const second = await startFollowing(t, newFolder(t), env)
  await pay(t, payer, 3)
  const balance = await balanceOf(payer.client, payer)
  const answered = await applied(node)
  await until(async () => ((await applied(second)) >= answered ? true : undefined), 'it is behind')
  const behind = await restored(t, env, await backup(t, env, second.folder))
  await pay(t, payer)
  await node.stop()
  await owning(second)
  const { folder } = node
  await refused(t, { env, folder, says: /^http\S+ owns the shard: stop all nodes first/ }, 'journal', 'detach')
  await second.stop()
  await refused(t, { env, folder, says: /lacks the entries after \d+: start it as a node/ }, 'journal', 'detach')
  await refused(t, { env: {}, folder, says: /^BURSAR_JOURNAL is missing/ }, 'journal', 'detach')
  await done(t, env, second.folder, 'journal', 'detach')
  const settings = { env: { BURSAR_KEYSTORE_KEY: KEYSTORE_KEY } }
  const alone = newClient(t, (await startService(t, second.folder, settings)).url)
  t.is(await balanceOf(alone, payer), balance - 1)
  await pay(t, { ...payer, client: alone })
  await done(t, {}, behind, 'journal', 'detach', '--force')
  t.is(await balanceOf(newClient(t, (await startService(t, behind, settings)).url), payer), balance)
})

test.serial('a folder is rebuilt as it was with any entry, from the first one or from a backup', async (t) => {
  const { env, node } = await newOwner(t)
  const payer = await payerOn(t, node)
  await pay(t, payer, 3)
  const balance = await balanceOf(payer.client, payer)
  const early = await backup(t, env, node.folder)
  await until(async () => ((await applied(node)) > 0 ? true : undefined), 'it has no entries')
  const to = await applied(node)
  await pay(t, payer, 3)
  const rebuilt = newFolder(t)
  t.like(await done(t, env, '', 'journal', 'rebuild', rebuilt, '--to', String(to)), { sequence: to, epoch: 1 })
  await refused(t, { env, folder: '', says: /is not empty/ }, 'journal', 'rebuild', rebuilt)
  await done(t, env, rebuilt, 'journal', 'detach', '--force')
  const settings = { env: { BURSAR_KEYSTORE_KEY: KEYSTORE_KEY } }
  const alone = newClient(t, (await startService(t, rebuilt, settings)).url)
  t.is(await balanceOf(alone, payer), balance)
  await pay(t, { ...payer, client: alone })

  const before = new Date().toISOString()
  await pay(t, payer)
  const earlier = newFolder(t)
  await until(async () => ((await applied(node)) > to ? true : undefined), 'nothing was applied since')
  await refused(
    t,
    { env, folder: '', says: /must be an entry, or a time like/ },
    'journal',
    'rebuild',
    newFolder(t),
    '--to',
    'noon',
  )
  await done(t, env, '', 'journal', 'rebuild', earlier, '--to', before)
  await done(t, env, earlier, 'journal', 'detach', '--force')
  t.is(await balanceOf(newClient(t, (await startService(t, earlier, settings)).url), payer), balance - 3)

  const whole = newFolder(t)
  await done(t, env, '', 'journal', 'rebuild', whole, '--from', early)
  const last = await applied(node)
  const says = /^The journal ends with entry \d+, before \d+$/
  await refused(t, { env, folder: '', says }, 'journal', 'rebuild', newFolder(t), '--to', String(last + 1_000))
  const past = /ends with entry \d+, after 2: name an earlier backup$/
  await refused(t, { env, folder: '', says: past }, 'journal', 'rebuild', newFolder(t), '--to', '2', '--from', early)
  await owningAfter(t, node, await startFollowing(t, whole, env), payer)
})

async function applied({ url }: Service): Promise<number> {
  return ((await (await fetch(`${url}/readyz`)).json()) as { applied: number }).applied
}

test.serial('doctor finds out whether the journal is reached, replicates, and has an owner', async (t) => {
  const { env, node } = await newOwner(t)
  const found = (more: Settings = {}) => findings({ ...env, ...more }, node)
  t.deepEqual(await found(), [
    ['ok', 'synchronous_standby_names is set; grant pg_monitor to see whether a synchronous standby is connected'],
    ['ok', `${node.url} owns the shard and is heard of`],
  ])
  const superuser = { BURSAR_JOURNAL: env['BURSAR_JOURNAL']!.replaceAll('bursar@', 'postgres@') }
  t.like(await found(superuser), [['ok', 'commits wait for a synchronous standby, which is connected']])
  await database.stopStandby()
  const waiting = /^synchronous_standby_names is set and no synchronous standby is connected/
  for (const more of [{}, superuser]) {
    const [[state, text] = []] = await found(more)
    t.is(state, 'warning')
    t.regex(text!, waiting)
  }
  await database.startStandby()
  await node.kill()
  t.deepEqual((await found())[1], ['warning', `${node.url} owns the shard and is not heard of: start a node`])
  t.like(await found({ BURSAR_JOURNAL: 'postgres://bursar@127.0.0.1:1/x' }), [['failed']])
  const single = await startSingle()
  t.teardown(() => single.end())
  const alone = { BURSAR_JOURNAL: single.url, BURSAR_JOURNAL_SINGLE: '1' }
  const first = await owning(await startFollowing(t, newFolder(t), { ...env, ...alone }))
  t.like(await found(alone), [['warning'], ['ok', `${first.url} owns the shard and is heard of`]])
  t.like(await found({ ...alone, BURSAR_JOURNAL_SINGLE: '0' }), [['failed']])
})

/** What doctor says of the journal. */
async function findings(env: Settings, { url, folder }: Service): Promise<(readonly [string, string])[]> {
  const given = { ...env, BURSAR_URL: url, BURSAR_API_KEY: ORGANIZATION_KEY }
  const { json } = await bursar(given, folder, 'doctor')
  const all = json['findings'] as { name: string; state: string; text: string }[]
  return all.filter(({ name }) => name === 'journal').map(({ state, text }) => [state, text] as const)
}
