// Which payment a transfer's hash confirms, whoever names it: a provider that returns a wrong one or the same one
// twice, or another organization whose wallet has the same address.
import test from 'ava'
import { fileURLToPath } from 'node:url'
import { transferData } from '../../../src/chain/node.js'
import { LOCAL_CHAIN_ID, type LocalChain } from '../../../src/cli/demo/localChain.js'
import { execute, EVERY_DAY, made, status, type Agent, type Key, type Wallet } from '../../support/payments.js'
import type { Client } from '../../support/client.js'
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
  type Payer,
} from '../../support/chain.js'

const PROVIDER = fileURLToPath(new URL('carelessProvider.js', import.meta.url))
const CONFUSED = fileURLToPath(new URL('confusedProvider.js', import.meta.url))
const ANVILS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const OTHER = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const OPERATOR_KEY = 'operator-key-for-tests-0123456789'

test('A hash that a provider returns twice confirms one payment, and a malformed one none', async (t) => {
  const chain = await startChain(t)
  if (!chain) return
  const slots = { BURSAR_PROVIDER_A: PROVIDER, BURSAR_PROVIDER_A_URL: chain.url, BURSAR_PROVIDER_B: PROVIDER }
  const live = await startLive(t, chain, {
    ...slots,
    BURSAR_PROVIDER_B_URL: chain.url,
    BURSAR_PROVIDER_B_HASH: 'later',
  })
  const { client } = live
  const one = await newPayer(client, chain, { name: 'One', wallet: { custodyType: 'PROVIDER_A', address: ANVILS } })
  const other = await newPayer(client, chain, { name: 'Other', wallet: { custodyType: 'PROVIDER_B', address: OTHER } })
  const recipient = newRecipient()
  const wanted = [
    [one, 1],
    [one, 1],
    [other, 3],
  ] as const
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

test("A provider's wrong hash is not claimed, and both payments are confirmed by the right ones", async (t) => {
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

/** An agent of another organization, with a wallet on the local chain. */
async function foreignPayer(client: Client, wallet: object): Promise<Pick<Payer, 'key' | 'walletId'>> {
  return payerOf(client, await newOrganization(client), wallet)
}

async function newOrganization(client: Client): Promise<{ id: string; apiKey: string }> {
  return (await client.post<{ id: string; apiKey: string }>('/api/organizations', OPERATOR_KEY, { name: 'Other' })).body
}

async function payerOf(
  client: Client,
  { apiKey }: { apiKey: string },
  wallet: object,
): Promise<Pick<Payer, 'key' | 'walletId'>> {
  const add = async <Body>(path: string, body: object): Promise<Body> =>
    (await client.post<Body>(path, apiKey, body)).body
  const { id } = await add<Agent>('/api/agents', { name: 'Other', agentType: 'CUSTOM' })
  const { id: walletId } = await add<Wallet>('/api/wallets', { name: 'Other', chainId: LOCAL_CHAIN_ID, ...wallet })
  await add(`/api/agents/${id}/wallets`, { walletId, allowedDays: EVERY_DAY })
  return { walletId, ...(await add<Key>(`/api/agents/${id}/sdk-keys`, { name: 'Key' })) }
}

type Answer = { status: number; body: LivePayment & { code?: string } }

/** Permits a payment from an external wallet; returns the function that confirms it at the confirmed depth. */
async function permitted(client: Client, key: string, recipient: string): Promise<(txHash: string) => Promise<Answer>> {
  const path = `/api/sdk/payments/${await approved(client, key, 5, recipient)}`
  const { approvalToken } = (await client.post<{ approvalToken: string }>(`${path}/approve`, key)).body
  const confirm = (txHash: string): Promise<Answer> => client.post(`${path}/confirm`, key, { txHash, approvalToken })
  return (txHash) =>
    until(async () => {
      const answer = await confirm(txHash)
      return answer.body.code === 'NOT_CONFIRMED' ? undefined : answer
    }, 'it is not deep enough')
}

/** Sends 5 tokens as the owner of one of anvil's addresses. */
async function pay(chain: LocalChain, from: string, recipient: string): Promise<string> {
  const sent = { from, to: chain.token, data: transferData(recipient, 5 * MICROS) }
  const txHash = await chain.rpc<string>('eth_sendTransaction', [sent])
  await chain.mine(2)
  return txHash
}

test('A transfer that the service sent confirms no payment of another organization', async (t) => {
  const chain = await startChain(t)
  if (!chain) return
  const live = await startLive(t, chain, { BURSAR_OPERATOR_KEY: OPERATOR_KEY })
  const { client } = live
  // The key of an agent: it has no claim on its address before the service signs with it.
  const { publicKey } = await made<Agent & { publicKey: string }>(client, '/api/agents', {
    name: 'Owner',
    agentType: 'CUSTOM',
  })
  const payer = await newPayer(client, chain, { wallet: { address: publicKey } })
  const recipient = newRecipient()
  const { key } = await foreignPayer(client, { custodyType: 'EXTERNAL', address: payer.address })
  const confirm = await permitted(client, key, recipient)
  const requestId = await approved(client, payer.key, 5, recipient)
  await execute(client, payer.key, requestId)
  const { transaction } = await settled(live, payer.key, requestId)
  t.like(await confirm(transaction!.txHash!), { status: 409, body: { code: 'ALREADY_EXECUTED' } })
})

test('With an external address that two organizations share, a hash confirms one payment of each', async (t) => {
  const chain = await startChain(t)
  if (!chain) return
  const { client } = await startLive(t, chain, { BURSAR_OPERATOR_KEY: OPERATOR_KEY })
  const wallet = { custodyType: 'EXTERNAL', address: ANVILS }
  const own = await newPayer(client, chain, { wallet })
  const other = await foreignPayer(client, wallet)
  const recipient = newRecipient()
  for (const txHash of [await pay(chain, ANVILS, recipient), await pay(chain, ANVILS, recipient)]) {
    for (const { key } of [other, own]) {
      const confirm = await permitted(client, key, recipient)
      const confirmAnother = await permitted(client, key, recipient)
      t.like(await confirm(txHash), { status: 200, body: { status: 'EXECUTED', txHash } })
      t.like(await confirmAnother(txHash), { status: 409, body: { code: 'ALREADY_EXECUTED' } })
      t.like(await confirm(txHash), { status: 200 })
    }
  }
})

test('An address whose key the service made for one organization pays for no other, nor is it locked by one', async (t) => {
  const chain = await startChain(t)
  if (!chain) return
  const slot = { BURSAR_PROVIDER_A: 'http-signer', BURSAR_PROVIDER_A_URL: chain.url }
  const first = await startLive(t, chain, { BURSAR_OPERATOR_KEY: OPERATOR_KEY })
  // The key of an agent: it has no claim on its address before the service signs with it.
  const { publicKey } = await made<Agent & { publicKey: string }>(first.client, '/api/agents', {
    name: 'Owner',
    agentType: 'CUSTOM',
  })
  const other = await newOrganization(first.client)
  await first.service.stop()
  const live = await startLive(
    t,
    chain,
    { BURSAR_OPERATOR_KEY: OPERATOR_KEY, ...slot, BURSAR_PROVIDER_A_ORGANIZATION: other.id },
    first.service.folder,
  )
  const { client } = live
  const own = await newPayer(client, chain, { wallet: { address: publicKey } })
  const theirs = await payerOf(client, other, { custodyType: 'PROVIDER_A', address: publicKey })
  const foreign = await execute(client, theirs.key, await approved(client, theirs.key, 1, newRecipient()))
  t.like(foreign, { status: 400, body: { code: 'WALLET_CONFIG_ERROR' } })
  const requestId = await approved(client, own.key, 1, newRecipient())
  t.is((await execute(client, own.key, requestId)).status, 200)
  await settled(live, own.key, requestId)
  const late = await execute(client, theirs.key, await approved(client, theirs.key, 1, newRecipient()))
  t.like(late, { status: 400, body: { code: 'WALLET_CONFIG_ERROR' } })
})

test('An external address confirms nothing once a provider pays from it for another organization', async (t) => {
  const chain = await startChain(t)
  if (!chain) return
  const first = await startLive(t, chain, { BURSAR_OPERATOR_KEY: OPERATOR_KEY })
  const owner = await newOrganization(first.client)
  await first.service.stop()
  const slot = {
    BURSAR_PROVIDER_A: PROVIDER,
    BURSAR_PROVIDER_A_URL: chain.url,
    BURSAR_PROVIDER_A_ORGANIZATION: owner.id,
  }
  const env = { BURSAR_OPERATOR_KEY: OPERATOR_KEY, ...slot }
  const { client } = await startLive(t, chain, env, first.service.folder)
  const own = await newPayer(client, chain, { wallet: { custodyType: 'EXTERNAL', address: ANVILS } })
  const other = await payerOf(client, owner, { custodyType: 'PROVIDER_A', address: ANVILS })
  const recipient = newRecipient()
  const [before, after] = [await permitted(client, own.key, recipient), await permitted(client, own.key, recipient)]
  t.like(await before(await pay(chain, ANVILS, recipient)), { status: 200, body: { status: 'EXECUTED' } })
  t.is((await execute(client, other.key, await approved(client, other.key, 1, recipient))).status, 200)
  t.like(await after(await pay(chain, ANVILS, recipient)), { status: 400, body: { code: 'WALLET_CONFIG_ERROR' } })
})
