// What callers see of a transfer that has not settled: one whose sending has an unknown outcome, and one whose block is
// reorganized away before it is confirmed.
import test from 'ava'
import type { Client } from '../../support/client.js'
import { ORGANIZATION_KEY } from '../../support/process.js'
import { execute, made, status } from '../../support/payments.js'
import { startReceiver } from '../../support/receiver.js'
import { Proxy } from './proxy.js'
import {
  approved,
  MICROS,
  newPayer,
  newRecipient,
  nonceOf,
  settled,
  submitted,
  startChain,
  startLive,
  until,
  wallet,
  type LivePayment,
} from '../../support/chain.js'
import type { DeliveryList, PaymentList, Replay, TransactionList } from '../../../sdk/api.js'

test('A transfer whose sending had no answer is shown as UNKNOWN until it is found, and made once', async (t) => {
  const chain = await startChain(t)
  if (!chain) return
  const node = await Proxy.open(t, chain.url)
  const { client } = await startLive(t, chain, { BURSAR_RPC_31337: node.url })
  const payer = await newPayer(client, chain, { balance: 100 })
  const recipient = newRecipient()
  const requestId = await approved(client, payer.key, 40, recipient)
  node.deed = ({ method }) => (method === 'eth_sendRawTransaction' ? { forward: false, answer: 'nothing' } : undefined)
  const path = `/api/sdk/payments/${requestId}`
  const key = { 'Idempotency-Key': 'once' }
  const executed = await client.post<LivePayment>(`${path}/execute`, payer.key, undefined, key)
  t.like(executed, { status: 200, body: { status: 'EXECUTING' } })
  const shown = (await status(client, payer.key, requestId)).body as LivePayment
  t.like(shown, { status: 'EXECUTING', transaction: { status: 'UNKNOWN', confirmedAt: undefined } })
  const { txHash } = shown.transaction!
  t.regex(txHash!, /^0x[0-9a-f]{64}$/)
  const listed = await client.get<PaymentList>('/api/payments?status=EXECUTING', ORGANIZATION_KEY)
  t.like(listed.body.payments[0], { requestId, transaction: { status: 'UNKNOWN', txHash } })
  const transactions = await client.get<TransactionList>('/api/transactions', ORGANIZATION_KEY)
  t.is(transactions.body.transactions.length, 0)
  t.like(await execute(client, payer.key, requestId), { status: 409, body: { code: 'ALREADY_EXECUTED' } })
  const released = await client.post<{ code: string }>(`/api/payments/${requestId}/release`, ORGANIZATION_KEY, {
    reason: 'Lost',
  })
  t.is(released.body.code, 'INVALID_STATUS')
  t.is((await client.post<{ code: string }>(`${path}/cancel`, payer.key)).body.code, 'INVALID_STATUS')
  t.is((await wallet(client, payer.walletId)).balance, 60)
  node.deed = () => undefined
  t.like(await execute(client, payer.key, requestId), { status: 409, body: { code: 'ALREADY_EXECUTED' } })
  const done = await settled({ chain, client }, payer.key, requestId)
  t.is(done.transaction!.txHash, txHash)
  t.is(await chain.balanceOf(recipient), 40 * MICROS)
  t.is(await nonceOf(chain, payer.address), 1)
})

test('A recipient is new until a payment to it is EXECUTED', async (t) => {
  const chain = await startChain(t)
  if (!chain) return
  const node = await Proxy.open(t, chain.url)
  const { client } = await startLive(t, chain, { BURSAR_RPC_31337: node.url })
  const payer = await newPayer(client, chain, { balance: 100 })
  const recipient = newRecipient()
  const requestId = await approved(client, payer.key, 1, recipient)
  const rules = [{ ruleType: 'NEW_COUNTERPARTY', operator: 'EQUALS', value: true, action: 'DENY' }]
  node.deed = ({ method }) => (method === 'eth_sendRawTransaction' ? { forward: false, answer: 'nothing' } : undefined)
  t.is((await execute(client, payer.key, requestId)).body.status, 'EXECUTING')
  await made(client, '/api/policies', { name: 'New', policyType: 'COUNTERPARTY', rules, scope: 'organization' })
  const body = { amount: 40, recipientAddress: recipient }
  const next = () => client.post<{ status: string }>('/api/sdk/payments/request', payer.key, body)
  t.is((await next()).body.status, 'DENIED')
  node.deed = () => undefined
  await settled({ chain, client }, payer.key, requestId)
  t.is((await next()).body.status, 'APPROVED')
})

/** Current policies that leave room for exactly this payment. */
const JUST_ENOUGH = [
  { ruleType: 'BUDGET_CAP', value: { amount: 40, period: 'TOTAL', of: 'POLICY' } },
  { ruleType: 'VELOCITY_LIMIT', value: { maxCount: 1, period: 'DAY' } },
]

test('A replay under the current policies counts a transfer once, whatever its status', async (t) => {
  const chain = await startChain(t, ['--no-mining'])
  if (!chain) return
  const node = await Proxy.open(t, chain.url)
  const { client } = await startLive(t, chain, { BURSAR_RPC_31337: node.url })
  const payer = await newPayer(client, chain, { balance: 100 })
  const requestId = await approved(client, payer.key, 40, newRecipient())
  node.deed = ({ method }) => (method === 'eth_sendRawTransaction' ? { forward: false, answer: 'nothing' } : undefined)
  t.is((await execute(client, payer.key, requestId)).body.status, 'EXECUTING')
  const policy = { name: 'Today', policyType: 'COMPOSITE', rules: JUST_ENOUGH, agentIds: [payer.agentId] }
  await made(client, '/api/policies', policy)
  const check = async (at: string): Promise<void> => {
    const body = { policies: 'current' }
    const replayed = await client.post<Replay>(`/api/payments/${requestId}/replay`, ORGANIZATION_KEY, body)
    t.like(replayed.body, { outcome: 'APPROVED', violations: [] }, at)
  }
  await check('UNKNOWN')
  node.deed = () => undefined
  await submitted(client, payer.key, requestId)
  await check('SUBMITTED')
  await settled({ chain, client }, payer.key, requestId)
  await check('CONFIRMED')
})

/** The events of all deliveries to the endpoint, pending ones included. */
async function announced(client: Client): Promise<string[]> {
  const { body } = await client.get<DeliveryList>('/api/webhooks/deliveries', ORGANIZATION_KEY)
  return body.deliveries.map(({ event }) => event)
}

test('A transfer that is reorganized before it is confirmed sends payment.confirmed once', async (t) => {
  const chain = await startChain(t)
  if (!chain) return
  const N = 4
  const env = { BURSAR_CONFIRMATIONS_31337: String(N), BURSAR_DEV_LOOPBACK_WEBHOOKS: '1' }
  const live = await startLive(t, chain, env)
  const { client } = live
  const receiver = await startReceiver(t)
  await client.send('PUT', '/api/webhooks', ORGANIZATION_KEY, { url: receiver.url })
  const payer = await newPayer(client, chain)
  await chain.mine(12)
  const requestId = await approved(client, payer.key, 5, newRecipient())
  t.is((await execute(client, payer.key, requestId)).status, 200)
  const blockOf = async (): Promise<number | undefined> => {
    const { txHash } = ((await status(client, payer.key, requestId)).body as LivePayment).transaction!
    const receipt = await chain.rpc<{ blockNumber: string } | null>('eth_getTransactionReceipt', [txHash])
    return receipt ? Number(receipt.blockNumber) : undefined
  }
  const hashOf = async (block: number): Promise<string> =>
    (await chain.rpc<{ hash: string }>('eth_getBlockByNumber', [`0x${block.toString(16)}`, false])).hash
  // One block short of the confirmed depth, all are reorganized away. The service may send it again at once.
  const first = (await until(blockOf, 'it is in no block'))!
  const left = await hashOf(first)
  await chain.mine(N - 2)
  await chain.rpc('anvil_reorg', [N - 1, []])
  t.not(await hashOf(first), left)
  await chain.mine(1)
  t.false((await announced(client)).includes('payment.confirmed'))
  const again = await until(blockOf, 'it is not sent again')
  t.is((await status(client, payer.key, requestId)).body.transaction!.status, 'SUBMITTED')
  t.false((await announced(client)).includes('payment.confirmed'))
  await settled(live, payer.key, requestId)
  t.true(Number(await chain.rpc<string>('eth_blockNumber')) - again + 1 >= N)
  t.is((await announced(client)).filter((event) => event === 'payment.confirmed').length, 1)
  const received = await receiver.until((all) => all.some(({ body }) => body.event === 'payment.confirmed'))
  t.is(received.filter(({ body }) => body.event === 'payment.confirmed').length, 1)
})
