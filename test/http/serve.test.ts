// The HTTP server around an app: it listens at its address and shuts down in order.
import { once } from 'node:events'
import { connect } from 'node:net'
import test from 'ava'
import { serve } from '../../src/http/server/serve.js'
import { ask, raw } from '../support/rawClient.js'
import { AGENT, startToy } from './toy.js'

/** A grace period that no test may use up. */
const HOUR_MS = 3_600_000
const HELD = { method: 'POST', key: AGENT }

test('The server answers at its address', async (t) => {
  const toy = await startToy()
  t.teardown(() => toy.close(0))
  t.regex(toy.url, /^http:\/\/127\.0\.0\.1:\d+$/)
  t.is((await ask(toy.url, '/healthz')).status, 200)
})

test('Closing lets requests in flight finish and takes no new ones', async (t) => {
  t.timeout(20_000)
  const toy = await startToy()
  let open = () => {}
  toy.gate = new Promise((resolve) => {
    open = resolve
  })
  const held = ask(toy.url, '/api/held', HELD)
  while (toy.runs === 0) await ask(toy.url, '/healthz')
  const closed = toy.close(HOUR_MS)
  await t.throwsAsync(ask(toy.url, '/healthz'))
  open()
  t.is((await held).body.code, 'INVALID_STATUS')
  await closed
})

test('Closing does not wait for connections that are idle, new, or within a request head', async (t) => {
  t.timeout(20_000)
  const toy = await startToy()
  await ask(toy.url, '/healthz')
  const { port } = new URL(toy.url)
  const silent = connect(Number(port), '127.0.0.1')
  const halfway = connect(Number(port), '127.0.0.1')
  await Promise.all([once(silent, 'connect'), once(halfway, 'connect')])
  await new Promise((resolve) => {
    halfway.write('GET / HTTP/1.1\r\nHo', resolve)
  })
  await ask(toy.url, '/healthz')
  const ended = Promise.all([once(silent, 'close'), once(halfway, 'close')])
  await toy.close(HOUR_MS)
  await ended
  t.pass()
})

test('A client that disconnects before its answer disturbs nobody', async (t) => {
  const toy = await startToy()
  toy.ends = []
  t.teardown(() => toy.close(0))
  let open = () => {}
  toy.gate = new Promise((resolve) => {
    open = resolve
  })
  const leaving = connect(Number(new URL(toy.url).port), '127.0.0.1')
  leaving.write(`POST /api/held HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${AGENT}\r\n\r\n`)
  while (toy.runs === 0) await ask(toy.url, '/healthz')
  leaving.resetAndDestroy()
  await once(leaving, 'close')
  const held = ask(toy.url, '/api/held', HELD)
  while (toy.runs === 1) await ask(toy.url, '/healthz')
  open()
  t.deepEqual([(await held).status, (await held).body], [200, { run: 2 }])
  t.deepEqual(toy.ports.logged, [])
})

test('Closing aborts requests that are not done in time', async (t) => {
  const toy = await startToy()
  toy.gate = new Promise(() => {})
  const held = t.throwsAsync(ask(toy.url, '/api/held', HELD))
  while (toy.runs === 0) await ask(toy.url, '/healthz')
  await toy.close(1)
  await held
})

test('A connection kept alive is closed once its last request is answered', async (t) => {
  t.timeout(20_000)
  const toy = await startToy()
  let open = () => {}
  toy.gate = new Promise((resolve) => {
    open = resolve
  })
  const received = raw(toy.url, [`POST /api/held HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${AGENT}\r\n\r\n`])
  while (toy.runs === 0) await ask(toy.url, '/healthz')
  const closed = toy.close(HOUR_MS)
  open()
  t.regex(await received, /INVALID_STATUS/)
  await closed
})

test('A port that is taken is an error', async (t) => {
  const toy = await startToy()
  t.teardown(() => toy.close(0))
  const app = { callback: () => () => {} }
  const port = Number(new URL(toy.url).port)
  await t.throwsAsync(serve(app, { host: '127.0.0.1', port, random: toy.ports.random }), { code: 'EADDRINUSE' })
})
