// A transfer that the network does not take at its fees is signed anew under its nonce, also while nobody knows what
// became of it; what was paid more for is followed into the chain like any other.
import test from 'ava'
import { newClient } from '../service/client.js'
import { newFolder, startService } from '../service/service.js'
import { execute, status } from '../service/setup.js'
import { Proxy } from './proxy.js'
import { approved, MICROS, newPayer, newRecipient, nonceOf, settled, startChain, type LivePayment } from './stage.js'

const MINUTES_LATER = String(5 * 60_000)
/** 100 gwei: more than any transfer of an idle local chain offers. */
const DEAR = '0x174876e800'

test('A transfer that was refused for its fees is replaced from UNKNOWN, and the payments behind it go on', async (t) => {
  t.timeout(120_000)
  const chain = await startChain(t)
  if (!chain) return
  const node = await Proxy.open(t, chain.url)
  const env = { ...chain.settings, BURSAR_RPC_31337: node.url }
  const folder = newFolder(t)
  const before = await startService(t, folder, { env })
  const early = newClient(t, before.url)
  const payer = await newPayer(early, chain)
  const recipient = newRecipient()
  const ids = [await approved(early, payer.key, 1, recipient), await approved(early, payer.key, 2, recipient)]
  const raised = async (): Promise<void> => {
    await chain.rpc('anvil_setNextBlockBaseFeePerGas', [DEAR])
    await chain.mine(1)
    await chain.rpc('anvil_setNextBlockBaseFeePerGas', [DEAR])
  }
  let isRaised = false
  node.deed = ({ method }) => {
    if (method !== 'eth_sendRawTransaction' || isRaised) return undefined
    isRaised = true
    return { before: raised }
  }
  t.like(await execute(early, payer.key, ids[0]!), { status: 200, body: { status: 'EXECUTING' } })
  const shown = (await status(early, payer.key, ids[0]!)).body as LivePayment
  t.like(shown, { status: 'EXECUTING', transaction: { status: 'UNKNOWN' } })
  await execute(early, payer.key, ids[1]!)
  await before.stop()
  const later = await startService(t, folder, { env: { ...env, NODE_ENV: 'test', BURSAR_CLOCK_OFFSET_MS: MINUTES_LATER } })
  const client = newClient(t, later.url)
  for (const id of ids) await settled({ chain, client }, payer.key, id)
  t.is(await chain.balanceOf(recipient), 3 * MICROS)
  t.is(await nonceOf(chain, payer.address), 2)
})
