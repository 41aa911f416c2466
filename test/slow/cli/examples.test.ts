// Every example runs unchanged against a real service.
import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import anyTest, { type TestFn } from 'ava'
import { start, type Started } from '../../support/service.js'
import { projectRoot } from '../../support/root.js'
import { seller } from '../../support/x402Seller.js'
import { ORGANIZATION_KEY, wholeFile, type Scope } from '../../support/process.js'
import { balanceOf, fundedAgent, made, RECIPIENT, type FundedAgent } from '../../support/payments.js'

const test = anyTest as TestFn<{ service: Started; agent: FundedAgent }>
const RUN_HERE = ['fetch.mjs', 'sdk.mjs', 'tools.mjs', 'openai.mjs', 'anthropic.mjs', 'mcp.mjs', 'webhook.mjs']

let service: Started
const scope = wholeFile(test)
test.before('the service starts', async () => {
  service = await start(scope)
})

let agents = 0
test.beforeEach(async (t) => {
  const terms = { spendLimitPerTx: 50 }
  t.context = { service, agent: await fundedAgent(service.client, { name: `Agent ${++agents}`, balance: 100, terms }) }
})

/** Starts an example in a child process; if its name begins with `-`, only the arguments are run. */
function run(scope: Scope, example: string, args: string[], env: { [name: string]: string }) {
  const file = example.startsWith('-') ? [] : [join(projectRoot, 'examples', example)]
  const options = { cwd: projectRoot, env: { PATH: process.env['PATH'], ...env } }
  const child = spawn(process.execPath, [...file, ...args], options)
  const exited = once(child, 'close')
  scope.teardown(async () => {
    child.kill('SIGKILL')
    await exited
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => process.stderr.write(text))
  return child
}

async function linesOf(scope: Scope, example: string, args: string[], env: { [name: string]: string }) {
  const lines: string[] = []
  for await (const line of createInterface({ input: run(scope, example, args, env).stdout })) lines.push(line)
  return lines
}

const envOf = ({ service, agent }: { service: Started; agent: FundedAgent }): { [name: string]: string } => ({
  BURSAR_URL: service.url,
  BURSAR_AGENT_KEY: agent.key,
})

test('The list of examples here is complete', (t) => {
  const found = readdirSync(join(projectRoot, 'examples')).filter((name) => name.endsWith('.mjs'))
  // That of the AI SDK is run by test/mcp/aiSdk.test.ts.
  t.deepEqual(found.sort(), ['aiSdk.mjs', ...RUN_HERE].sort())
})

for (const example of ['fetch.mjs', 'sdk.mjs']) {
  test(`${example} pays once for one order`, async (t) => {
    const first = await linesOf(t, example, ['order-1'], envOf(t.context))
    t.is(first[0], 'EXECUTED: 12.5 USDC to 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045')
    t.is((await linesOf(t, example, ['order-1'], envOf(t.context)))[0], first[0])
    t.is(await balanceOf(t.context.service.client, t.context.agent), 87.5)
  })
}

test('sdk.mjs without a key, and webhook.mjs without a secret, end with one line', async (t) => {
  for (const [example, env] of [
    ['sdk.mjs', { BURSAR_URL: t.context.service.url }],
    ['webhook.mjs', { PORT: '0' }],
  ] as const) {
    const child = run(t, example, [], env)
    let written = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (written += String(part)))
    const [code] = (await once(child, 'close')) as [number]
    t.not(code, 0)
    t.is(written.trimEnd().split('\n').length, 1, written)
  }
})

/** Evaluates an expression on an imported example, and returns its result as parsed JSON. */
async function evaluate<T>(
  scope: Scope,
  example: string,
  expression: string,
  env: { [name: string]: string },
): Promise<T> {
  const url = pathToFileURL(join(projectRoot, 'examples', example)).href
  const code = `import * as example from ${JSON.stringify(url)}; console.log(JSON.stringify(await (${expression})))`
  const [line] = await linesOf(scope, '-', ['--input-type=module', '-e', code], env)
  return JSON.parse(line!) as T
}

const PAY = { paymentKey: 'invoice-1', amount: '3', recipientAddress: RECIPIENT, purpose: 'Data' }

test('tools.mjs pays a purchase once, tells what became of it, and treats a wait for a person as no error', async (t) => {
  const { service, agent } = t.context
  const rules = [{ ruleType: 'REQUIRE_APPROVAL_ABOVE', value: 20 }]
  const policy = { name: `Large ${agent.agentId}`, policyType: 'APPROVAL_THRESHOLD', rules, agentIds: [agent.agentId] }
  await made(service.client, '/api/policies', policy)
  const pay = (amount: string, paymentKey: string): string =>
    `example.runTool('pay', ${JSON.stringify({ ...PAY, amount, paymentKey })})`
  const expression = `(async () => {
    const told = await Promise.all([${pay('3', 'a')}, ${pay('3', 'a')}, ${pay('30', 'b')}, ${pay('60', 'c')}])
    for (const { answer } of told.slice(0, 3)) {
      told.push(await example.runTool('payment_status', { requestId: answer.requestId }))
    }
    return [...told, await example.runTool('payment_status', { requestId: 'nothing' })]
  })()`
  type Told = { isError: boolean; answer: { status?: string; code?: string; requestId: string } }
  const told: Told[] = await evaluate(t, 'tools.mjs', expression, envOf(t.context))
  t.deepEqual(
    told.map(({ isError, answer }) => [isError, answer.code ?? answer.status]),
    [
      [false, 'EXECUTED'],
      [false, 'EXECUTED'],
      [false, 'REQUIRES_APPROVAL'],
      [true, 'PAYMENT_DENIED'],
      [false, 'EXECUTED'],
      [false, 'EXECUTED'],
      [false, 'REQUIRES_APPROVAL'],
      [true, 'NOT_FOUND'],
    ],
  )
  t.is(told[1]!.answer.requestId, told[0]!.answer.requestId)
  t.is(await balanceOf(service.client, agent), 97)
})

test('tools.mjs continues a payment that a person has approved, and pays it once', async (t) => {
  const { service, agent } = t.context
  const rules = [{ ruleType: 'REQUIRE_APPROVAL_ABOVE', value: 20 }]
  const policy = { name: `Asks ${agent.agentId}`, policyType: 'APPROVAL_THRESHOLD', rules, agentIds: [agent.agentId] }
  await made(service.client, '/api/policies', policy)
  const pay = (more: object = {}): string =>
    `example.runTool('pay', ${JSON.stringify({ ...PAY, amount: '30', ...more })})`
  type Told = { answer: { approvalRequestId?: string; requestId: string; status: string; attempt: number } }
  const [asked] = await evaluate<Told[]>(t, 'tools.mjs', `Promise.all([${pay()}])`, envOf(t.context))
  const { approvalRequestId, requestId } = asked!.answer
  await made(service.client, `/api/approval-requests/${approvalRequestId}/decision`, { decision: 'APPROVED' })
  const both = `Promise.all([${pay()}, ${pay({ purpose: 'The same data, said otherwise' })}])`
  const told = await evaluate<Told[]>(t, 'tools.mjs', both, envOf(t.context))
  for (const { answer } of told) t.like(answer, { status: 'EXECUTED', requestId, attempt: 1 })
  t.is(await balanceOf(service.client, agent), 70)
})

test('tools.mjs asks for a paymentKey where the model gives none, and after a denial the same key pays', async (t) => {
  const { service, agent } = t.context
  const pay = (more: object): string => `await example.runTool('pay', ${JSON.stringify({ ...PAY, ...more })})`
  const expression = `(async () => [${[
    pay({ paymentKey: undefined }),
    pay({ paymentKey: '' }),
    pay({ amount: '60' }),
    pay({}),
    pay({ amount: '4' }),
  ].join()}])()`
  type Told = { isError: boolean; answer: { error?: string; code?: string; status?: string; attempt?: number } }
  const told = await evaluate<Told[]>(t, 'tools.mjs', expression, envOf(t.context))
  for (const { isError, answer } of told.slice(0, 2)) t.true(isError && /paymentKey/.test(answer.error!))
  t.deepEqual(
    told.slice(2).map(({ answer: { code, status, attempt } }) => [code ?? status, attempt]),
    [
      ['PAYMENT_DENIED', 1],
      ['EXECUTED', 2],
      ['PRICE_CHANGED', undefined],
    ],
  )
  t.is(await balanceOf(service.client, agent), 97)
  type Tool = { name: string; schema: { required: string[] } }
  const tools = await evaluate<Tool[]>(t, 'tools.mjs', 'example.TOOLS', envOf(t.context))
  t.true(tools.find(({ name }) => name === 'pay')!.schema.required.includes('paymentKey'))
})

test('tools.mjs answers wrong input of a model, and never throws', async (t) => {
  const calls = ["'payment_status', {}, 'g'", "'pay', '', 'h'", "'pay', null, 'i'", "'nothing', {}, 'j'"]
  const expression = `Promise.all([${calls.map((call) => `example.runTool(${call})`).join()}])`
  const told = await evaluate<{ isError: boolean; answer: { error: string } }[]>(
    t,
    'tools.mjs',
    expression,
    envOf(t.context),
  )
  t.is(told.length, calls.length)
  for (const { isError, answer } of told) t.true(isError && answer.error.length > 0, JSON.stringify(answer))
})

test('openai.mjs runs the tool calls of a message', async (t) => {
  const call = (id: string, name: string, input: object): object => {
    return { id, type: 'function', function: { name, arguments: JSON.stringify(input) } }
  }
  const message = {
    role: 'assistant',
    tool_calls: [
      call('call_0', 'pay', PAY),
      call('call_1', 'pay', PAY),
      call('call_2', 'pay', { ...PAY, paymentKey: 'invoice-2', amount: '60' }),
      call('call_3', 'spending_limits', {}),
      call('call_4', 'nothing', {}),
    ],
  }
  type Message = { role: string; tool_call_id: string; content: string }
  const expression = `example.answers(${JSON.stringify(message)})`
  const messages: Message[] = await evaluate(t, 'openai.mjs', expression, envOf(t.context))
  t.deepEqual(
    messages.map(({ tool_call_id }) => tool_call_id),
    ['call_0', 'call_1', 'call_2', 'call_3', 'call_4'],
  )
  const [paid, again, denied, limits, unknown] = messages.map(({ content }) => JSON.parse(content) as unknown) as [
    { status: string; transactionId: string },
    { transactionId: string },
    { status: string; code: string; nearest: { maxAmountNow: number } },
    { balance: number; spendLimitPerTx: number }[],
    { error: string },
  ]
  t.is(paid.status, 'EXECUTED')
  t.is(again.transactionId, paid.transactionId)
  t.like(denied, { status: 'DENIED', code: 'PAYMENT_DENIED', nearest: { maxAmountNow: 50 } })
  t.like(limits[0], { balance: 97, spendLimitPerTx: 50 })
  t.is(unknown.error, 'There is no tool nothing')
  const tools: { type: string; function: { name: string; parameters: { type: string } } }[] = await evaluate(
    t,
    'openai.mjs',
    'example.tools',
    envOf(t.context),
  )
  t.true(tools.every((tool) => tool.type === 'function' && tool.function.parameters.type === 'object'))
})

test('anthropic.mjs runs the tool_use blocks of a message', async (t) => {
  const content = [
    { type: 'text', text: 'I will pay.' },
    { type: 'tool_use', id: 'toolu_1', name: 'pay', input: PAY },
    { type: 'tool_use', id: 'toolu_2', name: 'pay', input: { ...PAY, amount: 'much' } },
  ]
  const answer: { role: string; content: { type: string; tool_use_id: string; content: string; is_error: boolean }[] } =
    await evaluate(t, 'anthropic.mjs', `example.answers(${JSON.stringify({ content })})`, envOf(t.context))
  t.is(answer.role, 'user')
  t.like(answer.content[0], { type: 'tool_result', tool_use_id: 'toolu_1', is_error: false })
  t.like(JSON.parse(answer.content[0]!.content), { status: 'EXECUTED', amount: 3 })
  t.like(answer.content[1], { tool_use_id: 'toolu_2', is_error: true })
  t.like(JSON.parse(answer.content[1]!.content), { code: 'INVALID_AMOUNT' })
  const tools: { name: string; input_schema: { type: string } }[] = await evaluate(
    t,
    'anthropic.mjs',
    'example.tools',
    envOf(t.context),
  )
  t.deepEqual(
    tools.map(({ name }) => name),
    ['pay', 'payment_status', 'spending_limits'],
  )
})

test('mcp.mjs implements the protocol: it initializes, lists its tools and runs them', async (t) => {
  const child = run(t, 'mcp.mjs', [], envOf(t.context))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const send = (message: object | string): void => {
    child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }
  const ask = async (message: object | string): Promise<never> => {
    send(message)
    return JSON.parse((await lines.next()).value as string) as never
  }
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  t.like(await ask({ id: 0, method: 'initialize', params }), {
    jsonrpc: '2.0',
    id: 0,
    result: { protocolVersion: '2025-06-18', serverInfo: { name: 'bursar' } },
  })
  send({ method: 'notifications/initialized' })
  const {
    result: { tools },
  }: { result: { tools: { name: string; inputSchema: object }[] } } = await ask({
    id: 1,
    method: 'tools/list',
  })
  t.is(tools.length, 3)
  type Called = { result: { content: { type: string; text: string }[]; isError: boolean } }
  const call = (id: number, name: string, input: object): Promise<Called> =>
    ask({ id, method: 'tools/call', params: { name, arguments: input } })
  const paid = await call(2, 'pay', PAY)
  t.false(paid.result.isError)
  const { status, requestId } = JSON.parse(paid.result.content[0]!.text) as { status: string; requestId: string }
  t.is(status, 'EXECUTED')
  const looked = await call(3, 'payment_status', { requestId })
  t.like(JSON.parse(looked.result.content[0]!.text), { status: 'EXECUTED', amount: 3 })
  const again = await call(4, 'pay', { ...PAY, purpose: 'Asked again after the client gave up' })
  t.like(JSON.parse(again.result.content[0]!.text), { status: 'EXECUTED', requestId })
  t.is(await balanceOf(t.context.service.client, t.context.agent), 97)
  t.true((await call(7, 'pay', { ...PAY, amount: '60' })).result.isError)
  t.like(await ask({ id: 5, method: 'nothing' }), { id: 5, error: { code: -32601 } })
  t.like(await ask('not JSON'), { id: null, error: { code: -32700 } })
  t.deepEqual(await ask({ id: 6, method: 'ping' }), { jsonrpc: '2.0', id: 6, result: {} })
})

test('webhook.mjs accepts signed deliveries and handles each once', async (t) => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const child = run(t, 'webhook.mjs', [], { BURSAR_WEBHOOK_SECRET: secret, PORT: '0' })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const port = /\d+$/.exec((await lines.next()).value as string)![0]
  const deliver = async (event: string, key: string): Promise<number> => {
    const body = JSON.stringify({ deliveryId: event, event, timestamp: new Date().toISOString(), data: { a: 1 } })
    const signature = createHmac('sha256', key).update(body).digest('hex')
    const headers = { 'X-Service-Signature': signature }
    return (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body })).status
  }
  t.is(await deliver('payment.denied', 'whsec_other'), 401)
  t.is(await deliver('payment.executed', secret), 204)
  t.is(await deliver('payment.executed', secret), 204)
  t.is(await deliver('payment.confirmed', secret), 204)
  t.is((await lines.next()).value, 'payment.executed {"a":1}')
  t.is((await lines.next()).value, 'payment.confirmed {"a":1}')
})

test('The code of the SDK guide runs unchanged, up to where it receives events', async (t) => {
  const guide = readFileSync(join(projectRoot, 'docs', 'sdk.md'), 'utf8')
  const blocks = [...guide.matchAll(/^```js\n([^]*?)^```$/gm)].map(([, text]) => text!)
  t.is(blocks.length, 9)
  const { url: report } = await seller(t)
  const code = blocks
    .slice(0, 8)
    .join('')
    .replaceAll('http://127.0.0.1:3000', service.url)
    .replace('https://api.example.com/report', report)
    .replace('maxAmount: 0.05', 'maxAmount: 0.5')
  const end = '\nconsole.log(paid.status, key.startsWith("service_agent_"), payments.length, pagination.total)'
  const env = { ...envOf(t.context), BURSAR_ORGANIZATION_KEY: ORGANIZATION_KEY }
  const lines = await linesOf(t, '-', ['--input-type=module', '-e', code + end], env)
  t.is(lines.at(-1), 'EXECUTED true 2 2')
})
