// Streamed answers: parts are sent as they are made, a reader that stalls is disconnected, and what the answer holds is
// released however it ends.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Agent, request, type IncomingMessage, type ServerResponse } from 'node:http'
import test from 'ava'
import { textSchema } from '../../src/http/input/schemas.js'
import { route, type Route } from '../../src/http/server/route.js'
import { ok } from '../../src/http/server/respond.js'
import { serve, type Listening } from '../../src/http/server/serve.js'
import { raw } from '../support/rawClient.js'
import { AGENT, startToy } from './toy.js'

const PART = 'x'.repeat(65_536)

interface Parted {
  row: Route
  /** Resolves when the answer has released what it holds. */
  ended: Promise<void>
  /** Resolves when the generator of the parts has ended. */
  stopped: Promise<void>
}

/** A route that answers with this many parts. */
function parted(count: number, before: () => Promise<void> = async () => {}): Parted {
  let end = (): void => {}
  let stop = (): void => {}
  const ended = new Promise<void>((resolve) => (end = resolve))
  const stopped = new Promise<void>((resolve) => (stop = resolve))
  async function* parts(): AsyncGenerator<string> {
    try {
      for (let made = 0; made < count; made += 1) yield PART
    } finally {
      stop()
    }
  }
  const row = route({
    operationId: 'getParts',
    method: 'GET',
    path: '/api/parts',
    access: { key: 'none' },
    summary: 'Parts',
    answers: { 200: textSchema('Parts', 'text/plain') },
    handler: async () => {
      await before()
      return ok(null, 200, { parts: parts(), contentType: 'text/plain', onEnd: end })
    },
  })
  return { row, ended, stopped }
}

test('a reader receives every part, and the answer is released', async (t) => {
  const { row, ended, stopped } = parted(100)
  const toy = await startToy({ rows: [row] })
  t.teardown(() => toy.close(0))
  const answer = await fetch(`${toy.url}/api/parts`)
  t.is((await answer.text()).length, 100 * PART.length)
  await Promise.all([ended, stopped])
})

/** A reader that takes no answer for 50 ms is disconnected. */
const timeouts = { unreadTimeout: 50, connectionsCheckingInterval: 10 }

/** Sends a request whose answer is not read. */
async function unread(toy: Listening, path: string): Promise<IncomingMessage> {
  const asking = request(`${toy.url}${path}`).end()
  const [response] = (await once(asking, 'response')) as [IncomingMessage]
  return response
}

test('a reader that stalls is disconnected, and the answer is released', async (t) => {
  const { row, ended, stopped } = parted(Infinity)
  const toy = await startToy({ rows: [row], timeouts })
  t.teardown(() => toy.close(0))
  const response = await unread(toy, '/api/parts')
  const cut = once(response, 'error')
  await Promise.all([ended, stopped])
  response.resume()
  await cut
  t.true(response.destroyed)
  t.deepEqual(toy.ports.logged, [])
})

test('a reader that stalls within an answer in one piece is disconnected', async (t) => {
  let cut = (): void => {}
  const isCut = new Promise<void>((resolve) => (cut = resolve))
  const answer = (_req: IncomingMessage, res: ServerResponse): void => {
    res.once('close', cut)
    res.end(PART.repeat(500))
  }
  const options = { host: '127.0.0.1', port: 0, random: randomBytes, timeouts }
  const server = await serve({ callback: () => answer }, options)
  t.teardown(() => server.close(0))
  const response = await unread(server, '/')
  await isCut
  response.resume()
  await t.throwsAsync(once(response, 'end'), { code: 'ECONNRESET' })
})

test('an answer that takes long to be made, and a connection kept alive, are not cut off', async (t) => {
  const { row, ended } = parted(Infinity)
  const toy = await startToy({ rows: [row], timeouts })
  t.teardown(() => toy.close(0))
  let open = (): void => {}
  toy.gate = new Promise((resolve) => (open = resolve))
  toy.ends = []
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.teardown(() => agent.destroy())
  const sockets = new Set<unknown>()
  const send = async (): Promise<number> => {
    const headers = { authorization: `Bearer ${AGENT}` }
    const asking = request(`${toy.url}/api/held`, { method: 'POST', agent, headers }).end()
    const [response] = (await once(asking, 'response')) as [IncomingMessage]
    sockets.add(response.socket)
    response.resume()
    await once(response, 'end')
    return response.statusCode!
  }
  const slow = send()
  while (toy.runs === 0) await fetch(`${toy.url}/healthz`)
  // Another reader is cut off meanwhile.
  const stalled = await unread(toy, '/api/parts')
  stalled.once('error', () => {})
  // What nobody reads keeps its process alive, until the system gives the connection up.
  t.teardown(() => stalled.destroy())
  await ended
  open()
  t.deepEqual([await slow, await send()], [200, 200])
  t.is(sockets.size, 1)
})

test('a connection kept alive ends when its time is over', async (t) => {
  const toy = await startToy({ timeouts: { keepAliveTimeout: 200, connectionsCheckingInterval: 5 } })
  t.teardown(() => toy.close(0))
  t.regex(await raw(toy.url, ['GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n']), /^HTTP\/1.1 200 /)
})

test('a reader that is slow, but goes on reading, receives every part', async (t) => {
  const { row } = parted(1000)
  const toy = await startToy({ rows: [row], timeouts: { unreadTimeout: 3_000, connectionsCheckingInterval: 10 } })
  t.teardown(() => toy.close(0))
  let received = 0
  for await (const piece of await unread(toy, '/api/parts')) {
    received += piece.length
    await fetch(`${toy.url}/healthz`).then((answer) => answer.text())
  }
  t.is(received, 1000 * PART.length)
})

test('an answer is released if its reader disconnects before it begins', async (t) => {
  let open = (): void => {}
  let begin = (): void => {}
  const held = new Promise<void>((resolve) => (open = resolve))
  const begun = new Promise<void>((resolve) => (begin = resolve))
  const { row, ended } = parted(Infinity, () => (begin(), held))
  const toy = await startToy({ rows: [row] })
  t.teardown(() => toy.close(0))
  const leaving = request(`${toy.url}/api/parts`)
    .on('error', () => {})
    .end()
  await begun
  const left = new Promise((resolve) => leaving.once('close', resolve))
  leaving.destroy()
  await left
  open()
  await ended
  t.pass()
})

test('a HEAD request releases what the answer holds', async (t) => {
  const { row, ended } = parted(Infinity)
  const toy = await startToy({ rows: [row] })
  t.teardown(() => toy.close(0))
  await raw(toy.url, ['HEAD /api/parts HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'])
  await ended
  t.pass()
})
