// A transfer that the network does not take at its fees is signed again under its nonce, even while its outcome is
// unknown; the replacement is followed into the chain like any other transfer.
import test from 'ava'
import type { LocalChain } from '../../../src/cli/demo/localChain.js'
import { newClient } from '../../support/client.js'
import { newFolder, startService } from '../../support/process.js'
import { execute, status } from '../../support/payments.js'
import { Proxy } from './proxy.js'
import {
  approved,
  MICROS,
  newPayer,
  newRecipient,
  nonceOf,
  settled,
  startChain,
  type LivePayment,
} from '../../support/chain.js'

const MINUTES_LATER = String(2 * 60_000)
/** 100 gwei: more than any transfer of an idle local chain offers. */
const DEAR = '0x174876e800'

test('A transfer refused for its fees is replaced while UNKNOWN, and the payments behind it continue', async (t) => {
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
  const later = await startService(t, folder, {
    env: { ...env, NODE_ENV: 'test', BURSAR_CLOCK_OFFSET_MS: MINUTES_LATER },
  })
  const client = newClient(t, later.url)
  for (const id of ids) await settled({ chain, client }, payer.key, id)
  t.is(await chain.balanceOf(recipient), 3 * MICROS)
  t.is(await nonceOf(chain, payer.address), 2)
})

/** A second token on the same chain, with this amount minted to the address. */
async function otherToken(chain: LocalChain, address: string, micros: number): Promise<string> {
  const token = '0x00000000000000000000000000000000000070C3'
  await chain.rpc('anvil_setCode', [token, await chain.rpc<string>('eth_getCode', [chain.token, 'latest'])])
  const word = (text: string): string => text.padStart(64, '0')
  const data = `0x40c10f19${word(address.slice(2).toLowerCase())}${word(micros.toString(16))}`
  const [from] = await chain.rpc<string[]>('eth_accounts')
  await chain.rpc('eth_sendTransaction', [{ from, to: token, data }])
  return token
}

test('A payment requested in one token is never paid, replaced or verified in another', async (t) => {
  t.timeout(120_000)
  const chain = await startChain(t, ['--no-mining'])
  if (!chain) return
  const folder = newFolder(t)
  const before = await startService(t, folder, { env: chain.settings })
  const early = newClient(t, before.url)
  const payer = await newPayer(early, chain)
  const recipient = newRecipient()
  const sent = await approved(early, payer.key, 1, recipient)
  const waiting = await approved(early, payer.key, 2, recipient)
  t.is((await execute(early, payer.key, sent)).status, 200)
  await before.stop()
  await chain.rpc('anvil_dropAllTransactions')
  await chain.rpc('anvil_setNextBlockBaseFeePerGas', [DEAR])
  const token = await otherToken(chain, payer.address, 1_000 * MICROS)
  await chain.mine(3)
  await chain.rpc('anvil_setNextBlockBaseFeePerGas', [DEAR])
  const env = { ...chain.settings, BURSAR_ASSET_31337: token, NODE_ENV: 'test', BURSAR_CLOCK_OFFSET_MS: MINUTES_LATER }
  const later = await startService(t, folder, { env })
  const client = newClient(t, later.url)
  t.like(await execute(client, payer.key, waiting), { status: 400, body: { code: 'WALLET_CONFIG_ERROR' } })
  t.is((await status(client, payer.key, waiting)).body.status, 'APPROVED')
  const { transaction } = await settled({ chain, client }, payer.key, sent)
  t.truthy(transaction)
  t.is(await chain.balanceOf(recipient), MICROS)
  t.is(await nonceOf(chain, payer.address), 1)
})
