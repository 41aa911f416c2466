// bursar mcp, started by the official clients of both lines as a desktop client starts it.
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { connectTools, LINES } from '../../support/mcp.js'
import { fundedAgent, RECIPIENT } from '../../support/payments.js'
import { start } from '../../support/service.js'

const MAIN = fileURLToPath(new URL('../../../src/main.js', import.meta.url))

for (const line of LINES) {
  test(`bursar mcp serves the tools over standard input and output: ${line}`, async (t) => {
    const service = await start(t)
    const workflow = [{ ruleType: 'REQUIRE_APPROVAL_ABOVE', operator: 'GREATER_THAN', value: 100 }]
    const policy = { name: 'Ask', policyType: 'COMPOSITE', scope: 'organization', rules: workflow }
    const { key, organizationKey } = await fundedAgent(service.client)
    t.is((await service.client.post('/api/policies', organizationKey, policy)).status, 201)
    const env = { PATH: process.env['PATH']!, BURSAR_AGENT_KEY: key, BURSAR_URL: service.url }
    const pages: string[] = []
    const reach = { command: process.execPath, args: [MAIN, 'mcp'], env }
    const tools = await connectTools(t, line, reach, (page) => pages.push(page))
    t.is((await tools.list()).length, 8)
    const wanted = { amount: 5, recipientAddress: RECIPIENT, paymentKey: 'Order-1' }
    for (let time = 0; time < 2; time += 1) {
      t.like((await tools.call('pay', wanted)).structuredContent, { status: 'EXECUTED', attempt: 1 })
    }
    const denied = await tools.call('pay', { ...wanted, amount: 50_000, paymentKey: 'Order-2' })
    t.true(denied.isError)
    t.is(denied.structuredContent['code'], 'PAYMENT_DENIED')
    const { structuredContent } = await tools.call('pay', { ...wanted, amount: 150, paymentKey: 'Order-3' })
    t.is(structuredContent['status'], 'REQUIRES_APPROVAL')
    t.deepEqual(pages, [`${service.url}/approvals/${structuredContent['approvalRequestId'] as string}`])
  })
}
