// The way of a payment through the files, as the architecture lists it, is the one that a payment takes.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { Store } from '../../src/store/store.js'
import { start } from '../support/service.js'
import { projectRoot } from '../support/root.js'
import { ask, fundedAgent } from '../support/payments.js'

const MOST = 14
/** What surrounds every request, and belongs to no payment. */
const AROUND = ['src/http/server/errors.ts', 'src/http/server/metrics.ts', 'src/http/server/router.ts']

/** The file that each numbered line of the section begins with. */
function listed(): string[] {
  const text = readFileSync(join(projectRoot, 'docs/architecture.md'), 'utf8')
  const [, section = ''] = text.split('## A request, from the wire to the disk')
  return [...section.split('\n## ')[0]!.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, file]) => file!)
}

/** The files of a stack, each where it was first entered, the outermost first. */
function filesIn(stack: string): string[] {
  const files = [...stack.matchAll(/(src\/[\w/]+)\.[jt]s/g)].map(([, path]) => `${path}.ts`)
  return [...new Set(files.toReversed())].filter((file) => !AROUND.includes(file))
}

test.serial('a payment takes the way that the architecture lists, from the socket to the commit', async (t) => {
  const { client } = await start(t)
  const agent = await fundedAgent(client, { name: 'Buyer' })
  const { commit } = Store.prototype
  const { stackTraceLimit } = Error
  const stacks: string[] = []
  t.teardown(() => {
    Store.prototype.commit = commit
    Error.stackTraceLimit = stackTraceLimit
  })
  Error.stackTraceLimit = 100
  Store.prototype.commit = function (change) {
    if (change.actors.some(({ after }) => after.ref.startsWith('payment/'))) stacks.push(new Error().stack!)
    return commit.call(this, change)
  }
  await ask(client, agent.key, 5)
  const [socket, ...stations] = listed()
  t.is(socket, 'src/http/server/connections.ts')
  t.true(stations.length < MOST)
  // Of the commit itself the stack has only who called it.
  t.deepEqual([...filesIn(stacks[0]!), 'src/store/store.ts'], stations)
})
