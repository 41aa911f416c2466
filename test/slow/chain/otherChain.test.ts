// A node of another chain says nothing about payments under way: there their transfers are absent, and their nonces may
// have been used.
import test from 'ava'
import { newFolder } from '../../support/process.js'
import { execute, status } from '../../support/payments.js'
import { Proxy, type Call, type Deed } from './proxy.js'
import {
  approved,
  newPayer,
  newRecipient,
  settled,
  startChain,
  startLive,
  submitted,
  until,
} from '../../support/chain.js'

const OTHER: { [method: string]: Deed } = {
  eth_chainId: { answer: { result: '0x1' } },
  eth_getTransactionReceipt: { answer: { result: null } },
  eth_getTransactionByHash: { answer: { result: null } },
}

test('Payments that are submitted or confirmed stay as they are while their node is of another chain', async (t) => {
  t.timeout(60_000)
  const chain = await startChain(t)
  if (!chain) return
  const node = await Proxy.open(t, chain.url)
  const folder = newFolder(t)
  const env = { BURSAR_RPC_31337: node.url }
  const first = await startLive(t, chain, env, folder)
  const payer = await newPayer(first.client, chain)
  const ids: string[] = []
  for (const amount of [1, 2]) {
    const id = await approved(first.client, payer.key, amount, newRecipient())
    t.is((await execute(first.client, payer.key, id)).status, 200)
    if (amount === 1) await settled(first, payer.key, id)
    else await submitted(first.client, payer.key, id)
    ids.push(id)
  }
  await first.service.stop()
  node.deed = ({ method }) => OTHER[method]
  node.calls.length = 0
  const { client, service } = await startLive(t, chain, env, folder)
  const isTold = (id: string): boolean => service.output().stderr.includes(`payment/${id}`)
  await until(async () => ids.every(isTold) || undefined, 'nobody looks for them')
  const shown = async () =>
    Promise.all(ids.map(async (id) => (await status(client, payer.key, id)).body.transaction?.status))
  t.deepEqual(await shown(), ['CONFIRMED', 'SUBMITTED'])
  t.regex(service.output().stderr, /says that it is of chain 1"/)
  const isJudged = ({ method }: Call): boolean => method !== 'eth_chainId' && method in OTHER
  t.deepEqual(node.calls.filter(isJudged), [])
  node.deed = () => undefined
  for (const id of ids) await settled({ chain, client }, payer.key, id)
})
