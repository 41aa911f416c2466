// Live settlement as callers see it: a payment moves tokens once, is followed on the chain, and counts as spent as long
// as it may have moved them.
import test from 'ava'
import { encodeAbiParameters, keccak256, pad, type Hex } from 'viem'
import type { LocalChain } from '../../../src/cli/demo/localChain.js'
import {
  made,
  execute,
  ask,
  status,
  RECIPIENT,
  type Wallet,
  type Delegation,
  type Agent,
} from '../../support/payments.js'
import { ORGANIZATION_KEY } from '../../support/process.js'
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
  wallet,
  type LivePayment,
  type Live,
  type Payer,
} from '../../support/chain.js'
import type { CounterpartyLookup, TransactionList } from '../../../sdk/api.js'

const SOLANA = '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU'

async function spentBy({ client }: Live, { agentId }: Payer): Promise<Delegation> {
  return (await client.get<Agent>(`/api/agents/${agentId}`, ORGANIZATION_KEY)).body.wallets![0]!
}

test('A payment is sent when it is executed, and confirmed when its transfer is deep enough', async (t) => {
  const chain = await startChain(t)
  if (!chain) return
  const live = await startLive(t, chain, { BURSAR_CONFIRMATIONS_31337: '3' })
  const { client } = live
  const payer = await newPayer(client, chain)
  await chain.mine(2)
  const recipient = newRecipient()
  const requestId = await approved(client, payer.key, 12.5, recipient)
  const key = { 'Idempotency-Key': 'once' }
  const path = `/api/sdk/payments/${requestId}/execute`
  const done = await client.post<LivePayment & { txHash: string }>(path, payer.key, undefined, key)
  t.like(done, { status: 200, body: { status: 'EXECUTED', settlementMode: 'live' } })
  t.regex(done.body.txHash, /^0x[0-9a-f]{64}$/)
  const again = await client.post(path, payer.key, undefined, key)
  t.deepEqual([again.body as unknown, again.headers['idempotency-replayed']], [done.body, 'true'])
  t.like(await execute(client, payer.key, requestId), { status: 409, body: { code: 'ALREADY_EXECUTED' } })
  const cancelled = await client.post(`/api/sdk/payments/${requestId}/cancel`, payer.key)
  t.like(cancelled, { status: 409, body: { code: 'ALREADY_EXECUTED' } })
  const sent = (await status(client, payer.key, requestId)).body as LivePayment
  t.like(sent, {
    status: 'EXECUTED',
    transaction: { status: 'SUBMITTED', txHash: done.body.txHash, settlementMode: 'live' },
  })
  t.is(sent.transaction!.confirmedAt, undefined)
  const confirmed = await settled(live, payer.key, requestId)
  t.truthy(confirmed.transaction!.confirmedAt)
  t.is(await chain.balanceOf(recipient), 12.5 * MICROS)
  t.is(await nonceOf(chain, payer.address), 1)
  const { body } = await client.get<TransactionList>('/api/transactions', ORGANIZATION_KEY)
  t.like(body.transactions[0], { requestId, status: 'CONFIRMED', txHash: done.body.txHash })
  t.is(
    (await client.post(`/api/wallets/${payer.walletId}/fund`, ORGANIZATION_KEY, { amount: 1 })).body.code,
    'INVALID_STATUS',
  )
})

/** Changes the chain's state directly, because a transaction could be mined after the transfer. */
async function refuseNow(chain: LocalChain, recipient: string, isRefused = true): Promise<void> {
  const refused = 3n
  const slot = keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [recipient as Hex, refused]))
  await chain.rpc('anvil_setStorageAt', [chain.token, slot, pad(isRefused ? '0x1' : '0x0')])
}

test('A reverted transfer fails its payment, which no longer counts as spent', async (t) => {
  const chain = await startChain(t, ['--no-mining'])
  if (!chain) return
  const live = await startLive(t, chain)
  const { client } = live
  const payer = await newPayer(client, chain)
  const recipient = newRecipient()
  const { body } = await ask(client, payer.key, 40, { recipientAddress: recipient, autoExecute: true })
  t.like(body, { status: 'EXECUTED', execution: { status: 'SUBMITTED' } })
  t.is((await spentBy(live, payer)).spent.day, 40)
  await refuseNow(chain, recipient)
  const failed = await until(async () => {
    const found = (await status(client, payer.key, body.requestId)).body as LivePayment
    if (found.transaction?.status === 'FAILED') return found
    await chain.mine(1)
    return undefined
  }, 'it does not fail')
  t.like(failed, { status: 'FAILED', reasons: ['The transfer was reverted on its chain'] })
  t.deepEqual(await transactionsTo(live, recipient), ['FAILED'])
  t.is((await spentBy(live, payer)).spent.day, 0)
  t.is((await wallet(client, payer.walletId)).balance, 1_000)
  t.is(await chain.balanceOf(recipient), 0)
  t.is(await nonceOf(chain, payer.address), 1)
  await chain.refuse(recipient, false)
  const next = await approved(client, payer.key, 40, recipient)
  t.is((await execute(client, payer.key, next)).status, 200)
  await settled(live, payer.key, next)
  t.is(await chain.balanceOf(recipient), 40 * MICROS)
})

async function transactionsTo({ client }: Live, address: string): Promise<string[]> {
  const { id } = (
    await client.get<CounterpartyLookup>(`/api/counterparties/lookup?address=${address}`, ORGANIZATION_KEY)
  ).body.counterparty!
  const { body } = await client.get<{ transactions: { status: string }[] }>(
    `/api/counterparties/${id}/transactions`,
    ORGANIZATION_KEY,
  )
  return body.transactions.map((one) => one.status)
}

test('A transfer that reverted in a block that is reorganized away is sent again and made once', async (t) => {
  const chain = await startChain(t, ['--no-mining'])
  if (!chain) return
  const live = await startLive(t, chain)
  const { client } = live
  const payer = await newPayer(client, chain)
  await chain.mine(10)
  const recipient = newRecipient()
  const requestId = await approved(client, payer.key, 40, recipient)
  const other = await approved(client, payer.key, 1, newRecipient())
  for (const id of [requestId, other]) t.is((await execute(client, payer.key, id)).status, 200)
  await refuseNow(chain, recipient)
  await chain.mine(4)
  const shown = async (id: string): Promise<LivePayment> => (await status(client, payer.key, id)).body as LivePayment
  // Both are in one block, so settlement has seen one when it has confirmed the other.
  await until(
    async () => ((await shown(other)).transaction!.status === 'CONFIRMED' ? true : undefined),
    'it is not confirmed',
  )
  const { transaction } = await shown(requestId)
  t.is(transaction!.status, 'SUBMITTED')
  const receipt = await chain.rpc<{ status: string }>('eth_getTransactionReceipt', [transaction!.txHash])
  t.is(receipt.status, '0x0')
  t.is((await spentBy(live, payer)).spent.day, 41)
  await chain.rpc('anvil_reorg', [6, []])
  await refuseNow(chain, recipient, false)
  await settled(live, payer.key, requestId)
  // Settlement sends the other one again too.
  await until(async () => {
    if ((await nonceOf(chain, payer.address)) >= 2) return true
    await chain.mine(1)
    return undefined
  }, 'the other is not sent again')
  t.is(await chain.balanceOf(recipient), 40 * MICROS)
  t.is(await nonceOf(chain, payer.address), 2)
})

test('Balances are those of the chain less reservations, and lack of gas is reported', async (t) => {
  const chain = await startChain(t)
  if (!chain) return
  const { client } = await startLive(t, chain)
  const payer = await newPayer(client, chain, { balance: 100 })
  t.is((await wallet(client, payer.walletId)).balance, 100)
  const requestId = await approved(client, payer.key, 60, newRecipient())
  const tooMuch = (await ask(client, payer.key, 50)).body
  t.like(tooMuch, { status: 'DENIED', violations: [{ type: 'INSUFFICIENT_BALANCE', limit: 100, current: 60 }] })
  await chain.fund(payer.address, 30 * MICROS)
  await chain.mine(2)
  // A block number that was just read is reused for a moment.
  const denied = (amount: number, isDenied: boolean) =>
    until(async () => {
      const { body } = await ask(client, payer.key, amount)
      return (body.status === 'DENIED') === isDenied ? body : undefined
    }, `${amount} is denied: ${isDenied}`)
  await denied(50, false)
  await chain.rpc('anvil_setBalance', [payer.address, '0x1'])
  await chain.mine(1)
  const poor = await denied(1, true)
  t.like(poor, { status: 'DENIED', violations: [{ type: 'INSUFFICIENT_BALANCE' }] })
  t.regex(poor.reasons[0]!, /gas/)
  const stopped = await execute(client, payer.key, requestId)
  t.like(stopped, { status: 400, body: { code: 'INSUFFICIENT_BALANCE' } })
  t.regex((stopped.body as unknown as { error: string }).error, /gas/)
  t.is((await status(client, payer.key, requestId)).body.status, 'APPROVED')
  await chain.rpc('anvil_setBalance', [payer.address, '0x8ac7230489e80000'])
  t.is((await execute(client, payer.key, requestId)).status, 200)
})

test('A payment whose custody cannot execute it fails with the reason and stays APPROVED', async (t) => {
  const chain = await startChain(t)
  if (!chain) return
  const { client } = await startLive(t, chain, { BURSAR_PROVIDER_B: './no-such-adapter.mjs' })
  const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  const cases: [wallet: object, status: number, code: string][] = [
    [{ custodyType: 'PROVIDER_A', address }, 503, 'CUSTODY_NOT_CONFIGURED'],
    [{ custodyType: 'PROVIDER_B', address: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC' }, 400, 'WALLET_CONFIG_ERROR'],
    [
      { custodyType: 'EXTERNAL', address: '0x90F79bf6EB2c4f870365E785982E1f101E93b906' },
      400,
      'MANUAL_EXECUTION_REQUIRED',
    ],
    [{ custodyType: 'MANAGED', address: '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65' }, 400, 'WALLET_CONFIG_ERROR'],
  ]
  for (const [wanted, expected, code] of cases) {
    const payer = await newPayer(client, chain, { name: JSON.stringify(wanted), wallet: wanted })
    const requestId = await approved(client, payer.key, 1, RECIPIENT)
    t.like(await execute(client, payer.key, requestId), { status: expected, body: { code } })
    t.is((await status(client, payer.key, requestId)).body.status, 'APPROVED')
  }
})

test('A payment with autoExecute that cannot be signed names the cause that its execution names', async (t) => {
  const chain = await startChain(t)
  if (!chain) return
  const { client } = await startLive(t, chain)
  const wanted = { custodyType: 'MANAGED', address: '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65' }
  const payer = await newPayer(client, chain, { wallet: wanted })
  const { body } = await ask(client, payer.key, 1, { autoExecute: true })
  t.like(body, { status: 'APPROVED', autoExecuteError: { code: 'WALLET_CONFIG_ERROR' } })
  const { error } = (await execute(client, payer.key, body.requestId)).body as unknown as { error: string }
  t.is(body.autoExecuteError!.error, error)
  t.deepEqual(body.reasons, [error])
})

test('On Solana payments are approved, but the service refuses to execute them with a code', async (t) => {
  const chain = await startChain(t)
  if (!chain) return
  const { client } = await startLive(t, chain)
  for (const [custodyType, code] of [
    ['EXTERNAL', 'MANUAL_EXECUTION_REQUIRED'],
    ['MANAGED', 'WALLET_CONFIG_ERROR'],
  ]) {
    const { id: agentId } = await made<Agent>(client, '/api/agents', { name: custodyType, agentType: 'CUSTOM' })
    const address = custodyType === 'EXTERNAL' ? SOLANA : '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV'
    const wanted = { name: 'On Solana', custodyType, chainType: 'SOLANA', address }
    const { id: walletId } = await made<Wallet>(client, '/api/wallets', wanted)
    const allowedDays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
    await made(client, `/api/agents/${agentId}/wallets`, { walletId, allowedDays })
    const { key } = await made<{ key: string }>(client, `/api/agents/${agentId}/sdk-keys`, { name: 'Key' })
    const requestId = await approved(client, key, 5, '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM')
    t.like(await execute(client, key, requestId), { status: 400, body: { code } })
  }
})

test('50 payments, each executed twice concurrently, make 50 transfers, and balances are exact', async (t) => {
  t.timeout(120_000)
  const chain = await startChain(t)
  if (!chain) return
  const live = await startLive(t, chain)
  const { client } = live
  const payers: Payer[] = []
  for (let one = 0; one < 10; one += 1)
    payers.push(await newPayer(client, chain, { name: `Buyer ${one}`, balance: 15 }))
  const recipient = newRecipient()
  const asked = await Promise.all(
    payers.flatMap((payer) =>
      [1, 2, 3, 4, 5].map(async (amount) => {
        return { payer, requestId: await approved(client, payer.key, amount, recipient) }
      }),
    ),
  )
  const twice = [...asked, ...asked]
  const answers = await Promise.all(twice.map(({ payer, requestId }) => execute(client, payer.key, requestId)))
  t.is(answers.filter((answer) => answer.status === 200).length, 50)
  t.is(answers.filter((answer) => answer.status === 409).length, 50)
  for (const { payer, requestId } of asked) await settled(live, payer.key, requestId)
  t.is(await chain.balanceOf(recipient), 150 * MICROS)
  for (const payer of payers) {
    t.is(await chain.balanceOf(payer.address), 0)
    t.is(await nonceOf(chain, payer.address), 5)
    await until(
      async () => ((await wallet(client, payer.walletId)).balance === 0 ? true : undefined),
      'the wallet is not empty',
    )
  }
})

test('A MANAGED wallet pays from an address of its own only where the service has made its key', async (t) => {
  t.timeout(60_000)
  const chain = await startChain(t)
  if (!chain) return
  const { client } = await startLive(t, chain)
  const wallet = { name: 'On another chain', custodyType: 'MANAGED', chainId: '84532' }
  const { address } = await made<Wallet>(client, '/api/wallets', wallet)
  const own = await newPayer(client, chain, { name: 'Own', wallet: { address } })
  t.is((await execute(client, own.key, await approved(client, own.key, 1, newRecipient()))).status, 200)
  const foreign = await newPayer(client, chain, { name: 'Foreign', wallet: { address: newRecipient() } })
  const refused = await execute(client, foreign.key, await approved(client, foreign.key, 1, newRecipient()))
  t.like(refused, { status: 400, body: { code: 'WALLET_CONFIG_ERROR' } })
})
