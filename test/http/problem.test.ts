// Errors as RFC 9457 for clients that name its media type in `Accept`, and the security header of an https service.
import test from 'ava'
import { CODES, type Code } from '../../src/domain/outcomes/codes.js'
import { ask } from '../support/rawClient.js'
import { ORGANIZATION, startToy } from './toy.js'

const ACCEPTS: [accept: string | undefined, isProblem: boolean][] = [
  [undefined, false],
  ['*/*', false],
  ['application/*', false],
  ['application/json', false],
  ['application/problem+json', true],
  ['application/json, application/problem+json', true],
  ['text/html, Application/Problem+JSON;q=0.5, */*;q=0.1', true],
  ['application/problem+json;q=0', false],
  ['application/problem+json;q=0.000, application/json', false],
  ['application/problem+jsonx', false],
]

for (const [accept, isProblem] of ACCEPTS) {
  test(`With Accept ${accept}, an error is ${isProblem ? 'a problem' : 'plain'}`, async (t) => {
    const toy = await startToy()
    t.teardown(() => toy.close(0))
    const asked = async (path: string, key?: string) => {
      const response = await fetch(toy.url + path, {
        headers: {
          ...(accept !== undefined && { accept }),
          ...(key !== undefined && { authorization: `Bearer ${key}` }),
        },
      })
      return { response, body: (await response.json()) as { [member: string]: unknown } }
    }
    for (const [path, key] of [
      ['/nowhere'],
      ['/api/agents'],
      ['/api/broken'],
      ['/api/agents?limit=x', ORGANIZATION],
    ] as const) {
      const { response, body } = await asked(path, key)
      const type = response.headers.get('content-type')
      t.is(type, isProblem ? 'application/problem+json' : 'application/json; charset=utf-8')
      t.is(response.headers.get('vary'), 'Accept')
      const { error, code, details } = body
      const { status, meaning } = CODES[code as Code]
      t.is(response.status, status)
      const problem = { type: `/docs#error-${code}`, title: meaning, status, detail: error }
      t.deepEqual(body, { error, code, ...(details !== undefined && { details }), ...(isProblem && problem) })
    }
    const { response } = await asked('/healthz')
    t.is(response.headers.get('content-type'), 'application/json; charset=utf-8')
  })
}

test('Only where the public address is https, every answer tells browsers to use nothing else', async (t) => {
  for (const isHttps of [true, false]) {
    const toy = await startToy({ isHttps })
    t.teardown(() => toy.close(0))
    for (const path of ['/healthz', '/nowhere', '/docs', '/api/agents', '/api/broken']) {
      const { headers } = await ask(toy.url, path)
      t.is(headers.get('strict-transport-security'), isHttps ? 'max-age=31536000' : null, path)
    }
  }
})
