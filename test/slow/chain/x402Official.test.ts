// Payments by x402 with the protocol's own server, client and facilitator, on a local chain, in both settlements.
import test, { type ExecutionContext } from 'ava'
import { privateKeyToAccount } from 'viem/accounts'
import { Bursar, type BursarError } from '../../../sdk/index.js'
import { LOCAL_CHAIN_ID } from '../../../src/cli/demo/localChain.js'
import { MICROS, newPayer, newRecipient, startChain, startLive, until, wallet } from '../../support/chain.js'
import { newClient } from '../../support/client.js'
import { EVERY_DAY, made, status, type Agent, type Key, type Wallet } from '../../support/payments.js'
import { newFolder, ORGANIZATION_KEY, startService } from '../../support/process.js'
import type { X402Settlement } from '../../../sdk/api.js'
import { clientPayingBy, sellerOn, type Signed } from './x402Parties.js'

const PRICE = 0.5
/** An account of the local chain, with its well-known key. */
const OWNER = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d')

async function live(t: ExecutionContext) {
  const chain = await startChain(t)
  if (!chain) return undefined
  const started = await startLive(t, chain, { BURSAR_CONFIRMATIONS_31337: '2' })
  const payer = await newPayer(started.client, chain, { balance: 100 })
  const payTo = newRecipient()
  const bursar = new Bursar({ baseUrl: started.service.url, apiKey: payer.key })
  return { ...started, payer, payTo, bursar, seller: await sellerOn(t, chain, payTo, PRICE) }
}

const paymentOf = (answer: { bursarPayment?: object }) => answer.bursarPayment as X402Settlement

test('live settlement: 402, authorized, 200 with the resource, and executed by the transfer of the chain', async (t) => {
  const stage = await live(t)
  if (!stage) return
  const { chain, client, payer, payTo, bursar, seller } = stage
  const answer = await bursar.fetch(seller.url, { paymentKey: 'report-1', maxAmount: 1 })
  t.is(answer.status, 200)
  t.deepEqual(await answer.json(), { report: 'Paid for' })
  const { requestId } = paymentOf(answer)
  t.is(paymentOf(answer).status, 'EXECUTING')
  const [settled] = seller.facilitator.settled
  const executed = await until(async () => {
    const { body } = await status(client, payer.key, requestId)
    if (body.status === 'EXECUTED') return body as { transaction?: { txHash?: string } }
    await chain.mine(1)
    return undefined
  }, 'the payment is not executed')
  t.is(executed.transaction?.txHash, settled!.transaction)
  t.is(await chain.balanceOf(payTo), PRICE * MICROS)
  const again = (await t.throwsAsync(bursar.fetch(seller.url, { paymentKey: 'report-1' }))) as BursarError
  t.is(again.code, 'ALREADY_EXECUTED')
  t.deepEqual([seller.seen.served, seller.facilitator.settled.length], [1, 1])
})

test('test settlement: executed by the word of the server, without a transaction', async (t) => {
  const chain = await startChain(t)
  if (!chain) return
  const service = await startService(t, newFolder(t))
  const client = newClient(t, service.url)
  const { id: agentId } = await made<Agent>(client, '/api/agents', { name: 'Buyer', agentType: 'CUSTOM' })
  const wanted = { name: 'Wallet', custodyType: 'MANAGED', chainId: LOCAL_CHAIN_ID }
  const { id: walletId, address } = await made<Wallet>(client, '/api/wallets', wanted)
  await made(client, `/api/wallets/${walletId}/fund`, { amount: 10 })
  await made(client, `/api/agents/${agentId}/wallets`, { walletId, allowedDays: EVERY_DAY })
  const { key } = await made<Key>(client, `/api/agents/${agentId}/sdk-keys`, { name: 'Key' })
  // The official facilitator takes only what the chain would.
  await chain.fund(address, 10 * MICROS)
  const payTo = newRecipient()
  const seller = await sellerOn(t, chain, payTo, PRICE)
  const bursar = new Bursar({ baseUrl: service.url, apiKey: key })
  const answer = await bursar.fetch(seller.url, { paymentKey: 'report-1', maxAmount: PRICE })
  t.deepEqual(await answer.json(), { report: 'Paid for' })
  const { requestId, ...payment } = paymentOf(answer)
  t.deepEqual(payment, { status: 'EXECUTED', amount: PRICE })
  t.is((await status(client, key, requestId)).body.status, 'EXECUTED')
  t.is(await chain.balanceOf(payTo), PRICE * MICROS)
  const services = await bursar.x402.services()
  t.deepEqual(
    services.services.map(({ host, payTo: paid, payments, total }) => [host, paid.length, payments, total]),
    [['127.0.0.1', 1, 1, PRICE]],
  )
})

test('the official client pays with what was authorized, by a wallet of the service and by one that the holder signs for', async (t) => {
  const stage = await live(t)
  if (!stage) return
  const { chain, client, service, payTo, bursar, seller } = stage
  const authorize = (buyer: Bursar, paymentKey: string) => (requirements: { [name: string]: unknown }) => {
    const paymentRequired = { x402Version: 2 as const, accepts: [requirements] }
    return buyer.x402.authorize({ paymentRequired, resource: { url: seller.url }, paymentKey })
  }
  const managed = clientPayingBy(async (requirements) => {
    const { paymentPayload } = await authorize(bursar, 'report-1')(requirements)
    return (paymentPayload as { payload: Signed }).payload
  })
  t.is((await managed.fetch(seller.url)).status, 200)
  const external = { wallet: { custodyType: 'EXTERNAL', address: OWNER.address }, balance: 50, name: 'Holder' }
  const holder = await newPayer(client, chain, external)
  const held = clientPayingBy(async (requirements) => {
    const buyer = new Bursar({ baseUrl: service.url, apiKey: holder.key })
    const { typedData } = await authorize(buyer, 'report-1')(requirements)
    const { message } = typedData as { message: object }
    return { signature: await OWNER.signTypedData(typedData as never), authorization: message }
  })
  t.is((await held.fetch(seller.url)).status, 200)
  t.is(await chain.balanceOf(payTo), 2 * PRICE * MICROS)
  const { headers, paymentPayload } = await authorize(
    bursar,
    'report-2',
  )({
    scheme: 'exact',
    network: `eip155:${LOCAL_CHAIN_ID}`,
    amount: '1',
    asset: chain.token,
    payTo,
    maxTimeoutSeconds: 60,
  })
  t.deepEqual(headers, managed.http.encodePaymentSignatureHeader(paymentPayload!))
})

test('a facilitator that never answers: the hold stays until the chain shows the use, or that there can be none', async (t) => {
  const stage = await live(t)
  if (!stage) return
  const { chain, client, payer, bursar, seller } = stage
  const buy = async (paymentKey: string) => (await bursar.fetch(seller.url, { paymentKey })).bursarPayment!
  seller.facilitator.is = 'silent'
  const made = await buy('settled')
  seller.facilitator.is = 'gone'
  const left = await buy('left')
  t.deepEqual([made.status, left.status], ['EXECUTING', 'EXECUTING'])
  t.is((await wallet(client, payer.walletId)).balance, 100 - 2 * PRICE)
  const frozen = await client.post<{ outstanding: { requestId: string; amount: number }[] }>(
    `/api/agents/${payer.agentId}/freeze`,
    ORGANIZATION_KEY,
    { reason: 'Test' },
  )
  t.true(frozen.body.outstanding.some(({ requestId, amount }) => requestId === left.requestId && amount === PRICE))
  await chain.rpc('evm_increaseTime', [301])
  const end = async (id: string, wanted: string) =>
    until(async () => {
      await chain.mine(2)
      return (await status(client, payer.key, id)).body.status === wanted || undefined
    }, `${id} is not ${wanted}`)
  await end(made.requestId, 'EXECUTED')
  await end(left.requestId, 'EXPIRED')
  t.is((await wallet(client, payer.walletId)).balance, 100 - PRICE)
  t.is(await chain.balanceOf(stage.payTo), PRICE * MICROS)
})
