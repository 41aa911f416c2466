// The tools over HTTP, with the official clients of both lines and of older revisions.
import test from 'ava'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { startApprovals, type ApprovalStage } from '../support/approvals.js'
import { connectTools, LINES, type Line, type ToolClient, type ToolResult } from '../support/mcp.js'
import { fundedAgent, RECIPIENT } from '../support/payments.js'
import { ORGANIZATION_KEY, wholeFile } from '../support/process.js'

const scope = wholeFile(test)
let stage: ApprovalStage

const NAMES = [
  'get_limits',
  'request_payment',
  'pay',
  'payment_status',
  'execute_payment',
  'cancel_payment',
  'check_recipient',
  'why_denied',
]

test.before(async () => {
  stage = await startApprovals(scope)
})

/** No request may make the service log. */
test.after.always(() => {
  if (stage.logged.length > 0) throw new Error(stage.logged.join('\n'))
})

let names = 0
const newName = (): string => `Agent ${(names += 1)}`

async function toolsOf(line: Line, onPage?: (url: string) => void): Promise<ToolClient> {
  const { key } = await stage.supervised({ name: newName() })
  return connectTools(scope, line, { url: stage.url, key }, onPage)
}

/** A result that fits its schema and its bound, and that says the same as text. */
function checked(t: { true(value: boolean, message?: string): void }, schema: object, result: ToolResult): ToolResult {
  const isValid = new Ajv2020({ strict: false }).compile(schema)
  t.true(isValid(result.structuredContent), JSON.stringify([result.structuredContent, isValid.errors]))
  t.true(Buffer.byteLength(JSON.stringify(result)) <= 2100, 'an answer is at most 2 KB')
  t.true(JSON.stringify(JSON.parse(result.content[0]!.text)) === JSON.stringify(result.structuredContent))
  t.true(Object.keys(result.structuredContent).at(-1) === 'nextSteps' && result.structuredContent.nextSteps.length > 0)
  return result
}

for (const line of LINES) {
  test(`each tool can be called, and answers as its schema says: ${line}`, async (t) => {
    const tools = await toolsOf(line)
    const listed = await tools.list()
    t.deepEqual(
      listed.map(({ name }) => name),
      NAMES,
    )
    if (line === 'current') t.is(tools.revision, '2026-07-28')
    const call = async (name: string, input: object): Promise<ToolResult> => {
      const { outputSchema } = listed.find((tool) => tool.name === name)!
      return checked(t, outputSchema!, await tools.call(name, input))
    }
    t.like((await call('get_limits', {})).structuredContent, { approvalAbove: 100, recipients: 'ANY' })
    t.like((await call('check_recipient', { address: RECIPIENT })).structuredContent, { status: 'UNKNOWN' })
    const wanted = { amount: 5, recipientAddress: RECIPIENT }
    const asked = (await call('request_payment', { ...wanted, paymentKey: 'A' })).structuredContent
    t.like(asked, { status: 'APPROVED', paymentKey: 'A', attempt: 1, amount: 5 })
    const { requestId } = asked
    t.is((await call('payment_status', { requestId })).structuredContent['status'], 'APPROVED')
    t.is((await call('execute_payment', { requestId })).structuredContent['status'], 'EXECUTED')
    t.is((await call('execute_payment', { requestId })).structuredContent['status'], 'EXECUTED')
    t.is((await call('payment_status', { paymentKey: 'A' })).structuredContent['requestId'], requestId)
    t.is((await call('pay', { ...wanted, paymentKey: 'B' })).structuredContent['status'], 'EXECUTED')
    const ended = (await call('request_payment', { ...wanted, paymentKey: 'C' })).structuredContent
    t.is((await call('cancel_payment', { requestId: ended['requestId'] })).structuredContent['status'], 'CANCELLED')
    const denied = await call('pay', { ...wanted, amount: 50_000_000, paymentKey: 'D' })
    t.true(denied.isError)
    t.like(denied.structuredContent, { code: 'PAYMENT_DENIED', status: 'DENIED' })
    const why = await call('why_denied', { requestId: denied.structuredContent['requestId'] })
    t.falsy(why.isError)
    t.like(why.structuredContent, { violations: [{ type: 'PER_TX_LIMIT' }] })
    const unknown = await call('payment_status', { requestId: 'pay_none' })
    t.true(unknown.isError)
    t.is(unknown.structuredContent['code'], 'NOT_FOUND')
  })

  test(`without a payment key nothing is paid, and the answer says what to send: ${line}`, async (t) => {
    const tools = await toolsOf(line)
    for (const name of ['request_payment', 'pay']) {
      const { isError, structuredContent } = await tools.call(name, { amount: 5, recipientAddress: RECIPIENT })
      t.true(isError)
      t.is(structuredContent['code'], 'VALIDATION_ERROR')
      t.regex(structuredContent.nextSteps[0]!, /^Send paymentKey: The invoice or order number of this purchase/)
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
