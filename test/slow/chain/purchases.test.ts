// A purchase on a real chain: calls that come while its transfer is under way answer how it stands, and make no other.
import test from 'ava'
import { newClient } from '../../support/client.js'
import { newFolder, startService } from '../../support/process.js'
import { ask } from '../../support/payments.js'
import { Proxy } from './proxy.js'
import { MICROS, newPayer, newRecipient, nonceOf, settled, startChain } from '../../support/chain.js'

test('a purchase whose transfer is under way is EXECUTING for every other call, and is sent once', async (t) => {
  const chain = await startChain(t)
  if (!chain) return
  const node = await Proxy.open(t, chain.url)
  const env = { ...chain.settings, BURSAR_RPC_31337: node.url }
  const service = await startService(t, newFolder(t), { env })
  const client = newClient(t, service.url)
  const payer = await newPayer(client, chain)
  const recipientAddress = newRecipient()
  let release = (): void => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  let arrived = (): void => {}
  const sending = new Promise<void>((resolve) => (arrived = resolve))
  const held = (): Promise<void> => {
    arrived()
    return released
  }
  node.deed = ({ method }) => (method === 'eth_sendRawTransaction' ? { before: held } : undefined)
  const body = { recipientAddress, paymentKey: 'invoice-1', autoExecute: true }
  const first = ask(client, payer.key, 5, body)
  await sending
  const others = await Promise.all(Array.from({ length: 20 }, () => ask(client, payer.key, 5, body)))
  release()
  const { requestId } = (await first).body
  for (const { status, headers, body: shown } of others) {
    t.like({ status, replayed: headers['idempotency-replayed'] }, { status: 200, replayed: 'true' })
    t.like(shown, { requestId, status: 'EXECUTING' })
  }
  await settled({ chain, client }, payer.key, requestId, 'CONFIRMED')
  t.is((await ask(client, payer.key, 5, body)).body.status, 'EXECUTED')
  t.is(await chain.balanceOf(recipientAddress), 5 * MICROS)
  t.is(await nonceOf(chain, payer.address), 1)
})
