// A client that stops waiting for an answer and asks again: the purchase is paid once, whatever became of the first call.
import test from 'ava'
import { connectTools, LINES } from '../support/mcp.js'
import { balanceOf, fundedAgent, RECIPIENT } from '../support/payments.js'
import { wholeFile } from '../support/process.js'
import { start, type Started } from '../support/service.js'

const scope = wholeFile(test)
const AT_ONCE = 6
let service: Started

test.before('the service starts', async () => {
  service = await start(scope)
})

for (const line of LINES) {
  test(`calls that time out, and are repeated at once in other words, are one payment: ${line}`, async (t) => {
    const agent = await fundedAgent(service.client, { name: line, balance: 100 })
    const tools = await connectTools(scope, line, { url: service.url, key: agent.key })
    const wanted = { amount: 5, recipientAddress: RECIPIENT, paymentKey: 'Order-1' }
    const words = (at: number) => ({ ...wanted, purpose: `In words ${at}` })
    const hurried = Array.from({ length: AT_ONCE }, (_, at) => tools.call('pay', words(at), 1))
    const left = await Promise.allSettled(hurried)
    t.true(
      left.some(({ status }) => status === 'rejected'),
      'no call has timed out',
    )
    const again = await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => tools.call('pay', words(-at))))
    const ids = new Set(again.map(({ structuredContent }) => structuredContent['requestId']))
    t.is(ids.size, 1)
    const { structuredContent } = await tools.call('payment_status', { paymentKey: wanted.paymentKey })
    t.like(structuredContent, { requestId: [...ids][0], status: 'EXECUTED' })
    t.is(await balanceOf(service.client, agent), 95)
  })
}
