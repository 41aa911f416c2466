// `pay` pays exactly once, whatever the network does, and reports the outcome.
import test from 'ava'
import { Bursar, BursarAdmin, type PayRequest } from '../../sdk/index.js'
import { start, type Started } from '../support/service.js'
import { ORGANIZATION_KEY, wholeFile } from '../support/process.js'
import { balanceOf, fundedAgent, RECIPIENT, type FundedAgent } from '../support/payments.js'
import { FAULTS, proxyTo, type Fault } from './proxy.js'
import { thrownBy } from './thrown.js'

const REQUEST: PayRequest = { amount: 7, recipientAddress: RECIPIENT }

const scope = wholeFile(test)
let service: Started
test.before('the service starts', async () => {
  service = await start(scope)
})

let agents = 0
const newAgent = (terms: object = {}, wallet: object = {}): Promise<FundedAgent> =>
  fundedAgent(service.client, { name: `Agent ${++agents}`, balance: 100, terms, wallet })
const bursarOf = (agent: FundedAgent, baseUrl: string, more: object = {}): Bursar =>
  new Bursar({ apiKey: agent.key, baseUrl, ...more })

async function paymentsOf(agent: FundedAgent) {
  const payments = []
  for await (const payment of bursarOf(agent, service.url).payments.list()) payments.push(payment)
  return payments
}

/** The faults of the first four requests that `pay` makes. */
const NETWORKS: Fault[][] = FAULTS.flatMap((first) => FAULTS.map((second): Fault[] => [first, second, 'none', first]))

test('A payment is executed exactly once, whichever requests or answers are lost', async (t) => {
  await Promise.all(
    NETWORKS.map(async (faults) => {
      const agent = await newAgent()
      const proxy = await proxyTo(t, service.url, faults)
      const paid = await bursarOf(agent, proxy.url, { timeout: 2_000 }).payments.pay(REQUEST)
      const what = [...faults, ...proxy.sent.map(({ method, path }) => `${method} ${path}`)].join(', ')
      t.like(paid, { status: 'EXECUTED', amount: 7, settlementMode: 'test' }, what)
      t.is(await balanceOf(service.client, agent), 93, what)
      const payments = await paymentsOf(agent)
      t.deepEqual(
        payments.map(({ status, requestId }) => ({ status, requestId })),
        [{ status: 'EXECUTED', requestId: paid.requestId }],
        what,
      )
      t.is(payments[0]!.transaction?.id, paid.transactionId, what)
    }),
  )
})

test('After a lost connection, pay reads the status before it executes again', async (t) => {
  const agent = await newAgent()
  const proxy = await proxyTo(t, service.url, ['none', 'cutBefore'])
  await bursarOf(agent, proxy.url).payments.pay(REQUEST)
  const shown = proxy.sent.map(({ method, path }) => `${method} ${path.replace(/\/c[a-z0-9]{24}/, '/ID')}`)
  t.deepEqual(shown, [
    'POST /api/sdk/payments/request',
    'POST /api/sdk/payments/ID/execute',
    'GET /api/sdk/payments/ID',
    'POST /api/sdk/payments/ID/execute',
  ])
  const executions = proxy.sent.filter(({ path }) => path.endsWith('/execute'))
  const keys = executions.map(({ headers }) => headers['idempotency-key'])
  t.is(new Set(keys).size, 1)
})

test('Answers that stay lost are a TIMEOUT with the payment, and pay can be called again', async (t) => {
  const agent = await newAgent()
  const proxy = await proxyTo(t, service.url, ['none', 'cut', 'cut', 'cut'])
  const bursar = bursarOf(agent, proxy.url, { maxRetries: 1 })
  const error = await thrownBy(bursar.payments.pay({ ...REQUEST, idempotencyKey: 'order-1' }))
  t.like(error, { code: 'TIMEOUT', status: 0 })
  t.truthy(error.payment?.requestId)
  const paid = await bursar.payments.pay({ ...REQUEST, idempotencyKey: 'order-1' })
  t.is(paid.requestId, error.payment!.requestId)
  t.is(await balanceOf(service.client, agent), 93)
})

test('After a lost connection, another payment under the same key is never taken for this one', async (t) => {
  const wallet = { custodyType: 'EXTERNAL', address: '0x00000000000000000000000000000000000000e2', chainId: '84532' }
  const key = { idempotencyKey: 'order-1' }
  for (const earlier of ['pay', 'request'] as const) {
    const agent = await newAgent()
    await bursarOf(agent, service.url).payments[earlier]({ ...REQUEST, ...key })
    const proxy = await proxyTo(t, service.url, ['cutBefore'])
    const error = await thrownBy(bursarOf(agent, proxy.url).payments.pay({ ...REQUEST, amount: 20, ...key }))
    t.like(error, { code: 'IDEMPOTENCY_CONFLICT', status: 409, ...key }, earlier)
    t.is(await balanceOf(service.client, agent), earlier === 'pay' ? 93 : 100)
  }
  const agent = await newAgent({}, wallet)
  const from = { senderAddress: wallet.address, chainId: wallet.chainId }
  const permit = await bursarOf(agent, service.url).payments.approve({ ...REQUEST, ...from, ...key })
  const proxy = await proxyTo(t, service.url, ['cutBefore'])
  const error = await thrownBy(bursarOf(agent, proxy.url).payments.pay({ ...REQUEST, ...key }))
  t.is(error.code, 'MANUAL_EXECUTION_REQUIRED')
  t.not(error.payment?.requestId, permit.requestId)
})

test('A request that was carried out and answered 5xx is continued, unless it may not be sent again', async (t) => {
  const agent = await newAgent()
  const continued = await proxyTo(t, service.url, ['unavailable', 'unavailable'])
  t.is((await bursarOf(agent, continued.url, { maxRetries: 1 }).payments.pay(REQUEST)).status, 'EXECUTED')
  t.is((await paymentsOf(agent)).length, 1)
  const ended = await proxyTo(t, service.url, ['unavailable'])
  const error = await thrownBy(bursarOf(agent, ended.url, { maxRetries: 0 }).payments.pay(REQUEST))
  t.is(error.code, 'UNAVAILABLE')
  t.is(
    (await bursarOf(agent, service.url).payments.pay({ ...REQUEST, idempotencyKey: error.idempotencyKey! })).amount,
    7,
  )
  t.is(await balanceOf(service.client, agent), 86)
})

test('A recorded request that only gets 5xx is sent in one further round', async (t) => {
  const round = ['unavailable', 'unavailable', 'unavailable', 'none'] as const
  const proxy = await proxyTo(t, service.url, [...round, ...round, ...round])
  const error = await thrownBy(bursarOf(await newAgent(), proxy.url, { maxRetries: 2 }).payments.pay(REQUEST))
  t.is(error.code, 'UNAVAILABLE')
  t.is(proxy.sent.filter(({ method }) => method === 'POST').length, 6)
})

test('Without a key from the caller, the error has the idempotency key to call again with', async (t) => {
  for (const [faults, code] of [
    [['none', 'cut', 'cut'], 'TIMEOUT'],
    [['cut', 'cut'], 'TIMEOUT'],
    [['unreachable'], 'UNAVAILABLE'],
  ] as const) {
    const agent = await newAgent()
    const proxy = await proxyTo(t, service.url, faults)
    const error = await thrownBy(bursarOf(agent, proxy.url, { maxRetries: 0 }).payments.pay(REQUEST))
    t.is(error.code, code, faults.join())
    t.is(error.idempotencyKey, proxy.sent[0]!.headers['idempotency-key'] as string, faults.join())
    await bursarOf(agent, service.url).payments.pay({ ...REQUEST, idempotencyKey: error.idempotencyKey! })
    t.deepEqual(
      (await paymentsOf(agent)).map(({ status }) => status),
      ['EXECUTED'],
      faults.join(),
    )
    t.is(await balanceOf(service.client, agent), 93, faults.join())
  }
})

/** A `fetch` that ends the call with `reason` when it is about to send its request number `last`, from 1. */
function abortingAt(last: number, reason: unknown) {
  const controller = new AbortController()
  let sent = 0
  const passOn: typeof fetch = (input, init) => {
    if (++sent === last) controller.abort(reason)
    return fetch(input, init)
  }
  return { fetch: passOn, signal: controller.signal }
}

test('A pay that is aborted after its first request has its key, its payment and the reason', async (t) => {
  const reason = new Error('The person closed the page')
  for (const last of [1, 2]) {
    const agent = await newAgent()
    const { fetch, signal } = abortingAt(last, reason)
    const error = await thrownBy(bursarOf(agent, service.url, { fetch }).payments.pay(REQUEST, { signal }))
    t.like(error, { code: 'TIMEOUT', status: 0 })
    t.is(error.cause, reason)
    t.is(error.payment?.status, last === 1 ? undefined : 'APPROVED')
    t.is(error.requestId, error.payment?.requestId)
    const again = { ...REQUEST, idempotencyKey: error.idempotencyKey! }
    const paid = await bursarOf(agent, service.url).payments.pay(again)
    t.is(paid.requestId, error.requestId ?? paid.requestId)
    t.is(await balanceOf(service.client, agent), 93)
  }
})

test('A pay that is aborted before it sends anything throws the reason', async (t) => {
  const { payments } = bursarOf(await newAgent(), 'http://127.0.0.1:9')
  const reason = new Error('Too late')
  t.is(await t.throwsAsync(payments.pay(REQUEST, { signal: AbortSignal.abort(reason) })), reason)
})

test('If the status cannot be read after a lost answer, the error is TIMEOUT and not that refusal', async (t) => {
  const agent = await newAgent()
  const proxy = await proxyTo(t, service.url, ['none', 'cut', 'forbidden'])
  const error = await thrownBy(bursarOf(agent, proxy.url).payments.pay({ ...REQUEST, idempotencyKey: 'order-2' }))
  t.like(error, { code: 'TIMEOUT', status: 0, cause: { code: 'INSUFFICIENT_SCOPE' } })
  t.is(error.payment?.status, 'APPROVED')
  t.is(await balanceOf(service.client, agent), 93)
})

test('An execution that only gets 5xx is a TIMEOUT, because it may have been carried out', async (t) => {
  const agent = await newAgent()
  const proxy = await proxyTo(t, service.url, ['none', 'unreachable', 'none'])
  const error = await thrownBy(bursarOf(agent, proxy.url, { maxRetries: 0 }).payments.pay(REQUEST))
  t.like(error, { code: 'TIMEOUT', status: 0, cause: { status: 502 } })
})

test('Concurrent calls with one idempotency key pay once', async (t) => {
  const agent = await newAgent()
  const bursar = bursarOf(agent, service.url)
  const request = { ...REQUEST, idempotencyKey: 'invoice-17' }
  const all = await Promise.all([1, 2, 3, 4].map(() => bursar.payments.pay(request)))
  t.is(new Set(all.map(({ transactionId }) => transactionId)).size, 1)
  t.is(await balanceOf(service.client, agent), 93)
})

test('A denial is thrown with its reasons and violations', async (t) => {
  const agent = await newAgent({ spendLimitPerTx: 5 })
  const error = await thrownBy(bursarOf(agent, service.url).payments.pay(REQUEST))
  t.like(error, { code: 'PAYMENT_DENIED', status: 403 })
  t.is(error.violations?.[0]?.type, 'PER_TX_LIMIT')
  t.true(error.reasons!.length > 0)
  t.is(error.payment?.status, 'DENIED')
  t.is(error.requestId, error.payment?.requestId)
})

test('A payment that needs a person is thrown as REQUIRES_APPROVAL', async (t) => {
  const agent = await newAgent({ delegationType: 'PREAPPROVED' })
  const error = await thrownBy(bursarOf(agent, service.url).payments.pay(REQUEST))
  t.like(error, { code: 'REQUIRES_APPROVAL', status: 202 })
  t.is(error.payment?.status, 'REQUIRES_APPROVAL')
  const again = { ...REQUEST, idempotencyKey: error.idempotencyKey! }
  t.is((await thrownBy(bursarOf(agent, service.url).payments.pay(again))).requestId, error.requestId)
})

test('Refusals of the service are thrown with their code and status', async (t) => {
  const agent = await newAgent()
  const { payments } = bursarOf(agent, service.url)
  t.like(await thrownBy(payments.pay({ ...REQUEST, amount: -1 })), { code: 'INVALID_AMOUNT', status: 400 })
  t.like(await thrownBy(payments.execute('nothing')), { code: 'NOT_FOUND', status: 404 })
  const stranger = new Bursar({ apiKey: 'service_agent_nobody', baseUrl: service.url })
  const refused = await thrownBy(stranger.payments.pay(REQUEST))
  t.like(refused, { code: 'AUTH_FAILED', status: 401 })
  t.truthy(refused.requestId)
})

test('A refused execution is thrown with the payment as it is since, if that can be read', async (t) => {
  const admin = new BursarAdmin({ apiKey: ORGANIZATION_KEY, baseUrl: service.url })
  for (const [last, address, status] of [
    ['none', '0x00000000000000000000000000000000000000b1', 'DENIED'],
    ['forbidden', '0x00000000000000000000000000000000000000b2', 'APPROVED'],
  ] as const) {
    const agent = await newAgent()
    const request = { ...REQUEST, recipientAddress: address, idempotencyKey: 'order-3' }
    const { id } = await admin.counterparties.create({ name: address, address })
    await bursarOf(agent, service.url).payments.request(request)
    await admin.counterparties.block(id, 'A test')
    const proxy = await proxyTo(t, service.url, ['none', 'none', last])
    const error = await thrownBy(bursarOf(agent, proxy.url).payments.pay(request))
    t.is(error.code, 'INVALID_STATUS')
    t.is(error.payment?.status, status)
    t.is(proxy.sent.length, 3)
  }
})

test('An execution that was carried out, answered 5xx and then refused is returned', async (t) => {
  for (const refusal of ['forbidden', 'limited'] as const) {
    const agent = await newAgent()
    const proxy = await proxyTo(t, service.url, ['none', 'unavailable', refusal])
    const paid = await bursarOf(agent, proxy.url, { maxRetries: 1 }).payments.pay(REQUEST)
    t.like(paid, { status: 'EXECUTED', amount: 7, settlementMode: 'test' }, refusal)
    t.is((await paymentsOf(agent))[0]!.transaction?.id, paid.transactionId)
    t.is(await balanceOf(service.client, agent), 93)
  }
})

test('A refused execution is thrown after one attempt to read the payment', async (t) => {
  const agent = await newAgent()
  const proxy = await proxyTo(t, service.url, ['none', 'forbidden', 'limited'])
  const error = await thrownBy(bursarOf(agent, proxy.url).payments.pay(REQUEST))
  t.like(error, { code: 'INSUFFICIENT_SCOPE', payment: { status: 'APPROVED' } })
  t.is(proxy.sent.length, 3)
})

test('A payment can be requested, read, executed and cancelled by separate calls', async (t) => {
  const { payments } = bursarOf(await newAgent(), service.url)
  const asked = await payments.request(REQUEST)
  t.is(asked.status, 'APPROVED')
  t.is((await payments.status(asked.requestId)).status, 'APPROVED')
  t.is((await payments.execute(asked.requestId)).status, 'EXECUTED')
  t.like(await thrownBy(payments.execute(asked.requestId)), { code: 'ALREADY_EXECUTED', status: 409 })
  const other = await payments.request(REQUEST)
  t.is((await payments.cancel(other.requestId)).status, 'CANCELLED')
})

test('Calling pay again with its key executes a payment that was approved meanwhile', async (t) => {
  const agent = await newAgent({ delegationType: 'PREAPPROVED' })
  const { payments } = bursarOf(agent, service.url)
  const request = { ...REQUEST, idempotencyKey: 'order-9' }
  const error = await thrownBy(payments.pay(request))
  t.is((await thrownBy(payments.pay(request))).code, 'REQUIRES_APPROVAL')
  const { approvals } = new BursarAdmin({ apiKey: ORGANIZATION_KEY, baseUrl: service.url })
  t.is((await approvals.approve(error.approvalRequestId!, 'Fine')).status, 'APPROVED')
  const paid = await payments.pay(request)
  t.like(paid, { status: 'EXECUTED', requestId: error.requestId })
  t.is((await payments.pay(request)).transactionId, paid.transactionId)
  t.is(await balanceOf(service.client, agent), 93)
})

test("A payment from the agent's own wallet goes through approve and confirm", async (t) => {
  const wallet = { custodyType: 'EXTERNAL', address: '0x00000000000000000000000000000000000000e1', chainId: '84532' }
  const agent = await newAgent({}, wallet)
  const { payments } = bursarOf(agent, service.url)
  const refused = await thrownBy(payments.pay(REQUEST))
  t.like(refused, { code: 'MANUAL_EXECUTION_REQUIRED', status: 400, payment: { status: 'APPROVED' } })
  const permits = [
    await payments.approve(refused.payment!.requestId),
    await payments.approve({ ...REQUEST, senderAddress: wallet.address, chainId: wallet.chainId }),
  ]
  for (const [index, permit] of permits.entries()) {
    t.true(permit.approved, JSON.stringify(permit))
    const { approvalId, approvalToken } = permit as { approvalId: string; approvalToken: string }
    const txHash = `0x${String(index + 1).repeat(64)}`
    t.true((await payments.confirm(approvalId, { txHash, approvalToken })).confirmed)
  }
})
