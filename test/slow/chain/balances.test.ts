// A wallet's balance while its transfers settle: what was paid since the last read of the chain cannot be spent again.
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { ORGANIZATION_KEY } from '../../support/process.js'
import { ask, execute, status } from '../../support/payments.js'
import { Proxy } from './proxy.js'
import { transferData } from '../../../src/chain/node.js'
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
} from '../../support/chain.js'

const PROVIDER = fileURLToPath(new URL('anvilProvider.js', import.meta.url))
const OWNER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

test('Two transfers in one block are both subtracted, even while balances cannot be read', async (t) => {
  const chain = await startChain(t, ['--no-mining'])
  if (!chain) return
  const node = await Proxy.open(t, chain.url)
  const { client } = await startLive(t, chain, { BURSAR_RPC_31337: node.url })
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

test('An amount paid in a block that is reorganized away cannot be spent again', async (t) => {
  const chain = await startChain(t)
  if (!chain) return
  const node = await Proxy.open(t, chain.url)
  const { client } = await startLive(t, chain, { BURSAR_RPC_31337: node.url })
  const payer = await newPayer(client, chain, { balance: 100 })
  await chain.mine(12)
  const recipient = newRecipient()
  const requestId = await approved(client, payer.key, 40, recipient)
  t.is((await execute(client, payer.key, requestId)).status, 200)
  const { transaction } = await settled({ chain, client }, payer.key, requestId)
  const { txHash } = transaction!
  const { blockNumber } = await chain.rpc<{ blockNumber: string }>('eth_getTransactionReceipt', [txHash])
  node.deed = ({ method }) => (method === 'eth_sendRawTransaction' ? { forward: false, answer: 'nothing' } : undefined)
  // However many blocks were mined until the service saw the transfer, its own is replaced with them.
  const head = Number(await chain.rpc<string>('eth_blockNumber'))
  await chain.rpc('anvil_reorg', [head - Number(blockNumber) + 1, []])
  t.is(await chain.balanceOf(payer.address), 100 * MICROS)
  await settled({ chain, client }, payer.key, requestId, 'SUBMITTED')
  t.is((await wallet(client, payer.walletId)).balance, 60)
  t.is((await ask(client, payer.key, 61)).body.status, 'DENIED')
  node.deed = () => undefined
  await settled({ chain, client }, payer.key, requestId)
  t.is(await chain.balanceOf(recipient), 40 * MICROS)
  t.is((await wallet(client, payer.walletId)).balance, 60)
})

test('A payment from an external wallet is subtracted once, even while balances cannot be read', async (t) => {
  const chain = await startChain(t)
  if (!chain) return
  const node = await Proxy.open(t, chain.url)
  const { client } = await startLive(t, chain, { BURSAR_RPC_31337: node.url })
  const external = { custodyType: 'EXTERNAL', address: OWNER }
  const payer = await newPayer(client, chain, { balance: 100, wallet: external })
  t.is((await wallet(client, payer.walletId)).balance, 100)
  const recipient = newRecipient()
  const path = `/api/sdk/payments/${await approved(client, payer.key, 40, recipient)}`
  const { approvalToken } = (await client.post<{ approvalToken: string }>(`${path}/approve`, payer.key)).body
  const sent = { from: OWNER, to: chain.token, data: transferData(recipient, 40 * MICROS) }
  const txHash = await chain.rpc<string>('eth_sendTransaction', [sent])
  const isBalance = ([call]: unknown[]): boolean =>
    (call as { data?: string } | undefined)?.data?.startsWith('0x70a08231') ?? false
  node.deed = ({ method, params }) => (method === 'eth_call' && isBalance(params) ? { answer: 'nothing' } : undefined)
  await chain.mine(2)
  const confirm = async () => client.post<{ code?: string }>(`${path}/confirm`, payer.key, { txHash, approvalToken })
  const answer = await until(async () => {
    const found = await confirm()
    return found.body.code === 'NOT_CONFIRMED' ? undefined : found
  }, 'it is not deep enough')
  t.is(answer.status, 200)
  t.is((await wallet(client, payer.walletId)).balance, 60)
  t.is((await ask(client, payer.key, 61)).body.status, 'DENIED')
  node.deed = () => undefined
  await until(async () => {
    await chain.mine(1)
    const before = node.calls.filter(({ method, params }) => method === 'eth_call' && isBalance(params)).length
    await wallet(client, payer.walletId)
    return (
      node.calls.filter(({ method, params }) => method === 'eth_call' && isBalance(params)).length > before || undefined
    )
  }, 'the balance is not read again')
  t.is((await wallet(client, payer.walletId)).balance, 60)
})

/** With what is left after both withdrawals: a permit pays nothing yet. */
for (const [custodyType, deed, done, left] of [
  ['PROVIDER_A', 'execute', { status: 'EXECUTED' }, 20],
  ['EXTERNAL', 'approve', { approved: true }, 50],
] as const) {
  test(`Funds that left a wallet with custody ${custodyType} since the request are missed before anything is paid`, async (t) => {
    const chain = await startChain(t)
    if (!chain) return
    const slot = { BURSAR_PROVIDER_A: PROVIDER, BURSAR_PROVIDER_A_URL: chain.url }
    const { client } = await startLive(t, chain, slot)
    const payer = await newPayer(client, chain, { balance: 100, wallet: { custodyType, address: OWNER } })
    const [large, small] = [
      await approved(client, payer.key, 60, newRecipient()),
      await approved(client, payer.key, 30, newRecipient()),
    ]
    const carryOut = (requestId: string) => client.post(`/api/sdk/payments/${requestId}/${deed}`, payer.key)
    const leave = async (amount: number, left: number): Promise<void> => {
      const data = transferData(newRecipient(), amount * MICROS)
      await chain.rpc('eth_sendTransaction', [{ from: OWNER, to: chain.token, data }])
      await until(async () => {
        await chain.mine(2)
        return (await wallet(client, payer.walletId)).balance === left || undefined
      }, `the wallet has not ${left} left`)
    }
    await leave(30, 70)
    t.like(await carryOut(small), { status: 200, body: done })
    await leave(20, left)
    t.like(await carryOut(large), { status: 400, body: { code: 'INSUFFICIENT_BALANCE' } })
    t.is((await status(client, payer.key, large)).body.status, 'APPROVED')
  })
}

test('A wallet needs coin for fees only if the service builds its transactions', async (t) => {
  const chain = await startChain(t)
  if (!chain) return
  const slots = {
    BURSAR_PROVIDER_A: PROVIDER,
    BURSAR_PROVIDER_A_URL: chain.url,
    BURSAR_PROVIDER_B: 'http-signer',
    BURSAR_PROVIDER_B_URL: chain.url,
  }
  const { client } = await startLive(t, chain, slots)
  for (const [custodyType, address, decided] of [
    ['PROVIDER_A', OWNER, 'APPROVED'],
    ['PROVIDER_B', '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC', 'DENIED'],
  ] as const) {
    const wanted = { name: custodyType, balance: 100, coins: '0x0', wallet: { custodyType, address } }
    const payer = await newPayer(client, chain, wanted)
    t.is((await ask(client, payer.key, 1)).body.status, decided, custodyType)
  }
})
