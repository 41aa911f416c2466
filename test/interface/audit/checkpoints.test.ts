// The service signs no checkpoint that does not continue the last one that it signed, whatever became of its database, and
// says so until an operator has decided.
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { start, type Started } from '../../support/service.js'
import type { Failure } from '../../support/client.js'
import { newFolder, ORGANIZATION_KEY } from '../../support/process.js'
import { ask, fundedAgent } from '../../support/payments.js'
import type { Checkpoint as Signed, Readiness, VerifiedAuditLog } from '../../../sdk/api.js'

const DATABASE = 'data.mdb'

const get = <Body>({ client }: Started, path: string) => client.get<Body & Failure>(path, ORGANIZATION_KEY)
const checkpointOf = (service: Started) => get<Signed>(service, '/api/audit-logs/checkpoint')
const warningsOf = async ({ client }: Started): Promise<string[]> =>
  (await client.get<Readiness>('/readyz', '')).body.warnings ?? []

async function change({ client }: Started, name: string): Promise<void> {
  const { status } = await client.post('/api/agents', ORGANIZATION_KEY, { name, agentType: 'CUSTOM' })
  if (status !== 201) throw new Error(`${name} was not made`)
}

async function changes(service: Started, what: string, count: number): Promise<void> {
  for (let made = 0; made < count; made += 1) await change(service, `${what} ${made}`)
}

/** The path of the only note. */
function noteIn({ folder }: Started): string {
  const [name, ...others] = readdirSync(join(folder, 'checkpoints'))
  if (name === undefined || others.length > 0) throw new Error('There is not one note')
  return join(folder, 'checkpoints', name)
}

async function conflictsOf({ url }: Started): Promise<string | undefined> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return /^bursar_audit_conflicts (\d+)$/m.exec(text)?.[1]
}

test('the last checkpoint is kept as it was signed, and the next ones continue it', async (t) => {
  const service = await start(t)
  for (let round = 0; round < 3; round += 1) {
    const { status, body } = await checkpointOf(service)
    t.is(status, 200)
    t.is(readFileSync(noteIn(service), 'utf8'), body.checkpoint)
    t.is(statSync(noteIn(service)).mode & 0o777, 0o600)
    await changes(service, `Round ${round}`, 3)
    await service.restart()
  }
  const { size } = (await checkpointOf(service)).body
  const kept = readFileSync(noteIn(service), 'utf8')
  for (const path of [`consistency?from=1&to=${size - 2}`, `2/proof?size=${size - 2}`]) {
    t.is((await get(service, `/api/audit-logs/${path}`)).status, 200, path)
    t.is(readFileSync(noteIn(service), 'utf8'), kept, 'an older one takes its place')
  }
  t.deepEqual(await warningsOf(service), [])
  t.is(await conflictsOf(service), '0')
})

test('checkpoints that are asked for while the log grows all continue one another', async (t) => {
  const service = await start(t)
  const answers = await Promise.all(
    Array.from({ length: 60 }, async (_, at) => {
      if (at % 2 === 0) await change(service, `Agent ${at}`)
      return (await checkpointOf(service)).status
    }),
  )
  t.deepEqual([...new Set(answers)], [200])
  t.deepEqual(await warningsOf(service), [])
})

/** A service whose database was put back to before its last checkpoint, with a payment from before. */
async function putBack(t: ExecutionContext): Promise<{ service: Started; size: number; requestId: string }> {
  const first = await start(t)
  const agent = await fundedAgent(first.client)
  const { requestId } = (await ask(first.client, agent.key, 1)).body
  await first.stop()
  const copy = newFolder(t)
  mkdirSync(copy)
  copyFileSync(join(first.folder, DATABASE), join(copy, DATABASE))
  const later = await start(t, { folder: first.folder })
  await changes(later, 'Later', 5)
  const { size } = (await checkpointOf(later)).body
  await later.stop()
  copyFileSync(join(copy, DATABASE), join(first.folder, DATABASE))
  rmSync(join(first.folder, 'lock.mdb'), { force: true })
  return { service: await start(t, { folder: first.folder }), size, requestId }
}

const CONFLICT = { status: 409, code: 'CHECKPOINT_CONFLICT' }

async function refusal(service: Started, path: string): Promise<{ status: number; code: string; error: string }> {
  const { status, body } = await get(service, path)
  return { status, code: body.code, error: body.error }
}

test('a log that was put back is not signed, and health, log and metric say so', async (t) => {
  const { service, size, requestId } = await putBack(t)
  t.true(service.logged.some((line) => line.startsWith('an audit log does not continue the last checkpoint')))
  t.is(await conflictsOf(service), '1', 'before anybody asks for a checkpoint')
  t.regex((await warningsOf(service)).join(), /does not continue the last checkpoint/)
  const paths = [
    '/api/audit-logs/checkpoint',
    '/api/audit-logs/consistency?from=1',
    '/api/audit-logs/1/proof',
    `/api/payments/${requestId}/receipt`,
  ]
  for (const path of paths) {
    const { error, ...answer } = await refusal(service, path)
    t.deepEqual(answer, CONFLICT, path)
    t.true(error.includes(`a checkpoint of ${size} was signed`), error)
  }
  // Another history of the same length, and longer.
  await changes(service, 'Forked', size)
  const { error, ...answer } = await refusal(service, '/api/audit-logs/checkpoint')
  t.deepEqual(answer, CONFLICT)
  t.regex(error, /entries are not those of which a checkpoint was signed/)
  await service.restart()
  t.is(await conflictsOf(service), '1', 'it is long enough, and still another')
  t.is((await get<VerifiedAuditLog>(service, '/api/audit-logs/verify')).body.valid, true)
})

test('an operator who moves the last checkpoint away accepts the log as it is', async (t) => {
  const { service } = await putBack(t)
  t.like(await refusal(service, '/api/audit-logs/checkpoint'), CONFLICT)
  await service.stop()
  const kept = newFolder(t)
  renameSync(noteIn(service), kept)
  const again = await start(t, { folder: service.folder })
  t.deepEqual(await warningsOf(again), [])
  const { status, body } = await checkpointOf(again)
  t.is(status, 200)
  t.is(readFileSync(noteIn(again), 'utf8'), body.checkpoint)
})

test('a note that the service did not sign is no last checkpoint', async (t) => {
  const service = await start(t)
  const { checkpoint } = (await checkpointOf(service)).body
  const [origin, size, ...rest] = checkpoint.split('\n')
  for (const forged of ['', 'nonsense', [origin, Number(size) - 1, ...rest].join('\n')]) {
    writeFileSync(noteIn(service), forged)
    await service.restart()
    t.is(await conflictsOf(service), '1')
    t.like(await refusal(service, '/api/audit-logs/checkpoint'), CONFLICT)
  }
  writeFileSync(noteIn(service), checkpoint)
  await service.restart()
  t.is((await checkpointOf(service)).status, 200)
})

test('a checkpoint that cannot be kept is not signed', async (t) => {
  const service = await start(t)
  const folder = join(service.folder, 'checkpoints')
  rmSync(folder, { recursive: true })
  writeFileSync(folder, 'no folder')
  const refused = await checkpointOf(service)
  t.deepEqual([refused.status, refused.body.code], [503, 'UNAVAILABLE'])
  t.true(service.logged.some((line) => line.startsWith('a checkpoint cannot be kept')))
  rmSync(folder)
  mkdirSync(folder)
  t.is((await checkpointOf(service)).status, 200)
})

test('attempts to keep a checkpoint that fail leave no file each', async (t) => {
  const service = await start(t)
  await checkpointOf(service)
  const note = noteIn(service)
  rmSync(note)
  mkdirSync(note)
  for (const round of [1, 2, 3]) {
    await change(service, `Change ${round}`)
    t.is((await checkpointOf(service)).status, 503)
  }
  t.true(readdirSync(join(service.folder, 'checkpoints')).length <= 2)
})
