// A stream of the inspector ends with the node that served it, and goes on at another one after the last event that its
// reader has: nothing is missing, and nothing comes twice.
import { setTimeout as pause } from 'node:timers/promises'
import test from 'ava'
import { newFailingOverClient } from '../../support/failingOver.js'
import { nodeEnv, owning, PATIENT_LEASE_MS, startFollowing } from '../../support/nodes.js'
import { withOne } from '../../support/postgres/lent.js'
import { startReplicated, type ReplicatedDatabase } from '../../support/postgres/replicated.js'
import { newFolder, ORGANIZATION_KEY } from '../../support/process.js'
import { until } from '../../support/chain.js'

const RETRY_MS = 20

let database: ReplicatedDatabase

const databaseTest = withOne(test, startReplicated, (started) => (database = started))

/** Reads until the stream is refused or ends; the sequences go to `heard`. */
async function read(url: string, heard: number[], signal: AbortSignal): Promise<void> {
  const headers = { authorization: `Bearer ${ORGANIZATION_KEY}`, 'last-event-id': String(heard.at(-1) ?? 0) }
  const response = await fetch(`${url}/api/inspect/stream`, { headers, signal })
  if (response.status !== 200) return
  let text = ''
  for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
    const events = (text + part).split('\n\n')
    text = events.pop()!
    for (const event of events) heard.push(...Array.from(event.matchAll(/^id: (\d+)$/gm), ([, id]) => Number(id)))
  }
}

databaseTest('a stream goes on at another node after its last event', async (t) => {
  const env = nodeEnv(await database.installation('streams'), { BURSAR_LEASE_MS: PATIENT_LEASE_MS })
  const first = await owning(await startFollowing(t, newFolder(t), env))
  const second = await startFollowing(t, newFolder(t), env)
  const urls = [first.url, second.url]
  const client = newFailingOverClient(() => urls)
  const heard: number[] = []
  const end = new AbortController()
  const following = (async () => {
    // Both by the standby, which sends the request on, and by the next owner.
    for (let at = 1; !end.signal.aborted; at += 1) {
      await read(urls[at % 2]!, heard, end.signal).catch(() => {})
      await pause(RETRY_MS)
    }
  })()
  let made = 0
  const make = async (count: number): Promise<void> => {
    for (const goal = made + count; made < goal; made += 1) {
      const agent = { name: `Agent ${made}`, agentType: 'CUSTOM' }
      const { status } = await client.post('/api/agents', ORGANIZATION_KEY, agent, { 'Idempotency-Key': `${made}` })
      t.is(status, 201)
    }
  }
  await make(10)
  await until(async () => heard.length >= 10 || undefined, 'the stream does not begin')
  const making = make(10)
  await first.kill()
  await making
  await owning(second)
  await make(10)
  await until(async () => heard.length > 30 || undefined, 'the stream does not go on')
  end.abort()
  await following
  t.deepEqual(
    heard,
    heard.map((_, at) => at + 1),
  )
})
