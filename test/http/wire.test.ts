// Requests below the level of fetch: every answer is complete, the next request is answered, and nothing is a 5xx.
import test from 'ava'
import { ask, raw } from '../support/rawClient.js'
import { ORGANIZATION, startToy, type Toy } from './toy.js'

const CHUNKED = 'Transfer-Encoding: chunked\r\n'
const JSON_TYPE = 'Content-Type: application/json\r\n'
const NEXT = `GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n`
const head = (line: string, headers = ''): string =>
  `${line} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${ORGANIZATION}\r\n${headers}\r\n`
const post = (headers: string): string => head('POST /api/agents', headers)
const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
const sized = (body: Buffer): (string | Buffer)[] => [post(`${JSON_TYPE}Content-Length: ${body.length}\r\n`), body]
const LAST = '0\r\n\r\n'

type Row = [title: string, pieces: (string | Buffer)[], status: number, code: string]

const SURVIVORS: Row[] = [
  ['a chunked body', [post(JSON_TYPE + CHUNKED), chunk('{"name"'), chunk(':1}'), LAST], 400, 'VALIDATION_ERROR'],
  ['an empty chunked body', [post(JSON_TYPE + CHUNKED), LAST], 400, 'INVALID_JSON'],
  ['an empty chunked body without a type', [post(CHUNKED), LAST], 400, 'INVALID_JSON'],
  ['a chunked body without a type', [post(CHUNKED), chunk('{'), chunk('}'), LAST], 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['a sized body without a type', [post('Content-Length: 2\r\n'), '{}'], 415, 'UNSUPPORTED_MEDIA_TYPE'],
  [
    '8 MiB in chunks',
    [post(JSON_TYPE + CHUNKED), ...Array<string>(8192).fill(chunk(' '.repeat(1024))), LAST],
    413,
    'PAYLOAD_TOO_LARGE',
  ],
  [
    '8 MiB in chunks without a type',
    [post(CHUNKED), ...Array<string>(8192).fill(chunk(' '.repeat(1024))), LAST],
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  ['2 MiB at once', sized(Buffer.alloc(2 << 20, ' ')), 413, 'PAYLOAD_TOO_LARGE'],
  ['2 MiB to no route', [head('POST /x', `Content-Length: ${2 << 20}\r\n`), Buffer.alloc(2 << 20)], 404, 'NOT_FOUND'],
  ['bytes that are not UTF-8', sized(Buffer.from('{"name":"\xff"}', 'latin1')), 400, 'INVALID_JSON'],
  ['a cut UTF-8 sequence', sized(Buffer.from('{"name":"\xf0\x9f\x98"}', 'latin1')), 400, 'INVALID_JSON'],
  ['UTF-16', sized(Buffer.from('{"name":"a"}', 'utf16le')), 400, 'INVALID_JSON'],
  ['a NUL', sized(Buffer.from('{"name":"a"}\0')), 400, 'INVALID_JSON'],
  [
    'an unknown encoding',
    [post(`${JSON_TYPE}Content-Encoding: x\r\nContent-Length: 2\r\n`), '{}'],
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  ['an unknown expectation', [post(`${JSON_TYPE}Expect: x\r\nContent-Length: 2\r\n`), '{}'], 400, 'VALIDATION_ERROR'],
  ['a WebDAV method', [head('PROPFIND /api/agents')], 405, 'METHOD_NOT_ALLOWED'],
  ['an absolute target', [head('GET http://other/api/agents/missing')], 404, 'NOT_FOUND'],
  ['a target that is not a URL', [head('GET http://[::1/api/agents')], 404, 'NOT_FOUND'],
  ['an asterisk', [head('OPTIONS *')], 404, 'NOT_FOUND'],
  ['two slashes', [head('GET //[')], 404, 'NOT_FOUND'],
  ['a fragment', [head('GET /api/agents/missing#x')], 404, 'NOT_FOUND'],
  ['two request ids', [head('GET /x', 'X-Request-Id: a\r\nX-Request-Id: b\r\n')], 404, 'NOT_FOUND'],
  ['no host', ['GET /healthz HTTP/1.1\r\n\r\n'], 400, 'VALIDATION_ERROR'],
  ['a body on GET', [head('GET /api/agents/missing', 'Content-Length: 2\r\n'), '{}'], 404, 'NOT_FOUND'],
]

const ENDS: Row[] = [
  ['text that is not HTTP', ['hello\r\n\r\n'], 400, 'VALIDATION_ERROR'],
  ['an unknown method', ['FOO / HTTP/1.1\r\nHost: h\r\n\r\n'], 400, 'VALIDATION_ERROR'],
  ['bytes in the path', [Buffer.from(head('GET /api/agents/\xe9'), 'latin1')], 400, 'VALIDATION_ERROR'],
  ['a bad chunk', [post(JSON_TYPE + CHUNKED), 'zz\r\n'], 400, 'VALIDATION_ERROR'],
  ['a bad length', [post('Content-Length: a\r\n')], 400, 'VALIDATION_ERROR'],
  ['a chunked body with a content length', [post(`${CHUNKED}Content-Length: 2\r\n`)], 400, 'VALIDATION_ERROR'],
  ['long headers', [head('GET /', `X: ${'x'.repeat(70_000)}\r\n`)], 431, 'PAYLOAD_TOO_LARGE'],
]

function answersIn(received: string): { status: number; code: unknown; id: string | undefined }[] {
  return received
    .split(/(?=HTTP\/1\.1 )/)
    .filter((answer) => !answer.startsWith('HTTP/1.1 100'))
    .map((answer) => {
      const [headers = '', body = ''] = answer.split('\r\n\r\n')
      const id = /x-request-id: (\S+)/i.exec(headers)?.[1]
      return { status: Number(headers.slice(9, 12)), code: body === '' ? undefined : JSON.parse(body).code, id }
    })
}

async function toyFor(t: { teardown(end: () => Promise<void>): void }, options: Parameters<typeof startToy>[0] = {}) {
  const toy: Toy = await startToy(options)
  t.teardown(() => toy.close(0))
  return toy
}

for (const [title, pieces, status, code] of SURVIVORS) {
  test(`A request with ${title} is answered ${status} ${code}, and so is the next`, async (t) => {
    t.timeout(20_000)
    const toy = await toyFor(t)
    const answers = answersIn(await raw(toy.url, [...pieces, NEXT], { answers: 2 }))
    t.like(answers, [{ status, code }, { status: 200 }])
    for (const { id } of answers) t.truthy(id)
    t.deepEqual(toy.ports.logged, [])
  })
}

for (const [title, pieces, status, code] of ENDS) {
  test(`${title} is answered ${status} ${code}, and the connection ends`, async (t) => {
    const toy = await toyFor(t)
    const answers = answersIn(await raw(toy.url, pieces))
    t.like(answers, [{ status, code }])
    t.is(answers.length, 1)
    t.truthy(answers[0]?.id)
    t.is((await ask(toy.url, '/healthz')).status, 200)
    t.deepEqual(toy.ports.logged, [])
  })
}

test('A client that disconnects in the middle of its body disturbs nobody', async (t) => {
  const toy = await toyFor(t)
  await raw(toy.url, [`${post(`${JSON_TYPE}Content-Length: 100\r\n`)}{`], { leave: true })
  t.is((await ask(toy.url, '/healthz')).status, 200)
  await toy.close(1000)
  t.deepEqual(toy.ports.logged, [])
})

test('A request that does not arrive in time is answered 408', async (t) => {
  const timeouts = { headersTimeout: 50, requestTimeout: 100, connectionsCheckingInterval: 10 }
  const toy = await toyFor(t, { timeouts })
  t.like(answersIn(await raw(toy.url, ['GET / HTTP/1.1\r\n'])), [{ status: 408 }])
  const stalled = answersIn(await raw(toy.url, [`${post(`${JSON_TYPE}Content-Length: 100\r\n`)}{`]))
  t.like(stalled, [{ status: 408 }])
})

// Serial, because other tests of this process could delay the refusal beyond the timeout.
test.serial('A client that keeps sending a refused body is disconnected', async (t) => {
  const timeouts = { headersTimeout: 3_000, requestTimeout: 3_000, connectionsCheckingInterval: 10 }
  const toy = await toyFor(t, { timeouts })
  const received = await raw(toy.url, [post(`${JSON_TYPE}Content-Length: 999999999\r\n`), ' '.repeat(300_000)])
  t.is(answersIn(received)[0]?.status, 413)
})
