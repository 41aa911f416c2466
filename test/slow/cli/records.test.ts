// bursar doctor finds records that disagree: what payments hold, what their gates count, and who has which unique key.
import { charts } from '../../../machines/index.js'
import { keysOf } from '../../../src/actor/turn.js'
import { actorChange } from '../../../src/host/embedded.js'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { runCommand } from '../../../src/cli/bursar.js'
import { recordFindings } from '../../../src/cli/data/records.js'
import { fieldsOf, type Actor } from '../../../src/actor/actor.js'
import { requestPayment } from '../../../src/commands/payments/request.js'
import type { Ref } from '../../../src/domain/limits/gate.js'
import { WEEKDAYS } from '../../../src/domain/time/timezone.js'
import type { Change } from '../../../src/store/change.js'
import { addressOf, done, newOrganization, openBare, randomAddress, type Bare } from '../../support/commands.js'
import { newClient } from '../../support/client.js'
import { newFolder, startService } from '../../support/process.js'
import { ask, fundedAgent } from '../../support/payments.js'
import { surroundings } from '../../support/commandContext.js'

const SOUND = { name: 'records', state: 'ok', text: 'holds, sums and unique keys agree' }

interface World extends Bare {
  agent: Ref
  wallet: Ref
  delegation: Ref
  /** By its state. */
  payments: { approved: Ref; executed: Ref }
}

/** An agent that has executed one payment of 5 and holds another of 7. */
async function newWorld(t: ExecutionContext): Promise<World> {
  const bare = openBare(t)
  const { agent, wallet, delegate } = await newOrganization(bare)
  const { id, caller } = await agent()
  const walletId = await wallet(100)
  const delegation = await delegate(id, walletId, { delegationType: 'FULL', allowedDays: [...WEEKDAYS] })
  const pay = async (amount: number, autoExecute: boolean): Promise<Ref> => {
    const wanted = { amount, recipientAddress: addressOf(randomAddress()), urgency: 'NORMAL', autoExecute } as const
    return done(await requestPayment(bare.services, caller, wanted)).payment.ref
  }
  const payments = { executed: await pay(5, true), approved: await pay(7, false) }
  return {
    ...bare,
    agent: `agent/${id}`,
    wallet: `wallet/${walletId}`,
    delegation: `delegation/${delegation}`,
    payments,
  }
}

type Fields = ReturnType<typeof fieldsOf>

/** Writes a record as no command would. */
async function tamper({ store, now }: World, ref: Ref, change: (fields: Fields) => Fields, state?: string) {
  const before = store.actor(ref)!
  const context = { ...before.context, ...change(fieldsOf(before)) }
  const after: Actor = { ...before, state: state ?? before.state, context }
  const actors = [{ ...actorChange(charts, before, after), wakeBefore: undefined, wakeAfter: undefined }]
  await write(store, now(), before, { actors })
}

function write(store: Bare['store'], at: number, { context }: Actor, change: Partial<Change>): Promise<void> {
  const nothing = { actors: [], keys: [], audited: [], deliveries: [], record: undefined }
  const by = { type: 'SYSTEM', id: 'test' }
  return store.commit({ organization: String(context.organization), by, at, ...nothing, ...change })
}

const nested = (fields: Fields, name: string): Fields => fields[name] as Fields

/** What is damaged, and what the finding says about it; `<wallet>` stands for its ref. */
const DAMAGED: [title: string, damage: (world: World) => Promise<unknown>, said: string][] = [
  [
    'a wallet that holds more than its payments do',
    (world) => tamper(world, world.wallet, ({ held }) => ({ held: Number(held) + 1 })),
    '<wallet> counts 8 as held, its payments 7',
  ],
  [
    'a wallet with another balance than funded and spent',
    (world) => tamper(world, world.wallet, () => ({ balance: 96 })),
    '<wallet> counts 96 as balance, its payments 95',
  ],
  [
    'a delegation that holds less than its payments do',
    (world) => tamper(world, world.delegation, (fields) => ({ sums: { ...nested(fields, 'sums'), held: 0 } })),
    '<delegation> counts 0 as held, its payments 7',
  ],
  [
    'an agent that has captured more than its payments have',
    (world) => tamper(world, world.agent, (fields) => ({ tally: { ...nested(fields, 'tally'), total: 6 } })),
    '<agent> counts 6 as captured, its payments 5',
  ],
  [
    'a delegation that is missing, though payments hold there',
    (world) =>
      tamper(world, world.payments.approved, ({ gates }) => ({
        gates: (gates as Fields[]).map((gate) =>
          gate['ref'] === world.delegation ? { ...gate, ref: `delegation/c${'0'.repeat(24)}` as never } : gate,
        ) as never,
      })),
    `delegation/c${'0'.repeat(24)} is missing`,
  ],
  [
    'an approved payment without holds',
    (world) => tamper(world, world.payments.approved, () => ({ holds: [] })),
    '<approved> is approved and does not hold what that demands',
  ],
  [
    'a payment whose hold has another amount',
    (world) =>
      tamper(world, world.payments.approved, ({ holds }) => ({
        holds: (holds as Fields[]).map((hold, place) => (place === 2 ? { ...hold, amount: 8 } : hold)),
      })),
    '<wallet> counts 7 as held, its payments 8',
  ],
  [
    'a denied payment that holds still',
    (world) => tamper(world, world.payments.approved, () => ({}), 'denied'),
    '<approved> is denied and does not hold what that demands',
  ],
  [
    'an executed payment whose holds are not captured',
    (world) =>
      tamper(world, world.payments.executed, ({ holds }) => ({
        holds: (holds as Fields[]).map(({ amount }) => ({ amount: amount! })),
      })),
    '<executed> is executed and does not hold what that demands',
  ],
  [
    'an agent whose name belongs to nobody',
    ({ store, now, agent }) => write(store, now(), store.actor(agent)!, { keys: [[nameOf(store, agent), undefined]] }),
    '<agent> lacks its unique key',
  ],
  [
    'an agent whose name belongs to another',
    ({ store, now, agent }) => {
      const other = { owner: 'agent/another', organization: String(store.actor(agent)!.context.organization) }
      return write(store, now(), store.actor(agent)!, { keys: [[nameOf(store, agent), other]] })
    },
    'agent/another has the unique key of <agent>',
  ],
  [
    'a name that an agent has given up and keeps',
    ({ store, now, agent }) => {
      const organization = String(store.actor(agent)!.context.organization)
      return write(store, now(), store.actor(agent)!, { keys: [['former', { owner: agent, organization }]] })
    },
    '<agent> has a unique key that it has given up',
  ],
]

const nameOf = (store: Bare['store'], agent: Ref): string => keysOf(charts, store.actor(agent)!).keys[0]!

for (const [title, damage, said] of DAMAGED) {
  test(`the finding about ${title} says so`, async (t) => {
    const world = await newWorld(t)
    await damage(world)
    await world.close()
    const [finding] = await recordFindings(world.folder)
    const { agent, wallet, delegation, payments } = world
    const refs: { [name: string]: Ref } = { agent, wallet, delegation, ...payments }
    const sentence = said.replace(/<(\w+)>/, (_, name: string) => refs[name]!)
    t.like(finding, { name: 'records', state: 'failed' })
    t.true(finding!.text.startsWith('restore a backup: '), finding!.text)
    t.true(finding!.text.includes(sentence), finding!.text)
  })
}

test('more than three disagreements are counted', async (t) => {
  const world = await newWorld(t)
  await tamper(world, world.payments.approved, () => ({ holds: [] }))
  const [finding] = await recordFindings(world.folder)
  t.regex(finding!.text, / and \d+ more$/)
})

/** What doctor says, without a service that answers. */
async function doctor(folder: string): Promise<{ exit: number; out: string }> {
  const env = { BURSAR_URL: 'http://127.0.0.1:1', BURSAR_DATA_DIR: folder }
  const context = surroundings({ env, dataDir: () => folder })
  const exit = await runCommand(['doctor'], context)
  return { exit, out: context.said.join('\n') }
}

test('doctor prints the finding about the records', async (t) => {
  const world = await newWorld(t)
  t.regex((await doctor(world.folder)).out, /^ok +records +holds, sums and unique keys agree$/m)
  await tamper(world, world.wallet, () => ({ held: 0 }))
  await world.close()
  t.regex(
    (await doctor(world.folder)).out,
    /^failed +records +restore a backup: wallet\/\S+ counts 0 as held, its payments 7$/m,
  )
})

const LOST: [lost: string, doctored: RegExp][] = [
  ['data.mdb', /^failed +data folder +\S+data\.mdb is missing: restore a backup$/m],
  ['keyhash.secret', /^failed +data folder +\S+keyhash\.secret is missing: restore it from a backup$/m],
]

for (const [lost, doctored] of LOST) {
  test(`doctor fails a folder whose ${lost} is missing`, async (t) => {
    const service = await startService(t, newFolder(t))
    await service.stop()
    t.notRegex((await doctor(service.folder)).out, /data folder/)
    rmSync(join(service.folder, lost))
    t.regex((await doctor(service.folder)).out, doctored)
    t.false(existsSync(join(service.folder, lost)))
  })
}

test('doctor says that nothing was checked where there are no data or no folder', async (t) => {
  const folder = newFolder(t)
  mkdirSync(folder, { recursive: true })
  t.regex((await doctor(folder)).out, /^warning +data folder +\S+ has no data: set BURSAR_DATA_DIR /m)
  t.false(existsSync(join(folder, 'data.mdb')))
  rmSync(folder, { recursive: true })
  t.regex((await doctor(folder)).out, /^warning +data folder +\S+ does not exist, so no data were checked: /m)
})

test('the records of a service are found sound while it makes payments', async (t) => {
  const service = await startService(t, newFolder(t))
  const client = newClient(t, service.url)
  const { key } = await fundedAgent(client, { balance: 1_000 })
  let isPaying = true
  const payers = [1, 2, 3, 4].map(async () => {
    while (isPaying) await ask(client, key, 0.01, { autoExecute: true })
  })
  for (let time = 0; time < 5; time += 1) t.deepEqual(await recordFindings(service.folder), [SOUND])
  isPaying = false
  await Promise.all(payers)
  t.deepEqual(await recordFindings(service.folder), [SOUND])
})
