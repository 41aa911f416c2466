// x402 in test settlement: what is decided, what is signed, and what becomes of it.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { verifyTypedData } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { FrozenAgent, FrozenOrganization, Payment, TracedPayment, Wallet } from '../../../sdk/api.js'
import { typedDataOf } from '../../../src/domain/payment/x402.js'
import type { Client, Failure } from '../../support/client.js'
import {
  balanceOf,
  fundedAgent as funded,
  made,
  type FundedAgentOptions,
  RECIPIENT,
  status,
} from '../../support/payments.js'
import { startInspected } from '../../support/inspected.js'
import { ORGANIZATION_KEY as KEY, wholeFile } from '../../support/process.js'
import { OPERATOR_KEY, start, type Started } from '../../support/service.js'
import { authorize, authorizeFor, challenge, NETWORK, offer, settle, USDC } from '../../support/x402.js'

const scope = wholeFile(test)
let service: Started
let client: Client
test.before('the service runs', async () => {
  service = await startInspected(scope)
  client = service.client
})

let agents = 0
const fundedAgent = (from: Client, options: FundedAgentOptions = {}) =>
  funded(from, { name: `Buyer ${(agents += 1)}`, ...options })
const codeOf = ({ status, body }: { status: number; body: Failure }) => [status, body.code]
const kindsOf = ({ body }: { body: { violations?: { type: string }[] } }) => body.violations?.map(({ type }) => type)

test('a payment is signed, counts at once, and is executed by what the server said', async (t) => {
  const agent = await fundedAgent(client, { balance: 100 })
  const asked = await authorizeFor(client, agent.key, 2.5, { maxAmount: 3 })
  t.is(asked.status, 200)
  const { requestId, status: is, attempt, selected, paymentPayload, headers, validBefore } = asked.body
  t.deepEqual([is, attempt], ['EXECUTING', 1])
  const { scheme, network, asset, payTo, amount } = offer(2.5)
  t.deepEqual(selected, { scheme, network, asset, payTo, amount })
  t.deepEqual(JSON.parse(Buffer.from(headers!['PAYMENT-SIGNATURE']!, 'base64').toString()), paymentPayload)
  const { accepted, payload, x402Version } = paymentPayload as never as {
    x402Version: number
    accepted: object
    payload: { signature: `0x${string}`; authorization: { validBefore: string; from: string; nonce: string } }
  }
  t.is(x402Version, 2)
  t.deepEqual(accepted, offer(2.5) as object)
  t.is(Number(payload.authorization.validBefore) * 1_000, Date.parse(validBefore!))
  t.true(Date.parse(validBefore!) <= Date.now() + 60_000)
  const { address, chainId } = (await client.get<Wallet>(`/api/wallets/${agent.walletId}`, KEY)).body
  const data = typedDataOf({
    id: requestId,
    amount: 2_500_000,
    asset: USDC,
    recipientAddress: RECIPIENT,
    wallet: { address, chainId },
    validBefore: Date.parse(validBefore!),
  })
  t.deepEqual(data.domain, { name: 'USDC', version: '2', chainId: 84532, verifyingContract: USDC })
  t.true(await verifyTypedData({ ...data, address, signature: payload.signature } as never))
  t.is(await balanceOf(client, agent), 97.5)

  const settled = await settle(client, agent.key, asked.body)
  t.deepEqual([settled.status, settled.body.status, settled.body.txHash], [200, 'EXECUTED', undefined])
  t.is((await settle(client, agent.key, asked.body)).body.status, 'EXECUTED')
  const { body: payment } = await client.get<TracedPayment>(`/api/payments/${requestId}`, KEY)
  t.deepEqual(
    [payment.rail, payment.status, payment.category, payment.recipientName],
    ['X402', 'EXECUTED', 'X402', 'api.example.com'],
  )
  t.is(payment.transaction?.txHash, undefined)
})

test('the same attempt always gives the same bytes, and nothing once it is paid', async (t) => {
  const agent = await fundedAgent(client, { balance: 10 })
  const paymentKey = 'invoice-1'
  const first = await authorizeFor(client, agent.key, 2, { paymentKey })
  const repeated = await Promise.all([1, 2, 3].map(() => authorizeFor(client, agent.key, 2, { paymentKey })))
  for (const again of repeated) t.deepEqual(again.body, first.body)
  t.is(await balanceOf(client, agent), 8)
  await settle(client, agent.key, first.body)
  const after = (await authorizeFor(client, agent.key, 2, { paymentKey })).body
  t.deepEqual([after.requestId, after.status, after.headers], [first.body.requestId, 'EXECUTED', undefined])
  t.is(await balanceOf(client, agent), 8)
})

test('a header is read as what it decodes to', async (t) => {
  const agent = await fundedAgent(client)
  const paymentRequired = Buffer.from(JSON.stringify(challenge(offer(1)))).toString('base64')
  t.is((await authorize(client, agent.key, { accepts: [], paymentRequired })).body.status, 'EXECUTING')
  for (const wrong of ['???', '', Buffer.from('{}').toString('base64')]) {
    t.deepEqual(codeOf(await authorize(client, agent.key, { accepts: [], paymentRequired: wrong })), [
      400,
      'VALIDATION_ERROR',
    ])
  }
})

test('what cannot be read is refused, and nothing is made', async (t) => {
  const agent = await fundedAgent(client)
  const bad: object[] = [
    { ...challenge(offer(1)), x402Version: 1 },
    challenge(),
    challenge(offer(1, { amount: '0' })),
    challenge(offer(1, { amount: '1.5' })),
    challenge(offer(1, { amount: '9'.repeat(40) })),
    challenge(offer(1, { payTo: '0x1' })),
    challenge(offer(1, { maxTimeoutSeconds: 0 })),
    challenge(offer(1, { extra: { padding: 'x'.repeat(2_000) } })),
    challenge(...Array.from({ length: 33 }, () => offer(1))),
  ]
  for (const paymentRequired of bad) {
    t.deepEqual(codeOf(await authorize(client, agent.key, { accepts: [], paymentRequired })), [400, 'VALIDATION_ERROR'])
  }
  for (const url of [
    'ftp://example.com/',
    'example.com',
    'https://example.com../',
    `https://example.com/${'x'.repeat(2_000)}`,
  ]) {
    t.deepEqual(codeOf(await authorizeFor(client, agent.key, 1, { url })), [400, 'VALIDATION_ERROR'])
  }
  t.is(await balanceOf(client, agent), 10_000)
})

test('another chain, asset or scheme, no wallet there, and too high a price, in this order', async (t) => {
  const agent = await fundedAgent(client)
  const ask = (more: Parameters<typeof offer>[1], rest: object = {}) =>
    authorize(client, agent.key, { accepts: [offer(5, more)], ...rest })
  t.deepEqual(codeOf(await ask({ network: 'eip155:8453' })), [409, 'TEST_SETTLEMENT'])
  for (const wrong of [
    { network: 'eip155:424242' },
    { network: 'solana:5eykt' },
    { asset: RECIPIENT },
    { scheme: 'upto' },
  ]) {
    const denied = await ask(wrong)
    t.deepEqual([denied.body.status, kindsOf(denied)], ['DENIED', ['ASSET_NOT_ALLOWED']])
    t.is(denied.body.headers, undefined)
  }
  t.deepEqual(codeOf(await ask({ network: 'eip155:31337' })), [400, 'NO_WALLET'])
  const dear = await ask({}, { maxAmount: 4.999999 })
  t.deepEqual([dear.body.status, kindsOf(dear)], ['DENIED', ['X402_PRICE_CEILING']])
  t.is((await ask({}, { maxAmount: 5 })).body.status, 'EXECUTING')
})

test('of several offers the cheapest that can be paid is chosen', async (t) => {
  const agent = await fundedAgent(client)
  const accepts = [
    offer(1, { scheme: 'upto' }),
    offer(2, { network: 'eip155:31337' }),
    offer(4),
    offer(3),
    offer(0.5, { network: 'eip155:8453' }),
  ]
  t.is((await authorize(client, agent.key, { accepts })).body.selected!.amount, '3000000')
})

test('a wallet of a provider, which signs no offer, is none to choose an offer for', async (t) => {
  const agent = await fundedAgent(client)
  const address = '0x00000000000000000000000000000000000000C4'
  const provided = { name: 'Provided', custodyType: 'PROVIDER_A', chainId: '31337', address }
  const { id: walletId } = await made<Wallet>(client, '/api/wallets', provided)
  await made(client, `/api/agents/${agent.agentId}/wallets`, { walletId })
  const accepts = [offer(1, { network: 'eip155:31337' }), offer(2)]
  t.is((await authorize(client, agent.key, { accepts })).body.selected?.amount, '2000000')
})

test('a later challenge of an open attempt with other terms is refused, and the same one is still open', async (t) => {
  const agent = await fundedAgent(client)
  const paymentKey = 'order-7'
  const first = await authorizeFor(client, agent.key, 5, { paymentKey })
  const others = [
    offer(6),
    offer(4),
    offer(5, { payTo: '0x00000000000000000000000000000000000000b2' }),
    offer(5, { asset: RECIPIENT }),
    offer(5, { network: 'eip155:31337' }),
  ]
  for (const other of others) {
    t.deepEqual(codeOf(await authorize(client, agent.key, { accepts: [other], paymentKey })), [409, 'PRICE_CHANGED'])
  }
  const moved = await authorizeFor(client, agent.key, 5, { paymentKey, url: 'https://other.example/data' })
  t.deepEqual(codeOf(moved), [409, 'PRICE_CHANGED'])
  const both = await authorize(client, agent.key, { accepts: [offer(1), offer(5)], paymentKey })
  t.deepEqual(both.body, first.body)
  const below = await authorizeFor(client, agent.key, 5, { paymentKey, maxAmount: 4 })
  t.deepEqual([below.body.status, below.body.headers], ['EXECUTING', undefined])
  t.regex(below.body.reasons.join(), /more than maxAmount 4/)
})

test('what is not paid in time expires, and its amount is free again', async (t) => {
  const { client, now, setClock } = await start(t)
  const agent = await fundedAgent(client, { balance: 10 })
  const short = [offer(6, { maxTimeoutSeconds: 60 })]
  const asked = (await authorize(client, agent.key, { accepts: short, paymentKey: 'late' })).body
  const failed = await settle(client, agent.key, asked, {
    paymentResponse: { success: false, transaction: '', network: NETWORK },
    httpStatus: 402,
  })
  t.is(failed.body.status, 'EXECUTING')
  t.is(
    (await settle(client, agent.key, asked, { paymentResponse: undefined, error: 'no answer' })).body.status,
    'EXECUTING',
  )
  t.deepEqual(kindsOf(await authorizeFor(client, agent.key, 6)), ['INSUFFICIENT_BALANCE'])
  setClock(now() + 60_000)
  t.is((await settle(client, agent.key, asked)).body.status, 'EXPIRED')
  t.is(await balanceOf(client, agent), 10)
  const next = (await authorize(client, agent.key, { accepts: short, paymentKey: 'late' })).body
  t.deepEqual([next.status, next.attempt], ['EXECUTING', 2])
  t.not(next.headers!['PAYMENT-SIGNATURE'], asked.headers!['PAYMENT-SIGNATURE'])
})

test('a resource that was not given is told, and the answer of another network refused', async (t) => {
  const agent = await fundedAgent(client)
  const asked = (await authorizeFor(client, agent.key, 1)).body
  const elsewhere = { success: true, transaction: '0x1', network: 'eip155:8453' }
  t.deepEqual(codeOf(await settle(client, agent.key, asked, { paymentResponse: elsewhere })), [400, 'VALIDATION_ERROR'])
  const failed = await settle(client, agent.key, asked, { httpStatus: 500 })
  t.deepEqual([failed.body.status, failed.body.delivered], ['EXECUTED', false])
  const other = (await authorizeFor(client, agent.key, 1)).body
  const unpaid = await settle(client, agent.key, other, { paymentResponse: undefined, httpStatus: 503 })
  t.deepEqual([unpaid.body.status, unpaid.body.delivered], ['EXECUTING', false])
  const given = await settle(client, agent.key, other)
  t.deepEqual([given.body.status, given.body.delivered], ['EXECUTED', undefined])
})

test.serial('a freeze names what is signed and not paid, of the agent and of the organization', async (t) => {
  const [agent, other] = [await fundedAgent(client), await fundedAgent(client)]
  const [paid, open, elsewhere] = [
    await authorizeFor(client, agent.key, 1),
    await authorizeFor(client, agent.key, 2),
    await authorizeFor(client, other.key, 3),
  ]
  await settle(client, agent.key, paid.body)
  const { requestId, validBefore } = open.body
  const reason = { reason: 'Test' }
  const frozen = await made<FrozenAgent>(client, `/api/agents/${agent.agentId}/freeze`, reason)
  t.deepEqual(frozen.outstanding, [{ requestId, amount: 2, validBefore: validBefore! }])
  const thawed = await made<FrozenAgent>(client, `/api/agents/${agent.agentId}/unfreeze`, {})
  t.is(thawed.outstanding, undefined)
  const all = await made<FrozenOrganization>(client, '/api/organization/freeze', reason)
  await made(client, '/api/organization/unfreeze', {})
  const ids = all.outstanding!.map((one) => one.requestId)
  t.true(ids.includes(requestId) && ids.includes(elsewhere.body.requestId) && !ids.includes(paid.body.requestId))
})

test('what a person approved is not begun for an agent that would pay less, and goes on when it would pay enough', async (t) => {
  const agent = await fundedAgent(client, { terms: { delegationType: 'PREAPPROVED' } })
  const more = { accepts: [offer(2)], paymentKey: 'approved-2' }
  const { approvalRequestId } = (await authorize(client, agent.key, more)).body
  await made(client, `/api/approval-requests/${approvalRequestId}/decision`, { decision: 'APPROVED' })
  const less = await authorize(client, agent.key, { ...more, maxAmount: 1 })
  t.deepEqual([less.body.status, less.body.headers], ['APPROVED', undefined])
  t.regex(less.body.reasons.at(-1)!, /more than maxAmount 1$/)
  t.is((await authorize(client, agent.key, { ...more, maxAmount: 2 })).body.status, 'EXECUTING')
})

test('after a denied attempt the cheapest offer is chosen, and another extra is the same offer', async (t) => {
  const agent = await fundedAgent(client)
  const denied = await authorize(client, agent.key, { accepts: [offer(3)], paymentKey: 'again', maxAmount: 1 })
  t.is(denied.body.status, 'DENIED')
  const cheaper = { accepts: [offer(3), offer(1)], paymentKey: 'again', maxAmount: 1 }
  const first = await authorize(client, agent.key, cheaper)
  t.deepEqual([first.body.status, first.body.amount], ['EXECUTING', 1])
  const accepts = [offer(0.5), offer(1, { extra: { name: 'USDC', version: '2', session: '9' } })]
  const again = await authorize(client, agent.key, { ...cheaper, accepts })
  t.deepEqual(again.body.headers, first.body.headers)
})

test('no other route goes on with it', async (t) => {
  const agent = await fundedAgent(client)
  const { requestId } = (await authorizeFor(client, agent.key, 1)).body
  const post = (path: string, body?: object, key = agent.key) => client.post<Failure>(path, key, body)
  const own = `/api/sdk/payments/${requestId}`
  t.deepEqual(codeOf(await post(`${own}/execute`)), [400, 'INVALID_STATUS'])
  t.deepEqual(codeOf(await post(`${own}/approve`)), [400, 'INVALID_STATUS'])
  t.deepEqual(codeOf(await post(`${own}/cancel`)), [400, 'INVALID_STATUS'])
  t.deepEqual(codeOf(await post(`${own}/confirm`, { txHash: `0x${'1'.repeat(64)}`, approvalToken: 'x' })), [
    403,
    'INVALID_TOKEN',
  ])
  t.deepEqual(codeOf(await post(`/api/payments/${requestId}/release`, { reason: 'x' }, KEY)), [400, 'INVALID_STATUS'])
  t.is((await status(client, agent.key, requestId)).body.status, 'EXECUTING')
})

test('what a person has approved is signed when it is asked for again', async (t) => {
  const agent = await fundedAgent(client, { terms: { delegationType: 'PREAPPROVED' } })
  const paymentKey = 'by-hand'
  const asked = await authorizeFor(client, agent.key, 3, { paymentKey })
  t.deepEqual([asked.body.status, asked.body.headers], ['REQUIRES_APPROVAL', undefined])
  await made(client, `/api/approval-requests/${asked.body.approvalRequestId}/decision`, { decision: 'APPROVED' })
  t.is((await status(client, agent.key, asked.body.requestId)).body.status, 'APPROVED')
  const executed = await client.post<Failure>(`/api/sdk/payments/${asked.body.requestId}/execute`, agent.key)
  t.deepEqual(codeOf(executed), [400, 'INVALID_STATUS'])
  const again = await authorizeFor(client, agent.key, 3, { paymentKey })
  t.is(again.body.status, 'EXECUTING')
  t.truthy(again.body.headers)
  t.is((await settle(client, agent.key, again.body)).body.status, 'EXECUTED')
})

test('an external wallet gets what its holder signs, and the payment is confirmed as ever', async (t) => {
  const address = '0x00000000000000000000000000000000000000E1'
  const agent = await fundedAgent(client, { wallet: { custodyType: 'EXTERNAL', address } })
  const asked = (await authorizeFor(client, agent.key, 3, { paymentKey: 'ext' })).body
  t.deepEqual([asked.status, asked.headers, asked.paymentPayload], ['APPROVED', undefined, undefined])
  const frozen = await made<FrozenAgent>(client, `/api/agents/${agent.agentId}/freeze`, { reason: 'Test' })
  t.deepEqual(frozen.outstanding, [{ requestId: asked.requestId, amount: 3, validBefore: asked.validBefore! }])
  await made(client, `/api/agents/${agent.agentId}/unfreeze`, {})
  const { message } = asked.typedData as unknown as { message: { from: string; value: string } }
  t.deepEqual([message.from.toLowerCase(), message.value], [address.toLowerCase(), '3000000'])
  t.deepEqual(codeOf(await settle(client, agent.key, asked)), [400, 'INVALID_STATUS'])
  const txHash = `0x${'ab'.repeat(32)}`
  const confirmed = await client.post<Payment>(`/api/sdk/payments/${asked.requestId}/confirm`, agent.key, {
    txHash,
    approvalToken: asked.approvalToken,
  })
  t.deepEqual([confirmed.status, confirmed.body.status], [200, 'EXECUTED'])
})

test('a frozen agent gets no signature, also not for what was authorized before', async (t) => {
  const agent = await fundedAgent(client)
  const paymentKey = 'before-the-freeze'
  await authorizeFor(client, agent.key, 1, { paymentKey })
  await made(client, `/api/agents/${agent.agentId}/freeze`, { reason: 'Looks wrong' })
  const again = await authorizeFor(client, agent.key, 1, { paymentKey })
  t.deepEqual([again.status, (again.body as { headers?: object }).headers], [400, undefined])
  t.deepEqual(kindsOf(await authorizeFor(client, agent.key, 1)), ['AGENT_NOT_ACTIVE'])
})

test('an address that another organization has proved is not authorized, and nothing is given to sign', async (t) => {
  const owner = privateKeyToAccount(generatePrivateKey())
  const external = { custodyType: 'EXTERNAL', address: owner.address } as const
  const agent = await fundedAgent(client, { wallet: external })
  const { apiKey } = (await client.post<{ apiKey: string }>('/api/organizations', OPERATOR_KEY, { name: 'Owner' })).body
  const wallet = (await client.post<Wallet>('/api/wallets', apiKey, { name: 'Proved', ...external })).body
  const path = `/api/wallets/${wallet.id}/proof`
  const message = (await client.post<{ challenge: string }>(path, apiKey, {})).body.challenge
  const proved = await client.post(path, apiKey, { signature: await owner.signMessage({ message }) })
  t.is(proved.status, 200)
  const answer = await authorizeFor(client, agent.key, 3, { paymentKey: 'foreign' })
  t.deepEqual(codeOf(answer as never), [400, 'WALLET_CONFIG_ERROR'])
  t.false('typedData' in answer.body)
})

test('without its key nothing is signed, and what was authorized stays counted', async (t) => {
  const agent = await fundedAgent(client)
  const { address } = (await client.get<Wallet>(`/api/wallets/${agent.walletId}`, KEY)).body
  const file = join(service.folder, 'keystore', `${address}.json`)
  const kept = readFileSync(file)
  rmSync(file)
  const paymentKey = 'without-key'
  const refused = await authorizeFor(client, agent.key, 3, { paymentKey })
  t.deepEqual(codeOf(refused as never), [400, 'WALLET_CONFIG_ERROR'])
  t.is(await balanceOf(client, agent), 9_997)
  writeFileSync(file, kept)
  t.truthy((await authorizeFor(client, agent.key, 3, { paymentKey })).body.headers)
})
