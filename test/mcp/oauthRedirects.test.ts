// Where a person's browser is sent, and where it is not: an address under the service leads nowhere by itself.
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import test from 'ava'
import { ASKED, authorizing, browse, codeOf, consent, newRequest, REDIRECT, register } from '../support/oauth.js'
import { fundedAgent } from '../support/payments.js'
import { newPerson, type Person } from '../support/people.js'
import { wholeFile } from '../support/process.js'
import { start, type Started } from '../support/service.js'
import type { ConsentRequest } from '../../sdk/api.js'

const scope = wholeFile(test)
let service: Started
let owner: Person
const ELSEWHERE = 'https://elsewhere.example/callback'

test.before(async () => {
  service = await start(scope)
  owner = await newPerson(service.client, 'OWNER')
})

/** No request may make the service log. */
test.after.always(() => {
  if (service.logged.length > 0) throw new Error(service.logged.join('\n'))
})

const newClientOf = async (redirect: string): Promise<string> =>
  String((await register(service, { client_name: 'Desk', redirect_uris: [redirect] })).body['client_id'])

/** What makes the library answer an error at once. */
const WRONG: { [name: string]: string }[] = [
  { prompt: 'none' },
  { code_challenge_method: 'plain' },
  { resource: 'https://other.example/' },
  { response_type: 'token' },
]

test('an address alone sends nobody to a client, signed in or not, and says what is wrong', async (t) => {
  const client_id = await newClientOf(ELSEWHERE)
  for (const wrong of WRONG) {
    const query = new URLSearchParams({ ...ASKED, redirect_uri: ELSEWHERE, client_id, ...wrong }).toString()
    const known = await browse(`${service.url}/oauth/authorize?${query}`, owner.cookie)
    t.deepEqual([known.status, known.to.href], [400, 'about:blank'], JSON.stringify(wrong))
    t.regex(known.text, /^The client cannot be connected: /)
    t.regex(known.headers.get('content-security-policy')!, /frame-ancestors 'none'/)
    const unknown = await browse(`${service.url}/oauth/authorize?${query}`)
    t.is(unknown.to.pathname, '/connect')
    const posted = await fetch(`${service.url}/oauth/authorize`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams(query),
    })
    t.is(posted.headers.get('location'), null)
  }
  // A program on the person's machine hears of it, and so does every client after a consent.
  const { to } = await authorizing(service, owner.cookie, { prompt: 'none' })
  t.is(to.origin, new URL(REDIRECT).origin)
})

test('addresses of the authorization server are those alone that it names', async (t) => {
  const client_id = await newClientOf(ELSEWHERE)
  const query = new URLSearchParams({ ...ASKED, redirect_uri: ELSEWHERE, client_id, prompt: 'none' }).toString()
  const wrong = ['authorize/', 'AUTHORIZE', '%61uthorize', '/authorize', 'authorize/x', 'token/', 'REGISTER', 'me']
  for (const path of [...wrong, 'session/end', 'token/introspection', '.well-known/oauth-authorization-server']) {
    for (const cookie of [undefined, owner.cookie]) {
      const { status, headers } = await browse(`${service.url}/oauth/${path}?${query}`, cookie)
      t.deepEqual([status, headers.get('location')], [404, null], path)
    }
  }
})

test('a client that sends a person to another place gets its code there after the consent', async (t) => {
  const { agentId } = await fundedAgent(service.client, { name: 'Elsewhere' })
  const client_id = await newClientOf(ELSEWHERE)
  const { to } = await authorizing(service, owner.cookie, { client_id, redirect_uri: ELSEWHERE })
  const path = `/api/oauth/consent?${to.searchParams.toString()}`
  const { body } = await service.client.get<ConsentRequest>(path, owner.cookie)
  t.like(body, { redirectHost: 'elsewhere.example', redirectTo: ELSEWHERE, clientHost: undefined })
  t.truthy(await codeOf(service, owner.cookie, to.searchParams.get('request')!, { agentId }))
})

test('codes are sent in the query alone', async (t) => {
  for (const mode of ['fragment', 'form_post', 'query.jwt', '']) {
    for (const cookie of ['', owner.cookie]) {
      const { status, text, headers } = await authorizing(service, cookie, { response_mode: mode })
      t.deepEqual([status, headers.get('location')], [400, null])
      t.regex(text, /response_mode must be query \(invalid_request\)/)
    }
  }
  t.is((await authorizing(service, owner.cookie, { response_mode: 'query' })).to.pathname, '/connect')
  const { agentId } = await fundedAgent(service.client, { name: 'Changed on the way' })
  const request = await newRequest(service.client, owner.cookie)
  const onward = new URL((await consent(service, owner.cookie, request, { agentId })).body.redirectUrl!)
  onward.searchParams.set('response_mode', 'fragment')
  t.is((await browse(onward, owner.cookie)).status, 400)
})

test('a client that goes away while it registers is no fault of the service', async (t) => {
  await newClientOf(REDIRECT)
  const { port, hostname, host } = new URL(service.url)
  const socket = connect(Number(port), hostname).on('error', () => {})
  await once(socket, 'connect')
  const head = `POST /oauth/register HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n`
  socket.write(`${head}Content-Length: 100\r\n\r\n{"redirect_uris":`)
  await setTimeout(200)
  socket.resetAndDestroy()
  await setTimeout(200)
  t.deepEqual(service.logged, [])
})
