// Streamed answers: parts are sent as they are made, a reader that stalls is disconnected, and what the answer holds is
// released however it ends.
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import test from 'ava'
import * as v from 'valibot'
import { route, type Answer, type Route } from '../../src/http/route.js'
import { raw } from './ask.js'
import { startToy } from './toy.js'

const PART = 'x'.repeat(65_536)

interface Parted {
  row: Route
  /** Resolves when the answer has released what it holds. */
  ended: Promise<void>
  /** Resolves when the generator of the parts has ended. */
  stopped: Promise<void>
}

interface Parts {
  before?: () => Promise<void>
  /** The answer holds nothing that others may need. */
  holdsNothing?: boolean
}

/** A route that answers with this many parts. */
function parted(count: number, { before = async () => {}, holdsNothing = false }: Parts = {}): Parted {
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
    method: 'GET',
    path: '/api/parts',
    access: { key: 'none' },
    summary: 'Parts',
    answers: { 200: { name: 'Parts', schema: v.string(), contentType: 'text/plain' } },
    handler: async (): Promise<Answer> => {
      await before()
      const held = holdsNothing ? {} : { onEnd: end }
      return { status: 200, body: null, parts: parts(), contentType: 'text/plain', ...held }
    },
  })
  return { row, ended, stopped }
}

test('a reader receives every part, and the answer is released', async (t) => {
  let set = 0
  const alarm = () => ((set += 1), () => void (set -= 1))
  const { row, ended, stopped } = parted(100)
  const toy = await startToy({ rows: [row], alarm })
  t.teardown(() => toy.close(0))
  const answer = await fetch(`${toy.url}/api/parts`)
  t.is((await answer.text()).length, 100 * PART.length)
  await Promise.all([ended, stopped])
  t.is(set, 0, 'no alarm stays set')
})

test('a reader that stalls for a minute is disconnected, and the answer is released', async (t) => {
  const asked = new Set<number>()
  const alarm = (ms: number, run: () => void) => {
    asked.add(ms)
    const timer = setTimeout(run, 50)
    return () => clearTimeout(timer)
  }
  const { row, ended, stopped } = parted(Infinity)
  const toy = await startToy({ rows: [row], alarm })
  t.teardown(() => toy.close(0))
  const asking = request(`${toy.url}/api/parts`).end()
  const [response] = (await once(asking, 'response')) as [IncomingMessage]
  const cut = once(response, 'error')
  await Promise.all([ended, stopped])
  t.deepEqual([...asked], [60_000])
  response.resume()
  await cut
  t.true(response.destroyed)
  t.deepEqual(toy.ports.logged, [])
})

test('an answer that holds nothing waits for its reader without a time limit', async (t) => {
  const alarm = () => t.fail('somebody is about to be cut off') as never
  const { row, stopped } = parted(100, { holdsNothing: true })
  const toy = await startToy({ rows: [row], alarm })
  t.teardown(() => toy.close(0))
  const answer = await fetch(`${toy.url}/api/parts`)
  t.is((await answer.text()).length, 100 * PART.length)
  await stopped
})

test('an answer is released if its reader disconnects before it begins', async (t) => {
  let open = (): void => {}
  let begin = (): void => {}
  const held = new Promise<void>((resolve) => (open = resolve))
  const begun = new Promise<void>((resolve) => (begin = resolve))
  const { row, ended } = parted(Infinity, { before: () => (begin(), held) })
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
