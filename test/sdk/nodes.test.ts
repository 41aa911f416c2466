// A service with several nodes: which of them a request goes to, and when it goes on to another.
import test from 'ava'
import { Bursar, BursarAdmin } from '../../sdk/index.js'
import { serve, serveInTurn, tell, type Server } from '../support/server.js'
import { thrownBy } from './thrown.js'

const AT_ONCE = { 'Retry-After': '0' }
const OK = { status: 200, body: { requestId: 'r' } }
const UNOWNED = { status: 503, headers: AT_ONCE, body: { error: 'None', code: 'NO_OWNER' } }
const STARTING = { status: 503, headers: AT_ONCE, body: { error: 'Soon', code: 'UNAVAILABLE' } }
const REQUEST = { amount: 1, recipientAddress: '0x00000000000000000000000000000000000000a1' }

const clientOf = (baseUrl: readonly string[], more: object = {}): Bursar =>
  new Bursar({ apiKey: 'agent key', baseUrl, ...more })
const keysAt = (...nodes: Server[]) =>
  nodes.flatMap(({ sent }) => sent.map(({ headers }) => headers['idempotency-key']))

/** URLs at which nobody listens. A port that a server had would soon be that of another test's. */
const [GONE, AWAY] = ['http://127.0.0.1:2', 'http://127.0.0.1:3'] as const

test('A node that refuses the connection is passed over at once, and not asked first again', async (t) => {
  const node = await serveInTurn(t, OK)
  const asked: string[] = []
  const recording: typeof fetch = (url, init) => {
    asked.push(new URL(String(url)).origin)
    return fetch(url, init)
  }
  const { payments } = clientOf([`${GONE}/`, node.url], { maxRetries: 0, fetch: recording })
  for (const _ of [1, 2]) t.is((await payments.request(REQUEST)).requestId, 'r')
  t.deepEqual(asked, [GONE, node.url, node.url])
  const byName = clientOf([GONE.replace('127.0.0.1', 'localhost'), 'http://nowhere.invalid', node.url], {
    maxRetries: 0,
  })
  t.is((await byName.payments.request(REQUEST)).requestId, 'r')
})

test('A node that knows no owner is passed over at once, with the same idempotency key', async (t) => {
  const [first, second] = [await serveInTurn(t, UNOWNED), await serveInTurn(t, OK)]
  const { payments } = clientOf([first.url, second.url], { maxRetries: 0 })
  t.is((await payments.request(REQUEST)).requestId, 'r')
  const keys = keysAt(first, second)
  t.is(keys.length, 2)
  t.is(new Set(keys).size, 1)
  await payments.request(REQUEST)
  t.deepEqual([first.sent.length, second.sent.length], [1, 2], 'it stays with the one that answered')
})

test('Where no node owns, the nodes are asked in rounds, which are the retries', async (t) => {
  const [first, second] = [await serveInTurn(t, UNOWNED), await serveInTurn(t, UNOWNED, UNOWNED, OK)]
  t.is((await clientOf([first.url, second.url]).payments.request(REQUEST)).requestId, 'r')
  t.deepEqual([first.sent.length, second.sent.length], [3, 3])
  t.is(new Set(keysAt(first, second)).size, 1)
  const never = [await serveInTurn(t, UNOWNED), await serveInTurn(t, UNOWNED)]
  const { payments } = clientOf([never[0]!.url, never[1]!.url], { maxRetries: 1 })
  t.like(await thrownBy(payments.request(REQUEST)), { code: 'NO_OWNER', status: 503, message: 'None' })
  t.deepEqual(
    never.map(({ sent }) => sent.length),
    [2, 2],
  )
})

test('While no node can be reached the rounds go on, and without a list they do not', async (t) => {
  let asked = 0
  const counting: typeof fetch = (...given) => {
    asked += 1
    return fetch(...given)
  }
  for (const [baseUrl, times] of [
    [[GONE, AWAY], 4],
    [[GONE], 1],
  ] as const) {
    asked = 0
    const error = await thrownBy(clientOf(baseUrl, { maxRetries: 1, fetch: counting }).setup())
    t.like(error, { code: 'TIMEOUT', status: 0 })
    t.is(asked, times)
  }
})

test('A request that was sent and has no answer is not sent to another node; the next one is', async (t) => {
  const cut = await serve(t, (_sent, response) => void response.destroy())
  const silent = await serve(t, () => {})
  const half = await serve(t, (_sent, response) => void response.writeHead(200).write('{"requestId":'))
  for (const node of [cut, silent, half]) {
    const next = await serveInTurn(t, OK)
    const { payments } = clientOf([node.url, next.url], { timeout: 2_000 })
    t.like(await thrownBy(payments.execute('p')), { code: 'TIMEOUT', status: 0 })
    t.deepEqual([node.sent.length, next.sent.length], [1, 0])
    await payments.status('p')
    t.deepEqual([node.sent.length, next.sent.length], [1, 1])
  }
})

test('A node that takes no requests is left with the next retry, and any other refusal is final', async (t) => {
  const [starting, ready] = [await serveInTurn(t, STARTING), await serveInTurn(t, OK)]
  const urls = [starting.url, ready.url]
  t.like(await thrownBy(clientOf(urls, { maxRetries: 0 }).setup()), { code: 'UNAVAILABLE' })
  t.is(ready.sent.length, 0, 'the request may have been carried out')
  await clientOf(urls).setup()
  t.deepEqual([starting.sent.length, ready.sent.length], [2, 1])
  for (const status of [401, 404, 409, 429]) {
    const refusing = await serveInTurn(t, { status, headers: AT_ONCE, body: { error: 'No', code: 'NOT_FOUND' } })
    await thrownBy(clientOf([refusing.url, ready.url]).setup())
    t.is(refusing.sent.length, status === 429 ? 4 : 1)
  }
  t.is(ready.sent.length, 1)
})

test('Of calls at the same time each goes on by itself, and all stay with the node that answers', async (t) => {
  const [first, second] = [await serveInTurn(t, UNOWNED), await serveInTurn(t, OK)]
  const { payments } = clientOf([first.url, second.url, GONE], { maxRetries: 0 })
  await Promise.all(Array.from({ length: 20 }, () => payments.request(REQUEST)))
  await payments.request(REQUEST)
  t.deepEqual([first.sent.length, second.sent.length], [20, 21])
})

test('A payment goes on at another node while the first one ends', async (t) => {
  const execution = { requestId: 'p', status: 'EXECUTED', amount: 1, currency: 'USDC' }
  const executed = { ...execution, recipientAddress: 'r', wallet: {}, transaction: { id: 't', settlementMode: 'test' } }
  const first = await serve(t, ({ path }, response) => {
    if (path.endsWith('/execute')) response.destroy()
    else tell(response, { status: 200, body: { requestId: 'p', status: 'APPROVED' } })
  })
  const second = await serveInTurn(t, UNOWNED, { status: 200, body: executed })
  const paid = await clientOf([first.url, second.url]).payments.pay(REQUEST)
  t.like(paid, { requestId: 'p', status: 'EXECUTED', transactionId: 't' })
  t.deepEqual(
    second.sent.map(({ path }) => path),
    ['/api/sdk/payments/p', '/api/sdk/payments/p'],
  )
})

test('Lines are read from the node that answers', async (t) => {
  const [first, second] = [await serveInTurn(t, UNOWNED), await serveInTurn(t, { status: 200, body: 'a\nb\n' })]
  const admin = new BursarAdmin({ apiKey: 'key', baseUrl: [first.url, second.url] })
  t.is(await admin.audit.export(), 'a\nb\n')
})

test('An abort ends the call at the node that is asked', async (t) => {
  const controller = new AbortController()
  const reason = new Error('enough')
  const first = await serve(t, () => controller.abort(reason))
  const second = await serveInTurn(t, OK)
  const call = clientOf([first.url, second.url]).setup({ signal: controller.signal })
  t.is(await t.throwsAsync(async () => call), reason)
  t.is(second.sent.length, 0)
})

test('Each of the URLs must be one, and there must be one', (t) => {
  for (const baseUrl of [[], ['http://127.0.0.1', 'nowhere'], ['http://127.0.0.1', undefined as unknown as string]]) {
    t.throws(() => clientOf(baseUrl), { instanceOf: TypeError, message: /http or https/ })
  }
})
