// A permit to pay from the agent's own wallet comes with its token, whatever the network does.
import test from 'ava'
import { Bursar, type Permit } from '../../sdk/index.js'
import { start, type Started } from '../support/service.js'
import { wholeFile } from '../support/process.js'
import { fundedAgent, RECIPIENT } from '../support/payments.js'
import { proxyTo, type Proxy } from './proxy.js'
import { thrownBy } from './thrown.js'

const scope = wholeFile(test)
let service: Started
test.before('the service starts', async () => {
  service = await start(scope)
})

let made = 0
const hex = (digits: number): string => `0x${String(++made).padStart(digits, '0')}`

interface Payer {
  key: string
  /** The body of a payment from the agent's own wallet. */
  wanted: { amount: number; recipientAddress: string; senderAddress: string; chainId: string }
}

async function newPayer(): Promise<Payer> {
  const [senderAddress, chainId] = [hex(40), '84532']
  const wallet = { custodyType: 'EXTERNAL', address: senderAddress, chainId }
  const { key } = await fundedAgent(service.client, { name: `Agent ${senderAddress}`, balance: 100, wallet })
  return { key, wanted: { amount: 7, recipientAddress: RECIPIENT, senderAddress, chainId } }
}

const paymentsOf = ({ key }: Payer, baseUrl: string, more: object = {}): Bursar['payments'] =>
  new Bursar({ apiKey: key, baseUrl, ...more }).payments

/** Confirms a payment that the permit allows, which takes the token. */
async function confirmed(payer: Payer, { approvalId, approvalToken }: Permit): Promise<string> {
  const paid = { txHash: hex(64), approvalToken: approvalToken! }
  return (await paymentsOf(payer, service.url).confirm(approvalId!, paid)).requestId
}

test('An idempotency key in the body is the key of the payment', async (t) => {
  const payer = await newPayer()
  const payments = paymentsOf(payer, service.url)
  const permit = await payments.approve({ ...payer.wanted, idempotencyKey: 'order-1' })
  t.true(permit.approved)
  const found = await payments.list({ idempotencyKey: 'order-1' })
  t.deepEqual(
    found.payments.map(({ requestId }) => requestId),
    [permit.requestId],
  )
  t.is(await confirmed(payer, permit), permit.requestId)
})

const asked = ({ sent }: Proxy): string[] => sent.map(({ path }) => path.replace(/\/c[a-z0-9]{24}/, '/ID'))
const ASK = '/api/sdk/payments/approve'
const ASK_AGAIN = '/api/sdk/payments/ID/approve'

test('A token that was lost with the first answer is requested again', async (t) => {
  const payer = await newPayer()
  const proxy = await proxyTo(t, service.url, ['unavailable'])
  const permit = await paymentsOf(payer, proxy.url).approve(payer.wanted)
  t.is(await confirmed(payer, permit), permit.requestId)
  t.deepEqual(asked(proxy), [ASK, ASK, ASK_AGAIN])
  const [first, second, third] = proxy.sent.map(({ headers }) => headers['idempotency-key'])
  t.is(first, second)
  t.not(second, third)
})

test('The token for an existing payment is requested again, also after a second loss', async (t) => {
  const payer = await newPayer()
  const { requestId } = await paymentsOf(payer, service.url).request({ amount: 7, recipientAddress: RECIPIENT })
  const proxy = await proxyTo(t, service.url, ['unavailable', 'none', 'unavailable', 'none'])
  const permit = await paymentsOf(payer, proxy.url).approve(requestId)
  t.is(await confirmed(payer, permit), requestId)
  t.deepEqual(
    asked(proxy),
    Array.from({ length: 5 }, () => ASK_AGAIN),
  )
})

test('Calling approve again with its key returns the permit with its token', async (t) => {
  const payer = await newPayer()
  const wanted = { ...payer.wanted, idempotencyKey: 'order-2' }
  const cut = await proxyTo(t, service.url, ['cut'])
  t.like(await thrownBy(paymentsOf(payer, cut.url).approve(wanted)), { code: 'TIMEOUT', status: 0 })
  const permit = await paymentsOf(payer, service.url, { maxRetries: 0 }).approve(wanted)
  t.is(await confirmed(payer, permit), permit.requestId)
})

test('A token that stays lost is an error that names the payment', async (t) => {
  const payer = await newPayer()
  const proxy = await proxyTo(t, service.url, Array.from({ length: 3 }, () => ['unavailable', 'none'] as const).flat())
  const lost = await thrownBy(paymentsOf(payer, proxy.url, { maxRetries: 1 }).approve(payer.wanted))
  t.like(lost, { code: 'TIMEOUT', status: 0 })
  t.is(proxy.sent.length, 6)
  const permit = await paymentsOf(payer, service.url).approve(lost.requestId!)
  t.is(await confirmed(payer, permit), lost.requestId!)
})

test('A refusal of the repeated request for a token is thrown with the payment', async (t) => {
  const payer = await newPayer()
  const proxy = await proxyTo(t, service.url, ['unavailable', 'none', 'forbidden'])
  const lost = await thrownBy(paymentsOf(payer, proxy.url).approve(payer.wanted))
  t.like(lost, { code: 'INSUFFICIENT_SCOPE', status: 403, cause: { code: 'INSUFFICIENT_SCOPE' } })
  t.true(lost.message.includes(lost.requestId!))
  const { payments } = await paymentsOf(payer, service.url).list()
  t.deepEqual(
    payments.map(({ requestId, status }) => ({ requestId, status })),
    [{ requestId: lost.requestId!, status: 'APPROVED' }],
  )
})

test('A permit that is denied has no token to request again', async (t) => {
  const payer = await newPayer()
  const proxy = await proxyTo(t, service.url, ['unavailable'])
  const permit = await paymentsOf(payer, proxy.url).approve({ ...payer.wanted, amount: 2_000_000 })
  t.false(permit.approved)
  t.deepEqual(asked(proxy), [ASK, ASK])
})
