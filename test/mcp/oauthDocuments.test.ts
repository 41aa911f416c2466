// Clients whose id is the address of a document that describes them: who has it looked up, where, and what it may say.
import dns from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { EventEmitter } from 'node:events'
import https from 'node:https'
import { syncBuiltinESMExports } from 'node:module'
import { createServer, type AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import test, { type ExecutionContext } from 'ava'
import { authorizing, codeOf, exchanged, postForm, REDIRECT } from '../support/oauth.js'
import { statusWith } from '../support/mcpPost.js'
import { fundedAgent } from '../support/payments.js'
import { newPerson, type Person } from '../support/people.js'
import { wholeFile } from '../support/process.js'
import { start, type Started } from '../support/service.js'
import type { ConsentRequest } from '../../sdk/api.js'

const scope = wholeFile(test)
let service: Started
let owner: Person
let documents = 0

test.before(async () => {
  service = await start(scope)
  owner = await newPerson(service.client, 'OWNER')
})

/** No request may make the service log. */
test.after.always(() => {
  if (service.logged.length > 0) throw new Error(service.logged.join('\n'))
})

/** Answers requests for documents in place of the internet, for as long as the test runs; the list has what was asked for. */
function published(t: ExecutionContext, document: object): string[] {
  const { request } = https
  const asked: string[] = []
  const answering = (url: URL, _options: unknown, onAnswer: (answer: unknown) => void) => {
    asked.push(url.href)
    const text = JSON.stringify({ client_id: url.href, ...document })
    const headers = { 'content-type': 'application/json' }
    const end = () => onAnswer(Object.assign(Readable.from([Buffer.from(text)]), { statusCode: 200, headers }))
    return Object.assign(new EventEmitter(), { end })
  }
  Object.assign(https, { request: answering })
  syncBuiltinESMExports()
  t.teardown(() => {
    Object.assign(https, { request })
    syncBuiltinESMExports()
  })
  return asked
}

const newId = (): string => `https://desk.example.com/${(documents += 1)}.json`
const DESK = { client_name: 'Desk', redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' }

test.serial('a client whose id is the address of its description needs no registration', async (t) => {
  const client_id = newId()
  const asked = published(t, DESK)
  const { agentId } = await fundedAgent(service.client, { name: 'Described' })
  const { to } = await authorizing(service, owner.cookie, { client_id })
  const path = `/api/oauth/consent?${to.searchParams.toString()}`
  const { body: shown } = await service.client.get<ConsentRequest>(path, owner.cookie)
  t.like(shown, { clientName: 'Desk', clientHost: 'desk.example.com', redirectTo: REDIRECT })
  const code = await codeOf(service, owner.cookie, to.searchParams.get('request')!, { agentId })
  t.deepEqual(asked, [client_id])
  const { status, body } = await exchanged(service, { code, clientId: client_id })
  t.is(status, 200, JSON.stringify(body))
  t.is(await statusWith(service, String(body['access_token'])), 200)
})

test.serial('nobody has a document looked up who may not consent', async (t) => {
  const client_id = newId()
  const asked = published(t, DESK)
  const form = { grant_type: 'authorization_code', code: 'x'.repeat(43), client_id, code_verifier: 'x'.repeat(43) }
  t.is((await postForm(service, 'token', form)).body['error'], 'invalid_client')
  t.is((await authorizing(service, '', { client_id })).to.pathname, '/connect')
  const viewer = await newPerson(service.client, 'VIEWER')
  t.is((await authorizing(service, viewer.cookie, { client_id })).status, 400)
  t.deepEqual(asked, [])
})

/** What a document says beside what every client is. */
const REFUSED: { [name: string]: unknown }[] = [
  { client_id: 'https://desk.example.com/another.json' },
  { redirect_uris: ['http://evil.example/callback'] },
  { application_type: 'web', redirect_uris: ['http://evil.example/callback'] },
  { redirect_uris: ['search-ms://query'] },
  { grant_types: ['client_credentials'], response_types: [] },
  { client_name: 'a\u202eb' },
  { client_name: '\u200b' },
]

for (const said of REFUSED) {
  test.serial(`a document that says ${JSON.stringify(said)} connects no client`, async (t) => {
    const asked = published(t, { ...DESK, ...said })
    const { redirect_uris: [redirect_uri] = [REDIRECT] } = said as { redirect_uris?: string[] }
    const { status, to } = await authorizing(service, owner.cookie, { client_id: newId(), redirect_uri })
    t.deepEqual([status, to.href], [400, 'about:blank'])
    t.true(asked.length > 0)
  })
}

test.serial('what no client can have is nothing that a client of a document has', async (t) => {
  const types = { grant_types: ['authorization_code', 'implicit'], response_types: ['code', 'none'] }
  published(t, { ...DESK, ...types })
  const client_id = newId()
  t.is((await authorizing(service, owner.cookie, { client_id })).to.pathname, '/connect')
  for (const response_type of ['none', 'token', 'code token']) {
    const { to } = await authorizing(service, owner.cookie, { client_id, response_type })
    t.regex(to.href, /[?#]error=unsupported_response_type/)
  }
})

test.serial('a hosted client may say that it is one', async (t) => {
  const redirect_uri = 'https://app.example/callback'
  published(t, { ...DESK, application_type: 'web', redirect_uris: [redirect_uri] })
  const { to } = await authorizing(service, owner.cookie, { client_id: newId(), redirect_uri })
  t.is(to.pathname, '/connect')
})

test.serial('a document is not looked up at an internal address, whatever name leads there', async (t) => {
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.destroy()
  }).listen(0, '127.0.0.1')
  t.teardown(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const { lookup } = dns
  const { resolve4 } = Resolver.prototype
  const inside = (_name: string, { all }: { all?: boolean }, found: (...answer: unknown[]) => void) =>
    all === true ? found(null, [{ address: '127.0.0.1', family: 4 }]) : found(null, '127.0.0.1', 4)
  Object.assign(dns, { lookup: inside })
  Object.assign(Resolver.prototype, { resolve4: () => Promise.resolve(['127.0.0.1']) })
  syncBuiltinESMExports()
  t.teardown(() => {
    Object.assign(dns, { lookup })
    Object.assign(Resolver.prototype, { resolve4 })
    syncBuiltinESMExports()
  })
  const { port } = server.address() as AddressInfo
  for (const host of ['inside.example.com', '127.0.0.1', 'localhost', '10.0.0.1']) {
    const { status, to } = await authorizing(service, owner.cookie, { client_id: `https://${host}:${port}/client` })
    t.deepEqual([status, to.href], [400, 'about:blank'], host)
  }
  t.is(connections, 0)
})
