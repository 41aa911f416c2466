// A disk that fails in a call to the system, in the middle of a service's work: nothing is answered that is not on disk.
import { rmSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { notRun } from '../../support/notRun.js'
import { newClient, type Answer, type Client, type Failure } from '../../support/client.js'
import { failingDisk, type FailingDisk } from './failingDisk.js'
import { newFolder, ORGANIZATION_KEY, startService, type Service } from '../../support/process.js'

const { EIO, ENOSPC } = constants.errno
const NO_COMPILER = 'a C compiler, with which a failing disk is made'
const PUBLIC_KEY = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'

interface Known {
  id: string
}

const agentNamed = (name: string) => ({ name, agentType: 'CUSTOM', publicKey: PUBLIC_KEY })
const shown = ({ status, body }: Answer<Failure>): string => `${status} ${body.code}`

/** Sends requests, one after the other, until the service is gone; returns the different answers. */
async function untilGone(send: () => Promise<Answer<Failure>>): Promise<string[]> {
  const answers = new Set<string>()
  for (;;) {
    try {
      answers.add(shown(await send()))
    } catch {
      return [...answers]
    }
  }
}

/** Asks for one thing after another. */
function inTurn(client: Client): () => Promise<Answer<Failure>> {
  const ways: (() => Promise<Answer<Failure>>)[] = [
    () => client.get('/readyz', ''),
    () => client.get('/healthz', ''),
    () => client.get('/api/agents', ORGANIZATION_KEY),
    () => client.post('/api/agents', ORGANIZATION_KEY, agentNamed('Later')),
    () => client.post('/api/wallets', ORGANIZATION_KEY, { name: 'later', custodyType: 'MANAGED' }),
  ]
  let turn = 0
  return () => ways[(turn += 1) % ways.length]!()
}

async function namesAfter(t: ExecutionContext, folder: string): Promise<string[]> {
  const { url } = await startService(t, folder)
  const { body } = await newClient(t, url).get<{ agents: { name: string }[] }>('/api/agents', ORGANIZATION_KEY)
  return body.agents.map(({ name }) => name).sort()
}

async function startOn(t: ExecutionContext, { env }: FailingDisk): Promise<[Service, Client]> {
  const service = await startService(t, newFolder(t), { env })
  const client = newClient(t, service.url)
  t.is((await client.post<Known>('/api/agents', ORGANIZATION_KEY, agentNamed('Before'))).status, 201)
  return [service, client]
}

const FAULTS: [string, call: string, code: number][] = [
  ['the last sync of a commit', 'metawrite', EIO],
  ['the sync of its pages', 'sync', EIO],
  ['a write of its pages', 'write', EIO],
  ['a write that finds the disk full', 'write', ENOSPC],
]

for (const [what, call, code] of FAULTS) {
  test.serial(`once ${what} has failed, every answer is 503 and the service ends`, async (t) => {
    const disk = failingDisk(t)
    if (!disk) return notRun(t, NO_COMPILER)
    const [service, client] = await startOn(t, disk)
    disk.fail(call, code, 'data.mdb')
    const lose = (number: number) => client.post<Failure>('/api/agents', ORGANIZATION_KEY, agentNamed(`Lost ${number}`))
    for (const answer of await Promise.allSettled([1, 2, 3, 4, 5, 6, 7, 8].map(lose))) {
      // The failure may have damaged its memory, and ended it before it could answer.
      if (answer.status === 'rejected') continue
      t.is(shown(answer.value), '503 UNAVAILABLE')
      t.regex(answer.value.headers['retry-after'] ?? '', /^\d+$/)
    }
    for (const answer of await untilGone(inTurn(client))) t.is(answer, '503 UNAVAILABLE')
    t.not((await service.exited).code, 0)
    t.regex(service.output().stderr, /"the data folder failed: ending".*caused by/)
    const names = await namesAfter(t, service.folder)
    t.true(names.includes('Before'), String(names))
    t.false(names.includes('Later'), String(names))
  })
}

test.serial('a key that cannot be written to the keystore is 503, and the service ends', async (t) => {
  const disk = failingDisk(t)
  if (!disk) return notRun(t, NO_COMPILER)
  const [service, client] = await startOn(t, disk)
  disk.fail('write', ENOSPC, '.json.unfinished')
  const body = { name: 'Without a key', agentType: 'CUSTOM' }
  t.is(shown(await client.post<Failure>('/api/agents', ORGANIZATION_KEY, body)), '503 UNAVAILABLE')
  t.deepEqual(await untilGone(inTurn(client)), ['503 UNAVAILABLE'])
  t.not((await service.exited).code, 0)
  t.deepEqual(await namesAfter(t, service.folder), ['Before'])
})

test.serial('a service whose data file is lost ends, even if a commit never does', async (t) => {
  const disk = failingDisk(t)
  if (!disk) return notRun(t, NO_COMPILER)
  const [service, client] = await startOn(t, disk)
  const hanging = disk.hang('sync', 'data.mdb')
  const answer = t.throwsAsync(client.post('/api/agents', ORGANIZATION_KEY, agentNamed('Hanging')))
  await hanging
  rmSync(join(service.folder, 'data.mdb'))
  await answer
  t.not((await service.exited).code, 0)
})
