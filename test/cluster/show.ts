// `npm run cluster`: a replicated database and two nodes on this machine, a payment ten times a second, and the owner
// killed before the reader's eyes.
import { setTimeout } from 'node:timers/promises'
import { newClient } from '../support/client.js'
import { nodeEnv, owning, startFollowing } from '../support/nodes.js'
import { ask, fundedAgent } from '../support/payments.js'
import { startReplicated } from '../support/postgres/replicated.js'
import { newFolder, type Scope, type Service } from '../support/process.js'
import { inScope } from './scope.js'

const EVERY_MS = 100
const SHOWN_MS = 5_000

const say = (text: string): void => void process.stdout.write(`${text}\n`)

/** Payments by way of one node for some time; returns how many were answered, and the longest wait for an answer. */
async function paid(scope: Scope, node: Service, key: string): Promise<string> {
  const client = newClient(scope, node.url)
  const startedAt = performance.now()
  let [count, longest, answeredAt] = [0, 0, startedAt]
  while (performance.now() < startedAt + SHOWN_MS) {
    const answered = await ask(client, key, 1).catch(() => undefined)
    if (answered?.status === 200) {
      longest = Math.max(longest, performance.now() - answeredAt)
      answeredAt = performance.now()
      count += 1
    }
    await setTimeout(EVERY_MS)
  }
  return `${count} payments approved, the longest wait ${Math.round(longest)} ms`
}

async function show(scope: Scope): Promise<void> {
  say('Starting PostgreSQL with a synchronous standby, and two nodes …')
  const database = await startReplicated()
  scope.teardown(() => database.end())
  const env = nodeEnv(database.urls)
  const first = await owning(await startFollowing(scope, newFolder(scope), env))
  say(`${first.url} owns the shard`)
  const second = await startFollowing(scope, newFolder(scope), env)
  say(`${second.url} follows; every request below goes to it`)
  const { key } = await fundedAgent(newClient(scope, second.url), { balance: 100_000 })
  say(await paid(scope, second, key))
  say(`Killing the owner (kill -9 ${first.pid}) …`)
  await first.kill()
  say(await paid(scope, second, key))
  await owning(second)
  say(`${second.url} owns the shard`)
}

await inScope(show)
