// Commands that write to a data folder as another user than the service's, and doctor on such a folder.
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { spawnSync } from 'node:child_process'
import test, { type ExecutionContext } from 'ava'
import { SANCTIONS_FILE } from '../../../src/domain/parties/sanctions.js'
import { notRun } from '../../support/notRun.js'
import { projectRoot } from '../../support/root.js'
import { newFolder, startService } from '../../support/process.js'
import { bursar } from '../../support/commandLine.js'

const OTHER_UID = 65_534
const isRoot = process.geteuid?.() === 0
const LIST = join(projectRoot, 'assets/sanctioned-evm-addresses.json')

/** A data folder with its files and the backup of a service that has stopped. */
async function stopped(t: ExecutionContext): Promise<{ folder: string; backup: string }> {
  const [folder, backup] = [newFolder(t), newFolder(t)]
  const service = await startService(t, folder)
  await service.stop()
  t.is((await bursar(['backup', backup], { env: { BURSAR_DATA_DIR: folder } })).status, 0)
  return { folder, backup }
}

const DATABASE = 'data.mdb'
const giveAway = (...paths: string[]): void => paths.forEach((path) => chownSync(path, OTHER_UID, OTHER_UID))

for (const { where, owned } of [
  { where: 'a folder of another user', owned: (folder: string) => [folder, join(folder, DATABASE)] },
  { where: "a folder of root whose service's user is another", owned: (folder: string) => [join(folder, DATABASE)] },
]) {
  test(`sanctions load refuses ${where}, and doctor reports files that the service cannot read`, async (t) => {
    if (!isRoot) return notRun(t, 'the rights of root')
    const { folder } = await stopped(t)
    const env = { BURSAR_DATA_DIR: folder, BURSAR_URL: 'http://127.0.0.1:9' }
    t.regex((await bursar(['doctor'], { env })).out, /^ok +permissions /m)
    giveAway(...owned(folder))
    const refused = await bursar(['sanctions', 'load', LIST], { env })
    t.is(refused.status, 1)
    t.true(refused.error.includes(`: run sudo -u '#65534' env BURSAR_DATA_DIR=${folder} bursar …`), refused.error)
    t.false(existsSync(join(folder, SANCTIONS_FILE)))
    t.regex(
      (await bursar(['doctor'], { env })).out,
      /^failed +permissions +the service has no access: run chown 65534 /m,
    )
  })
}

test("root's service is known by its database in a folder of another user", async (t) => {
  if (!isRoot) return notRun(t, 'the rights of root')
  const { folder } = await stopped(t)
  const env = { BURSAR_DATA_DIR: folder, BURSAR_URL: 'http://127.0.0.1:9' }
  giveAway(folder, join(folder, 'lock.mdb'))
  const loaded = await bursar(['sanctions', 'load', LIST], { env })
  t.is(loaded.status, 0, loaded.error)
  t.regex((await bursar(['doctor'], { env })).out, /^ok +permissions /m)
})

test('doctor leaves a volume of root to the group that the service uses it through', async (t) => {
  if (!isRoot) return notRun(t, 'the rights of root')
  const { folder } = await stopped(t)
  const env = { BURSAR_DATA_DIR: folder, BURSAR_URL: 'http://127.0.0.1:9' }
  giveAway(...readdirSync(folder).map((name) => join(folder, name)))
  mkdirSync(join(folder, 'lost+found'), { mode: 0o700 })
  chownSync(folder, 0, OTHER_UID)
  chmodSync(folder, 0o770)
  t.regex((await bursar(['doctor'], { env })).out, /^ok +permissions +only its owner and its group have access/m)
  chmodSync(join(folder, DATABASE), 0o640)
  t.regex((await bursar(['doctor'], { env })).out, /^failed +permissions .*: run chmod go= \S+\/data\.mdb$/m)
  chmodSync(folder, 0o775)
  t.true((await bursar(['doctor'], { env })).out.includes(`run chmod o= ${folder}\n`))
})

test('restore refuses a folder of another user and leaves it empty', async (t) => {
  if (!isRoot) return notRun(t, 'the rights of root')
  const { backup } = await stopped(t)
  const folder = newFolder(t)
  mkdirSync(folder)
  chownSync(folder, OTHER_UID, OTHER_UID)
  const env = { BURSAR_DATA_DIR: folder }
  t.regex((await bursar(['restore', backup], { env })).error, /belongs to another user/)
  chownSync(folder, process.geteuid!(), process.getegid!())
  const restored = await bursar(['restore', backup], { env })
  t.is(restored.status, 0, restored.error)
})

test('doctor reports a data folder that this user cannot read, beside its other findings', (t) => {
  const folder = newFolder(t)
  mkdirSync(folder)
  writeFileSync(join(folder, 'data.mdb'), '')
  chmodSync(dirname(folder), 0o711)
  chmodSync(folder, 0o000)
  const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
  // Root may read everything, so the rights are given up once all code is loaded.
  const code = `
    import { runCommand } from ${JSON.stringify(at('../../../src/cli/bursar.js'))}
    import { surroundings } from ${JSON.stringify(at('../../support/commandContext.js'))}
    const env = { BURSAR_URL: 'http://127.0.0.1:9', XDG_CONFIG_HOME: '/nowhere' }
    const context = surroundings({ env, dataDir: () => ${JSON.stringify(folder)} })
    if (process.geteuid() === 0) process.seteuid(${OTHER_UID})
    await runCommand(['doctor'], context)
    console.log(context.said.join('\\n'))`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' })
  t.regex(stdout, /^failed +service +\S+ is not reachable/m, stderr)
  t.regex(stdout, /^warning +data folder +\S+ cannot be read by this user: its files were not checked$/m)
  t.regex(stdout, /^\w+ +space +\S+ GB free for /m)
})
