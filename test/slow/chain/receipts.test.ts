// A single answer of a node is not trusted too soon: receipts that come and go, nodes that lag behind others, and nodes
// that limit the rate of calls.
import test, { type ExecutionContext } from 'ava'
import type { LocalChain } from '../../../src/cli/demo/localChain.js'
import { ChainNode } from '../../../src/chain/node.js'
import { depthOf, stillInChain, verify } from '../../../src/chain/receipts.js'
import { prepare } from '../../../src/chain/transfer.js'
import { newClient } from '../../support/client.js'
import { newFolder, startService } from '../../support/process.js'
import { ask, fundedAgent } from '../../support/payments.js'
import { Proxy, type Call } from './proxy.js'
import { MICROS, newRecipient, startChain, startLive } from '../../support/chain.js'

const SENDER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const CONFIRMATIONS = 2

interface Stage {
  chain: LocalChain
  proxy: Proxy
  node: ChainNode
}

async function setUp(t: ExecutionContext): Promise<Stage | undefined> {
  const chain = await startChain(t)
  if (!chain) return undefined
  const proxy = await Proxy.open(t, chain.url)
  const settings = {
    chainId: '31337',
    asset: chain.token,
    decimals: 6,
    confirmations: CONFIRMATIONS,
    mostFeeGwei: 10_000,
    freshMs: 0,
  }
  await chain.fund(SENDER, 100 * MICROS)
  return { chain, proxy, node: new ChainNode({ ...settings, url: proxy.url }) }
}

/** A transfer that is deep enough. */
async function transferred({ chain }: Stage, to: string): Promise<string> {
  const data = `0xa9059cbb${to.slice(2).padStart(64, '0')}${MICROS.toString(16).padStart(64, '0')}`
  const hash = await chain.rpc<string>('eth_sendTransaction', [{ from: SENDER, to: chain.token, data }])
  await chain.mine(CONFIRMATIONS)
  return hash
}

/** Lets the node return no receipt for these requests of one, counted from 1. */
function missing(...times: number[]): (call: Call) => { answer: { result: null } } | undefined {
  let asked = 0
  return ({ method }) => {
    if (method !== 'eth_getTransactionReceipt') return undefined
    asked += 1
    return times.includes(asked) ? { answer: { result: null } } : undefined
  }
}

test('A receipt that is missing when it is read again confirms nothing', async (t) => {
  const stage = await setUp(t)
  if (!stage) return
  const { chain, node, proxy } = stage
  const to = newRecipient()
  const txHash = await transferred(stage, to)
  t.is((await depthOf(node, txHash)).is, 'deep')
  proxy.deed = missing(2)
  t.is((await depthOf(node, txHash)).is, 'absent')
  proxy.deed = missing(2)
  const claimed = { chainId: '31337', txHash, from: SENDER, to, amount: MICROS, asset: chain.token, askedAt: 0 }
  t.is((await verify(node, claimed)).is, 'unsettled')
})

test('One missing receipt does not revoke a confirmation; two do', async (t) => {
  const stage = await setUp(t)
  if (!stage) return
  const { node, proxy } = stage
  const txHash = await transferred(stage, newRecipient())
  proxy.deed = missing(1)
  t.is((await stillInChain(node, txHash))?.transactionHash, txHash as never)
  proxy.deed = missing(1, 2)
  t.is(await stillInChain(node, txHash), undefined)
})

const LIMITS: { error: string; code: number }[] = [
  { code: -32005, error: 'daily request count exceeded, request rate limited' },
  { code: -32000, error: 'too many requests' },
  { code: -32603, error: 'internal error' },
  { code: -32097, error: 'rate limit exceeded' },
]

test("A node's rate limit error is not taken for a wrong token or a refused transfer", async (t) => {
  const stage = await setUp(t)
  if (!stage) return
  const { chain, node, proxy } = stage
  const order = { chainId: '31337', from: SENDER, to: newRecipient(), amount: MICROS, asset: chain.token }
  for (const answer of LIMITS) {
    proxy.deed = ({ method }) => (method === 'eth_call' ? { answer } : undefined)
    const { name } = (await t.throwsAsync(node.check()))!
    t.not(name, 'CustodyError', answer.error)
  }
  proxy.deed = () => undefined
  await prepare(node, order, 0)
  for (const answer of LIMITS) {
    proxy.deed = ({ method }) => (method === 'eth_estimateGas' ? { answer } : undefined)
    t.not((await t.throwsAsync(prepare(node, order, 0)))!.name, 'CustodyError', answer.error)
  }
  proxy.deed = () => undefined
  await chain.refuse(order.to, true)
  await t.throwsAsync(prepare(node, order, 0), { name: 'CustodyError' })
  for (const asset of [newRecipient(), SENDER]) {
    await t.throwsAsync(new ChainNode({ ...node.config, asset }).check(), { name: 'CustodyError' })
  }
})

test('The caller learns which chain has no node, and the log why balances cannot be read', async (t) => {
  const chain = await startChain(t)
  if (!chain) return
  const { client } = await startLive(t, chain)
  const elsewhere = await fundedAgent(client, { balance: 0, wallet: { chainId: '8453' } })
  const denied = (await ask(client, elsewhere.key, 1)).body
  t.like(denied, { status: 'DENIED', violations: [{ type: 'INSUFFICIENT_BALANCE' }] })
  t.is(denied.reasons[0], 'No node is configured for chain 8453: set BURSAR_RPC_8453')
  const env = { ...chain.settings, BURSAR_ASSET_31337: newRecipient() }
  const service = await startService(t, newFolder(t), { env })
  const other = newClient(t, service.url)
  const here = await fundedAgent(other, { balance: 0, wallet: { chainId: '31337' } })
  for (let time = 0; time < 2; time += 1) {
    t.regex((await ask(other, here.key, 1)).body.reasons[0]!, /could not be read from its chain/)
  }
  const lines = service
    .output()
    .stderr.split('\n')
    .filter((line) => line.includes('the balances of a chain cannot be read'))
  t.is(lines.length, 1)
  t.regex(lines[0]!, /No token of 6 decimals is at 0x/)
})
