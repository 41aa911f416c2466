// bursar mcp, started by the official clients of both lines as a desktop client starts it.
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import test from 'ava'
import { callEveryTool } from '../../support/everyTool.js'
import { connectTools, LINES } from '../../support/mcp.js'
import { fundedAgent, made, RECIPIENT, type Key } from '../../support/payments.js'
import { ORGANIZATION_KEY } from '../../support/process.js'
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
    await callEveryTool(t, tools)
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

/** What a client that starts the program is offered, and what the program writes for the person meanwhile. */
async function started(url: string, key: string): Promise<{ tools: string[]; lines: string[] }> {
  const env = { PATH: process.env['PATH']!, BURSAR_AGENT_KEY: key, BURSAR_URL: url }
  const transport = new StdioClientTransport({ command: process.execPath, args: [MAIN, 'mcp'], env, stderr: 'pipe' })
  let written = ''
  transport.stderr!.on('data', (part: Buffer) => (written += part.toString()))
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  const { tools } = await client.listTools()
  const ended = once(transport.stderr!, 'end')
  await client.close()
  await ended
  return { tools: tools.map(({ name }) => name), lines: written.trimEnd().split('\n') }
}

test('bursar mcp says at its start that its key is of another kind or is refused, once, and goes on', async (t) => {
  const { url } = await start(t)
  const organization = await started(url, ORGANIZATION_KEY)
  t.deepEqual(organization.lines, [
    'This is an organization key: send an agent key (service_agent_…) in BURSAR_AGENT_KEY',
  ])
  t.is(organization.tools.length, 9)
  const { lines } = await started(url, 'service_agent_none')
  t.is(lines.length, 1)
  t.is(lines[0]!.split(': ')[0], `The service at ${url} refuses the key in BURSAR_AGENT_KEY`)
})

test('bursar mcp says at its start that the service is not there, and goes on', async (t) => {
  const { tools, lines } = await started('http://127.0.0.1:9', 'service_agent_none')
  t.is(tools.length, 9)
  t.is(lines.length, 1)
  t.regex(lines[0]!, /^Bursar is not reachable at http:\/\/127\.0\.0\.1:9: start the service, or correct BURSAR_URL/)
})

test('bursar mcp offers a key that may not execute no tool that does, and says nothing', async (t) => {
  const { client, url } = await start(t)
  const { agentId } = await fundedAgent(client)
  const asks = { name: 'Asks', scopes: ['payments:request', 'payments:read'] }
  const { key } = await made<Key>(client, `/api/agents/${agentId}/sdk-keys`, asks)
  const { tools, lines } = await started(url, key)
  t.deepEqual(lines, [''])
  t.false(tools.includes('execute_payment'))
})
