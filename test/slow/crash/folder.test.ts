// The data folder and its process: permissions, what is never on disk, one process at a time, and a clean end.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { Random } from '../../support/random.js'
import { again, seedOr } from '../../support/depth.js'
import { newClient } from '../../support/client.js'
import { inspect } from '../../support/integrity.js'
import { lost, wrongSums } from '../../support/ledger.js'
import { Load } from '../../support/load.js'
import { clockAt, newFolder, ORGANIZATION_KEY, runToEnd, startService } from '../../support/process.js'
import { ask, fundedAgent, made, type Agent } from '../../support/payments.js'

const SEED = seedOr(20_240_229)
const ENV = clockAt(Date.parse('2031-07-09T12:00:00Z'))
const BALANCE = 2000

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

function filesIn(folder: string): string[] {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true })
  return found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

test.serial('the folder and everything in it are readable only by their owner', async (t) => {
  const folder = newFolder(t)
  const service = await startService(t, folder, { shell: 'umask 0; exec "$@"' })
  await fundedAgent(newClient(t, service.url))
  t.is(modeOf(folder), '700')
  t.is(modeOf(join(folder, 'keystore')), '700')
  const files = filesIn(folder)
  t.true(files.length >= 6)
  for (const path of files) t.is(modeOf(path), '600', path)
})

test.serial('the secret of an API key is neither on disk nor in the output', async (t) => {
  const folder = newFolder(t)
  const service = await startService(t, folder)
  const client = newClient(t, service.url)
  const agent = await fundedAgent(client)
  const body = { name: 'Another', scopePreset: 'ADMIN' }
  const headers = { 'Idempotency-Key': 'key' }
  const { key } = (await client.post<{ key: string }>('/api/api-keys', ORGANIZATION_KEY, body, headers)).body
  await ask(client, agent.key, 5)
  await service.stop()
  const { stdout, stderr } = service.output()
  for (const text of [agent.key, ORGANIZATION_KEY, key]) {
    t.regex(text, /^service_/)
    // The part after the prefix, which may be shown.
    const secret = Buffer.from(text.slice(-40))
    for (const path of filesIn(folder)) t.false(readFileSync(path).includes(secret), path)
    t.false((stdout + stderr).includes(secret.toString()))
  }
})

test.serial('a second process on the folder is refused, and the first goes on', async (t) => {
  const folder = newFolder(t)
  const service = await startService(t, folder)
  const second = await runToEnd(t, folder)
  t.is(second.signal, null)
  t.not(second.code, 0)
  t.is(second.stderr, `The data folder ${folder} is in use by another process\n`)
  t.is(second.stdout, '')
  await made<Agent>(newClient(t, service.url), '/api/agents', { name: 'Still here', agentType: 'CUSTOM' })
  await service.kill()
  const third = await startService(t, folder)
  t.deepEqual(await third.stop(), { code: 0, signal: null })
})

test.serial('a folder that cannot be created is named in the error', async (t) => {
  const folder = newFolder(t)
  writeFileSync(folder, 'in the way')
  const { code, signal, stderr } = await runToEnd(t, folder)
  t.is(signal, null)
  t.not(code, 0)
  t.true(stderr.includes(folder))
})

test.serial('an existing folder is used, also through a path that is not normalized', async (t) => {
  const folder = newFolder(t)
  mkdirSync(folder)
  const service = await startService(t, `${dirname(folder)}/./data/../data`)
  await service.stop()
  t.true(existsSync(join(folder, 'data.mdb')))
})

test.serial(`SIGTERM under load loses nothing that was answered (seed ${SEED})`, async (t) => {
  t.log(again(SEED))
  const random = new Random(SEED)
  const folder = newFolder(t)
  const service = await startService(t, folder, { env: ENV })
  const client = newClient(t, service.url)
  const agents = [
    await fundedAgent(client, { name: 'One', balance: BALANCE }),
    await fundedAgent(client, { name: 'Two', balance: BALANCE }),
  ]
  const load = new Load(agents, random)
  const running = load.run(client, 24)
  await new Promise((resolve) => setTimeout(resolve, 300 + random.below(300)))
  t.deepEqual(await service.stop(), { code: 0, signal: null })
  await running
  t.is(service.output().stderr, '')
  t.log(`${load.deeds.length - load.unanswered().length} of ${load.deeds.length} answered`)
  await settle(t, folder, load)
  const contents = await inspect(folder)
  t.deepEqual(contents.problems, [])
  t.deepEqual(lost(contents, load.deeds), [])
  t.deepEqual(wrongSums(contents, agents, load.deeds, BALANCE), [])
})

/** Requests in progress were answered: those without an answer were never begun. They are sent again. */
async function settle(t: ExecutionContext, folder: string, load: Load): Promise<void> {
  const service = await startService(t, folder, { env: ENV })
  const client = newClient(t, service.url)
  for (const { kind, key, idempotencyKey } of load.unanswered()) {
    if (kind !== 'request') continue
    const path = `/api/sdk/payments?idempotencyKey=${idempotencyKey}`
    const { body } = await client.get<{ payments: unknown[] }>(path, key)
    t.deepEqual(body.payments, [])
  }
  for (const deed of load.unanswered()) t.true(await load.send(client, deed))
  await service.stop()
}

test.serial('SIGTERM during the start ends the process cleanly', async (t) => {
  const folder = newFolder(t)
  for (const seconds of ['0.06', '0.15', '0.2', '0.25', '0.4']) {
    const shell = `"$@" & sleep ${seconds}; kill -TERM $!; wait $!`
    const { code, signal, stderr } = await runToEnd(t, folder, { shell })
    t.is(signal, null)
    // 143: the signal came before the program could handle it.
    t.true(code === 0 || code === 143, stderr)
  }
  const service = await startService(t, folder)
  t.is((await newClient(t, service.url).get('/api/agents', ORGANIZATION_KEY)).status, 200)
})

test.serial(`the next start completes a first start that was killed (seed ${SEED})`, async (t) => {
  t.log(again(SEED))
  const random = new Random(SEED)
  for (let round = 0; round < 8; round += 1) {
    const folder = newFolder(t)
    await runToEnd(t, folder, {}, 80 + random.below(300))
    const service = await startService(t, folder)
    t.is((await newClient(t, service.url).get('/api/agents', ORGANIZATION_KEY)).status, 200)
    await service.stop()
    t.deepEqual((await inspect(folder)).problems, [])
  }
})
