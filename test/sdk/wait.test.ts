// `wait` says what became of a payment that requires approval, reads it rarely, and ends at its deadline.
import test from 'ava'
import { Bursar, BursarAdmin, type BursarError, type Waited } from '../../sdk/index.js'
import { connect } from '../../sdk/call.js'
import { wait, type Waiter } from '../../sdk/wait.js'
import { start, type Started } from '../support/service.js'
import { ORGANIZATION_KEY, wholeFile } from '../support/process.js'
import { fundedAgent, RECIPIENT } from '../support/payments.js'
import { serveInTurn, type Told } from '../support/server.js'
import { thrownBy } from './thrown.js'

const WEEKS_MS = 30 * 24 * 3_600_000
const scope = wholeFile(test)
let service: Started
test.before('the service starts', async () => {
  service = await start(scope)
})

let agents = 0

/** A payment that waits for a person, its agent's client and who decides. */
async function waitingPayment() {
  const terms = { delegationType: 'PREAPPROVED' }
  const { key } = await fundedAgent(service.client, { name: `Agent ${++agents}`, balance: 100, terms })
  const { payments } = new Bursar({ apiKey: key, baseUrl: service.url })
  const asked = await payments.request({ amount: 7, recipientAddress: RECIPIENT, paymentKey: 'order' })
  const { approvals } = new BursarAdmin({ apiKey: ORGANIZATION_KEY, baseUrl: service.url })
  return { payments, id: asked.requestId, approvalRequestId: asked.approvalRequestId!, approvals }
}

type Stage = Awaited<ReturnType<typeof waitingPayment>>

const ENDS: { outcome: Waited['outcome']; end: (stage: Stage) => unknown; payment: object }[] = [
  {
    outcome: 'APPROVED',
    end: ({ approvals, approvalRequestId }) => approvals.approve(approvalRequestId, 'Fine'),
    payment: { status: 'APPROVED', approval: { status: 'APPROVED' } },
  },
  {
    outcome: 'DENIED',
    end: ({ approvals, approvalRequestId }) => approvals.deny(approvalRequestId, 'Too much'),
    payment: { status: 'DENIED', deniedBy: 'PERSON' },
  },
  {
    outcome: 'CANCELLED',
    end: ({ payments, id }) => payments.cancel(id),
    payment: { status: 'CANCELLED' },
  },
  {
    outcome: 'EXPIRED',
    end: () => service.setClock(service.now() + WEEKS_MS),
    payment: { status: 'EXPIRED' },
  },
]

test.serial('wait tells apart what becomes of a payment while it waits', async (t) => {
  for (const { outcome, end, payment } of ENDS) {
    const stage = await waitingPayment()
    const waited = stage.payments.wait(stage.id, { timeout: 60_000 })
    await end(stage)
    const seen = await waited
    t.is(seen.outcome, outcome)
    t.like(seen.payment, { requestId: stage.id, ...payment }, outcome)
  }
})

test.serial('A payment that was approved and paid meanwhile is APPROVED, and its status says the rest', async (t) => {
  const { payments, id, approvals, approvalRequestId } = await waitingPayment()
  await approvals.approve(approvalRequestId, 'Fine')
  await payments.pay({ amount: 7, recipientAddress: RECIPIENT, paymentKey: 'order' })
  const { outcome, payment } = await payments.wait(id, { timeout: 0 })
  t.deepEqual([outcome, payment.status], ['APPROVED', 'EXECUTED'])
})

test.serial('At its deadline wait throws REQUIRES_APPROVAL with the payment', async (t) => {
  const { payments, id, approvalRequestId } = await waitingPayment()
  const error = await thrownBy(payments.wait(id, { timeout: 0 }))
  t.like(error, { code: 'REQUIRES_APPROVAL', requestId: id, approvalRequestId, payment: { requestId: id } })
})

test.serial('An abort ends the wait with its reason', async (t) => {
  const { payments, id } = await waitingPayment()
  const controller = new AbortController()
  const reason = new Error('enough')
  const waited = payments.wait(id, { signal: controller.signal })
  setImmediate(() => controller.abort(reason))
  t.is(await t.throwsAsync(waited), reason)
})

/** A waiter whose pauses take no time but on its own clock. */
function waiterAt(baseUrl: string, pauses: number[]): Waiter {
  let now = 0
  const pause = async (ms: number): Promise<void> => {
    pauses.push(ms)
    now += ms
  }
  return { client: connect({ apiKey: 'agent key', baseUrl }), timeout: 2000, now: () => now, pause }
}

const PENDING: Told = { status: 200, body: { requestId: 'p', status: 'REQUIRES_APPROVAL', reasons: [] } }
const APPROVED: Told = { status: 200, body: { requestId: 'p', status: 'APPROVED', reasons: [] } }
const AWAY: Told = { status: 503, body: 'gone' }
const LIMITED: Told = { status: 429, headers: { 'Retry-After': '20' }, body: 'slow down' }

test('It reads after 1, 2, 4, 8 and then every 10 seconds, and once more at the deadline', async (t) => {
  const pauses: number[] = []
  const server = await serveInTurn(t, PENDING)
  const error = await thrownBy(wait(waiterAt(server.url, pauses), 'p', { timeout: 40_000 }))
  t.is(error.code, 'REQUIRES_APPROVAL')
  t.deepEqual(pauses, [1000, 2000, 4000, 8000, 10_000, 10_000, 5000])
  t.is(server.sent.length, pauses.length + 1)
  t.true(server.sent.every(({ method }) => method === 'GET'))
})

test('A reading that fails is repeated within the deadline, after Retry-After where it is given', async (t) => {
  const pauses: number[] = []
  const server = await serveInTurn(t, AWAY, LIMITED, PENDING, APPROVED)
  t.is((await wait(waiterAt(server.url, pauses), 'p', { timeout: 60_000 })).outcome, 'APPROVED')
  t.deepEqual(pauses, [1000, 20_000, 4000])
})

test('A refusal, or one that ends after the deadline, is thrown at once', async (t) => {
  for (const [answer, code] of [
    [{ status: 404, body: { error: 'No', code: 'NOT_FOUND' } }, 'NOT_FOUND'],
    [LIMITED, 'RATE_LIMITED'],
  ] as const) {
    const pauses: number[] = []
    const server = await serveInTurn(t, answer)
    const error: BursarError = await thrownBy(wait(waiterAt(server.url, pauses), 'p', { timeout: 10_000 }))
    t.is(error.code, code)
    t.deepEqual(pauses, [])
  }
})
