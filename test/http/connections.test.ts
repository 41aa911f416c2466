// A connection has one request carried out at a time, and is not read while its answers are not read.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import test from 'ava'
import { fileRoute, staticFile } from '../../src/http/server/staticFile.js'
import { ask, raw } from '../support/rawClient.js'
import { AGENT, startToy, type Toy } from './toy.js'

const HELD = `POST /api/held HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${AGENT}\r\n\r\n`
const NEXT = 'GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n'

/** Opens the gate of `POST /api/held`. */
function gated(toy: Toy): () => void {
  let open = (): void => {}
  toy.gate = new Promise((resolve) => (open = resolve))
  return () => open()
}

function opened(toy: Toy): Promise<Socket> {
  const socket = connect(Number(new URL(toy.url).port), '127.0.0.1')
  return once(socket, 'connect').then(() => socket)
}

/** The requests that the metrics have counted for a route. */
async function answeredFor(toy: Toy, route: string): Promise<number> {
  const { text } = (await ask(toy.url, '/metrics')).body
  const [, count = '0'] = new RegExp(`http_requests_total\\{route="${route}".*\\} (\\d+)`).exec(text as string) ?? []
  return Number(count)
}

test('Pipelined requests are carried out one after another, in their order', async (t) => {
  const toy = await startToy()
  t.teardown(() => toy.close(0))
  toy.ends = []
  const open = gated(toy)
  const received = raw(toy.url, [HELD, HELD, NEXT], { answers: 3 })
  while (toy.runs === 0) await ask(toy.url, '/healthz')
  for (let round = 0; round < 5; round += 1) await ask(toy.url, '/healthz')
  t.is(toy.runs, 1)
  open()
  t.deepEqual((await received).match(/\{"(run|status)[^}]*\}/g), ['{"run":1}', '{"run":2}', '{"status":"ok"}'])
})

test('A connection is read on once its pipelined requests are answered', async (t) => {
  t.timeout(20_000)
  const toy = await startToy()
  t.teardown(() => toy.close(0))
  const socket = await opened(toy)
  t.teardown(() => socket.destroy())
  let received = ''
  socket.setEncoding('latin1').on('data', (text: string) => (received += text))
  const until = async (count: number): Promise<void> => {
    while ((received.match(/"ok"/g)?.length ?? 0) < count) await once(socket, 'data')
  }
  socket.write(NEXT.repeat(3))
  await until(3)
  socket.write(NEXT)
  await until(4)
  t.pass()
})

test('A request with a body that arrives behind a waiting one is read in its turn', async (t) => {
  const toy = await startToy()
  t.teardown(() => toy.close(0))
  toy.ends = []
  const open = gated(toy)
  const socket = await opened(toy)
  let received = ''
  socket.setEncoding('latin1').on('data', (text: string) => (received += text))
  const note = JSON.stringify({ note: 'x'.repeat(200_000) })
  const type = `Content-Type: application/json\r\nContent-Length: ${note.length}\r\n\r\n`
  socket.write(`${HELD}${HELD.replace('\r\n\r\n', `\r\n${type}`)}${note}${NEXT}`)
  while (toy.runs === 0) await ask(toy.url, '/healthz')
  open()
  while (!received.includes('"ok"')) await once(socket, 'data')
  socket.destroy()
  t.deepEqual(received.match(/\{"(run|status)[^}]*\}/g), ['{"run":1}', '{"run":2}', '{"status":"ok"}'])
})

test('A connection with more requests waiting than may is closed, and the others are served', async (t) => {
  const toy = await startToy()
  t.teardown(() => toy.close(0))
  const open = gated(toy)
  const received = await raw(toy.url, [HELD + NEXT.repeat(33)])
  t.is(received, '')
  t.is((await ask(toy.url, '/healthz')).status, 200)
  open()
  t.deepEqual(toy.ports.logged, [])
})

test('As many as may wait are all answered', async (t) => {
  const toy = await startToy()
  t.teardown(() => toy.close(0))
  const received = await raw(toy.url, [NEXT.repeat(33)], { answers: 33 })
  t.is(received.match(/"ok"/g)?.length, 33)
})

const LARGE_BYTES = 4 * 1024 * 1024

test('Answers that are not read hold back the next requests of their connection, until they are read', async (t) => {
  t.timeout(60_000)
  const text = 'x'.repeat(LARGE_BYTES)
  const large = staticFile(text, { type: 'text/plain', cacheControl: 'no-store' })
  const toy = await startToy({ rows: [fileRoute('/large', () => large)] })
  t.teardown(() => toy.close(0))
  const socket = await opened(toy)
  t.teardown(() => socket.destroy())
  socket.pause()
  socket.write('GET /large HTTP/1.1\r\nHost: h\r\n\r\n'.repeat(16))
  let begun = 0
  for (let before = -1; before < begun;) {
    before = begun
    for (let round = 0; round < 50; round += 1) await ask(toy.url, '/healthz')
    begun = await answeredFor(toy, '/large')
  }
  // The buffers of the two kernels take some megabytes: a few answers, and not all.
  t.true(begun > 0 && begun < 16, String(begun))
  let read = 0
  socket.on('data', (part: Buffer) => (read += part.length)).resume()
  while (read < 16 * LARGE_BYTES) await once(socket, 'data')
  t.is(await answeredFor(toy, '/large'), 16)
})

test('Readers that take nothing share one copy of an answer, and others are served', async (t) => {
  t.timeout(60_000)
  // More than the buffers of both kernels take.
  const bytes = 16 * 1024 * 1024
  const file = staticFile('x'.repeat(bytes), { type: 'text/plain', cacheControl: 'no-store' })
  const toy = await startToy({ rows: [fileRoute('/large', () => file)] })
  t.teardown(() => toy.close(0))
  const before = process.memoryUsage().external
  const readers = await Promise.all(Array.from({ length: 40 }, () => opened(toy)))
  for (const socket of readers) socket.pause().write('GET /large HTTP/1.1\r\nHost: h\r\n\r\n')
  while ((await answeredFor(toy, '/large')) < readers.length) await ask(toy.url, '/healthz')
  t.is((await ask(toy.url, '/healthz')).status, 200)
  const held = process.memoryUsage().external - before
  t.true(held < (readers.length * bytes) / 4, `${held} bytes`)
  for (const socket of readers) socket.destroy()
})
