// A disk that fails in a call to the system, in the middle of a service's work: nothing is answered that is not on disk.
import { rmSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { notRun } from '../../support/notRun.js'
import { newClient, type Answer, type Client, type Failure } from '../../support/client.js'
import { failingDisk, type FailingDisk } from '../../support/failingDisk.js'
import { newFolder, ORGANIZATION_KEY, startService, type Service } from '../../support/process.js'
import type { AgentList } from '../../../sdk/api.js'

const { EIO, ENOSPC } = constants.errno
/** Of the journal. */
const FIRST_SEGMENT = '/1.segment'
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
  const { body } = await newClient(t, url).get<AgentList>('/api/agents', ORGANIZATION_KEY)
  return body.agents.map(({ name }) => name).sort()
}

async function startOn(t: ExecutionContext, { env }: FailingDisk): Promise<[Service, Client]> {
  const service = await startService(t, newFolder(t), { env })
  const client = newClient(t, service.url)
  t.is((await client.post<Known>('/api/agents', ORGANIZATION_KEY, agentNamed('Before'))).status, 201)
  return [service, client]
}

type Fault = [what: string, call: string, code: number]

const agents = [1, 2, 3, 4, 5, 6, 7, 8]

/** Makes agents at once on a disk that fails; returns the names of those that were answered. */
async function madeOn(t: ExecutionContext, client: Client, isAnswered: boolean): Promise<string[]> {
  const names = agents.map((number) => `Lost ${number}`)
  const made: string[] = []
  const ask = async (name: string): Promise<void> => {
    const answer = await client.post<Failure>('/api/agents', ORGANIZATION_KEY, agentNamed(name))
    if (isAnswered && answer.status === 201) return void made.push(name)
    t.is(shown(answer), '503 UNAVAILABLE')
    t.regex(answer.headers['retry-after'] ?? '', /^\d+$/)
  }
  // The failure may have damaged its memory, and ended it before it could answer.
  await Promise.all(names.map((name) => ask(name).catch(() => {})))
  return made
}

async function endsAfter(t: ExecutionContext, [, call, code]: Fault, file: string, isAnswered: boolean): Promise<void> {
  const disk = failingDisk(t)
  if (!disk) return notRun(t, NO_COMPILER)
  const [service, client] = await startOn(t, disk)
  disk.fail(call, code, file)
  const made = await madeOn(t, client, isAnswered)
  if (!isAnswered) for (const answer of await untilGone(inTurn(client))) t.is(answer, '503 UNAVAILABLE')
  t.not((await service.exited).code, 0)
  t.regex(service.output().stderr, /"the service failed: ending".*caused by/)
  const names = await namesAfter(t, service.folder)
  for (const name of ['Before', ...made]) t.true(names.includes(name), `${name} is not among ${names.join()}`)
  t.false(names.includes('Later'), String(names))
}

const IN_JOURNAL: Fault[] = [
  ['a write', 'write', EIO],
  ['a write that finds the disk full', 'write', ENOSPC],
]

for (const fault of IN_JOURNAL) {
  test.serial(`once ${fault[0]} of the journal has failed, every answer is 503 and the service ends`, async (t) => {
    await endsAfter(t, fault, FIRST_SEGMENT, false)
  })
}

const IN_DATABASE: Fault[] = [
  ['the last sync of a commit', 'metawrite', EIO],
  ['the sync of its pages', 'sync', EIO],
  ['a write of its pages', 'write', EIO],
  ['a write that finds the disk full', 'write', ENOSPC],
]

for (const fault of IN_DATABASE) {
  test.serial(
    `once ${fault[0]} in the database has failed, the service ends, and all that it answered is there`,
    async (t) => {
      await endsAfter(t, fault, 'data.mdb', true)
    },
  )
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
  const hanging = disk.hang('write', FIRST_SEGMENT)
  const answer = t.throwsAsync(client.post('/api/agents', ORGANIZATION_KEY, agentNamed('Hanging')))
  await hanging
  rmSync(join(service.folder, 'data.mdb'))
  await answer
  t.not((await service.exited).code, 0)
})
