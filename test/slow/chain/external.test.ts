// Payments that depend on others: the owner of an external wallet pays and the chain has to show it; a person approves
// and the transfer is sent at once.
import { base58 } from '@scure/base'
import test, { type ExecutionContext } from 'ava'
import { clockAt, ORGANIZATION_KEY } from '../../support/process.js'
import { ask, fundedAgent, status, type Agent } from '../../support/payments.js'
import { startReceiver } from '../../support/receiver.js'
import {
  MICROS,
  newPayer,
  newRecipient,
  settled,
  startChain,
  startLive,
  until,
  wallet,
  type Live,
  type LivePayment,
} from '../../support/chain.js'
import type { Permit } from '../../../sdk/api.js'

/** Accounts that the local chain signs for: the owner's, and another's. */
const OWNER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const OTHER = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const CONFIRMATIONS = 3
const NOON = Date.parse('2031-07-09T12:00:00Z')

/** Sends tokens as the owner of an address. */
function transfer({ chain }: Live, from: string, to: string, micros: number): Promise<string> {
  const word = (digits: string): string => digits.padStart(64, '0')
  const data = `0xa9059cbb${word(to.slice(2).toLowerCase())}${word(micros.toString(16))}`
  return chain.rpc<string>('eth_sendTransaction', [{ from, to: chain.token, data }])
}

async function startExternal(t: ExecutionContext, options: readonly string[] = []) {
  const chain = await startChain(t, options)
  if (!chain) return undefined
  const env = { BURSAR_CONFIRMATIONS_31337: String(CONFIRMATIONS), BURSAR_DEV_LOOPBACK_WEBHOOKS: '1' }
  const live = await startLive(t, chain, env)
  const payer = await newPayer(live.client, chain, {
    wallet: { custodyType: 'EXTERNAL', address: OWNER },
    balance: 100,
  })
  await chain.mine(CONFIRMATIONS)
  return { ...live, payer }
}

test('A payment from an external wallet is confirmed only by its own transfer at the confirmed depth', async (t) => {
  const stage = await startExternal(t)
  if (!stage) return
  const { chain, client, payer } = stage
  const receiver = await startReceiver(t)
  await client.send('PUT', '/api/webhooks', ORGANIZATION_KEY, { url: receiver.url })
  const recipient = newRecipient()
  const { body: asked } = await ask(client, payer.key, 40, { recipientAddress: recipient })
  const path = `/api/sdk/payments/${asked.requestId}`
  const { body: permit } = await client.post<Permit>(`${path}/approve`, payer.key)
  const confirm = (txHash: string) =>
    client.post<LivePayment & { code?: string; details?: { path: string; message: string }[] }>(
      `${path}/confirm`,
      payer.key,
      {
        txHash,
        approvalToken: permit.approvalToken,
      },
    )
  await chain.fund(OTHER, 40 * MICROS)
  const stranger = newRecipient()
  const others: [txHash: string, differs: string[]][] = [
    [await transfer(stage, OTHER, recipient, 40 * MICROS), ['senderAddress']],
    [await transfer(stage, OWNER, recipient, 39 * MICROS), ['amount']],
    [await transfer(stage, OWNER, stranger, 1 * MICROS), ['recipientAddress', 'amount']],
    [await chain.rpc<string>('eth_sendTransaction', [{ from: OTHER, to: stranger, value: '0x1' }]), ['txHash']],
  ]
  await chain.mine(CONFIRMATIONS)
  for (const [hash, differs] of others) {
    // A block number that was just read is reused for a moment.
    const { status, body } = await until(async () => {
      const answer = await confirm(hash)
      return answer.body.code === 'NOT_CONFIRMED' ? undefined : answer
    }, 'it is not deep')
    t.deepEqual([status, body.code, body.details?.map(({ path }) => path)], [400, 'TRANSFER_MISMATCH', differs])
  }
  const txHash = await transfer(stage, OWNER, recipient, 40 * MICROS)
  for (const unsettled of [txHash, `0x${'ab'.repeat(32)}`]) {
    const { status, headers, body } = await confirm(unsettled)
    t.deepEqual([status, body.code, Number(headers['retry-after']) > 0], [409, 'NOT_CONFIRMED', true])
  }
  t.is((await status(client, payer.key, asked.requestId)).body.status, 'APPROVED')
  await chain.mine(CONFIRMATIONS)
  const done = await until(async () => {
    const answer = await confirm(txHash)
    return answer.status === 200 ? answer : undefined
  }, 'it is not confirmed')
  t.like(done.body, { status: 'EXECUTED', txHash })
  const shown = (await status(client, payer.key, asked.requestId)).body as LivePayment
  t.like(shown, { status: 'EXECUTED', transaction: { status: 'CONFIRMED', txHash, settlementMode: 'live' } })
  t.truthy(shown.transaction!.confirmedAt)
  t.is((await wallet(client, payer.walletId)).balance, 20)
  const wanted = ['payment.executed', 'payment.confirmed']
  const received = await receiver.until((all) => wanted.every((event) => all.some(({ body }) => body.event === event)))
  for (const { body } of received.filter(({ body }) => wanted.includes(body.event))) {
    t.like(body.data, { status: 'EXECUTED', transactionHash: txHash, settlementMode: 'live' })
  }
})

test('A transfer confirms one payment, in any letter case, and only if made after the request', async (t) => {
  const HOUR_S = 3_600
  const stage = await startExternal(t, ['--timestamp', String(Math.floor(Date.now() / 1000) - HOUR_S)])
  if (!stage) return
  const { chain, client, payer } = stage
  const recipient = newRecipient()
  const older = await transfer(stage, OWNER, recipient, 20 * MICROS)
  const permitted = async () => {
    const { requestId } = (await ask(client, payer.key, 20, { recipientAddress: recipient })).body
    const path = `/api/sdk/payments/${requestId}`
    const { approvalToken } = (await client.post<Permit>(`${path}/approve`, payer.key)).body
    return (txHash: string) => client.post<{ error: string }>(`${path}/confirm`, payer.key, { txHash, approvalToken })
  }
  const [first, second] = [await permitted(), await permitted()]
  await chain.mine(CONFIRMATIONS)
  // A block number that was just read is reused for a moment.
  const refused = await until(async () => {
    const answer = await first(older)
    return answer.body.error.includes('blocks deep') ? undefined : answer
  }, 'it is not deep')
  t.like(refused, { status: 400, body: { code: 'TRANSFER_MISMATCH' } })
  t.is(refused.body.error, 'The transfer was made before the payment was asked for')
  await chain.rpc('evm_increaseTime', [HOUR_S])
  const newer = await transfer(stage, OWNER, recipient, 20 * MICROS)
  await chain.mine(CONFIRMATIONS)
  const shouted = `0x${newer.slice(2).toUpperCase()}`
  const done = await until(async () => {
    const answer = await first(shouted)
    return answer.status === 200 ? answer : undefined
  }, 'it is not confirmed')
  t.like(done.body, { txHash: newer })
  for (const txHash of [newer, shouted]) {
    t.like(await second(txHash), { status: 409, body: { code: 'ALREADY_EXECUTED' } })
  }
})

test('On Solana a signature confirms one payment unverified, which is never shown as CONFIRMED', async (t) => {
  const chain = await startChain(t)
  if (!chain) return
  const { client } = await startLive(t, chain, { BURSAR_DEV_LOOPBACK_WEBHOOKS: '1', ...clockAt(NOON) })
  const receiver = await startReceiver(t)
  await client.send('PUT', '/api/webhooks', ORGANIZATION_KEY, { url: receiver.url })
  const onSolana = {
    custodyType: 'EXTERNAL',
    chainType: 'SOLANA',
    address: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU',
  }
  const { key, agentId } = await fundedAgent(client, { balance: 0, wallet: onSolana })
  const recipientAddress = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'
  const permitted = async () => {
    const { body } = await ask(client, key, 5, { recipientAddress })
    const path = `/api/sdk/payments/${body.requestId}`
    const { approvalToken } = (await client.post<Permit>(`${path}/approve`, key)).body
    const confirm = (txHash: string) => client.post<LivePayment>(`${path}/confirm`, key, { txHash, approvalToken })
    return { confirm, requestId: body.requestId }
  }
  const signature = base58.encode(new Uint8Array(64).fill(7))
  const first = await permitted()
  for (const malformed of [base58.encode(new Uint8Array(63)), `0x${'ab'.repeat(32)}`]) {
    t.like(await first.confirm(malformed), { status: 400, body: { code: 'VALIDATION_ERROR' } })
  }
  t.like(await first.confirm(signature), { status: 200, body: { status: 'EXECUTED', txHash: signature } })
  t.like(await first.confirm(signature), { status: 200 })
  const second = await permitted()
  t.like(await second.confirm(signature), { status: 409, body: { code: 'ALREADY_EXECUTED' } })
  const { transaction } = (await status(client, key, first.requestId)).body
  t.like(transaction, { status: 'SUBMITTED', txHash: signature, confirmedAt: undefined })
  const received = await receiver.until((all) => all.some(({ body }) => body.event === 'payment.executed'))
  t.false(received.some(({ body }) => body.event === 'payment.confirmed'))
  const { body: agent } = await client.get<Agent>(`/api/agents/${agentId}`, ORGANIZATION_KEY)
  t.like(agent.wallets![0], { spent: { day: 5 }, reserved: 5 })
})

test('While its chain is unreachable a payment cannot be confirmed and stays APPROVED', async (t) => {
  const stage = await startExternal(t)
  if (!stage) return
  const { chain, client, payer } = stage
  const recipient = newRecipient()
  const { body: asked } = await ask(client, payer.key, 40, { recipientAddress: recipient })
  const path = `/api/sdk/payments/${asked.requestId}`
  const { body: permit } = await client.post<Permit>(`${path}/approve`, payer.key)
  const txHash = await transfer(stage, OWNER, recipient, 40 * MICROS)
  await chain.stop()
  const given = { txHash, approvalToken: permit.approvalToken }
  t.like(await client.post(`${path}/confirm`, payer.key, given), { status: 503, body: { code: 'UNAVAILABLE' } })
  t.is((await status(client, payer.key, asked.requestId)).body.status, 'APPROVED')
})

test('A payment with autoExecute is sent when a person approves it', async (t) => {
  const chain = await startChain(t)
  if (!chain) return
  const live = await startLive(t, chain)
  const { client } = live
  const payer = await newPayer(client, chain, { terms: { delegationType: 'PREAPPROVED' } })
  const recipient = newRecipient()
  const { body: asked } = await ask(client, payer.key, 40, { recipientAddress: recipient, autoExecute: true })
  t.is(asked.status, 'REQUIRES_APPROVAL')
  const { approvalRequestId } = asked as unknown as { approvalRequestId: string }
  const path = `/api/approval-requests/${approvalRequestId}/decision`
  t.is((await client.post(path, ORGANIZATION_KEY, { decision: 'APPROVED' })).status, 200)
  const sent = (await status(client, payer.key, asked.requestId)).body as LivePayment
  t.like(sent, { status: 'EXECUTED' })
  t.regex(sent.transaction!.txHash!, /^0x[0-9a-f]{64}$/)
  await settled(live, payer.key, asked.requestId)
  t.is(await chain.balanceOf(recipient), 40 * MICROS)
})
