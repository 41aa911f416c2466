// A balance that cannot be read denies payments, and the agent learns that neither it nor more money can help.
import test from 'ava'
import { newClient } from '../service/client.js'
import { newFolder, startService } from '../service/service.js'
import { ask, fundedAgent } from '../service/setup.js'

type Case = [title: string, env: { [name: string]: string }, hint: string]

const CASES: Case[] = [
  ['no node', {}, 'No amount can be paid on this chain until a node is configured: tell who runs the service'],
  [
    'a node that does not answer',
    { BURSAR_RPC_84532: 'http://127.0.0.1:1' },
    'Ask again in a few seconds; if the balance still cannot be read, tell who runs the service',
  ],
]

for (const [title, env, hint] of CASES) {
  test(`On a chain with ${title} a denial says to tell who runs the service`, async (t) => {
    const service = await startService(t, newFolder(t), { env: { BURSAR_SETTLEMENT: 'live', ...env } })
    const client = newClient(t, service.url)
    const { key } = await fundedAgent(client, { balance: 0 })
    const { body } = await ask(client, key, 1)
    t.like(body, { status: 'DENIED', violations: [{ type: 'INSUFFICIENT_BALANCE' }], hint })
    t.deepEqual(body.context!.nextSteps, [hint])
  })
}
