// A backup that is taken while payments are made is a consistent snapshot, from which another service can start.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  watch,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { Bursar, BursarAdmin } from '../../../sdk/index.js'
import { LOCKS } from '../../../src/store/folder/files.js'
import { isJournal } from '../../../src/store/journal/files.js'
import { WEEKDAYS } from '../../../src/domain/time/timezone.js'
import { projectRoot } from '../../support/root.js'
import { newFolder, ORGANIZATION_KEY, startService, type Service } from '../../support/process.js'
import { bursar, type Ran } from '../../support/commandLine.js'

const VENDOR = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'

const on = (folder: string, ...args: string[]): Promise<Ran> => bursar(args, { env: { BURSAR_DATA_DIR: folder } })
const admin = ({ url }: Service): BursarAdmin => new BursarAdmin({ baseUrl: url, apiKey: ORGANIZATION_KEY })

async function agentOn(service: Service): Promise<Bursar> {
  const { agents, wallets } = admin(service)
  const agent = await agents.create({ name: 'payer', agentType: 'CUSTOM' })
  const wallet = await wallets.create({ name: 'funds', custodyType: 'MANAGED' })
  await wallets.fund(wallet.id, 1000)
  await agents.wallets.delegate(agent.id, { walletId: wallet.id, allowedDays: WEEKDAYS })
  const { key } = await agents.keys.create(agent.id, { name: 'key' })
  return new Bursar({ baseUrl: service.url, apiKey: key })
}

/** Whatever was locked leaves the files of its lock. */
const contentsOf = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => !LOCKS.has(name))
    .sort()

function modes(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => (statSync(join(entry.parentPath, entry.name)).mode & 0o777).toString(8))
}

async function restores(t: ExecutionContext, ...flags: string[]): Promise<void> {
  const service = await startService(t, newFolder(t))
  const agent = await agentOn(service)
  let paying = true
  const payers = [1, 2, 3, 4].map(async () => {
    while (paying) await agent.payments.pay({ amount: '0.001', recipientAddress: VENDOR })
  })
  const signing = (async () => {
    while (paying) await admin(service).audit.checkpoint()
  })()
  const before = (await agent.transactions()).pagination.total
  const target = newFolder(t)
  const copied = await on(service.folder, 'backup', target, ...flags)
  paying = false
  await Promise.all([...payers, signing])
  const after = (await agent.transactions()).pagination.total
  t.is(copied.status, 0, copied.error)
  t.deepEqual([...new Set(modes(target))], ['600'])
  t.is(statSync(target).mode & 0o777, 0o700)
  await service.stop()

  const restored = newFolder(t)
  const back = await on(restored, 'restore', target)
  t.is(back.status, 0, back.error)
  t.deepEqual(
    contentsOf(restored),
    readdirSync(target)
      .filter((name) => name !== 'backup.json')
      .sort(),
  )
  const second = await startService(t, restored)
  const { transactions, wallets, audit } = admin(second)
  const count = (await transactions.list()).pagination.total
  t.true(before <= count && count <= after, `${before} ${count} ${after}`)
  const [wallet] = (await wallets.list()).wallets
  t.is(wallet!.balance, (1_000_000 - count) / 1000)
  t.true((await audit.verify()).valid)
  t.true((await audit.checkpoint()).size > 0, 'the log of the backup continues the checkpoint in it')
}

test('a backup under load restores to a service whose balance matches its transactions', restores)
test('a compacted backup restores just the same', restores, '--compact')

test('data folder, backup and the folder to restore to may each be the root of a volume', async (t) => {
  const volume = (): string => {
    const folder = newFolder(t)
    mkdirSync(join(folder, 'lost+found'), { recursive: true })
    return folder
  }
  const [dataDir, backup, restored] = [volume(), volume(), volume()]
  const service = await startService(t, dataDir)
  writeFileSync(join(dataDir, 'lost+found', 'found'), 'x')
  t.is((await on(dataDir, 'backup', backup)).status, 0)
  await service.stop()
  writeFileSync(join(backup, 'lost+found', 'found'), 'x')
  t.is((await on(restored, 'restore', backup)).status, 0)
  t.deepEqual(contentsOf(restored), contentsOf(dataDir))
  t.deepEqual(readdirSync(join(restored, 'lost+found')), [])
})

test('nothing is overwritten, and an unfinished or damaged backup is not restored', async (t) => {
  const [full, other] = [newFolder(t), newFolder(t)]
  t.is((await on(other, 'backup', full)).status, 1)
  mkdirSync(full)
  writeFileSync(join(full, 'mine'), 'x')
  const service = await startService(t, newFolder(t))
  const backup = newFolder(t)
  t.regex((await on(service.folder, 'backup', full)).error, /is not empty: nothing was written/)
  t.is((await on(service.folder, 'backup', backup)).status, 0)
  t.regex((await on(full, 'restore', backup)).error, /is not empty/)
  t.regex((await on(service.folder, 'restore', backup)).error, /is not empty/)
  t.regex((await on(other, 'restore', full)).error, /is not a finished backup/)
  const missing = await on(other, 'restore', newFolder(t), '--json')
  t.is(missing.status, 1)
  t.regex((JSON.parse(missing.error) as { error: string }).error, /does not exist/)
  t.regex((await on(service.folder, 'backup', join(service.folder, 'inside'))).error, /is inside /)
  t.deepEqual(readdirSync(full), ['mine'])

  writeFileSync(join(backup, 'more'), 'x')
  t.regex((await on(other, 'restore', backup)).error, /more was added/)
  rmSync(join(backup, 'more'))
  renameSync(join(backup, 'keyhash.secret'), join(other, '..', 'keyhash.aside'))
  t.regex((await on(other, 'restore', backup)).error, /keyhash\.secret is missing/)
  renameSync(join(other, '..', 'keyhash.aside'), join(backup, 'keyhash.secret'))
  truncateSync(join(backup, 'data.mdb'), 20_000)
  t.regex((await on(other, 'restore', backup)).error, /is damaged: data\.mdb was changed/)
  t.deepEqual(contentsOf(other), [])
  rmSync(join(backup, 'backup.json'))
  t.regex((await on(other, 'restore', backup)).error, /is not a finished backup/)
})

test('a backup contains the files that symbolic links in the data folder point to', async (t) => {
  const service = await startService(t, newFolder(t))
  await admin(service).wallets.create({ name: 'funds', custodyType: 'MANAGED' })
  await service.stop()
  const elsewhere = newFolder(t)
  mkdirSync(elsewhere)
  for (const name of ['keystore', 'keyhash.secret']) {
    renameSync(join(service.folder, name), join(elsewhere, name))
    symlinkSync(join(elsewhere, name), join(service.folder, name))
  }
  const backup = newFolder(t)
  t.is((await on(service.folder, 'backup', backup)).status, 0)
  const lasting =
    lstatSync(join(backup, 'keyhash.secret')).isFile() && lstatSync(join(backup, 'keystore')).isDirectory()
  t.true(lasting)
  t.deepEqual(readdirSync(join(backup, 'keystore')), readdirSync(join(elsewhere, 'keystore')))
})

test('a backup leaves out files that are being written, whose names end in .unfinished', async (t) => {
  const folder = newFolder(t)
  mkdirSync(folder)
  const seen = new Set<string>()
  const watcher = watch(folder, (_, name) => void seen.add(name!))
  t.teardown(() => watcher.close())
  const service = await startService(t, folder)
  await admin(service).wallets.create({ name: 'funds', custodyType: 'MANAGED' })
  t.is((await on(folder, 'sanctions', 'load', join(projectRoot, 'assets/sanctioned-evm-addresses.json'))).status, 0)
  const passing = [...seen].filter((name) => !existsSync(join(folder, name)))
  t.true(passing.length >= 4, String(passing))
  t.deepEqual(
    passing.filter((name) => !name.endsWith('.unfinished') && !isJournal(name)),
    [],
  )
  const backup = newFolder(t)
  const finished = readdirSync(join(folder, 'keystore'))
  for (const name of ['more.unfinished', 'keystore/key.json.unfinished']) writeFileSync(join(folder, name), 'half')
  t.is((await on(folder, 'backup', backup)).status, 0)
  t.false(existsSync(join(backup, 'more.unfinished')))
  t.deepEqual(readdirSync(join(backup, 'keystore')), finished)
})
