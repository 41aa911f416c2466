// A service that runs moves into a journal: it answers reads all the time, and refuses changes for the seconds until a node
// owns its folder. Nothing that either has answered is lost.
import { setTimeout } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import { runCommand } from '../../../src/cli/bursar.js'
import { newClient } from '../../support/client.js'
import { surroundings } from '../../support/commandContext.js'
import { newFailingOverClient } from '../../support/failingOver.js'
import { inspect } from '../../support/integrity.js'
import { lost, misexecuted, overspent, wrongCounterparties, wrongSums } from '../../support/ledger.js'
import { Load } from '../../support/load.js'
import { KEYSTORE_KEY, nodeEnv, owning, PATIENT_LEASE_MS, startFollowing } from '../../support/nodes.js'
import { ask, fundedAgent } from '../../support/payments.js'
import { withOne } from '../../support/postgres/lent.js'
import { startReplicated, type ReplicatedDatabase } from '../../support/postgres/replicated.js'
import { newFolder, ORGANIZATION_KEY, startService, type Service } from '../../support/process.js'
import { Random } from '../../support/random.js'

type Settings = { [name: string]: string }

const BALANCE = 10_000
const CALLERS = 8
const ALONE = { env: { BURSAR_KEYSTORE_KEY: KEYSTORE_KEY } }

let database: ReplicatedDatabase
let installations = 0

const databaseTest = withOne(test, startReplicated, (started) => (database = started))

async function newEnv(): Promise<Settings> {
  const urls = await database.installation(`a${(installations += 1)}`)
  return nodeEnv(urls, { BURSAR_LEASE_MS: PATIENT_LEASE_MS })
}

/** What `bursar journal attach` says of this folder. */
async function attached(env: Settings, folder: string): Promise<{ exit: number; said: string }> {
  const context = surroundings({ env, dataDir: () => folder })
  const exit = await runCommand(['journal', 'attach'], context).catch((error: Error) => {
    context.complain(error.message)
    return 1
  })
  return { exit, said: [...context.said, ...context.complained].join('\n') }
}

/** Reads at a service, again and again, until it ends; resolves to what was not answered with 200. */
function reading(t: ExecutionContext, { url, exited }: Service): { others: number[]; ended: Promise<void> } {
  const client = newClient(t, url)
  const others: number[] = []
  let isOver = false
  void exited.then(() => (isOver = true))
  const readOn = async (): Promise<void> => {
    while (!isOver) {
      const { status } = await client.get('/api/agents', ORGANIZATION_KEY).catch(() => ({ status: 0 }))
      if (status !== 200 && status !== 0) others.push(status)
      await setTimeout(10)
    }
  }
  return { others, ended: readOn() }
}

databaseTest('a service under load becomes the first node of its shard, and loses nothing', async (t) => {
  t.timeout(120_000)
  const env = await newEnv()
  const folder = newFolder(t)
  const alone = await startService(t, folder, ALONE)
  const direct = newClient(t, alone.url)
  const urls = [alone.url]
  const client = newFailingOverClient(() => urls)
  const agents = await Promise.all(['One', 'Two'].map((name) => fundedAgent(direct, { name, balance: BALANCE })))
  const load = new Load(agents, new Random(7))
  const running = load.run(client, CALLERS)
  const read = reading(t, alone)
  await client.answered(10 * CALLERS)
  client.takeGap()

  const { exit, said } = await attached(env, folder)
  t.is(exit, 0, said)
  t.regex(said, /^The service on it only answers reads by now/m)
  const { status, body } = await ask(direct, agents[0]!.key, 1)
  t.like({ status, body }, { status: 503, body: { code: 'UNAVAILABLE' } })
  t.is((await fetch(`${alone.url}/readyz`)).status, 503)
  t.is((await direct.get('/api/agents', ORGANIZATION_KEY)).status, 200)
  t.deepEqual(read.others, [], 'it answers reads as long as no node serves the folder')
  const node = await startFollowing(t, folder, env)
  urls.push(node.url)
  await owning(node)
  await client.answered(10 * CALLERS)
  t.log(`no change was answered for ${client.takeGap()} ms`)
  client.stop()
  await running
  const last = newFailingOverClient(() => [node.url])
  for (const deed of load.unanswered()) await load.send(last, deed)
  for (const { path, key, idempotencyKey, body: asked, answer } of load.deeds) {
    const again = await last.post(path, key, asked, { 'Idempotency-Key': idempotencyKey })
    t.deepEqual([again.status, again.body], [answer!.status, answer!.body])
  }
  t.is((await alone.exited).code, 1)
  await read.ended
  t.regex(alone.output().stderr, /^Another process serves \S+ now$/m)
  t.deepEqual(
    read.others.filter((other) => other !== 503),
    [],
  )
  t.is((await node.stop()).code, 0)
  const contents = await inspectDetached(env, folder)
  t.deepEqual(
    [
      ...lost(contents, load.deeds),
      ...misexecuted(contents),
      ...wrongSums(contents, agents, load.deeds, BALANCE),
      ...wrongCounterparties(contents),
      ...overspent(contents),
      ...contents.problems,
    ],
    [],
  )
})

async function inspectDetached(env: Settings, folder: string) {
  await runCommand(['journal', 'detach'], surroundings({ env, dataDir: () => folder }))
  return inspect(folder)
}

databaseTest('a service is not asked for its folder where its journal has entries, and goes on', async (t) => {
  const env = await newEnv()
  await (await owning(await startFollowing(t, newFolder(t), env))).stop()
  const folder = newFolder(t)
  const alone = await startService(t, folder, ALONE)
  const { exit, said } = await attached(env, folder)
  t.is(exit, 1)
  t.regex(said, /has entries: nothing was written/)
  t.is((await ask(newClient(t, alone.url), (await fundedAgent(newClient(t, alone.url))).key, 1)).status, 200)
  t.deepEqual(await alone.stop(), { code: 0, signal: null })
})

databaseTest('a service that has given its folder up is started anew where nothing came of it', async (t) => {
  const folder = newFolder(t)
  const alone = await startService(t, folder, ALONE)
  const { key } = await fundedAgent(newClient(t, alone.url))
  const { askForFolder } = await import('../../../src/store/folder/handOver.js')
  askForFolder(folder)
  const refused = async (): Promise<boolean> => (await ask(newClient(t, alone.url), key, 1)).status === 503
  while (!(await refused())) await setTimeout(50)
  t.deepEqual(await alone.stop(), { code: 0, signal: null })
  const again = await startService(t, folder, ALONE)
  t.is((await ask(newClient(t, again.url), key, 1)).status, 200)
})
