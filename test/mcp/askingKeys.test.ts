// A key without payments:execute: it may ask and read. The tools say so before anything is reserved, and never send a model
// in a circle.
import test from 'ava'
import { startApprovals, type ApprovalStage } from '../support/approvals.js'
import { connectTools, LINES, type Line, type ToolClient } from '../support/mcp.js'
import { execute, made, RECIPIENT, type Key } from '../support/payments.js'
import { ORGANIZATION_KEY, wholeFile, type Scope } from '../support/process.js'

const scope = wholeFile(test)
let stage: ApprovalStage

test.before(async () => {
  stage = await startApprovals(scope)
})

const SCOPES = ['payments:request', 'payments:read', 'wallets:read', 'counterparties:read']
const WANTED = { amount: 5, recipientAddress: RECIPIENT }

let names = 0

async function asking(t: Scope, line: Line = 'current'): Promise<{ tools: ToolClient; executingKey: string }> {
  const { agentId, key: executingKey } = await stage.supervised({ name: `Asking ${(names += 1)}` })
  const { key } = await made<Key>(stage.client, `/api/agents/${agentId}/sdk-keys`, { name: 'Asks', scopes: SCOPES })
  return { tools: await connectTools(t, line, { url: stage.url, key }), executingKey }
}

for (const line of LINES) {
  test(`the tools that execute are not offered, and those that ask say that they only ask: ${line}`, async (t) => {
    const { tools } = await asking(t, line)
    const listed = await tools.list()
    const names = listed.map(({ name }) => name)
    t.false(names.includes('execute_payment') || names.includes('pay_x402'), names.join())
    t.true(names.includes('pay') && names.includes('request_payment'))
    for (const { name, description } of listed) t.notRegex(description!, /execute_payment/, name)
    const pay = listed.find(({ name }) => name === 'pay')!
    t.regex(pay.description!, /^Asks for a payment and reserves it, without paying: this key may not execute payments/)
  })
}

test('pay asks alone, and says who executes, and until when', async (t) => {
  const { tools, executingKey } = await asking(t)
  const { isError, structuredContent: asked } = await tools.call('pay', { ...WANTED, paymentKey: 'A' })
  t.falsy(isError)
  t.is(asked['status'], 'APPROVED')
  const { requestId, expiresAt } = asked as unknown as { requestId: string; expiresAt: string }
  t.true(asked.nextSteps[0]!.startsWith('This key may not execute payments: ask the person you work for'))
  t.true(asked.nextSteps[0]!.includes(requestId) && asked.nextSteps[0]!.includes(`before ${expiresAt}`))
  const { structuredContent: read } = await tools.call('payment_status', { requestId })
  t.deepEqual(read.nextSteps, asked.nextSteps)
  t.notRegex(read.nextSteps.join(), /execute_payment/)
  t.is((await execute(stage.client, executingKey, requestId)).body.status, 'EXECUTED')
  const { structuredContent: after } = await tools.call('pay', { ...WANTED, paymentKey: 'A' })
  t.is(after['status'], 'EXECUTED')
})

test('a payment that a person approves is not executed by this key', async (t) => {
  const { tools } = await asking(t)
  const wanted = { ...WANTED, amount: 150, paymentKey: 'A' }
  const { structuredContent: waiting } = await tools.call('pay', wanted)
  t.is(waiting['status'], 'REQUIRES_APPROVAL')
  t.notRegex(waiting.nextSteps.join(), /call execute_payment/)
  await stage.decide(ORGANIZATION_KEY, waiting['approvalRequestId'] as string)
  const { structuredContent: decided } = await tools.call('payment_status', { paymentKey: 'A' })
  t.is(decided['status'], 'APPROVED')
  t.regex(decided.nextSteps[0]!, /^This key may not execute payments/)
})

test('a tool that is not offered names the person when it is called all the same', async (t) => {
  const { tools } = await asking(t)
  const calls = [
    ['execute_payment', { requestId: 'pay_none' }],
    ['pay_x402', { url: 'https://api.example.com/', paymentKey: 'A', maxAmount: 1 }],
  ] as const
  for (const [name, input] of calls) {
    const { isError, structuredContent } = await tools.call(name, input)
    t.true(isError)
    t.is(structuredContent['code'], 'INSUFFICIENT_SCOPE')
    t.regex(structuredContent.nextSteps.join(), /the person you work for/)
  }
})

test('what may be spent names no tool that this key lacks', async (t) => {
  const { tools } = await asking(t)
  const { structuredContent } = await tools.call('get_limits')
  t.deepEqual(structuredContent.nextSteps, ['Call request_payment with amount, recipientAddress and paymentKey'])
})
