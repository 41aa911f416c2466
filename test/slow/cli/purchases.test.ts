// Purchases through the SDK and the command line: pay again with the same key, and it is paid once.
import test from 'ava'
import { Bursar, BursarAdmin } from '../../../sdk/index.js'
import { startApprovals } from '../../support/approvals.js'
import { bursar } from '../../support/commandLine.js'
import { ORGANIZATION_KEY } from '../../support/process.js'
import { balanceOf, RECIPIENT } from '../../support/payments.js'

const request = { amount: '150', recipientAddress: RECIPIENT, paymentKey: 'order-1' }

test('pay with a paymentKey goes on after an approval, and answers the execution ever after', async (t) => {
  const stage = await startApprovals(t)
  const agent = await stage.supervised({ balance: 1_000 })
  const { payments } = new Bursar({ apiKey: agent.key, baseUrl: stage.url })
  const admin = new BursarAdmin({ apiKey: ORGANIZATION_KEY, baseUrl: stage.url })
  const waiting = await t.throwsAsync(payments.pay(request), { code: 'REQUIRES_APPROVAL' } as never)
  const { approvalRequestId } = waiting as unknown as { approvalRequestId: string }
  await admin.approvals.approve(approvalRequestId)
  const paid = await Promise.all(Array.from({ length: 20 }, () => payments.pay(request)))
  t.like(paid[0], { status: 'EXECUTED', paymentKey: 'order-1', attempt: 1 })
  for (const one of paid) t.deepEqual({ ...one, wallet: null }, { ...paid[0], wallet: null })
  t.is(await balanceOf(stage.client, agent), 850)
  await t.throwsAsync(payments.pay({ ...request, amount: 1 }), { code: 'PRICE_CHANGED' } as never)
  const { payments: found } = await payments.list({ paymentKey: 'order-1' })
  t.deepEqual(
    found.map(({ requestId }) => requestId),
    [paid[0]!.requestId],
  )
})

test('an administrator allows another try of what was released', async (t) => {
  const stage = await startApprovals(t)
  const address = `0x${'ab'.repeat(20)}`
  const agent = await stage.supervised({ wallet: { custodyType: 'EXTERNAL', address } })
  const { payments } = new Bursar({ apiKey: agent.key, baseUrl: stage.url })
  const admin = new BursarAdmin({ apiKey: ORGANIZATION_KEY, baseUrl: stage.url })
  const wanted = { ...request, amount: '5', senderAddress: address, chainId: '84532' }
  const first = await payments.approve(wanted)
  t.like(await payments.approve(wanted), { approvalToken: first.approvalToken, attempt: 1 })
  await admin.payments.release(first.requestId, 'It was not paid', { allowRetry: true })
  t.like(await payments.approve(wanted), { approved: true, attempt: 2 })
})

test('bursar pay with a payment key pays once, and says how to go on', async (t) => {
  const stage = await startApprovals(t)
  const agent = await stage.supervised({ balance: 1_000 })
  const env = { BURSAR_URL: stage.url, BURSAR_AGENT_KEY: agent.key, BURSAR_API_KEY: ORGANIZATION_KEY }
  const pay = (amount: string) => bursar(['pay', amount, RECIPIENT, '--payment-key', 'order-7'], { env })
  const waiting = await pay('150')
  t.is(waiting.status, 1)
  t.regex(waiting.error, /To continue, repeat the command$/m)
  const [request] = await stage.requests('PENDING')
  await stage.decide(ORGANIZATION_KEY, request!.id)
  for (const { status, out } of [await pay('150'), await pay('150')]) {
    t.is(status, 0)
    t.regex(out, /payment key +order-7\nattempt +1\n/)
  }
  t.is(await balanceOf(stage.client, agent), 850)
  const listed = await bursar(['payments', 'list', '--payment-key', 'order-7'], { env })
  t.is(listed.out.trim().split('\n').length, 2)
})
