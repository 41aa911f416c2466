// One delivery attempt over real sockets: what is sent, what counts as an answer, and which destinations get nothing.
// Names resolve as the test says, so that they can point anywhere and change.
import { once } from 'node:events'
import type { ClientRequest } from 'node:http'
import { createServer } from 'node:https'
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import test, { type ExecutionContext } from 'ava'
import type { AttemptOutcome } from '../../src/domain/outcomes/delivery.js'
import { ReceiverConnections, type Destination } from '../../src/webhooks/connection.js'
import { createDeliver, type Job } from '../../src/webhooks/deliver.js'
import { isLoopback, isPublicAddress } from '../../src/webhooks/destination.js'
import { CERTIFICATE, KEY } from './certificate.js'
import { startReceiver, type Answering } from '../support/receiver.js'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='
const HERE: Destination = { address: '127.0.0.1', family: 4 }
const PUBLIC: Destination = { address: '93.184.215.14', family: 4 }

const job = (url: string, more: Partial<Job> = {}): Job => ({
  endpoint: 'o:',
  deliveryId: 'c1',
  event: 'policy.created',
  at: 1_700_000_000_000,
  attempt: 1,
  data: JSON.stringify({ name: 'Grüße, 世界 🚀 \u2028' }),
  secrets: { current: SECRET },
  url,
  ...more,
})

interface Options {
  /** The resolver's answers, one for each lookup; the last one repeats. */
  answers?: Destination[][]
  allows?: (address: string) => boolean
  timeoutMs?: number
  ca?: string
  lastsMs?: number
}

function attempt(t: ExecutionContext, { answers = [[HERE]], allows = isLoopback, timeoutMs, ...more }: Options = {}) {
  let asked = 0
  const resolve = async (): Promise<Destination[]> => answers[Math.min(asked++, answers.length - 1)]!
  const connections = new ReceiverConnections({ resolve, allows, ...more })
  t.teardown(() => connections.close())
  const ports = { connections, now: () => Date.now(), ...(timeoutMs !== undefined && { timeoutMs }) }
  return Object.assign(createDeliver(ports), { asked: () => asked })
}

const statusOf = ({ statusCode, error }: AttemptOutcome) => ({ statusCode, error })

/** A verifier that shares no code with the service, which signs with OpenSSL. */
const macOf = (key: Buffer, bytes: Buffer): Buffer => Buffer.from(hmac(sha256, key, bytes))

test('the bytes that arrive are those that were signed, with non-ASCII text, too', async (t) => {
  const receiver = await startReceiver(t)
  const outcome = await attempt(t)(job(`${receiver.url}/hook?a=1`))
  t.like(outcome, { statusCode: 204 })
  const { raw, headers, url, body } = receiver.received[0]!
  t.is(url, '/hook?a=1')
  t.is(headers['x-service-signature'], macOf(Buffer.from(SECRET), raw).toString('hex'))
  const signed = Buffer.concat([Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.`), raw])
  const key = Buffer.from(SECRET.slice(6), 'base64')
  t.is(headers['webhook-signature'], `v1,${macOf(key, signed).toString('base64')}`)
  t.deepEqual(body, {
    deliveryId: 'c1',
    event: 'policy.created',
    timestamp: '2023-11-14T22:13:20.000Z',
    data: { name: 'Grüße, 世界 🚀 \u2028' },
  })
  t.is(headers['content-length'], String(raw.length))
})

const never: Answering = () => {}

test('an attempt without an answer in time fails with an error', async (t) => {
  const receiver = await startReceiver(t, never)
  const outcome = await attempt(t, { timeoutMs: 100 })(job(receiver.url))
  t.deepEqual(statusOf(outcome), { statusCode: undefined, error: 'No answer within 0.1 s' })
  t.false('refused' in outcome)
})

test('a redirect is an answer and is not followed', async (t) => {
  const other = await startReceiver(t)
  for (const status of [301, 302, 303, 307, 308]) {
    const receiver = await startReceiver(t, (_, response) => response.writeHead(status, { Location: other.url }).end())
    t.is((await attempt(t)(job(receiver.url))).statusCode, status)
  }
  t.is(other.connections, 0)
})

/** Connections that know how much was read from them. */
class Counted extends ReceiverConnections {
  readonly #sockets: Socket[] = []

  override guard(request: ClientRequest): void {
    super.guard(request)
    request.once('socket', (socket) => this.#sockets.push(socket))
  }

  get bytesRead(): number {
    return this.#sockets.reduce((total, socket) => total + socket.bytesRead, 0)
  }
}

test('of an endless answer at most 64 KiB are read, and one part more', async (t) => {
  const endless: Answering = (_, response) => {
    response.writeHead(200)
    const part = Buffer.alloc(16_384)
    const more = (): void => {
      while (!response.destroyed && response.write(part));
    }
    response.on('drain', more)
    more()
  }
  const receiver = await startReceiver(t, endless)
  const connections = new Counted({ resolve: async () => [HERE], allows: isLoopback })
  t.teardown(() => connections.close())
  t.is((await createDeliver({ connections, now: Date.now })(job(receiver.url))).statusCode, 200)
  // Node reads parts of up to 64 KiB from a socket; the headers count, too.
  t.true(connections.bytesRead < 130 * 1024, String(connections.bytesRead))
})

test('an answer whose body never ends counts by its status, and the attempt ends in time', async (t) => {
  const receiver = await startReceiver(t, (_, response) => void response.writeHead(200).write('x'))
  const outcome = await attempt(t, { timeoutMs: 1_000 })(job(receiver.url))
  t.is(outcome.statusCode, 200)
  t.true(outcome.durationMs < 8_000)
})

/** A receiver that sends this and keeps the connection open. */
async function says(t: ExecutionContext, answer: string): Promise<string> {
  const server = createTcpServer((socket) => socket.on('error', () => {}).once('data', () => socket.write(answer)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

test('a 101 Switching Protocols counts as an answer', async (t) => {
  const url = await says(t, 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n')
  t.is((await attempt(t)(job(url))).statusCode, 101)
})

test('an informational status does not count as an answer', async (t) => {
  const url = await says(t, 'HTTP/1.1 103 Early Hints\r\n\r\n')
  t.is((await attempt(t, { timeoutMs: 100 })(job(url))).error, 'No answer within 0.1 s')
})

const RETRY_AFTER: [what: string, text: () => string, least: number, most: number][] = [
  ['seconds', () => '7', 7_000, 7_000],
  ['a date', () => new Date(Date.now() + 3_600_000).toUTCString(), 3_500_000, 3_600_000],
]
for (const [what, text, least, most] of RETRY_AFTER) {
  test(`Retry-After is read from ${what}`, async (t) => {
    const headers = { 'Retry-After': text() }
    const receiver = await startReceiver(t, (_, response) => response.writeHead(503, headers).end())
    const { retryAfterMs = 0 } = await attempt(t)(job(receiver.url))
    t.true(retryAfterMs >= least && retryAfterMs <= most, String(retryAfterMs))
  })
}

for (const text of ['-5', 'soon', '0', 'Thu, 01 Jan 1970 00:00:00 GMT', '1e9']) {
  test(`a Retry-After of ${text} is ignored`, async (t) => {
    const receiver = await startReceiver(t, (_, response) => response.writeHead(503, { 'Retry-After': text }).end())
    t.false('retryAfterMs' in (await attempt(t)(job(receiver.url))))
  })
}

/** Answers of resolvers; one private address among others makes all of them forbidden. */
const PRIVATE: Destination[][] = [
  ...[
    '127.0.0.1',
    '10.0.0.1',
    '172.20.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.1.1',
    '0.0.0.0',
    '255.255.255.255',
  ].map((address) => [{ address, family: 4 }]),
  ...[
    '::1',
    '::',
    'fe80::1',
    'fe80::1%lo',
    'fd00::1',
    '::ffff:127.0.0.1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
  ].map((address) => [{ address, family: 6 }]),
  [PUBLIC, HERE],
  [HERE, PUBLIC],
  [PUBLIC, { address: '::1', family: 6 }],
]

for (const answer of PRIVATE) {
  test(`no socket is opened for a name at ${answer.map(({ address }) => address).join(' and ')}`, async (t) => {
    const receiver = await startReceiver(t)
    for (const protocol of ['http', 'https']) {
      const deliver = attempt(t, { answers: [answer], allows: isPublicAddress })
      const outcome = await deliver(job(`${protocol}://evil.test:${receiver.port}/`))
      t.like(outcome, { refused: true, error: 'The host has an address that is not public' })
      t.regex(outcome.detail!, /^\S+ is not a public address$/)
    }
    t.is(receiver.connections, 0)
  })
}

test('a name is resolved once per connection, and the address that was checked is connected to', async (t) => {
  const receiver = await startReceiver(t)
  // The first answer is permitted here, the second would not be.
  const deliver = attempt(t, { answers: [[HERE], [{ address: '10.0.0.1', family: 4 }]] })
  t.is((await deliver(job(`http://flip.test:${receiver.port}/`))).statusCode, 204)
  t.is(deliver.asked(), 1)
})

test('a name that resolves to a forbidden address the next time is refused then', async (t) => {
  const receiver = await startReceiver(t)
  receiver.answer = (_, response) => response.writeHead(503, { Connection: 'close' }).end()
  const deliver = attempt(t, { answers: [[HERE], [{ address: '10.0.0.1', family: 4 }]] })
  t.is((await deliver(job(`http://flip.test:${receiver.port}/`))).statusCode, 503)
  t.true((await deliver(job(`http://flip.test:${receiver.port}/`))).refused)
  t.is(receiver.connections, 1)
})

test('a connected peer that is not permitted receives no byte', async (t) => {
  for (const protocol of ['http', 'https']) {
    let bytes = 0
    const server = createTcpServer((socket) =>
      socket.on('data', (part) => (bytes += part.length)).on('error', () => {}),
    )
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.teardown(() => void server.close())
    const { port } = server.address() as AddressInfo
    const closed = once(server, 'connection').then(([socket]) => once(socket.resume(), 'close'))
    let checks = 0
    // Permits the resolver's answer, but not the connected peer.
    const deliver = attempt(t, { allows: () => (checks += 1) === 1 })
    t.true((await deliver(job(`${protocol}://moved.test:${port}/`))).refused)
    await closed
    t.deepEqual({ checks, bytes }, { checks: 2, bytes: 0 })
  }
})

for (const host of [
  '127.0.0.1',
  '[::1]',
  '10.0.0.1',
  '169.254.169.254',
  '2130706433',
  '0x7f.1',
  '[::ffff:127.0.0.1]',
]) {
  test(`the literal ${host} is refused at the connection, too, without a look-up`, async (t) => {
    const receiver = await startReceiver(t)
    const deliver = attempt(t, { allows: isPublicAddress })
    t.true((await deliver(job(`https://${host}:${receiver.port}/`))).refused)
    t.deepEqual([deliver.asked(), receiver.connections], [0, 0])
  })
}

test.serial('proxies from the environment are not used', async (t) => {
  const [proxy, receiver] = [await startReceiver(t), await startReceiver(t)]
  for (const name of ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'ALL_PROXY'])
    process.env[name] = proxy.url
  t.is((await attempt(t)(job(receiver.url))).statusCode, 204)
  t.is(proxy.connections, 0)
})

async function startTls(t: ExecutionContext): Promise<{ port: number; names: unknown[] }> {
  const names: unknown[] = []
  const server = createServer({ cert: CERTIFICATE, key: KEY }, (request, response) => {
    names.push((request.socket as { servername?: string }).servername)
    request.resume().on('end', () => response.writeHead(200).end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, names }
}

test('TLS names the host and accepts only a trusted certificate for that name', async (t) => {
  const { port, names } = await startTls(t)
  t.is((await attempt(t, { ca: CERTIFICATE })(job(`https://receiver.test:${port}/`))).statusCode, 200)
  t.deepEqual(names, ['receiver.test'])
  const wrongName = await attempt(t, { ca: CERTIFICATE })(job(`https://other.test:${port}/`))
  t.regex(wrongName.error!, /altnames/)
  const unknown = await attempt(t)(job(`https://receiver.test:${port}/`))
  t.regex(unknown.error!, /self.signed/)
  t.is(names.length, 1)
})

test.serial('certificates are checked whatever the environment says', async (t) => {
  const { port, names } = await startTls(t)
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
  t.teardown(() => delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'])
  t.regex((await attempt(t)(job(`https://receiver.test:${port}/`))).error!, /self.signed/)
  t.is(names.length, 0)
})

test('a connection is reused for the deliveries that follow', async (t) => {
  const receiver = await startReceiver(t)
  const deliver = attempt(t)
  for (let made = 0; made < 10; made += 1) await deliver(job(receiver.url))
  t.is(receiver.received.length, 10)
  t.is(receiver.connections, 1)
})

test('a connection is reused only for the endpoint that it was made for', async (t) => {
  const receiver = await startReceiver(t)
  const deliver = attempt(t)
  for (const endpoint of ['o:', 'p:', 'p:agent', 'o:', 'p:', 'p:agent']) await deliver(job(receiver.url, { endpoint }))
  t.is(receiver.received.length, 6)
  t.is(receiver.connections, 3)
})

test('a TLS connection is reused only for its endpoint, too', async (t) => {
  const { port, names } = await startTls(t)
  const deliver = attempt(t, { ca: CERTIFICATE })
  const url = `https://receiver.test:${port}/`
  for (const endpoint of ['o:', 'p:', 'o:', 'p:']) t.is((await deliver(job(url, { endpoint }))).statusCode, 200)
  t.deepEqual([names.length, deliver.asked()], [4, 2])
})

test('an old connection is not reused', async (t) => {
  const receiver = await startReceiver(t)
  const deliver = attempt(t, { lastsMs: 0 })
  for (let made = 0; made < 3; made += 1) await deliver(job(receiver.url))
  t.is(receiver.connections, 3)
})
