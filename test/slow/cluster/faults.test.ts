// Two nodes under load while everything fails that may: what was answered is kept, once, and all folders are equal.
import { setTimeout } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import { again, runs, seedOr } from '../../support/depth.js'
import { newFailingOverClient, type FailingOverClient } from '../../support/failingOver.js'
import { inspect } from '../../support/integrity.js'
import { Load } from '../../support/load.js'
import { detached, differences, rebuilt, rowsOfFolder } from '../../support/nodeFolders.js'
import { ownerOf, PairedNode } from '../../support/nodePair.js'
import { fundedAgent, type FundedAgent } from '../../support/payments.js'
import { lent } from '../../support/postgres/lent.js'
import { startReplicated, type ReplicatedDatabase } from '../../support/postgres/replicated.js'
import { newFolder } from '../../support/process.js'
import { Random } from '../../support/random.js'
import { lost, misexecuted, wrongCounterparties, wrongSums } from '../crash/ledger.js'

const CALLERS = 12
const BALANCE = 2_000
const ROUNDS = runs(1)
const SEED = seedOr(47)
/** Longer than the lease. */
const PAUSE_MS = 2_500

interface Scene {
  nodes: readonly PairedNode[]
  database: ReplicatedDatabase
}

/** Resolves when the process that runs now has ended, and another one follows the journal. */
async function ended(node: PairedNode, happens: () => void | Promise<void>): Promise<void> {
  const back = node.restarted()
  await happens()
  await back
}

const FAULTS: { [name: string]: (scene: Scene) => Promise<void> } = {
  'the owner is killed': async ({ nodes }) => {
    const owner = await ownerOf(nodes)
    await ended(owner, () => owner.signal('SIGKILL'))
  },
  'the owner is stopped': async ({ nodes }) => {
    const owner = await ownerOf(nodes)
    await ended(owner, () => owner.signal('SIGTERM'))
  },
  'the owner is paused for longer than its lease': async ({ nodes }) => {
    const owner = await ownerOf(nodes)
    await ended(owner, async () => {
      owner.signal('SIGSTOP')
      await setTimeout(PAUSE_MS)
      owner.signal('SIGCONT')
    })
  },
  'the primary of the database is killed': ({ database }) => database.failOver({ rejoin: true }),
  'the old primary comes back beside the new one': async ({ database }) => {
    await database.failOver({ rejoin: false })
    await database.startOldPrimary()
    await setTimeout(PAUSE_MS)
    await database.rejoin()
  },
  'waits for the standby are cancelled': async ({ database }) => {
    await database.stopStandby()
    for (let times = 0; times < 10; times += 1) {
      await setTimeout(100)
      await database.cancelWaits()
    }
    await database.startStandby()
  },
  'the owner is cut off from the database': async ({ nodes }) => {
    const owner = await ownerOf(nodes)
    await ended(owner, async () => {
      owner.proxy.cut()
      await setTimeout(PAUSE_MS)
      owner.proxy.mend()
    })
  },
  'the owner hears no answers of the database': async ({ nodes }) => {
    const owner = await ownerOf(nodes)
    await ended(owner, async () => {
      owner.proxy.cut('answers')
      await setTimeout(PAUSE_MS)
      owner.proxy.mend()
    })
  },
  'the database is slow': async ({ nodes }) => {
    for (const { proxy } of nodes) proxy.delay(40)
    await setTimeout(PAUSE_MS)
    for (const { proxy } of nodes) proxy.delay(0)
  },
  'both nodes are killed': async ({ nodes }) => {
    await Promise.all(nodes.map((node) => ended(node, () => node.signal('SIGKILL'))))
  },
  'a standby loses its folder': async ({ nodes }) => {
    const owner = await ownerOf(nodes)
    const standby = nodes.find((node) => node !== owner)!
    await ended(standby, () => standby.loseFolder())
  },
}

test.serial(`no answer is lost, whatever fails (seed ${SEED})`, async (t) => {
  t.timeout(180_000 * ROUNDS)
  t.log(again(SEED))
  const database = await lent(t, startReplicated)
  if (database === undefined) return
  const nodes = [await PairedNode.start(t, database.urls), await PairedNode.start(t, database.urls)]
  const client = newFailingOverClient(() => nodes.map(({ url }) => url))
  await ownerOf(nodes)
  const agents = await funded(client)
  const load = new Load(agents, new Random(SEED))
  const running = load.run(client, CALLERS)
  for (let round = 0; round < ROUNDS; round += 1) await fail(t, { nodes, database }, client)
  client.stop()
  await running
  await settled(load, nodes)
  const owner = await ownerOf(nodes)
  const standby = nodes.find((node) => node !== owner)!
  for (const node of [standby, owner]) await node.stop()
  const acknowledged = load.deeds.length - load.unanswered().length
  t.log(`${acknowledged} acknowledged`)
  await compared(t, database, [owner.folder, standby.folder])
  await checked(t, owner.folder, { load, agents })
})

async function funded(client: FailingOverClient): Promise<FundedAgent[]> {
  const agents: FundedAgent[] = []
  for (const name of ['One', 'Two', 'Three']) agents.push(await fundedAgent(client, { name, balance: BALANCE }))
  return agents
}

async function fail(t: ExecutionContext, scene: Scene, client: FailingOverClient): Promise<void> {
  for (const [name, happens] of Object.entries(FAULTS)) {
    client.takeGap()
    await happens(scene)
    await ownerOf(scene.nodes)
    await setTimeout(500)
    t.log(`${name}: ${client.takeGap()} ms without an answer`)
  }
}

async function settled(load: Load, nodes: readonly PairedNode[]): Promise<void> {
  const client = newFailingOverClient(() => nodes.map(({ url }) => url))
  for (const deed of load.unanswered()) await load.send(client, deed)
}

/** The standby's folder gets what it had not yet read when it was stopped. */
async function compared(
  t: ExecutionContext,
  { urls }: ReplicatedDatabase,
  [owner, standby]: [string, string],
): Promise<void> {
  const expected = await rowsOfFolder(owner)
  for (const folder of [await rebuilt(newFolder(t), urls), await rebuilt(standby, urls)]) {
    t.deepEqual(differences(expected, await rowsOfFolder(folder)).slice(0, 5), [])
  }
}

async function checked(
  t: ExecutionContext,
  folder: string,
  { load, agents }: { load: Load; agents: FundedAgent[] },
): Promise<void> {
  const contents = await inspect(await detached(folder))
  t.deepEqual(contents.problems, [])
  t.deepEqual(lost(contents, load.deeds), [])
  t.deepEqual(wrongSums(contents, agents, load.deeds, BALANCE), [])
  t.deepEqual(wrongCounterparties(contents), [])
  t.deepEqual(misexecuted(contents), [])
}
