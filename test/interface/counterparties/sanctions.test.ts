// The sanctions list: shipped, shown, replaced while the service runs, in force at once, and stopping every payment
// while it cannot be read.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setImmediate as immediate } from 'node:timers/promises'
import test from 'ava'
import { readSanctionsList, SANCTIONS_FILE } from '../../../src/domain/parties/sanctions.js'
import { oncePerRound, sanctionsIn } from '../../../src/service/sanctions.js'
import { projectRoot } from '../../support/root.js'
import { newFolder, ORGANIZATION_KEY } from '../../support/process.js'
import { status } from '../../support/payments.js'
import { randomAddress, randomSolanaAddress } from '../../support/commands.js'
import { failureOf, NOON, openStage, type Stage } from './stage.js'
import type { Sanctions } from '../../../sdk/api.js'

const MAIN = fileURLToPath(new URL('../../../src/main.js', import.meta.url))
const SHIPPED = '0x01e2919679362dfbc9ee1644ba9c6da6d6245bb1'

const shown = async ({ client }: Stage): Promise<Sanctions> =>
  (await client.get<Sanctions>('/api/sanctions', ORGANIZATION_KEY)).body

/** Loads a list with the command line, as somebody on the machine would. */
function load(
  { folder }: { folder: string },
  content: unknown,
): { status: number | null; stdout: string; stderr: string } {
  const file = join(dirname(folder), 'list.json')
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  const env = { PATH: process.env['PATH'], BURSAR_DATA_DIR: folder }
  return spawnSync(process.execPath, [MAIN, 'sanctions', 'load', file], { env, encoding: 'utf8' })
}

const listOf = (...addresses: string[]) => ({ list: 'Test', source: 'a test', asOf: '2031-07-01', addresses })

const typesOf = (decision: { violations?: { type: string }[] }) => (decision.violations ?? []).map(({ type }) => type)

test('the shipped list is in force, with a warning about its age', async (t) => {
  const stage = await openStage(t)
  const { addresses } = JSON.parse(readFileSync(join(projectRoot, 'assets/sanctioned-evm-addresses.json'), 'utf8')) as {
    addresses: string[]
  }
  const list = await shown(stage)
  t.like(list, { date: '2024-09-27', count: addresses.length, origin: 'SHIPPED' })
  t.regex(list.warning!, /^The list is \d+ days old/)
  t.regex(list.source!, /ofac/)
  t.deepEqual(typesOf(await stage.request(SHIPPED)), ['SANCTIONED_ADDRESS'])
  t.like(await stage.networkTrust(SHIPPED), { riskIndicators: { ofacMatch: true }, networkTrust: { flags: [] } })
  t.is((await stage.pay(randomAddress())).status, 'EXECUTED')
})

test('a loaded list applies to new and approved payments, and shows in network trust', async (t) => {
  const stage = await openStage(t)
  const [address, solana] = [randomAddress(), randomSolanaAddress()]
  await stage.pay(address)
  const approved = await stage.request(address)
  t.is(approved.status, 'APPROVED')
  const loaded = load(stage, listOf(address.toLowerCase(), solana))
  t.deepEqual([loaded.status, loaded.stderr], [0, ''])
  t.regex(loaded.stdout, /^Test of 2031-07-01 is in force in \/.*: 2 addresses/)
  t.deepEqual(await shown(stage), {
    list: 'Test',
    source: 'a test',
    date: '2031-07-01',
    count: 2,
    origin: 'LOADED',
    warning: null,
  })
  t.deepEqual(typesOf(await stage.request(address)), ['SANCTIONED_ADDRESS'])
  const stopped = await stage.execute(approved.requestId)
  t.deepEqual(failureOf(stopped), { status: 400, code: 'INVALID_STATUS' })
  t.deepEqual((stopped.body as unknown as { reasons: string[] }).reasons, [
    'The recipient is on the sanctions list Test of 2031-07-01',
  ])
  t.is((await status(stage.client, stage.agent.key, approved.requestId)).body.status, 'DENIED')
  const { networkTrust, riskIndicators } = await stage.networkTrust(address)
  t.true(riskIndicators.ofacMatch && networkTrust.flags.includes('SANCTIONED'))
  t.is((await stage.pay(SHIPPED)).status, 'EXECUTED')
  await stage.restart()
  t.like(await shown(stage), { list: 'Test' })
  t.deepEqual(typesOf(await stage.request(address)), ['SANCTIONED_ADDRESS'])
  t.like(await stage.networkTrust(solana), { riskIndicators: { ofacMatch: true } })
})

test('a loaded list does not stop an approved payment whose recipient it does not name', async (t) => {
  const stage = await openStage(t)
  const { requestId } = await stage.request(randomAddress())
  load(stage, listOf(randomAddress()))
  t.is((await stage.execute(requestId)).status, 200)
})

test('the list is looked for once for all requests of a round, and again for one that is read after that', async (t) => {
  const folder = newFolder(t)
  mkdirSync(folder, { recursive: true })
  const lay = (name: string): void =>
    writeFileSync(join(folder, SANCTIONS_FILE), JSON.stringify({ ...listOf(SHIPPED), list: name }))
  const look = sanctionsIn(folder, () => {})
  const inForce = oncePerRound(look)
  lay('One')
  const first = immediate().then(() => {
    t.is(inForce().list?.name, 'One')
    lay('Another')
  })
  const second = immediate().then(() => t.is(inForce().list?.name, 'One'))
  const later = second.then(() => immediate()).then(() => t.is(inForce().list?.name, 'Another'))
  await Promise.all([first, second, later])
  lay('The third')
  t.is(look().list?.name, 'The third', 'one that is not shared by a round looks each time')
})

test('a list cannot be loaded into a folder that is not a data folder', (t) => {
  const folder = newFolder(t)
  mkdirSync(folder, { recursive: true })
  for (const wrong of [folder, join(folder, 'data')]) {
    const { status: code, stdout, stderr } = load({ folder: wrong }, listOf(SHIPPED))
    t.deepEqual([code, stdout], [1, ''])
    t.true(stderr.startsWith(`${wrong} is not the data folder`), stderr)
  }
  t.deepEqual(readdirSync(folder), ['list.json'])
})

const BROKEN: [title: string, content: unknown][] = [
  ['no JSON', 'addresses: none'],
  ['no addresses', listOf()],
  ['a bad address', listOf(SHIPPED, '0x12')],
  ['no date', { ...listOf(SHIPPED), asOf: undefined }],
  ['a day that is none', { ...listOf(SHIPPED), asOf: '2031-02-30' }],
  ['no source', { ...listOf(SHIPPED), source: '' }],
  ['a list of nothing but a list', [SHIPPED]],
]

test('a list that is wrong in any part is refused, and the previous one stays in force', async (t) => {
  const stage = await openStage(t)
  const address = randomAddress()
  t.is(load(stage, listOf(address)).status, 0)
  for (const [title, content] of BROKEN) {
    const { status: code, stdout, stderr } = load(stage, content)
    t.deepEqual([code, stdout], [1, ''], title)
    t.regex(stderr, /list\.json (is not|has no) .*; the list in force was not changed/, title)
    t.like(await shown(stage), { list: 'Test', count: 1 }, title)
  }
  t.deepEqual(
    readdirSync(stage.folder).filter((name) => name.startsWith('sanctions')),
    ['sanctions.json'],
  )
  t.deepEqual(typesOf(await stage.request(address)), ['SANCTIONED_ADDRESS'])
})

for (const [title, spoil] of [
  ['broken', (path: string) => writeFileSync(path, '{"list":')],
  ['a folder', (path: string) => mkdirSync(path)],
] as const) {
  test(`nothing is paid while the list in the data folder is ${title}`, async (t) => {
    const stage = await openStage(t)
    const address = randomAddress()
    const approved = await stage.request(address)
    const path = join(stage.folder, 'sanctions.json')
    spoil(path)
    const denied = await stage.request(address)
    t.deepEqual(typesOf(denied), ['SANCTIONED_ADDRESS'])
    t.regex(denied.hint!, /until the sanctions list can be read/)
    t.deepEqual(failureOf(await stage.execute(approved.requestId)), { status: 400, code: 'INVALID_STATUS' })
    t.is((await status(stage.client, stage.agent.key, approved.requestId)).body.status, 'APPROVED')
    t.true((await stage.networkTrust(randomAddress())).riskIndicators.ofacMatch)
    t.like(await shown(stage), { list: null, count: 0, origin: 'LOADED' })
    t.regex((await shown(stage)).warning!, /every payment that is asked for is denied/)
    t.is(stage.logged.length, 1)
    stage.logged.length = 0
    rmSync(path, { recursive: true })
    t.is((await stage.execute(approved.requestId)).status, 200)
    t.is((await stage.pay(address)).status, 'EXECUTED')
  })
}

test('a list that is more than 30 days old has a warning', async (t) => {
  const stage = await openStage(t)
  load(stage, { ...listOf(SHIPPED), asOf: new Date(NOON - 20 * 86_400_000).toISOString().slice(0, 10) })
  t.is((await shown(stage)).warning, null)
  stage.setClock(NOON + 15 * 86_400_000)
  t.regex((await shown(stage)).warning!, /35 days old/)
})

test('the shipped list is valid', (t) => {
  const text = readFileSync(join(projectRoot, 'assets/sanctioned-evm-addresses.json'), 'utf8')
  t.true(readSanctionsList(text).ok)
})
