// Nonces that the service did not assign: one that a node names by mistake leaves no gap, and one that somebody else
// used with the same key is skipped once it is deep.
import test from 'ava'
import { execute, status } from '../../support/payments.js'
import { Proxy, type Deed } from './proxy.js'
import {
  approved,
  MICROS,
  newPayer,
  newRecipient,
  nonceOf,
  settled,
  startChain,
  startLive,
  until,
} from '../../support/chain.js'

const ANVILS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

test('A nonce that is not deep in the chain, or of another chain, is rejected and leaves no gap', async (t) => {
  t.timeout(60_000)
  const chain = await startChain(t)
  if (!chain) return
  const node = await Proxy.open(t, chain.url)
  const live = await startLive(t, chain, { BURSAR_RPC_31337: node.url })
  const { client } = live
  const payer = await newPayer(client, chain)
  const recipient = newRecipient()
  const requestId = await approved(client, payer.key, 1, recipient)
  const lies: [method: string, deed: Deed, status: number, code: string][] = [
    ['eth_getTransactionCount', { answer: { result: '0x7' } }, 503, 'UNAVAILABLE'],
    ['eth_chainId', { answer: { result: '0x1' } }, 400, 'WALLET_CONFIG_ERROR'],
  ]
  for (const [method, deed, expected, code] of lies) {
    node.deed = (call) => (call.method === method && isOfLatest(call.params) ? deed : undefined)
    t.like(await execute(client, payer.key, requestId), { status: expected, body: { code } }, method)
    t.is((await status(client, payer.key, requestId)).body.status, 'APPROVED')
  }
  node.deed = () => undefined
  t.is((await execute(client, payer.key, requestId)).status, 200)
  await settled(live, payer.key, requestId)
  t.deepEqual([await nonceOf(chain, payer.address), await chain.balanceOf(recipient)], [1, MICROS])
})

const isOfLatest = (params: unknown[] = []): boolean => params[1] === undefined || params[1] === 'latest'

test('A nonce that somebody else used with the same key is skipped once it is deep', async (t) => {
  t.timeout(60_000)
  const chain = await startChain(t)
  if (!chain) return
  const signer = { BURSAR_PROVIDER_A: 'http-signer', BURSAR_PROVIDER_A_URL: chain.url }
  const live = await startLive(t, chain, { ...signer, BURSAR_CONFIRMATIONS_31337: '4' })
  const { client } = live
  const payer = await newPayer(client, chain, { wallet: { custodyType: 'PROVIDER_A', address: ANVILS } })
  await chain.mine(4)
  const requestId = await until(
    () => approved(client, payer.key, 1, newRecipient()).catch(() => undefined),
    'it is not approved',
  )
  await chain.rpc('eth_sendTransaction', [{ from: ANVILS, to: newRecipient(), value: '0x1' }])
  t.like(await execute(client, payer.key, requestId), { status: 503, body: { code: 'UNAVAILABLE' } })
  await chain.mine(4)
  await until(
    async () => ((await execute(client, payer.key, requestId)).status === 200 ? true : undefined),
    'it is not executed',
  )
  await settled(live, payer.key, requestId)
  t.is(await nonceOf(chain, ANVILS), 2)
})
