// Requests at nodes: which are answered here, which are sent on and how, and what the client hears when nobody answers.
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request, type IncomingMessage, type ServerResponse } from 'node:http'
import test from 'ava'
import { ForwardedFrom } from '../../src/nodes/forwardedFrom.js'
import { toyApp, ORGANIZATION } from '../http/toy.js'
import { ask, raw } from '../support/rawClient.js'
import { appOf, deserted, silent, KEY, NOW, startNode, startOwner, startPair } from './stage.js'

/** Answers with what it was asked. */
async function echo(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  res.setHeader('Set-Cookie', ['a=1', 'b=2'])
  res.writeHead(203, 'So Said', { 'Content-Type': 'application/json', Connection: 'keep-alive, X-Hop', 'X-Hop': '1' })
  const { method, url, headers, rawHeaders } = req
  res.end(JSON.stringify({ method, url, headers, rawHeaders, bytes: body.length, hash: hashOf(body) }))
}

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

type Echoed = Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'rawHeaders'> & { bytes: number; hash: string }

/** Sends with Node's client, which lets a test say every header. */
async function exchange(
  url: string,
  options: { method?: string; path?: string; headers?: { [name: string]: string | string[] }; body?: Buffer },
): Promise<{ res: IncomingMessage; text: string }> {
  const { body, path = '/', ...rest } = options
  const sent = request(new URL(path, url), rest)
  sent.end(body)
  const [res] = (await once(sent, 'response')) as [IncomingMessage]
  let text = ''
  for await (const chunk of res.setEncoding('utf8')) text += chunk
  return { res, text }
}

/** The body of a refusal without an owner, and the headers that all answers have. */
function isUnowned(
  t: { is: (a: unknown, b: unknown) => void; regex: (a: string, b: RegExp) => void },
  reply: Awaited<ReturnType<typeof ask>>,
): void {
  t.is(reply.status, 503)
  t.is(reply.body.code, 'NO_OWNER')
  t.is(reply.headers.get('retry-after'), '1')
  t.regex(reply.headers.get('x-request-id') ?? '', /^[0-9a-f]{32}$/)
  t.regex(reply.headers.get('content-type') ?? '', /^application\/json/)
  t.regex(reply.headers.get('strict-transport-security') ?? '', /max-age/)
}

test('A standby sends method, path, query, headers and body on, and the whole answer back', async (t) => {
  const { owner, standby } = await startPair(t, echo)
  const body = randomBytes(1 << 20)
  for (const framing of [{ 'Content-Length': String(body.length) }, { 'Transfer-Encoding': 'chunked' }]) {
    const headers = { ...framing, Authorization: 'Bearer x', 'X-Twice': ['1', '2'], 'X-Request-Id': 'mine' }
    const { res, text } = await exchange(standby.url, { method: 'PATCH', path: '/a/%2f?b=c&d', headers, body })
    const got = JSON.parse(text) as Echoed
    t.like(got, { method: 'PATCH', url: '/a/%2f?b=c&d', bytes: body.length, hash: hashOf(body) })
    t.like(got.headers, { authorization: 'Bearer x', 'x-request-id': 'mine', host: new URL(standby.url).host })
    t.is(got.rawHeaders.filter((name) => name === 'X-Twice').length, 2)
    t.deepEqual([res.statusCode, res.statusMessage], [203, 'So Said'])
    t.deepEqual(res.headers['set-cookie'], ['a=1', 'b=2'])
    t.is(res.headers['x-service-node'], owner.url)
    t.is(res.headers['x-hop'], undefined)
  }
})

test('Headers of one connection are not sent on', async (t) => {
  const { standby } = await startPair(t, echo)
  const headers = {
    Connection: 'close, X-Mine',
    'X-Mine': '1',
    TE: 'trailers',
    Upgrade: 'h2c',
    'Keep-Alive': 'timeout=9',
    'Proxy-Authorization': 'secret',
    'X-Forwarded-For': '192.0.2.7',
  }
  const { headers: got } = JSON.parse((await exchange(standby.url, { headers })).text) as Echoed
  for (const name of ['x-mine', 'te', 'upgrade', 'proxy-authorization']) t.is(got[name], undefined, name)
  t.is(got['x-forwarded-for'], '192.0.2.7')
  t.is(got['transfer-encoding'], undefined, 'there is no body')
})

const SURVIVORS: [title: string, pieces: string[]][] = [
  [
    'a chunked body',
    [
      head('POST /api/agents', 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n'),
      '2\r\n{}\r\n0\r\n\r\n',
    ],
  ],
  ['a chunked body on GET', [head('GET /api/agents/a', 'Transfer-Encoding: chunked\r\n'), '2\r\n{}\r\n0\r\n\r\n']],
  ['a sized body on GET', [head('GET /api/agents/a', 'Content-Length: 2\r\n'), '{}']],
  [
    'a length that Connection names',
    [head('POST /api/agents', 'Connection: content-length\r\nContent-Length: 2\r\n'), '{}'],
  ],
  ['an empty body', [head('POST /api/agents', 'Content-Length: 0\r\n')]],
  ['no body', [head('POST /api/agents')]],
  ['an absolute target', [head('GET http://other/api/agents/missing')]],
  ['an asterisk', [head('OPTIONS *')]],
  ['two slashes', [head('GET //[')]],
  ['an expectation', [head('GET /api/agents/a', 'Expect: x\r\n')]],
  ['bytes in a header', [head('GET /api/agents/a', 'X-Odd: \xe9\x80\t\r\n')]],
  ['two request ids', [head('GET /api/agents/a', 'X-Request-Id: a\r\nX-Request-Id: b\r\n')]],
  ['no host', ['GET /api/agents/a HTTP/1.1\r\n\r\n']],
  [
    'a body that is too large',
    [head('POST /api/agents', `Content-Type: application/json\r\nContent-Length: ${1 << 20}\r\n`), ' '.repeat(1 << 20)],
  ],
]

function head(line: string, headers = ''): string {
  return `${line} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${ORGANIZATION}\r\n${headers}\r\n`
}

function statusesIn(received: string): string[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status!).filter((status) => status !== '100')
}

test('What can be said on a connection is answered through a standby as by the owner, and so is what follows', async (t) => {
  const { owner, standby } = await startPair(t, toyApp().app.callback())
  for (const [title, pieces] of SURVIVORS) {
    const all = [...pieces.map((piece) => Buffer.from(piece, 'latin1')), head('GET /api/agents/next')]
    const [here, there] = await Promise.all([
      raw(owner.url, all, { answers: 2 }),
      raw(standby.url, all, { answers: 2 }),
    ])
    t.is(statusesIn(here).length, 2, title)
    t.deepEqual(statusesIn(there), statusesIn(here), title)
    t.true(there.includes('"agentId":"next"'), title)
  }
  t.deepEqual([...owner.logged, ...standby.logged], [])
})

test('HTTP/1.0 without a host is sent on', async (t) => {
  const { standby } = await startPair(t, toyApp().app.callback())
  const path = `GET /api/agents/a HTTP/1.0\r\nAuthorization: Bearer ${ORGANIZATION}\r\n\r\n`
  t.regex(await raw(standby.url, [path]), /^HTTP\/1\.1 200 /)
})

test('Server-sent events arrive as they are sent, and the end of the stream with them', async (t) => {
  let stream: ServerResponse | undefined
  const { standby } = await startPair(t, (_req, res) => {
    stream = res.writeHead(200, { 'Content-Type': 'text/event-stream' })
    stream.flushHeaders()
  })
  const response = await fetch(`${standby.url}/api/inspect/stream`)
  const reader = response.body!.getReader()
  for (const event of ['data: 1\n\n', 'data: 2\n\n']) {
    stream!.write(event)
    t.is(Buffer.from((await reader.read()).value!).toString(), event)
  }
  stream!.end()
  t.true((await reader.read()).done)
})

test('A body is sent on as it comes, before its end', async (t) => {
  const { standby } = await startPair(t, (req, res) => {
    req.once('readable', () => {
      res.writeHead(200)
      res.write(String((req.read() as Buffer)[0]))
      req.resume().once('end', () => res.end())
    })
  })
  const sent = request(`${standby.url}/`, { method: 'POST' })
  sent.write(Buffer.from([7]))
  const [res] = (await once(sent, 'response')) as [IncomingMessage]
  const [part] = (await once(res, 'data')) as [Buffer]
  t.is(part.toString(), '7', 'before the end of the body')
  sent.end()
  await once(res, 'end')
})

test('A client that leaves ends its request at the owner, before and during the answer', async (t) => {
  let begun: (res: ServerResponse) => void
  const { standby } = await startPair(t, (req, res) => {
    if (req.url === '/during') res.writeHead(200).write('first')
    begun(res)
  })
  for (const path of ['/before', '/during']) {
    const seen = new Promise<ServerResponse>((resolve) => (begun = resolve))
    const controller = new AbortController()
    const asked = fetch(standby.url + path, { signal: controller.signal })
    const res = await seen
    if (path === '/during') await asked
    controller.abort()
    await asked.then((reply) => reply.text()).catch(() => {})
    if (!res.destroyed) await once(res, 'close')
    t.false(res.writableFinished, path)
  }
  t.deepEqual(standby.logged, [])
})

test('Without an owner every node answers NO_OWNER', async (t) => {
  const standby = await startNode(t, { owner: null })
  isUnowned(t, await ask(standby.url, '/api/agents', { method: 'POST', body: {} }))
  const problem = await ask(standby.url, '/api/agents', { headers: { Accept: 'application/problem+json' } })
  t.is(problem.headers.get('content-type'), 'application/problem+json')
  t.is(problem.headers.get('x-service-node'), standby.url)
})

test('A dead owner is NO_OWNER: nothing was sent, also of a long body, and the failure is logged once', async (t) => {
  const standby = await startNode(t, { owner: await deserted() })
  for (const body of [undefined, 'x', 'x'.repeat(1 << 20)]) {
    isUnowned(t, await ask(standby.url, '/api/agents', { method: 'POST', body }))
  }
  t.deepEqual(standby.logged, ['the owner of the shard does not answer'])
})

test('An owner that accepts no connection in time is NO_OWNER', async (t) => {
  // Its TLS begins with nothing.
  const standby = await startNode(t, { owner: await silent(t) }, { connectTimeoutMs: 50 })
  isUnowned(t, await ask(standby.url, '/api/agents'))
})

test('An owner that is lost after it was asked is UNAVAILABLE: the request may have been carried out', async (t) => {
  const { standby } = await startPair(t, (_req, res) => void res.destroy())
  const reply = await ask(standby.url, '/api/agents', { method: 'POST', body: {} })
  t.deepEqual([reply.status, reply.body.code], [503, 'UNAVAILABLE'])
  t.regex(reply.body.error ?? '', /may have been carried out/)
})

test('An answer that is cut at the owner is cut at the client', async (t) => {
  const { standby } = await startPair(t, (_req, res) => {
    res.writeHead(200, { 'Content-Length': '10' }).write('half')
    setImmediate(() => res.destroy())
  })
  await t.throwsAsync(async () => (await fetch(standby.url)).text())
})

test('What a former owner has not answered ends as soon as another node owns the shard', async (t) => {
  let asked = (): void => {}
  const both = new Promise<void>((resolve) => (asked = calledTimes(2, resolve)))
  const { standby } = await startPair(t, (req, res) => {
    if (req.url === '/stream') res.writeHead(200).flushHeaders()
    asked()
  })
  const silent = ask(standby.url, '/silent')
  const stream = await fetch(`${standby.url}/stream`)
  await both
  const next = await startOwner(t, echo)
  standby.setting.owner = next.url
  standby.front.ownerChanged()
  t.is((await silent).body.code, 'UNAVAILABLE')
  await t.throwsAsync(() => stream.text())
  t.is((await ask(standby.url, '/')).status, 203)
})

function calledTimes(times: number, then: () => void): () => void {
  let left = times
  return () => {
    left -= 1
    if (left === 0) then()
  }
}

test('A request is sent on once: a node that has it from another and does not own says NO_OWNER', async (t) => {
  const owner = await startOwner(t, () => t.fail())
  const second = await startNode(t, { owner: owner.url })
  const first = await startNode(t, { owner: second.url })
  const reply = await ask(first.url, '/api/agents')
  isUnowned(t, reply)
  t.is(reply.headers.get('x-service-node'), second.url)
  const late = await startNode(t, { owner: second.url }, { now: () => NOW + 3_600_000 })
  isUnowned(t, await ask(late.url, '/api/agents'))
})

test("The client's address reaches the owner, and only a node can say it", async (t) => {
  const addresses: (string | undefined)[] = []
  const { owner, standby } = await startPair(t, (req, res) => {
    addresses.push(owner.front.clientOf(req))
    res.end()
  })
  const behind = await startNode(t, { owner: owner.url }, { trustedProxies: 1 })
  const late = await startNode(t, { owner: owner.url }, { trustedProxies: 1, now: () => NOW - 31_000 })
  const other = await startNode(t, { owner: owner.url }, { trustedProxies: 1, key: randomBytes(32) })
  const from = { 'X-Forwarded-For': '192.0.2.7' }
  const signed = new ForwardedFrom({ key: KEY, now: () => NOW })
  const header = (method: string, url: string): string =>
    signed.write({ method, url } as IncomingMessage, '192.0.2.9', '3')
  const rows: [url: string, headers: { [name: string]: string }, address: string, path?: string][] = [
    [behind.url, from, '192.0.2.7'],
    [standby.url, from, '127.0.0.1'],
    [late.url, from, '127.0.0.1'],
    [other.url, from, '127.0.0.1'],
    [owner.url, { 'X-Bursar-Forwarded': header('GET', '/a') }, '192.0.2.9', '/a'],
    [owner.url, { 'X-Bursar-Forwarded': header('GET', '/b') }, '127.0.0.1', '/a'],
    [owner.url, { 'X-Bursar-Forwarded': header('POST', '/a') }, '127.0.0.1', '/a'],
    [owner.url, { 'X-Bursar-Forwarded': header('GET', '/a').replace('.9 ', '.8 ') }, '127.0.0.1', '/a'],
    [owner.url, { 'X-Bursar-Forwarded': `192.0.2.9 ${NOW} ` }, '127.0.0.1', '/a'],
    [standby.url, { 'X-Bursar-Forwarded': `192.0.2.9 ${NOW} ${'0'.repeat(64)}` }, '127.0.0.1', '/a'],
  ]
  for (const [url, headers, address, path = '/'] of rows) {
    await ask(url, path, { headers })
    t.is(addresses.pop(), address, JSON.stringify(headers))
  }
})

test('Sign-ins through a standby are limited by the address of each client', async (t) => {
  const owner = await startNode(t, { role: 'OWNER' })
  const rateLimits = { payments: 9, reads: 9, admin: 9, login: 1 }
  owner.front.serve(toyApp({ rateLimits, clientOf: owner.front.clientOf }).app)
  const standby = await startNode(t, { owner: owner.url }, { trustedProxies: 1 })
  const signIn = async (address: string): Promise<number> => {
    const headers = { 'X-Forwarded-For': address, Origin: 'https://bursar.example' }
    return (await ask(standby.url, '/api/session', { method: 'POST', body: { email: 'a@b.c' }, headers })).status
  }
  t.deepEqual([await signIn('192.0.2.1'), await signIn('192.0.2.1'), await signIn('192.0.2.2')], [200, 429, 200])
})

test('An owner answers by itself, and while it may not serve only its health and its metrics', async (t) => {
  const { toy, app } = toyApp({ shardRole: () => owner.front.shardRole() })
  const owner = await startNode(t, { role: 'OWNER' })
  isUnowned(t, await ask(owner.url, '/api/agents/a', { key: ORGANIZATION }))
  const starting = await ask(owner.url, '/readyz')
  t.deepEqual([starting.status, starting.body.status], [503, 'starting'])
  owner.front.serve(app)
  const reply = await ask(owner.url, '/api/agents/a', { key: ORGANIZATION })
  t.deepEqual([reply.status, reply.headers.get('x-service-node')], [200, owner.url])
  const ready = await ask(owner.url, '/readyz')
  t.deepEqual(ready.body, { status: 'ready', role: 'OWNER', shard: '3', epoch: 4, applied: 17, lag: 2 })
  owner.setting.mayServe = false
  isUnowned(t, await ask(owner.url, '/api/agents/a', { key: ORGANIZATION }))
  t.is((await ask(owner.url, '/healthz')).status, 200)
  t.regex(String((await ask(owner.url, '/metrics')).body['text']), /\btoy_runs 0$/m)
  const waiting = await ask(owner.url, '/readyz')
  t.deepEqual([waiting.status, waiting.body.status], [503, 'waiting'])
  t.is(toy.runs, 0)
})

test('A standby that follows is ready, in the form of every node, with its own metrics', async (t) => {
  let isFollowing = false
  const readiness = () => (isFollowing ? ('ready' as const) : ('starting' as const))
  const standby = await startNode(t, {}, { readiness, warnings: () => ['look'] })
  t.is((await ask(standby.url, '/readyz')).body.status, 'starting')
  isFollowing = true
  const { status, body, headers } = await ask(standby.url, '/readyz')
  t.is(status, 200)
  const shown = { role: 'STANDBY', shard: '3', epoch: 4, applied: 17, lag: 2 }
  t.deepEqual(body, { status: 'ready', ...shown, warnings: ['look'] })
  t.is(headers.get('x-service-node'), standby.url)
  t.deepEqual((await ask(standby.url, '/healthz')).body, { status: 'ok' })
  t.is((await fetch(`${standby.url}/readyz`, { method: 'HEAD' })).status, 200)
  const metrics = String((await ask(standby.url, '/metrics')).body['text'])
  t.regex(metrics, /^toy_lag 2$/m)
  t.regex(metrics, /http_requests_total\{route="\/readyz",method="GET",status="200"\} 1/)
})

test('A node that takes over answers what it sent on before', async (t) => {
  const { standby } = await startPair(t, echo)
  t.is((await ask(standby.url, '/')).status, 203)
  standby.setting.role = 'OWNER'
  standby.setting.mayServe = true
  standby.front.serve(appOf((_req, res) => void res.end('{}')))
  const reply = await ask(standby.url, '/')
  t.deepEqual([reply.status, reply.headers.get('x-service-node')], [200, standby.url])
})
