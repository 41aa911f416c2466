// A data folder that lacks a file, room or permission: noticed while the service runs, and told in one line when it starts.
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs'
import { dirname, join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { notRun } from '../../support/notRun.js'
import { newClient } from '../../support/client.js'
import { newFolder, runToEnd, startService, type StartOptions } from '../../support/process.js'

const NOBODY = 65_534

/** A folder with all that a service leaves in it. */
async function used(t: ExecutionContext): Promise<string> {
  const folder = newFolder(t)
  await (await startService(t, folder)).stop()
  return folder
}

/** What the start says when it is refused: one line. */
async function refusal(t: ExecutionContext, folder: string, options?: StartOptions): Promise<string> {
  const { code, signal, stdout, stderr } = await runToEnd(t, folder, options)
  t.deepEqual([code, signal, stdout], [1, null, ''])
  const lines = stderr.trimEnd().split('\n')
  t.is(lines.length, 1, stderr)
  return lines[0]!
}

const LOST = ['data.mdb', 'service.lock-lock', 'keyhash.secret', 'checkpoint.secret', 'webhooks.secret', '']

for (const name of LOST) {
  test.serial(`a service whose ${name || 'data folder'} is deleted says so, answers 503 and ends`, async (t) => {
    const service = await startService(t, newFolder(t))
    const client = newClient(t, service.url)
    rmSync(join(service.folder, name), { recursive: true })
    const statuses = new Set<number>()
    for (;;) {
      const answer = await client.get('/readyz', '').catch(() => undefined)
      if (!answer) break
      statuses.add(answer.status)
    }
    t.true(statuses.has(503))
    t.not((await service.exited).code, 0)
    const path = join(service.folder, name || 'data.mdb')
    t.true(service.output().stderr.includes(`${path} is missing`), service.output().stderr)
  })
}

test.serial('a folder without its database is no new installation', async (t) => {
  const folder = await used(t)
  rmSync(join(folder, 'data.mdb'))
  t.is(await refusal(t, folder), `${join(folder, 'data.mdb')} is missing: restore a backup`)
  t.false(readdirSync(folder).includes('data.mdb'))
})

test.serial('a folder with an empty database is no new installation', async (t) => {
  const folder = await used(t)
  truncateSync(join(folder, 'data.mdb'))
  t.is(await refusal(t, folder), `${join(folder, 'data.mdb')} is empty: restore a backup`)
})

for (const name of LOST.filter((one) => one.endsWith('.secret'))) {
  test.serial(`a missing ${name} is not made anew`, async (t) => {
    const folder = await used(t)
    rmSync(join(folder, name))
    t.is(await refusal(t, folder), `${join(folder, name)} is missing: restore it from a backup`)
    t.false(readdirSync(folder).includes(name))
  })
}

for (const name of ['data.mdb', 'keyhash.secret', 'lock.mdb', 'service.lock', 'service.lock-lock', '']) {
  test.serial(
    `a ${name || 'data folder'} that the service may not use is a matter of permissions, not of damage`,
    async (t) => {
      const shell = `exec setpriv --reuid ${NOBODY} --regid ${NOBODY} --clear-groups "$@"`
      const mayRun = spawnSync('sh', ['-c', shell, 'sh', process.execPath, '-e', '0']).status === 0
      if (process.getuid?.() !== 0 || !mayRun) return notRun(t, 'the privilege to be another user')
      const folder = await used(t)
      chmodSync(dirname(folder), 0o755)
      for (const file of ['', ...readdirSync(folder)]) if (file !== name) chownSync(join(folder, file), NOBODY, NOBODY)
      const said = await refusal(t, folder, { shell })
      t.regex(said, /EACCES: permission denied/i)
      t.notRegex(said, /damage|restore/)
    },
  )
}

/** Mounts a small file system over the folder, for the service alone. */
const small = (folder: string, bytes: number): string =>
  `exec unshare --mount sh -c 'mount -t tmpfs -o size=${bytes} none "${folder}" && "$@" && exit; exit 1' sh "$@"`

test.serial('a full disk is told in one line', async (t) => {
  const folder = newFolder(t)
  if (spawnSync('unshare', ['--mount', 'true']).status !== 0) return notRun(t, 'the privilege of unshare --mount')
  const home = dirname(folder)
  for (const bytes of [16_384, 69_632]) {
    t.regex(await refusal(t, folder, { shell: small(home, bytes) }), /ENOSPC: no space left on device/i)
  }
  t.false(statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false)
})

test.serial('a disk that takes no more bytes is told in one line', async (t) => {
  const folder = await used(t)
  t.regex(await refusal(t, folder, { shell: 'trap "" XFSZ; ulimit -f 0; exec "$@"' }), /EFBIG: file too large/i)
})
