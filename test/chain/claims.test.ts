// One transfer counts for one payment of the whole installation, whoever names its hash: a provider that gives the same
// one twice, or another organization whose wallet has the same address.
import test, { type ExecutionContext } from 'ava'
import { fileURLToPath } from 'node:url'
import { LOCAL_CHAIN_ID } from '../../src/cli/demo/localChain.js'
import { ask, execute, status, type Agent, type Key, type Wallet } from '../service/setup.js'
import type { Client } from '../service/client.js'
import { approved, MICROS, newPayer, newRecipient, settled, startChain, startLive, until, type LivePayment } from './stage.js'

const PROVIDER = fileURLToPath(new URL('carelessProvider.js', import.meta.url))
const CONFUSED = fileURLToPath(new URL('confusedProvider.js', import.meta.url))
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
  const wanted = [[one, 1], [one, 1], [other, 3]] as const
  const ids: string[] = []
  for (const [payer, amount] of wanted) {
    ids.push(await approved(client, payer.key, amount, recipient))
    await execute(client, payer.key, ids.at(-1)!)
  }
  const shown = async (): Promise<string[]> => {
    const all = await Promise.all(wanted.map(([{ key }], index) => status(client, key, ids[index]!)))
    return all.map(({ body }) => `${body.status} ${body.transaction?.status}`).sort()
  }
  const all = await until(async () => {
    await chain.mine(1)
    const isRefused = /counts for another payment/.test(live.service.output().stderr)
    const found = await shown()
    return isRefused && found.includes('EXECUTED CONFIRMED') ? found : undefined
  }, 'the hash has not been looked up for both')
  t.deepEqual(all, ['EXECUTED CONFIRMED', 'EXECUTED SUBMITTED', 'EXECUTING UNKNOWN'])
  t.is(await chain.balanceOf(recipient), MICROS)
})

test('A hash that a provider names wrongly is taken for no payment, and both end when it names the right ones', async (t) => {
  const chain = await startChain(t)
  if (!chain) return
  const live = await startLive(t, chain, { BURSAR_PROVIDER_A: CONFUSED, BURSAR_PROVIDER_A_URL: chain.url })
  const { client } = live
  const payer = await newPayer(client, chain, { wallet: { custodyType: 'PROVIDER_A', address: ANVILS } })
  const recipient = newRecipient()
  const first = await approved(client, payer.key, 1, recipient)
  const second = await approved(client, payer.key, 2, recipient)
  t.like((await execute(client, payer.key, first)).body, { status: 'EXECUTED', txHash: undefined })
  const misnamed = (await execute(client, payer.key, second)).body as { txHash?: string }
  const shown = [await settled(live, payer.key, first), await settled(live, payer.key, second)]
  t.is(shown[0]!.transaction!.txHash, misnamed.txHash, 'the second was named the hash of the first')
  t.not(shown[1]!.transaction!.txHash, misnamed.txHash)
  t.is(await chain.balanceOf(recipient), 3 * MICROS)
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
