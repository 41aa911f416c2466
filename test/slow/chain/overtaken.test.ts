// A transfer that can never be made, because somebody with the same key used its nonce: its payment fails and is
// released once that is final, unless the other transaction makes the same transfer.
import test, { type ExecutionContext } from 'ava'
import { transferData } from '../../../src/chain/node.js'
import type { LocalChain } from '../../../src/cli/demo/localChain.js'
import { ORGANIZATION_KEY, newFolder } from '../../support/process.js'
import { execute, status, type Agent } from '../../support/payments.js'
import type { Client } from '../../support/client.js'
import { Proxy, type Call, type Deed } from './proxy.js'
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
  type Payer,
} from '../../support/chain.js'

const ANVILS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const MINUTES_LATER = { NODE_ENV: 'test', BURSAR_CLOCK_OFFSET_MS: String(2 * 60_000) }
/** The depth of finality on the local chain: two confirmations and ten more blocks. */
const FINAL = 12
const DEAR = '0x2540be400'

/** Sends with the key of the service's signer, under the nonce of its transfer, before that is in a block. */
async function sendInstead(chain: LocalChain, transaction: object): Promise<string> {
  const sent = { from: ANVILS, nonce: '0x0', maxFeePerGas: DEAR, maxPriorityFeePerGas: DEAR, ...transaction }
  const txHash = await chain.rpc<string>('eth_sendTransaction', [sent])
  await chain.mine(1)
  return txHash
}

/** A payment of 5 tokens whose transfer was signed and is in no block: sent if `isSent`, lost on the way otherwise. */
async function startPending(t: ExecutionContext, isSent: boolean) {
  const chain = await startChain(t, ['--no-mining'])
  if (!chain) return undefined
  const node = await Proxy.open(t, chain.url)
  const env = { BURSAR_PROVIDER_A: 'http-signer', BURSAR_PROVIDER_A_URL: chain.url, BURSAR_RPC_31337: node.url }
  const folder = newFolder(t)
  const { client, service } = await startLive(t, chain, env, folder)
  const payer = await newPayer(client, chain, { balance: 100, wallet: { custodyType: 'PROVIDER_A', address: ANVILS } })
  await chain.mine(FINAL)
  const recipient = newRecipient()
  const requestId = await approved(client, payer.key, 5, recipient)
  node.deed = ({ method }) => {
    return method === 'eth_sendRawTransaction' && !isSent ? { forward: false, answer: 'nothing' } : undefined
  }
  t.is((await execute(client, payer.key, requestId)).body.status, isSent ? 'EXECUTED' : 'EXECUTING')
  await service.stop()
  node.deed = () => undefined
  const later = () => startLive(t, chain, { ...env, ...MINUTES_LATER }, folder)
  return { chain, node, payer, recipient, requestId, later }
}

/** A call that asks how many nonces were used at a past block. */
function isDeepCount({ method, params }: Call): boolean {
  return method === 'eth_getTransactionCount' && params[1] !== 'latest' && params[1] !== 'pending'
}

const FORGOTTEN: Deed = { forward: false, answer: { error: 'missing trie node' } }

interface Shown {
  held: number
  balance: number
}

/** The amount that the payer holds or has spent, and its wallet's balance. */
async function accountOf(client: Client, { agentId, walletId }: Payer): Promise<Shown> {
  const { body } = await client.get<Agent>(`/api/agents/${agentId}`, ORGANIZATION_KEY)
  const { spent, reserved } = body.wallets![0]!
  return { held: spent.day + reserved, balance: (await wallet(client, walletId)).balance }
}

for (const [what, isSent] of [
  ['was sent', true],
  ['was lost', false],
] as const) {
  test(`A payment whose transfer ${what} fails only once another transaction with its nonce is final`, async (t) => {
    t.timeout(120_000)
    const stage = await startPending(t, isSent)
    if (!stage) return
    const { chain, node, payer, recipient, requestId, later } = stage
    const used = await sendInstead(chain, { to: newRecipient(), value: '0x1' })
    await chain.mine(2)
    const { client } = await later()
    const shown = async (): Promise<LivePayment> => (await status(client, payer.key, requestId)).body as LivePayment
    await until(async () => node.calls.filter(isDeepCount).length > 1 || undefined, 'nobody looks who used the nonce')
    t.not((await shown()).status, 'FAILED')
    t.deepEqual(await accountOf(client, payer), { held: 5, balance: 95 })
    t.is((await settled({ chain, client }, payer.key, requestId, 'FAILED')).status, 'FAILED')
    const { blockNumber } = await chain.rpc<{ blockNumber: string }>('eth_getTransactionReceipt', [used])
    t.true(Number(await chain.rpc<string>('eth_blockNumber')) - Number(blockNumber) + 1 >= FINAL)
    const { body } = await client.get<{ reasons: string[] }>(`/api/payments/${requestId}`, ORGANIZATION_KEY)
    t.true(
      body.reasons.some((reason) => reason.includes(used)),
      body.reasons.join(),
    )
    t.deepEqual(await accountOf(client, payer), { held: 0, balance: 100 })
    const next = await approved(client, payer.key, 7, recipient)
    t.is((await execute(client, payer.key, next)).status, 200)
    await settled({ chain, client }, payer.key, next)
    t.deepEqual([await nonceOf(chain, ANVILS), await chain.balanceOf(recipient)], [2, 7 * MICROS])
  })
}

test('A payment is confirmed by the same transfer that somebody else sent with its nonce', async (t) => {
  t.timeout(120_000)
  for (const isSent of [true, false]) {
    const stage = await startPending(t, isSent)
    if (!stage) return
    const { chain, payer, recipient, requestId, later } = stage
    const used = await sendInstead(chain, { to: chain.token, data: transferData(recipient, 5 * MICROS) })
    await chain.mine(FINAL)
    const { client } = await later()
    const { transaction } = await settled({ chain, client }, payer.key, requestId)
    t.is(transaction!.txHash, used)
    t.deepEqual(await accountOf(client, payer), { held: 5, balance: 95 })
    t.deepEqual([await nonceOf(chain, ANVILS), await chain.balanceOf(recipient)], [1, 5 * MICROS])
  }
})

test('The use of a nonce is found even if the node has pruned the state of older blocks', async (t) => {
  t.timeout(120_000)
  const stage = await startPending(t, true)
  if (!stage) return
  const { chain, node, payer, requestId, later } = stage
  const used = await sendInstead(chain, { to: newRecipient(), value: '0x1' })
  const { blockNumber } = await chain.rpc<{ blockNumber: string }>('eth_getTransactionReceipt', [used])
  await chain.mine(FINAL + 20)
  const oldest = Number(blockNumber) - 5
  node.deed = (call) => (isDeepCount(call) && Number(call.params[1]) < oldest ? FORGOTTEN : undefined)
  const { client } = await later()
  const failed = async (): Promise<true | undefined> => {
    return (await status(client, payer.key, requestId)).body.status === 'FAILED' || undefined
  }
  t.true(await until(failed, 'it has not failed'))
  t.deepEqual(await accountOf(client, payer), { held: 0, balance: 100 })
})

test('The fees of a transfer are raised even if the node has pruned past nonce counts', async (t) => {
  t.timeout(120_000)
  const stage = await startPending(t, true)
  if (!stage) return
  const { chain, node, payer, recipient, requestId, later } = stage
  node.deed = (call) => (isDeepCount(call) ? FORGOTTEN : undefined)
  await chain.rpc('anvil_setNextBlockBaseFeePerGas', [DEAR])
  await chain.mine(1)
  const { client } = await later()
  const sent = ({ method }: Call): boolean => method === 'eth_sendRawTransaction'
  const forms = (): Set<unknown> => new Set(node.calls.filter(sent).map(({ params }) => params[0]))
  await until(async () => forms().size === 2 || undefined, 'its fees are not raised')
  await settled({ chain, client }, payer.key, requestId)
  t.deepEqual([await nonceOf(chain, ANVILS), await chain.balanceOf(recipient)], [1, 5 * MICROS])
})
