// One transfer counts for one payment of the whole installation, whoever names its hash: a provider that gives the same
// one twice, or another organization whose wallet has the same address.
import test, { type ExecutionContext } from 'ava'
import { fileURLToPath } from 'node:url'
import { LOCAL_CHAIN_ID } from '../../src/cli/demo/localChain.js'
import { ask, execute, status, type Agent, type Key, type Wallet } from '../service/setup.js'
import type { Client } from '../service/client.js'
import { approved, MICROS, newPayer, newRecipient, settled, startChain, startLive, until, type LivePayment } from './stage.js'

const PROVIDER = fileURLToPath(new URL('carelessProvider.js', import.meta.url))
const ANVILS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const OTHER = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const OPERATOR_KEY = 'operator-key-for-tests-0123456789'

test('A hash that a provider gives twice, or that is none, confirms no payment', async (t) => {
  const chain = await startChain(t)
  if (!chain) return
  const slots = { BURSAR_PROVIDER_A: PROVIDER, BURSAR_PROVIDER_A_URL: chain.url, BURSAR_PROVIDER_B: PROVIDER }
  const live = await startLive(t, chain, { ...slots, BURSAR_PROVIDER_B_URL: chain.url, BURSAR_PROVIDER_B_HASH: 'later' })
  const { client } = live
  const one = await newPayer(client, chain, { name: 'One', wallet: { custodyType: 'PROVIDER_A', address: ANVILS } })
  const other = await newPayer(client, chain, { name: 'Other', wallet: { custodyType: 'PROVIDER_B', address: OTHER } })
  const recipient = newRecipient()
  const wanted = [[one, 1], [one, 2], [other, 3]] as const
  const ids: string[] = []
  for (const [payer, amount] of wanted) {
    ids.push(await approved(client, payer.key, amount, recipient))
    await execute(client, payer.key, ids.at(-1)!)
  }
  await settled(live, one.key, ids[0]!)
  await chain.mine(20)
  for (const [index, { key }] of [[1, one], [2, other]] as const) {
    const { body } = await status(client, key, ids[index]!)
    t.like(body as LivePayment, { status: 'EXECUTING', transaction: { status: 'UNKNOWN' } })
  }
  t.is(await chain.balanceOf(recipient), MICROS)
})

/** A payment of another organization from an external wallet, with the leave to pay it. */
async function foreignPermit(t: ExecutionContext, client: Client, address: string, recipient: string) {
  const { apiKey } = (await client.post<{ apiKey: string }>('/api/organizations', OPERATOR_KEY, { name: 'Other' })).body
  const made = async <Body>(path: string, body: object): Promise<Body> => (await client.post<Body>(path, apiKey, body)).body
  const { id } = await made<Agent>('/api/agents', { name: 'Copier', agentType: 'CUSTOM' })
  const wanted = { name: 'Copied', custodyType: 'EXTERNAL', chainId: LOCAL_CHAIN_ID, address }
  const { id: walletId } = await made<Wallet>('/api/wallets', wanted)
  await made(`/api/agents/${id}/wallets`, { walletId, allowedDays: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] })
  const { key } = await made<Key>(`/api/agents/${id}/sdk-keys`, { name: 'Key' })
  const { body } = await ask(client, key, 5, { recipientAddress: recipient })
  t.is(body.status, 'APPROVED', JSON.stringify(body))
  const path = `/api/sdk/payments/${body.requestId}`
  const { approvalToken } = (await client.post<{ approvalToken: string }>(`${path}/approve`, key)).body
  return (txHash: string) => client.post<LivePayment & { code?: string }>(`${path}/confirm`, key, { txHash, approvalToken })
}

test("A transfer of the service's own confirms no payment of another organization", async (t) => {
  const chain = await startChain(t)
  if (!chain) return
  const live = await startLive(t, chain, { BURSAR_OPERATOR_KEY: OPERATOR_KEY })
  const { client } = live
  const payer = await newPayer(client, chain)
  const recipient = newRecipient()
  const confirm = await foreignPermit(t, client, payer.address, recipient)
  const requestId = await approved(client, payer.key, 5, recipient)
  await execute(client, payer.key, requestId)
  const { transaction } = await settled(live, payer.key, requestId)
  const answer = await until(async () => {
    const found = await confirm(transaction!.txHash!)
    return found.body.code === 'INVALID_STATUS' ? undefined : found
  }, 'it is not deep enough')
  t.like(answer, { status: 409, body: { code: 'ALREADY_EXECUTED' } })
})
