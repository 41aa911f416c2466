// A node that cannot be used: a balance that was never read denies payments, and the agent learns that more money cannot
// help. Later requests are decided on the last balance, and nothing is signed.
import test from 'ava'
import { newClient } from '../../support/client.js'
import { newFolder, startService } from '../../support/process.js'
import { ask, execute, fundedAgent, status } from '../../support/payments.js'
import { Proxy } from './proxy.js'
import { approved, newPayer, newRecipient, nonceOf, startChain, startLive } from '../../support/chain.js'

type Case = [title: string, env: { [name: string]: string }, hint: string]

const CASES: Case[] = [
  ['no node', {}, 'No amount can be paid on this chain until a node is configured: inform the operator of the service'],
  [
    'a node that does not answer',
    { BURSAR_RPC_84532: 'http://127.0.0.1:1' },
    'Request it again in a few seconds; if the balance still cannot be read, inform the operator of the service',
  ],
]

for (const [title, env, hint] of CASES) {
  test(`On a chain with ${title} a denial says to inform the operator of the service`, async (t) => {
    const service = await startService(t, newFolder(t), { env: { BURSAR_SETTLEMENT: 'live', ...env } })
    const client = newClient(t, service.url)
    const { key } = await fundedAgent(client, { balance: 0 })
    const { body } = await ask(client, key, 1)
    t.like(body, { status: 'DENIED', violations: [{ type: 'INSUFFICIENT_BALANCE' }], hint })
    t.deepEqual(body.context!.nextSteps, [hint])
  })
}

const LATER: [title: string, env: { [name: string]: string }, code: string][] = [
  ['is of another chain', {}, 'WALLET_CONFIG_ERROR'],
  ['does not answer', { BURSAR_RPC_31337: 'http://127.0.0.1:1' }, 'UNAVAILABLE'],
]

test('Once a balance was read, requests are decided on it, and executions say that the node cannot be used', async (t) => {
  t.timeout(60_000)
  const chain = await startChain(t)
  if (!chain) return
  const other = await Proxy.open(t, chain.url)
  other.deed = ({ method }) => (method === 'eth_chainId' ? { answer: { result: '0x1' } } : undefined)
  const folder = newFolder(t)
  const first = await startLive(t, chain, {}, folder)
  const payer = await newPayer(first.client, chain)
  await first.service.stop()
  for (const [title, env, code] of LATER) {
    const { client, service } = await startLive(t, chain, { BURSAR_RPC_31337: other.url, ...env }, folder)
    const id = await approved(client, payer.key, 1, newRecipient())
    t.like(await execute(client, payer.key, id), { body: { code } }, title)
    t.is((await status(client, payer.key, id)).body.status, 'APPROVED', title)
    await service.stop()
  }
  t.is(await nonceOf(chain, payer.address), 0)
  const without = await startService(t, folder, { env: { BURSAR_SETTLEMENT: 'live' } })
  const client = newClient(t, without.url)
  const id = await approved(client, payer.key, 1, newRecipient())
  t.like(await execute(client, payer.key, id), { body: { code: 'WALLET_CONFIG_ERROR' } })
})
