// The description and the reference are made once, at the start: each request for them costs their bytes alone.
import { succeed } from '../../src/domain/outcomes/result.js'
import test from 'ava'
import * as v from 'valibot'
import { titled } from '../../src/http/input/schemas.js'
import { route } from '../../src/http/server/route.js'
import { ask } from '../support/rawClient.js'
import { startToy, type Toy } from './toy.js'

let toy: Toy
test.before('the service starts', async () => {
  toy = await startToy()
})
test.after.always('the service stops', () => toy.close(0))

const FILES = ['/openapi.json', '/docs', '/docs/style.css', '/docs/filter.js']

for (const path of FILES) {
  test(`${path} has an ETag, by which a client that has it is told so`, async (t) => {
    const first = await ask(toy.url, path)
    const tag = first.headers.get('etag')!
    t.regex(tag, /^W\/"[0-9a-f]{32}"$/)
    t.is(first.headers.get('cache-control'), 'no-cache')
    const again = await ask(toy.url, path, { headers: { 'if-none-match': tag, 'cache-control': 'max-age=0' } })
    t.deepEqual([again.status, again.body, again.headers.get('etag')], [304, { text: '' }, tag])
    const other = await ask(toy.url, path, { headers: { 'if-none-match': 'W/"0"' } })
    t.is(other.status, 200)
    t.deepEqual(other.body, first.body)
  })
}

test('The description is sent compressed to clients that take it so, the same for GET and HEAD', async (t) => {
  const asked = async (method: string, encoding: string) => {
    const { status, headers } = await fetch(`${toy.url}/openapi.json`, {
      method,
      headers: { 'accept-encoding': encoding },
    })
    return [status, headers.get('content-encoding'), Number(headers.get('content-length')), headers.get('vary')]
  }
  const [, , plain] = await asked('GET', 'identity')
  const [status, encoding, packed, vary] = await asked('GET', 'gzip')
  t.deepEqual([status, encoding, vary], [200, 'gzip', 'Accept-Encoding'])
  t.true((packed as number) < (plain as number) / 4)
  t.deepEqual(await asked('HEAD', 'gzip'), [status, encoding, packed, vary])
})

test('The description is rendered before the first request, and never again', async (t) => {
  let reads = 0
  const row = route({
    operationId: 'listThings',
    method: 'GET',
    path: '/api/things',
    access: { key: 'none' },
    summary: 'Things',
    answers: { 200: titled('Things', v.strictObject({})) },
    handler: async () => succeed({ status: 200, body: {} }),
  })
  const counted = Object.defineProperty({ ...row }, 'summary', { get: () => `Read ${(reads += 1)} times` })
  const other = await startToy({ rows: [counted] })
  t.teardown(() => other.close(0))
  const rendered = reads
  t.true(rendered > 0)
  for (const path of FILES) await ask(other.url, path)
  t.is(reads, rendered)
})
