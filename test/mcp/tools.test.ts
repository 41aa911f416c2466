// The tools over HTTP, with the official clients of both lines and of older revisions.
import test from 'ava'
import { startApprovals, type ApprovalStage } from '../support/approvals.js'
import { callEveryTool } from '../support/everyTool.js'
import { connectTools, LINES, type Line, type ToolClient } from '../support/mcp.js'
import { fundedAgent, RECIPIENT } from '../support/payments.js'
import { ORGANIZATION_KEY, wholeFile } from '../support/process.js'

const scope = wholeFile(test)
let stage: ApprovalStage

test.before(async () => {
  stage = await startApprovals(scope, { BURSAR_DEV_LOOPBACK_WEBHOOKS: '1' })
})

/** No request may make the service log. */
test.after.always(() => {
  if (stage.logged.length > 0) throw new Error(stage.logged.join('\n'))
})

const WITHOUT_KEY = { amount: 5, recipientAddress: RECIPIENT }

let names = 0
const newName = (): string => `Agent ${(names += 1)}`

async function toolsOf(line: Line, onPage?: (url: string) => void): Promise<ToolClient> {
  const { key } = await stage.supervised({ name: newName() })
  return connectTools(scope, line, { url: stage.url, key }, onPage)
}

for (const line of LINES) {
  test(`each tool can be called, and answers as its schema says: ${line}`, async (t) => {
    const tools = await toolsOf(line)
    if (line === 'current') t.is(tools.revision, '2026-07-28')
    await callEveryTool(t, tools)
  })

  test(`without a payment key nothing is paid, and the answer says what to send: ${line}`, async (t) => {
    const tools = await toolsOf(line)
    for (const name of ['request_payment', 'pay', 'pay_x402']) {
      const asked = name === 'pay_x402' ? { url: 'https://api.example.com/', maxAmount: 1 } : WITHOUT_KEY
      const { isError, structuredContent } = await tools.call(name, asked)
      t.true(isError)
      t.is(structuredContent['code'], 'VALIDATION_ERROR')
      t.regex(
        structuredContent.nextSteps[0]!,
        /^Send paymentKey: The (invoice|order) or (order|task) number of this purchase/,
      )
    }
  })
}

test('a client that can send a person to a page does, and goes on in a new conversation', async (t) => {
  const agent = await stage.supervised({ name: newName() })
  const reach = { url: stage.url, key: agent.key }
  const pages: string[] = []
  const tools = await connectTools(scope, 'current', reach, (page) => pages.push(page))
  const wanted = { amount: 150, recipientAddress: RECIPIENT, paymentKey: 'Invoice-1' }
  const { structuredContent: waiting } = await tools.call('request_payment', wanted)
  t.is(waiting['status'], 'REQUIRES_APPROVAL', JSON.stringify(waiting))
  const id = waiting['approvalRequestId'] as string
  t.deepEqual(pages, [`${stage.url}/approvals/${id}`])
  t.is((await stage.decide(ORGANIZATION_KEY, id)).status, 200)
  const later = await connectTools(scope, 'current', reach)
  t.like((await later.call('payment_status', { paymentKey: 'Invoice-1' })).structuredContent, { status: 'APPROVED' })
  const { requestId } = waiting
  t.is((await later.call('execute_payment', { requestId })).structuredContent['status'], 'EXECUTED')
})

for (const line of LINES) {
  test(`a client without pages hears the status and how to ask again: ${line}`, async (t) => {
    const tools = await toolsOf(line)
    const wanted = { amount: 150, recipientAddress: RECIPIENT, paymentKey: 'Invoice-1' }
    const { isError, structuredContent } = await tools.call('request_payment', wanted)
    t.falsy(isError)
    t.like(structuredContent, { status: 'REQUIRES_APPROVAL' })
    t.is(structuredContent['approvalUrl'], `${stage.url}/approvals/${structuredContent['approvalRequestId'] as string}`)
    t.regex(
      structuredContent.nextSteps.join(),
      /payment_status with requestId .*; once it is APPROVED, call execute_payment/,
    )
  })
}

test('what pay asked for is paid once a person has approved it, and execute_payment then says so', async (t) => {
  const { key } = await stage.supervised({ name: newName() })
  const tools = await connectTools(scope, 'former package', { url: stage.url, key })
  const wanted = { amount: 150, recipientAddress: RECIPIENT, paymentKey: 'Invoice-2' }
  const { requestId, approvalRequestId } = (await tools.call('pay', wanted)).structuredContent
  t.is((await stage.decide(ORGANIZATION_KEY, approvalRequestId as string)).status, 200)
  const later = await connectTools(scope, 'former package', { url: stage.url, key })
  t.is((await later.call('payment_status', { requestId })).structuredContent['status'], 'EXECUTED')
  t.is((await later.call('execute_payment', { requestId })).structuredContent['status'], 'EXECUTED')
})

test('repeated in parallel and in other words, a purchase is paid once; another key is another purchase', async (t) => {
  const agent = await fundedAgent(stage.client, { name: newName() })
  const tools = await connectTools(scope, 'current', { url: stage.url, key: agent.key })
  const wanted = { amount: 5, recipientAddress: RECIPIENT, paymentKey: 'Order-1' }
  const words = Array.from({ length: 12 }, (_, at) => ({ ...wanted, purpose: `In words ${at % 4}` }))
  const results = await Promise.all(words.map((input) => tools.call('pay', input)))
  t.is(new Set(results.map(({ structuredContent }) => structuredContent['requestId'])).size, 1)
  const other = await tools.call('pay', { ...wanted, paymentKey: 'Order-2' })
  t.not(other.structuredContent['requestId'], results[0]!.structuredContent['requestId'])
  const { body } = await stage.client.get<{ transactions: unknown[] }>('/api/sdk/transactions', agent.key)
  t.is(body.transactions.length, 2)
  const changed = await tools.call('pay', { ...wanted, amount: 6 })
  t.true(changed.isError)
  t.is(changed.structuredContent['code'], 'PRICE_CHANGED')
})

test('after a denial the same key is a new attempt', async (t) => {
  const agent = await fundedAgent(stage.client, { name: newName(), balance: 10 })
  const tools = await connectTools(scope, 'current', { url: stage.url, key: agent.key })
  const wanted = { recipientAddress: RECIPIENT, paymentKey: 'Order-1' }
  t.true((await tools.call('pay', { ...wanted, amount: 20 })).isError)
  const { structuredContent } = await tools.call('pay', { ...wanted, amount: 5 })
  t.like(structuredContent, { status: 'EXECUTED', attempt: 2 })
})
