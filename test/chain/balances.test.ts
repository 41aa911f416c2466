// A wallet's balance while its transfers settle: of what the chain was not asked about since, nothing is promised twice.
import test from 'ava'
import { newClient } from '../service/client.js'
import { newFolder, ORGANIZATION_KEY, startService } from '../service/service.js'
import { ask, execute } from '../service/setup.js'
import { Proxy } from './proxy.js'
import { approved, MICROS, newPayer, newRecipient, nonceOf, settled, startChain, wallet } from './stage.js'

test('Two transfers in one block are each taken off the balance, also while the chain tells no balances', async (t) => {
  const chain = await startChain(t, ['--no-mining'])
  if (!chain) return
  const node = await Proxy.open(t, chain.url)
  const service = await startService(t, newFolder(t), { env: { ...chain.settings, BURSAR_RPC_31337: node.url } })
  const client = newClient(t, service.url)
  const payer = await newPayer(client, chain, { balance: 100 })
  const sent = []
  for (const amount of [40, 30]) {
    const requestId = await approved(client, payer.key, amount, newRecipient())
    t.is((await execute(client, payer.key, requestId)).status, 200)
    sent.push(requestId)
  }
  const removed = await client.send('DELETE', `/api/wallets/${payer.walletId}`, ORGANIZATION_KEY)
  t.like(removed, { status: 400, body: { code: 'INVALID_STATUS' } }, 'money is on its way out of it')
  node.deed = ({ method }) => (method === 'eth_call' ? { answer: 'nothing' } : undefined)
  await chain.mine(1)
  t.is(await nonceOf(chain, payer.address), 2, 'both are in this block')
  for (const requestId of sent) await settled({ chain, client }, payer.key, requestId)
  t.is((await wallet(client, payer.walletId)).balance, 30)
  t.is((await ask(client, payer.key, 31)).body.status, 'DENIED')
})

test('What was paid in a block that the chain leaves is not there to be spent again', async (t) => {
  const chain = await startChain(t)
  if (!chain) return
  const node = await Proxy.open(t, chain.url)
  const service = await startService(t, newFolder(t), { env: { ...chain.settings, BURSAR_RPC_31337: node.url } })
  const client = newClient(t, service.url)
  const payer = await newPayer(client, chain, { balance: 100 })
  await chain.mine(12)
  const recipient = newRecipient()
  const requestId = await approved(client, payer.key, 40, recipient)
  t.is((await execute(client, payer.key, requestId)).status, 200)
  await settled({ chain, client }, payer.key, requestId)
  node.deed = ({ method }) => (method === 'eth_sendRawTransaction' ? { forward: false, answer: 'nothing' } : undefined)
  await chain.rpc('anvil_reorg', [6, []])
  t.is(await chain.balanceOf(payer.address), 100 * MICROS)
  await settled({ chain, client }, payer.key, requestId, 'SUBMITTED')
  t.is((await wallet(client, payer.walletId)).balance, 60)
  t.is((await ask(client, payer.key, 61)).body.status, 'DENIED')
  node.deed = () => undefined
  await settled({ chain, client }, payer.key, requestId)
  t.is(await chain.balanceOf(recipient), 40 * MICROS)
  t.is((await wallet(client, payer.walletId)).balance, 60)
})
