// Payments by x402 in live settlement, on a local chain: what was signed counts until the chain shows it used, or shows
// that it never can be; neither a restart, a silent facilitator nor what the agent says changes that.
import test from 'ava'
import { encodeFunctionData, parseAbi, parseSignature, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { LOCAL_CHAIN_ID, type LocalChain } from '../../../src/cli/demo/localChain.js'
import {
  MICROS,
  newPayer,
  newRecipient,
  startChain,
  startLive,
  until,
  wallet,
  type Live,
  type Payer,
} from '../../support/chain.js'
import { made, status } from '../../support/payments.js'
import { newFolder, ORGANIZATION_KEY, startService, type Scope } from '../../support/process.js'
import { newClient } from '../../support/client.js'
import { authorize, offer, settle } from '../../support/x402.js'
import type { Confirmation, Payment, X402Authorization } from '../../../sdk/api.js'

const NETWORK = `eip155:${LOCAL_CHAIN_ID}`
const CONFIRMATIONS = 3
/** Of depth at which nothing is reversed any more. */
const FINAL = CONFIRMATIONS + 10
/** As long as may be: each block of the local chain is at least a second later than the one before. */
const VALID_S = 300
/** An account that the local chain pays fees from, as a facilitator does. */
const FACILITATOR = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
/** Another one, with its well-known key. */
const OWNER = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d')

const TOKEN = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
])

interface Message {
  from: Hex
  to: Hex
  value: string
  validAfter: string
  validBefore: string
  nonce: Hex
}

async function ready(t: Scope & Parameters<typeof startChain>[0]) {
  const chain = await startChain(t)
  if (!chain) return undefined
  const folder = newFolder(t)
  const env = { BURSAR_CONFIRMATIONS_31337: String(CONFIRMATIONS) }
  const live = await startLive(t, chain, env, folder)
  return { ...live, folder, env, payer: await newPayer(live.client, chain, { balance: 100 }) }
}

function buy(
  { client, chain }: Pick<Live, 'client' | 'chain'>,
  { key }: Payer,
  amount: number,
  payTo: string,
  paymentKey?: string,
) {
  const accepts = [offer(amount, { network: NETWORK, asset: chain.token, payTo, maxTimeoutSeconds: VALID_S })]
  return authorize(client, key, { accepts, ...(paymentKey !== undefined && { paymentKey }) })
}

/** What the agent brings to the server, and the server to its facilitator. */
function signedIn({ paymentPayload }: X402Authorization): { signature: Hex; authorization: Message } {
  return (paymentPayload as { payload: { signature: Hex; authorization: Message } }).payload
}

/** Brings an authorization to the chain, as a facilitator does. */
function redeem(
  chain: LocalChain,
  { signature, authorization }: { signature: Hex; authorization: Message },
): Promise<string> {
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  const { r, s, yParity } = parseSignature(signature)
  const numbers = [BigInt(value), BigInt(validAfter), BigInt(validBefore)] as const
  const args = [from, to, ...numbers, nonce, yParity + 27, r, s] as const
  const data = encodeFunctionData({ abi: TOKEN, functionName: 'transferWithAuthorization', args })
  return chain.rpc<string>('eth_sendTransaction', [{ from: FACILITATOR, to: chain.token, data, gas: '0x30d40' }])
}

/** Of a transaction, once it is in a block: 0x1 where it succeeded. */
function statusOf(chain: LocalChain, hash: string): Promise<string> {
  const read = () => chain.rpc<{ status: string } | null>('eth_getTransactionReceipt', [hash])
  return until(async () => (await read())?.status, `${hash} is in no block`)
}

/** Mines until the payment has a status. */
function reached({ chain, client }: Pick<Live, 'chain' | 'client'>, { key }: Payer, id: string, wanted: string) {
  return until(async () => {
    const { body } = await status(client, key, id)
    if (body.status === wanted) return body
    await chain.mine(1)
    return undefined
  }, `${id} is not ${wanted}`)
}

async function found({ client }: Pick<Live, 'client'>): Promise<object[]> {
  return (await client.get<{ entries: object[] }>('/api/audit-logs?action=watch.find', ORGANIZATION_KEY)).body.entries
}

/** Moves the chain's clock past the validity of everything that was signed, and so many blocks on. */
async function after(chain: LocalChain, blocks: number): Promise<void> {
  await chain.rpc('evm_increaseTime', [VALID_S + 1])
  await chain.mine(blocks)
}

test('what the agent says ends nothing; the use on the chain executes the payment, at the confirmed depth', async (t) => {
  const live = await ready(t)
  if (!live) return
  const { chain, client, payer } = live
  const payTo = newRecipient()
  const { body } = await buy(live, payer, 2, payTo)
  t.is(body.status, 'EXECUTING')
  const said = { paymentResponse: { success: true, transaction: '0x1', network: NETWORK } }
  const told = await settle(client, payer.key, body, { ...said, httpStatus: 500 })
  t.deepEqual([told.body.status, told.body.txHash, told.body.delivered], ['EXECUTING', undefined, false])
  t.is((await wallet(client, payer.walletId)).balance, 98)
  const txHash = await redeem(chain, signedIn(body))
  await chain.mine(1)
  t.is((await status(client, payer.key, body.requestId)).body.status, 'EXECUTING')
  const executed = await reached(live, payer, body.requestId, 'EXECUTED')
  t.is((executed as { transaction?: { txHash?: string } }).transaction?.txHash, txHash)
  t.is(await chain.balanceOf(payTo), 2 * MICROS)
  const again = await settle(client, payer.key, body, said)
  t.like(again.body, { status: 'EXECUTED', txHash, amount: 2, delivered: false })
  await until(async () => {
    await chain.mine(1)
    return (await wallet(client, payer.walletId)).balance === 98 || undefined
  }, 'the balance is not that of the chain')
  t.deepEqual(await found(live), [])
})

test('an authorization that nobody used is released when a block past its validity is final, not before', async (t) => {
  const live = await ready(t)
  if (!live) return
  const { chain, client, payer } = live
  const { body } = await buy(live, payer, 2, newRecipient())
  await after(chain, FINAL - 2)
  // Longer than the longest wait between two looks at a payment would hide nothing: each look reads the same blocks.
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  t.is((await status(client, payer.key, body.requestId)).body.status, 'EXECUTING')
  t.is((await wallet(client, payer.walletId)).balance, 98)
  await chain.mine(3)
  await reached(live, payer, body.requestId, 'EXPIRED')
  t.is((await wallet(client, payer.walletId)).balance, 100)
  // The chain does not take it any more: it is paid or released, never both.
  const late = await redeem(chain, signedIn(body))
  t.is(await statusOf(chain, late), '0x0')
})

test('a use that the service learns of only after a restart, past the validity, executes the payment', async (t) => {
  const live = await ready(t)
  if (!live) return
  const { chain, payer, folder, env, service } = live
  const { body } = await buy(live, payer, 2, newRecipient())
  await service.stop()
  await redeem(chain, signedIn(body))
  await after(chain, FINAL + 5)
  const next = await startService(t, folder, { env: { ...chain.settings, ...env } })
  const client = newClient(t, next.url)
  await reached({ chain, client }, payer, body.requestId, 'EXECUTED')
  t.is((await wallet(client, payer.walletId)).balance, 98)
  t.deepEqual(await found({ client }), [])
})

test.serial(
  'a wallet without coin for fees pays by x402, whose fees are those of the facilitator, and by nothing else',
  async (t) => {
    const live = await ready(t)
    if (!live) return
    const { chain, client, payer } = live
    await chain.rpc('anvil_setBalance', [payer.address, '0x0'])
    const transfer = { amount: 1, recipientAddress: newRecipient() }
    await until(async () => {
      const { body } = await client.post<Payment>('/api/sdk/payments/request', payer.key, transfer)
      await chain.mine(1)
      return body.status === 'DENIED' ? body : undefined
    }, 'the missing coin is not seen')
    const { body } = await buy(live, payer, 5, newRecipient())
    t.is(body.status, 'EXECUTING')
    await redeem(chain, signedIn(body))
    await reached(live, payer, body.requestId, 'EXECUTED')
  },
)

test.serial('nothing is signed on a chain that no node is configured for any more', async (t) => {
  const live = await ready(t)
  if (!live) return
  const { chain, payer, folder, service } = live
  t.is((await buy(live, payer, 1, newRecipient())).body.status, 'EXECUTING')
  const holder = await newPayer(live.client, chain, {
    wallet: { custodyType: 'EXTERNAL', address: OWNER.address },
    balance: 50,
    name: 'Holder',
    terms: { delegationType: 'PREAPPROVED' },
  })
  const payTo = newRecipient()
  const { approvalRequestId } = (await buy(live, holder, 2, payTo, 'approved-before')).body
  await made(live.client, `/api/approval-requests/${approvalRequestId}/decision`, { decision: 'APPROVED' })
  await service.stop()
  const next = await startService(t, folder, { env: { BURSAR_SETTLEMENT: 'live' } })
  const later = { chain, client: newClient(t, next.url) }
  const { body } = await buy(later, payer, 1, newRecipient())
  t.deepEqual([body.status, body.headers], ['DENIED', undefined])
  t.regex(body.reasons.join(), /BURSAR_RPC_31337/)
  const approved = await buy(later, holder, 2, payTo, 'approved-before')
  t.like(approved.body, { code: 'WALLET_CONFIG_ERROR', typedData: undefined })
})

test('two equal payments are told apart by their authorizations', async (t) => {
  const live = await ready(t)
  if (!live) return
  const { chain, client, payer } = live
  const payTo = newRecipient()
  const [first, second] = [await buy(live, payer, 2, payTo, 'first'), await buy(live, payer, 2, payTo, 'second')]
  const txHash = await redeem(chain, signedIn(second.body))
  await after(chain, FINAL + 1)
  const executed = await reached(live, payer, second.body.requestId, 'EXECUTED')
  t.is((executed as { transaction?: { txHash?: string } }).transaction?.txHash, txHash)
  await reached(live, payer, first.body.requestId, 'EXPIRED')
  t.is((await wallet(client, payer.walletId)).balance, 98)
  t.deepEqual(await found(live), [])
})

test('the holder of an external wallet signs, and confirms; an authorization that no payment has is found', async (t) => {
  const live = await ready(t)
  if (!live) return
  const { chain, client } = live
  const external = { wallet: { custodyType: 'EXTERNAL', address: OWNER.address }, balance: 50, name: 'Holder' }
  const holder = await newPayer(client, chain, external)
  const payTo = newRecipient()
  const { body } = await buy(live, holder, 3, payTo)
  t.like(body, { status: 'APPROVED', headers: undefined })
  const typedData = body.typedData as never as Parameters<typeof OWNER.signTypedData>[0] & { message: Message }
  const txHash = await redeem(chain, {
    signature: await OWNER.signTypedData(typedData),
    authorization: typedData.message,
  })
  await chain.mine(CONFIRMATIONS)
  const confirm = `/api/sdk/payments/${body.requestId}/confirm`
  const proof = { txHash, approvalToken: body.approvalToken }
  const confirmed = await until(async () => {
    const answer = await client.post<Confirmation>(confirm, holder.key, proof)
    return answer.status === 409 ? undefined : answer
  }, 'the transfer is not deep enough')
  t.like(confirmed, { status: 200, body: { status: 'EXECUTED' } })
  const message = { ...typedData.message, nonce: `0x${'7'.repeat(64)}` as const }
  const foreign = await redeem(chain, {
    signature: await OWNER.signTypedData({ ...typedData, message } as never),
    authorization: message,
  })
  t.is(await statusOf(chain, foreign), '0x1')
  const entries = await until(async () => {
    await chain.mine(1)
    const all = await found(live)
    return all.length > 0 ? all : undefined
  }, 'what no payment explains is not found')
  t.true(JSON.stringify(entries).includes(foreign))
  t.false(JSON.stringify(entries).includes(txHash))
})
