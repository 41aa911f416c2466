// Servers that want more than they asked for: never more than the agent allowed is signed, one purchase always gives the
// same bytes, and nothing pays a second time.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import test, { type ExecutionContext } from 'ava'
import { verifyTypedData } from 'viem'
import { Bursar, type BursarError } from '../../../sdk/index.js'
import type { PaymentList } from '../../../sdk/api.js'
import { typedDataOf } from '../../../src/domain/payment/x402.js'
import type { Client } from '../../support/client.js'
import { startInspected } from '../../support/inspected.js'
import { fundedAgent, made, RECIPIENT, type FundedAgent } from '../../support/payments.js'
import { wholeFile } from '../../support/process.js'
import type { Started } from '../../support/service.js'
import { challenge, offer, USDC, type WrittenOffer } from '../../support/x402.js'

const scope = wholeFile(test)
let service: Started
let client: Client
test.before('the service runs', async () => {
  service = await startInspected(scope)
  client = service.client
})

type Answer = (response: ServerResponse, request: IncomingMessage) => void

interface Server {
  url: string
  port: number
  /** The payment header of each request, the oldest first; undefined for a request without. */
  seen: (string | undefined)[]
}

/** A server that answers unpaid requests by the first, and paid ones by the second. */
async function serving(t: ExecutionContext, unpaid: Answer, paid: Answer = delivering): Promise<Server> {
  const seen: Server['seen'] = []
  const server = createServer((request, response) => {
    const signature = request.headers['payment-signature'] as string | undefined
    seen.push(signature)
    if (signature === undefined) unpaid(response, request)
    else paid(response, request)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/report`, port, seen }
}

const asking =
  (...offers: WrittenOffer[]): Answer =>
  (response) => {
    const header = Buffer.from(JSON.stringify(challenge(...offers))).toString('base64')
    response.writeHead(402, { 'PAYMENT-REQUIRED': header }).end('{}')
  }

const SETTLED = { success: true, transaction: '0x1', network: 'eip155:84532' }

const delivering: Answer = (response) => {
  const header = Buffer.from(JSON.stringify(SETTLED)).toString('base64')
  response.writeHead(200, { 'PAYMENT-RESPONSE': header }).end('the report')
}

let agents = 0
async function buyer(): Promise<FundedAgent & { bursar: Bursar }> {
  const agent = await fundedAgent(client, { name: `Buyer ${(agents += 1)}`, balance: 100 })
  return { ...agent, bursar: new Bursar({ baseUrl: service.url, apiKey: agent.key }) }
}

/** Status and amount of every payment of the agent that was not denied, the oldest first. */
async function paymentsOf({ key }: FundedAgent): Promise<[string, number][]> {
  const { body } = await client.get<PaymentList>('/api/sdk/payments?limit=100', key)
  const all = body.payments.filter(({ status }) => status !== 'DENIED')
  return all.map(({ status, amount }): [string, number] => [status, amount]).toReversed()
}

async function codeOf(t: ExecutionContext, fetching: Promise<unknown>): Promise<string> {
  return ((await t.throwsAsync(fetching)) as BursarError).code
}

const purchase = { paymentKey: 'report-1', maxAmount: 2 }

for (const [what, other] of [
  ['price', { amount: '2000000' }],
  ['recipient', { payTo: '0x00000000000000000000000000000000000000b2' }],
  ['asset', { asset: '0x00000000000000000000000000000000000000c3' }],
  ['chain', { network: 'eip155:31337' }],
] as const) {
  test(`another ${what} after payment is not paid, and not under the same purchase`, async (t) => {
    const agent = await buyer()
    let again = offer(1)
    const server = await serving(t, (...given) => asking(again)(...given), asking({ ...offer(1), ...other }))
    const answer = await agent.bursar.fetch(server.url, purchase)
    t.deepEqual([answer.status, answer.bursarPayment!.status, server.seen.length], [402, 'EXECUTING', 2])
    again = { ...offer(1), ...other }
    t.is(await codeOf(t, agent.bursar.fetch(server.url, purchase)), 'PRICE_CHANGED')
    t.deepEqual(await paymentsOf(agent), [['EXECUTING', 1]])
  })
}

test('a server that always asks is paid once', async (t) => {
  const agent = await buyer()
  const server = await serving(t, asking(offer(1)), asking(offer(1)))
  for (let turn = 0; turn < 3; turn += 1) t.is((await agent.bursar.fetch(server.url, purchase)).status, 402)
  t.is(server.seen.length, 6)
  t.is(new Set(server.seen).size, 2)
  t.deepEqual(await paymentsOf(agent), [['EXECUTING', 1]])
})

test('more than maxAmount is not signed, whatever else is offered', async (t) => {
  const agent = await buyer()
  const server = await serving(t, asking(offer(2.000001), offer(3)))
  t.is(await codeOf(t, agent.bursar.fetch(server.url, purchase)), 'PAYMENT_DENIED')
  t.deepEqual(server.seen, [undefined])
  t.deepEqual(await paymentsOf(agent), [])
})

test('a body of 10 MB is left after its first part, and one that comes with the header is not read', async (t) => {
  const agent = await buyer()
  const long: Answer = (response) => void response.writeHead(402).end(Buffer.alloc(10_000_000, ' '))
  t.is(await codeOf(t, agent.bursar.fetch((await serving(t, long)).url, purchase)), 'VALIDATION_ERROR')
  const header = Buffer.from(JSON.stringify(challenge(offer(1)))).toString('base64')
  const both: Answer = (response) =>
    void response.writeHead(402, { 'PAYMENT-REQUIRED': header }).end(Buffer.alloc(10_000_000, ' '))
  t.is((await agent.bursar.fetch((await serving(t, both)).url, purchase)).status, 200)
})

test('one challenge, met by many at once under one purchase, gives the same bytes and one payment', async (t) => {
  const agent = await buyer()
  const server = await serving(t, asking(offer(1)))
  const all = await Promise.allSettled(Array.from({ length: 20 }, () => agent.bursar.fetch(server.url, purchase)))
  t.true(all.some((one) => one.status === 'fulfilled' && one.value.status === 200))
  for (const one of all) if (one.status === 'rejected') t.is((one.reason as BursarError).code, 'ALREADY_EXECUTED')
  t.is(new Set(server.seen.filter((header) => header !== undefined)).size, 1)
  t.deepEqual(await paymentsOf(agent), [['EXECUTED', 1]])
})

test('nobody is paid by a redirect: neither before the offer nor after it', async (t) => {
  const agent = await buyer()
  const thief = await serving(t, asking(offer(1)))
  const away: Answer = (response) =>
    void response.writeHead(307, { Location: `http://localhost:${thief.port}/report` }).end()
  const early = await serving(t, away)
  t.is(await codeOf(t, agent.bursar.fetch(early.url, purchase)), 'VALIDATION_ERROR')
  t.deepEqual([thief.seen, await paymentsOf(agent)], [[undefined], []])
  const late = await serving(t, asking(offer(1)), away)
  t.is((await agent.bursar.fetch(late.url, purchase)).status, 307)
  t.deepEqual(thief.seen, [undefined])
})

test('an answer that is lost after the payment: the same purchase goes on with the same bytes', async (t) => {
  const agent = await buyer()
  let isLost = true
  const server = await serving(t, asking(offer(1)), (response, request) => {
    if (isLost) request.socket.destroy()
    else delivering(response, request)
  })
  const error = (await t.throwsAsync(agent.bursar.fetch(server.url, purchase))) as BursarError
  t.deepEqual([error.code, (await paymentsOf(agent)).length], ['TIMEOUT', 1])
  isLost = false
  const answer = await agent.bursar.fetch(server.url, purchase)
  t.deepEqual([answer.status, answer.bursarPayment!.requestId], [200, error.requestId])
  t.is(new Set(server.seen.filter((header) => header !== undefined)).size, 1)
  t.deepEqual(await paymentsOf(agent), [['EXECUTED', 1]])
})

test('an attacker at a listed host is not paid, but put to a person', async (t) => {
  const agent = await buyer()
  const rules = [{ ruleType: 'X402_ALLOWED_SERVICES', value: ['127.0.0.1'] }]
  const policy = { name: `Services of ${agent.agentId}`, policyType: 'COMPOSITE', rules, agentIds: [agent.agentId] }
  await made(client, '/api/policies', policy)
  const server = await serving(t, asking(offer(1)))
  t.is(await codeOf(t, agent.bursar.fetch(server.url, purchase)), 'REQUIRES_APPROVAL')
  t.deepEqual(server.seen, [undefined])
})

test('ten years of validity and the name of another token change nothing of what is signed', async (t) => {
  const agent = await buyer()
  const extra = { name: 'Evil Coin', version: '9' }
  const server = await serving(t, asking(offer(1, { maxTimeoutSeconds: 315_360_000, extra })))
  const before = Date.now()
  await agent.bursar.fetch(server.url, purchase)
  const header = Buffer.from(server.seen[1]!, 'base64').toString()
  const { payload } = JSON.parse(header) as { payload: { signature: `0x${string}`; authorization: Authorization } }
  const { from, validBefore } = payload.authorization
  t.true(Number(validBefore) * 1_000 <= before + 310_000)
  const id = (await client.get<PaymentList>('/api/sdk/payments', agent.key)).body.payments[0]!.requestId
  const wallet = { address: from, chainId: '84532' }
  const ends = Number(validBefore) * 1_000
  const signed = typedDataOf({
    id,
    amount: 1_000_000,
    asset: USDC,
    recipientAddress: RECIPIENT,
    wallet,
    validBefore: ends,
  })
  t.is(signed.domain.name, 'USDC')
  t.true(
    await verifyTypedData({ ...(signed as never as object), address: from, signature: payload.signature } as never),
  )
})

interface Authorization {
  from: `0x${string}`
  validBefore: string
}

test('what is no 402, and a body that can be sent only once', async (t) => {
  const agent = await buyer()
  const free = await serving(t, (response) => void response.end('free'))
  const answer = await agent.bursar.fetch(free.url, purchase)
  t.deepEqual([await answer.text(), answer.bursarPayment], ['free', undefined])
  const body = new Blob(['x']).stream() as never
  await t.throwsAsync(agent.bursar.fetch(free.url, { ...purchase, method: 'POST', body }), { instanceOf: TypeError })
  t.is(free.seen.length, 1)
})
