// Confirmation depth: a block that is reorganized away confirms nothing, a transfer that is not mined is signed again
// with higher fees under its nonce, and a claimed transfer has to appear in the token's log.
import { charts } from '../../../machines/index.js'
import { metaOfActor } from '../../../src/actor/turn.js'
import test, { type ExecutionContext } from 'ava'
import type { LocalChain } from '../../../src/cli/demo/localChain.js'
import { ChainNode } from '../../../src/chain/node.js'
import { verify } from '../../../src/chain/receipts.js'
import { TransferSteps, type PaymentMessage } from '../../../src/chain/transferSteps.js'
import { prepare, sign } from '../../../src/chain/transfer.js'
import { Accounts } from '../../../src/chain/accounts.js'
import { Keystore } from '../../../src/chain/keystore.js'
import { parseTransaction, type Hex } from 'viem'
import { type Actor } from '../../../src/actor/actor.js'
import type { SignedTransfer } from '../../../src/domain/payment/settlement.js'
import { newFolder } from '../../support/process.js'
import { status } from '../../support/payments.js'
import {
  approved,
  MICROS,
  newPayer,
  newRecipient,
  settled,
  startChain,
  startLive,
  until,
  type LivePayment,
} from '../../support/chain.js'

const SENDER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

function nodeOf(chain: LocalChain, confirmations: number): ChainNode {
  return new ChainNode({
    chainId: '31337',
    url: chain.url,
    asset: chain.token,
    decimals: 6,
    confirmations,
    mostFeeGwei: 10_000,
    freshMs: 0,
  })
}

test('A transfer whose block is reorganized away is not confirmed until it is deep enough again', async (t) => {
  const chain = await startChain(t)
  if (!chain) return
  const live = await startLive(t, chain, { BURSAR_CONFIRMATIONS_31337: '4' })
  const { client } = live
  const payer = await newPayer(client, chain)
  await chain.mine(12)
  const requestId = await approved(client, payer.key, 5, newRecipient())
  await client.post(`/api/sdk/payments/${requestId}/execute`, payer.key)
  const shown = async (): Promise<LivePayment> => (await status(client, payer.key, requestId)).body as LivePayment
  await chain.mine(2)
  const { txHash } = (await shown()).transaction!
  interface Receipt {
    blockNumber: string
    blockHash: string
  }
  const receipt = () => chain.rpc<Receipt | null>('eth_getTransactionReceipt', [txHash])
  const first = (await receipt())!
  await chain.rpc('anvil_reorg', [3, []])
  t.is((await shown()).transaction!.status, 'SUBMITTED')
  await chain.mine(1)
  const again = await until(async () => (await receipt()) ?? undefined, 'it is not sent again')
  t.not(again.blockHash, first.blockHash)
  t.true(Number(again.blockNumber) >= Number(first.blockNumber))
  t.is((await shown()).transaction!.status, 'SUBMITTED')
  const done = await settled(live, payer.key, requestId)
  t.is(done.transaction!.txHash, txHash)
  const head = Number(await chain.rpc<string>('eth_blockNumber'))
  t.true(head - Number(again.blockNumber) + 1 >= 4)
})

test('A claimed transfer is accepted only with the right token, sender, recipient, amount and depth', async (t) => {
  const chain = await startChain(t)
  if (!chain) return
  await chain.fund(SENDER, 100 * MICROS)
  const node = nodeOf(chain, 3)
  const to = newRecipient()
  const word = (value: string): string => value.replace('0x', '').padStart(64, '0')
  const data = `0xa9059cbb${word(to)}${word((25 * MICROS).toString(16))}`
  const txHash = await chain.rpc<string>('eth_sendTransaction', [{ from: SENDER, to: chain.token, data }])
  const claimed = {
    chainId: '31337',
    txHash,
    from: SENDER,
    to,
    amount: 25 * MICROS,
    asset: chain.token,
    askedAt: Date.now(),
  }
  t.is((await verify(node, claimed)).is, 'unsettled')
  await chain.mine(2)
  t.like(await verify(node, claimed), { is: 'made' })
  const wrong: [what: string, other: object][] = [
    ['sender', { from: newRecipient() }],
    ['recipient', { to: newRecipient() }],
    ['amount', { amount: 25 * MICROS + 1 }],
  ]
  for (const [what, other] of wrong) t.is((await verify(node, { ...claimed, ...other })).is, 'wrong', what)
  const absent = `0x${'12'.repeat(32)}`
  t.is((await verify(node, { ...claimed, txHash: absent })).is, 'unsettled')
  const { token } = await LocalToken(chain)
  t.is((await verify(node, { ...claimed, asset: token })).is, 'wrong', 'token')
  const foreign = new ChainNode({ ...node.config, chainId: '8453' })
  await t.throwsAsync(verify(foreign, { ...claimed, chainId: '8453' }), { message: /says that it is of chain 31337/ })
})

/** A second token on the same chain. */
async function LocalToken(chain: LocalChain): Promise<{ token: string }> {
  const code = await chain.rpc<string>('eth_getCode', [chain.token, 'latest'])
  const token = '0x00000000000000000000000000000000000070c3'
  await chain.rpc('anvil_setCode', [token, code])
  return { token }
}

interface Signed {
  node: ChainNode
  payment: { from: string; context: { transfers: SignedTransfer[] } }
  /** The settler's message to the payment in this state, at this time. */
  lookUp: (state: string, now?: number) => Promise<PaymentMessage>
}

/** A settler, and a payment of one token whose transfer was signed at time 1 and is not sent. */
async function signed(t: ExecutionContext, chain: LocalChain, confirmations = 1): Promise<Signed> {
  const keystore = new Keystore(newFolder(t), Buffer.alloc(32, 1))
  const from = await keystore.newAddress('o1')
  await chain.fund(from, 10 * MICROS)
  const node = nodeOf(chain, confirmations)
  let time = 1
  const settler = new TransferSteps({
    metaOf: (one) => metaOfActor(charts, one),
    accounts: new Accounts({} as never, () => time),
    nodes: new Map([['31337', node]]),
    custody: () => keystore,
    sanctions: () => undefined,
    objection: async () => undefined,
    take: async () => true,
    look: async () => () => undefined,
    now: () => time,
    replaceAfterMs: 10,
  })
  const order = { chainId: '31337', from, to: newRecipient(), amount: MICROS, asset: node.asset }
  const first = await sign(await keystore.account(from, 'o1'), order, await prepare(node, order, 0), 0, 1)
  const wallet = { address: from, chainId: '31337', custodyType: 'MANAGED' }
  const terms = { amount: MICROS, asset: chain.token, recipientAddress: order.to, wallet }
  const payment = { from, context: { organization: 'o1', terms, transfers: [first] } }
  const lookUp = (state: string, now = time): Promise<PaymentMessage> => {
    time = now
    const actor = {
      ref: 'payment/p1',
      version: charts.payment.version,
      state,
      context: payment.context,
    } as unknown as Actor
    return settler.answer(actor as Actor<'payment'>, 'lookup', async (said) => said)
  }
  return { node, payment, lookUp }
}

const GWEI = 1_000_000_000
/** More than any transfer of an idle chain offers. */
const DEAR = 100 * GWEI

async function setFees(chain: LocalChain, wei: number): Promise<void> {
  await chain.rpc('anvil_setNextBlockBaseFeePerGas', [`0x${wei.toString(16)}`])
  await chain.mine(1)
}

test('A transfer that waits too long is signed again with higher fees, nonce and calldata unchanged', async (t) => {
  const chain = await startChain(t, ['--no-mining'])
  if (!chain) return
  const { payment, lookUp } = await signed(t, chain)
  t.is(await lookUp('transferred.submitted'), undefined)
  t.is(await lookUp('transferred.submitted', 100), undefined)
  await chain.rpc('anvil_dropAllTransactions')
  await setFees(chain, DEAR)
  t.like(await lookUp('transferred.submitted', -100), { type: 'REPLACED' }, 'the clock was set back')
  const renewed = (await lookUp('transferred.submitted', 100))!['transfer'] as SignedTransfer
  const [before, after] = [payment.context.transfers[0]!, renewed].map(({ raw }) => parseTransaction(raw as Hex))
  for (const field of ['nonce', 'to', 'data', 'chainId', 'gas'] as const)
    t.deepEqual(after![field], before![field], field)
  t.true(after!.maxFeePerGas! > (before!.maxFeePerGas! * 110n) / 100n)
  t.true(after!.maxPriorityFeePerGas! >= (before!.maxPriorityFeePerGas! * 110n) / 100n)
})

test('Fees that the coin does not cover are reported, and the earlier transfer is sent instead', async (t) => {
  const chain = await startChain(t, ['--no-mining'])
  if (!chain) return
  const { node, payment, lookUp } = await signed(t, chain)
  const { transfers } = payment.context
  const [first] = transfers
  await setFees(chain, DEAR)
  const renewed = (await lookUp('transferred.submitted', 100))!['transfer'] as SignedTransfer
  await chain.rpc('anvil_dropAllTransactions')
  const coin = BigInt(first!.gas) * BigInt(first!.maxFeePerGas)
  await chain.rpc('anvil_setBalance', [payment.from, `0x${coin.toString(16)}`])
  const message = /fees of 0x[0-9a-f]{64} are not raised: The wallet has/
  await t.throwsAsync(lookUp('transferred.submitted'), { message })
  transfers.push(renewed)
  await setFees(chain, GWEI)
  for (const state of ['transferred.submitted', 'transferring.unknown']) {
    await chain.rpc('anvil_dropAllTransactions')
    await lookUp(state).catch(() => {})
    t.true(await node.knows(first!.hash), state)
    t.false(await node.knows(renewed.hash), state)
  }
})

test('A confirmed transfer that moves to another block has to be confirmed there again', async (t) => {
  const chain = await startChain(t, ['--no-mining'])
  if (!chain) return
  const { node, payment, lookUp } = await signed(t, chain, 2)
  const [{ hash, raw }] = payment.context.transfers as [SignedTransfer]
  await node.send(raw)
  await chain.mine(3)
  const confirmed = (await lookUp('transferred.submitted'))!
  t.like(confirmed, { type: 'CONFIRMED', txHash: hash })
  Object.assign(payment.context, { txHash: hash, block: confirmed['block'] })
  t.is(await lookUp('transferred.confirmed'), undefined)
  // The three latest blocks are replaced, and the transfer is in the second of the new ones.
  await chain.rpc('anvil_reorg', [3, [[raw, 1]]])
  t.is(Number((await node.receipt(hash))!.blockNumber), Number(confirmed['block']) + 1)
  t.deepEqual(await lookUp('transferred.confirmed'), { type: 'REORGED' })
  t.like(await lookUp('transferred.submitted'), { type: 'CONFIRMED', block: Number(confirmed['block']) + 1 })
})
