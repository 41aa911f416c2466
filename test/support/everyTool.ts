// One agent's call of each tool, in the order in which a model would need them, over any transport. Payments above 100
// need a person.
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { ExecutionContext } from 'ava'
import type { ToolClient, ToolResult } from './mcp.js'
import { RECIPIENT } from './payments.js'
import { seller } from './x402Seller.js'

const NAMES = [
  'get_limits',
  'request_payment',
  'pay',
  'payment_status',
  'execute_payment',
  'cancel_payment',
  'check_recipient',
  'why_denied',
  'pay_x402',
]

/** A result that fits its schema and its bound, and that says the same as text. */
function checked(t: ExecutionContext, schema: object, result: ToolResult): ToolResult {
  const isValid = new Ajv2020({ strict: false }).compile(schema)
  t.true(isValid(result.structuredContent), JSON.stringify([result.structuredContent, isValid.errors]))
  t.true(Buffer.byteLength(JSON.stringify(result)) <= 2100, 'an answer is at most 2 KB')
  t.true(JSON.stringify(JSON.parse(result.content[0]!.text)) === JSON.stringify(result.structuredContent))
  t.true(Object.keys(result.structuredContent).at(-1) === 'nextSteps' && result.structuredContent.nextSteps.length > 0)
  return result
}

export async function callEveryTool(t: ExecutionContext, tools: ToolClient): Promise<void> {
  const listed = await tools.list()
  t.deepEqual(
    listed.map(({ name }) => name),
    NAMES,
  )
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
  const server = await seller(t)
  const got = await call('pay_x402', { url: server.url, paymentKey: 'E', maxAmount: 1 })
  t.like(got.structuredContent, { httpStatus: 200, status: 'EXECUTED', amount: 0.5 })
  t.like(got.structuredContent['untrustedText'], { content: 'the report' })
  const again = await call('pay_x402', { url: server.url, paymentKey: 'E', maxAmount: 1 })
  t.is(again.structuredContent['code'], 'ALREADY_EXECUTED')
  t.is(server.paid, 1)
  const dear = await call('pay_x402', { url: server.url, paymentKey: 'F', maxAmount: 0.1 })
  t.is(dear.structuredContent['code'], 'PAYMENT_DENIED')
  const unknown = await call('payment_status', { requestId: 'pay_none' })
  t.true(unknown.isError)
  t.is(unknown.structuredContent['code'], 'NOT_FOUND')
}
