// A full disk: the service answers 503, ends, and leaves a consistent folder with everything that was answered.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { Random } from '../../support/random.js'
import { again, seedOr } from '../../support/depth.js'
import { newClient, type Client, type Failure } from '../../support/client.js'
import { inspect } from '../../support/integrity.js'
import { lost, misexecuted, wrongSums } from '../../support/ledger.js'
import { Load } from '../../support/load.js'
import { clockAt, newFolder, ORGANIZATION_KEY, startService } from '../../support/process.js'
import { fundedAgent, type FundedAgent } from '../../support/payments.js'

const SEED = seedOr(20_240_229)
const CALLERS = 24
const BALANCE = 2000
const ENV = clockAt(Date.parse('2031-07-09T12:00:00Z'))
const BLOCK_BYTES = 512
/** A journal has one from its start, and the database may grow to as much. */
const SEGMENT_BYTES = 4 * 2 ** 20

test.serial(`a failed commit loses nothing that was answered and ends the service (seed ${SEED})`, async (t) => {
  t.timeout(120_000)
  t.log(again(SEED))
  const random = new Random(SEED)
  const folder = newFolder(t)
  const first = await startService(t, folder, { env: ENV })
  const client = newClient(t, first.url)
  const agents: FundedAgent[] = []
  for (const name of ['One', 'Two', 'Three']) agents.push(await fundedAgent(client, { name, balance: BALANCE }))
  await first.stop()
  const load = new Load(agents, random)
  for (const room of [0, 100_000, random.below(1_000_000), 1_500_000]) {
    await untilFull(t, folder, load, room)
    await resend(t, folder, load)
    const contents = await inspect(folder)
    t.deepEqual(contents.problems, [])
    t.deepEqual(lost(contents, load.deeds), [])
    t.deepEqual(wrongSums(contents, agents, load.deeds, BALANCE), [])
    t.deepEqual(misexecuted(contents), [])
  }
})

/** Runs load on a service whose files may grow by `room` bytes, until it has ended by itself. */
async function untilFull(t: ExecutionContext, folder: string, load: Load, room: number): Promise<void> {
  const most = Math.ceil((Math.max(statSync(join(folder, 'data.mdb')).size, SEGMENT_BYTES) + room) / BLOCK_BYTES)
  const shell = `trap "" XFSZ; ulimit -f ${most}; exec "$@"`
  const service = await startService(t, folder, { env: ENV, shell })
  const client = newClient(t, service.url)
  const begun = load.deeds.length
  await load.run(client, CALLERS)
  t.log(`${load.deeds.length - begun} sent into ${room} bytes, ${load.unanswered().length} unanswered`)
  const refusals = await refusalsOf(client)
  t.true(refusals.length > 0)
  t.deepEqual([...new Set(refusals)], ['503 UNAVAILABLE'])
  t.not((await service.exited).code, 0)
}

/** What reads, writes and the readiness route answer from now on until the service is gone. */
async function refusalsOf(client: Client): Promise<string[]> {
  const answers: string[] = []
  for (;;) {
    try {
      const body = { name: `Too late ${answers.length}`, agentType: 'CUSTOM' }
      for (const { status, body: failure } of [
        await client.get<Failure>('/readyz', ''),
        await client.post<Failure>('/api/agents', ORGANIZATION_KEY, body),
        await client.get<Failure>('/api/agents', ORGANIZATION_KEY),
      ])
        answers.push(`${status} ${failure.code}`)
    } catch {
      return answers
    }
  }
}

/** Sends the unanswered requests again, once there is room. */
async function resend(t: ExecutionContext, folder: string, load: Load): Promise<void> {
  const service = await startService(t, folder, { env: ENV })
  const client = newClient(t, service.url)
  for (const deed of load.unanswered()) t.true(await load.send(client, deed))
  t.deepEqual(await service.stop(), { code: 0, signal: null })
}
