// What leaves a wallet without a payment, on a local chain: found once at the confirmed depth, whatever restarts,
// outages, reorganizations and limits of the node there are; what was approved and paid is passed over.
import test, { type ExecutionContext } from 'ava'
import { newFolder, ORGANIZATION_KEY } from '../../support/process.js'
import { ask } from '../../support/payments.js'
import { Proxy } from './proxy.js'
import {
  approved,
  MICROS,
  newPayer,
  newRecipient,
  settled,
  startChain,
  startLive,
  until,
  type Live,
  type Payer,
} from '../../support/chain.js'
import type { Alert, Permit } from '../../../sdk/api.js'

/** Accounts that the local chain signs for. */
const OWNER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const SPAMMER = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const CONFIRMATIONS = 3

interface Found {
  walletId: string
  txHash: string
  to: string
  amount: number
  block: number
}

const word = (digits: string): string => digits.toLowerCase().padStart(64, '0')

/** Sends tokens as the owner of an address. */
function transfer({ chain }: Pick<Live, 'chain'>, to: string, micros: number, from = OWNER): Promise<string> {
  const data = `0xa9059cbb${word(to.slice(2))}${word(micros.toString(16))}`
  return chain.rpc<string>('eth_sendTransaction', [{ from, to: chain.token, data }])
}

interface Entries {
  entries: { action: string; data: { found: Found[] | { to: Found[] } } }[]
}

/** Every transfer that was recorded as explained by no payment, the oldest first. */
async function foundIn({ client }: Pick<Live, 'client'>): Promise<Found[]> {
  const { body } = await client.get<Entries>('/api/audit-logs?action=watch.find&limit=100', ORGANIZATION_KEY)
  return body.entries.toReversed().flatMap(({ data }) => (Array.isArray(data.found) ? data.found : data.found.to))
}

const hashesIn = async (live: Pick<Live, 'client'>): Promise<string[]> =>
  (await foundIn(live)).map(({ txHash }) => txHash)

/** Mines a block at a time until a transfer is found. */
function foundOnce(live: Pick<Live, 'client' | 'chain'>, txHash: string): Promise<Found> {
  return until(async () => {
    const found = (await foundIn(live)).find((one) => one.txHash === txHash)
    if (!found) await live.chain.mine(1)
    return found
  }, `${txHash} is not found`)
}

/** Goes on until a later transfer is found, so that all before it have been looked at. */
async function lookedThrough(live: Live): Promise<string> {
  const txHash = await transfer(live, newRecipient(), 1)
  await foundOnce(live, txHash)
  return txHash
}

async function startExternal(t: ExecutionContext, options: { url?: string; folder?: string } = {}) {
  const chain = await startChain(t)
  if (!chain) return undefined
  const folder = options.folder ?? newFolder(t)
  const env = { BURSAR_CONFIRMATIONS_31337: String(CONFIRMATIONS) }
  const live = await startLive(t, chain, env, folder)
  const payer = await newPayer(live.client, chain, {
    wallet: { custodyType: 'EXTERNAL', address: OWNER },
    balance: 100,
  })
  return { ...live, payer, env, folder }
}

async function permitted({ client }: Live, { key }: Payer, amount: number, recipientAddress: string) {
  const { requestId } = (await ask(client, key, amount, { recipientAddress })).body
  const path = `/api/sdk/payments/${requestId}`
  const { approvalToken } = (await client.post<Permit>(`${path}/approve`, key)).body
  const confirm = (txHash: string) => client.post(`${path}/confirm`, key, { txHash, approvalToken })
  return { requestId, confirm }
}

test('a transfer that nobody asked for is found once, one that was approved and paid is not', async (t) => {
  const stage = await startExternal(t)
  if (!stage) return
  const { chain, client, payer } = stage
  const recipient = newRecipient()
  const own = await transfer(stage, recipient, 7 * MICROS)
  const found = await foundOnce(stage, own)
  t.like(found, { walletId: payer.walletId, txHash: own, amount: 7 * MICROS })
  t.is(found.to.toLowerCase(), recipient.toLowerCase())
  const receipt = await chain.rpc<{ blockNumber: string }>('eth_getTransactionReceipt', [own])
  t.is(found.block, Number(receipt.blockNumber))

  const payment = await permitted(stage, payer, 40, recipient)
  const paid = await transfer(stage, recipient, 40 * MICROS)
  const second = await transfer(stage, recipient, 40 * MICROS)
  // One payment explains one transfer.
  await foundOnce(stage, second)
  t.false((await hashesIn(stage)).includes(paid))
  await until(async () => ((await payment.confirm(paid)).status === 200 ? true : undefined), 'it is not confirmed')
  const last = await lookedThrough(stage)
  t.deepEqual(await hashesIn(stage), [own, second, last])
  const path = '/api/alerts?type=UNGOVERNED_TRANSFER&limit=100'
  const { alerts } = (await client.get<{ alerts: Alert[] }>(path, ORGANIZATION_KEY)).body
  t.deepEqual(
    alerts.toReversed().map(({ message }) => [own, second, last].findIndex((hash) => message.includes(hash))),
    [0, 1, 2],
  )
  const alert = { severity: 'CRITICAL', status: 'ACTIVE', walletId: payer.walletId, count: 1 }
  for (const one of alerts) t.like(one, alert)
  const { body } = await client.get<{ action: string }[]>('/api/audit-logs/verify', ORGANIZATION_KEY)
  t.like(body, { valid: true })
})

test('an approved payment explains a transfer until it is confirmed with another one, or ends', async (t) => {
  const stage = await startExternal(t)
  if (!stage) return
  const { client, payer } = stage
  const recipient = newRecipient()
  const released = await permitted(stage, payer, 5, recipient)
  const first = await transfer(stage, recipient, 5 * MICROS)
  const marker = await lookedThrough(stage)
  t.deepEqual(await hashesIn(stage), [marker])
  const release = `/api/payments/${released.requestId}/release`
  t.is((await client.post(release, ORGANIZATION_KEY, { reason: 'It was not paid' })).status, 200)
  await foundOnce(stage, first)
  t.deepEqual(await hashesIn(stage), [marker, first])
  // A payment that was asked for after the transfer was found explains nothing of before.
  await permitted(stage, payer, 5, recipient)
  const last = await lookedThrough(stage)
  t.deepEqual(await hashesIn(stage), [marker, first, last])
})

test('what a wallet of the service pays is explained by its payment from the beginning', async (t) => {
  const chain = await startChain(t)
  if (!chain) return
  const live = await startLive(t, chain, { BURSAR_CONFIRMATIONS_31337: '1' })
  const payer = await newPayer(live.client, chain)
  const outsider = await newPayer(live.client, chain, {
    name: 'Outsider',
    wallet: { custodyType: 'EXTERNAL', address: OWNER },
  })
  const ids = await Promise.all([1, 2, 3].map((amount) => approved(live.client, payer.key, amount, newRecipient())))
  await Promise.all(ids.map((id) => live.client.post(`/api/sdk/payments/${id}/execute`, payer.key)))
  for (const id of ids) await settled(live, payer.key, id)
  const marker = await lookedThrough(live)
  t.deepEqual(
    (await foundIn(live)).map(({ walletId, txHash }) => [walletId, txHash]),
    [[outsider.walletId, marker]],
  )
})

test('transfers of nothing, which anybody can have logged, and to the wallet itself are passed over', async (t) => {
  const stage = await startExternal(t)
  if (!stage) return
  const { chain } = stage
  const data = `0x23b872dd${word(OWNER.slice(2))}${word(newRecipient().slice(2))}${word('0')}`
  await chain.rpc<string>('eth_sendTransaction', [{ from: SPAMMER, to: chain.token, data, gas: '0x30d40' }])
  await transfer(stage, newRecipient(), 0)
  await transfer(stage, OWNER, 3)
  const marker = await lookedThrough(stage)
  t.deepEqual(await hashesIn(stage), [marker])
})

test('a restart and an outage of the service hide nothing, and nothing is found twice', async (t) => {
  const stage = await startExternal(t)
  if (!stage) return
  const { chain, service, env, folder } = stage
  const before = await transfer(stage, newRecipient(), 11)
  await foundOnce(stage, before)
  const shallow = await transfer(stage, newRecipient(), 12)
  await service.kill()
  const during = await transfer(stage, newRecipient(), 13)
  await chain.mine(5_000)
  const after = await startLive(t, chain, env, folder)
  await foundOnce(after, during)
  const last = await lookedThrough(after)
  t.deepEqual(await hashesIn(after), [before, shallow, during, last])
  await after.service.stop()
  const again = await startLive(t, chain, env, folder)
  const lastOfAll = await lookedThrough(again)
  t.deepEqual(await hashesIn(again), [before, shallow, during, last, lastOfAll])
})

test('a transfer that a reorganization drops before the confirmed depth is not found, and one that returns is, once', async (t) => {
  const stage = await startExternal(t)
  if (!stage) return
  const { chain } = stage
  await lookedThrough(stage)
  const known = await hashesIn(stage)
  const snapshot = await chain.rpc<string>('evm_snapshot')
  const dropped = await transfer(stage, newRecipient(), 21)
  await chain.rpc('evm_revert', [snapshot])
  const kept = await transfer(stage, newRecipient(), 22)
  await foundOnce(stage, kept)
  // Deeper than confirmed: its block is replaced, and it is in a later one.
  const raw = await chain.rpc<string>('eth_getRawTransactionByHash', [kept])
  const { blockNumber } = await chain.rpc<{ blockNumber: string }>('eth_getTransactionReceipt', [kept])
  const depth = Number(await chain.rpc<string>('eth_blockNumber')) - Number(blockNumber) + 1
  await chain.rpc('anvil_reorg', [depth, [[raw, 1]]])
  const moved = await chain.rpc<{ blockNumber: string }>('eth_getTransactionReceipt', [kept])
  t.is(Number(moved.blockNumber), Number(blockNumber) + 1)
  const last = await lookedThrough(stage)
  const hashes = await hashesIn(stage)
  t.deepEqual(hashes.slice(known.length), [kept, last])
  t.false(hashes.includes(dropped))
})

test('a node that limits ranges, refuses now and then and is gone for a while delays findings only', async (t) => {
  const chain = await startChain(t)
  if (!chain) return
  const proxy = await Proxy.open(t, chain.url)
  const LIMIT = 7
  let calls = 0
  let isGone = false
  const ranges: number[] = []
  proxy.deed = ({ method, params }) => {
    if (isGone) return { forward: false, answer: 'nothing' }
    if (method !== 'eth_getLogs') return undefined
    const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string }
    const range = Number(toBlock) - Number(fromBlock) + 1
    ranges.push(range)
    calls += 1
    if (calls % 5 === 0) return { forward: false, answer: { status: 503 } }
    return range > LIMIT ? { forward: false, answer: { error: 'block range is too large', code: -32005 } } : undefined
  }
  const env = { BURSAR_CONFIRMATIONS_31337: '1', BURSAR_RPC_31337: proxy.url }
  const live = await startLive(t, chain, env)
  await newPayer(live.client, chain, { wallet: { custodyType: 'EXTERNAL', address: OWNER }, balance: 100 })
  const first = await transfer(live, newRecipient(), 31)
  await chain.mine(100)
  const second = await transfer(live, newRecipient(), 32)
  await foundOnce(live, second)
  isGone = true
  const third = await transfer(live, newRecipient(), 33)
  await chain.mine(50)
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  isGone = false
  await foundOnce(live, third)
  t.deepEqual(await hashesIn(live), [first, second, third])
  t.true(ranges.some((range) => range > LIMIT))
})
