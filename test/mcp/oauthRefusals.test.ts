// What a client of OAuth, or whoever pretends to be one, does not get.
import { randomBytes } from 'node:crypto'
import test, { type ExecutionContext } from 'ava'
import { newId } from '../../src/domain/values/ids.js'
import {
  ASKED,
  ASKED_CONSENT,
  authorizing,
  browse,
  codeOf,
  connected,
  Connecting,
  consent,
  exchanged,
  newClientOf,
  newCodeOf,
  newRequest,
  postForm,
  REDIRECT,
  register,
  requestOf,
  type Changes,
} from '../support/oauth.js'
import { statusWith } from '../support/mcpPost.js'
import { fundedAgent, type FundedAgent } from '../support/payments.js'
import type { Setup } from '../../sdk/api.js'
import { newPerson, type Person } from '../support/people.js'
import { wholeFile } from '../support/process.js'
import { OPERATOR_KEY, start, type Started } from '../support/service.js'

const scope = wholeFile(test)
let service: Started
let owner: Person
let agent: FundedAgent

test.before(async () => {
  service = await start(scope)
  owner = await newPerson(service.client, 'OWNER')
  agent = await fundedAgent(service.client)
})

/** No request may make the service log. */
test.after.always(() => {
  if (service.logged.length > 0) throw new Error(service.logged.join('\n'))
})

const newClientId = () => newClientOf(service)
const authorize = (changes: Changes) => authorizing(service, owner.cookie, changes)
const exchange = (code: string, clientId: string, verifier?: string) => exchanged(service, { code, clientId }, verifier)
const newCode = () => newCodeOf(service, owner.cookie, agent.agentId)

async function refusedAt(t: ExecutionContext, changes: Changes, error: string) {
  const { to } = await authorize(changes)
  t.is(to.origin + to.pathname, REDIRECT)
  t.is(to.searchParams.get('error'), error)
  t.is(to.searchParams.get('code'), null)
}

test('every 401 names who issues tokens, and the addresses agree', async (t) => {
  const metadata = `${service.url}/.well-known/oauth-protected-resource/mcp`
  for (const path of ['/mcp', '/api/sdk/setup', '/api/agents', '/api/session']) {
    const { status, headers } = await fetch(service.url + path, { method: path === '/mcp' ? 'POST' : 'GET' })
    t.is(status, 401)
    t.is(headers.get('www-authenticate'), `Bearer realm="bursar", resource_metadata="${metadata}"`)
  }
  const read = async (path: string) => (await (await fetch(service.url + path)).json()) as { [name: string]: unknown }
  for (const path of ['', '/mcp']) {
    const { resource, authorization_servers: servers } = await read(`/.well-known/oauth-protected-resource${path}`)
    t.deepEqual([resource, servers], [`${service.url}/mcp`, [`${service.url}/oauth`]])
  }
  for (const path of ['/.well-known/oauth-authorization-server/oauth', '/oauth/.well-known/openid-configuration']) {
    t.like(await read(path), {
      issuer: `${service.url}/oauth`,
      authorization_endpoint: `${service.url}/oauth/authorize`,
      token_endpoint: `${service.url}/oauth/token`,
      registration_endpoint: `${service.url}/oauth/register`,
      revocation_endpoint: `${service.url}/oauth/revoke`,
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      client_id_metadata_document_supported: true,
      response_modes_supported: ['query'],
    })
  }
})

test('a redirect to another place than registered goes nowhere; only the port of this machine may differ', async (t) => {
  for (const to of ['https://evil.example/callback', 'http://127.0.0.1:33418/other', `${REDIRECT}/../x`]) {
    const { status, to: sent, text } = await authorize({ redirect_uri: to })
    t.is(status, 400)
    t.is(sent.href, 'about:blank')
    t.regex(text, /redirect_uri/)
  }
  const { to } = await authorize({ redirect_uri: 'http://127.0.0.1:50001/callback' })
  t.is(to.pathname, '/connect')
})

/** Of programs that open what stands behind them, without a host, or with the number of a card. */
const REFUSED_REDIRECTS = [
  'search-ms://query',
  'search:query',
  'ms-msdt:/id',
  'ms-settings://x',
  'intent://x',
  'view-source://x.example/',
  'filesystem://x.example/',
  'chrome://settings',
  'ws://x.example/',
  'wss://x.example/',
  'ftp://x.example/',
  'mailto:a@x.example',
  'JavaScript://x.example/%0aalert(1)',
  'file://x.example/',
  'com.example.app:/callback',
  'urn:ietf:wg:oauth:2.0:oob',
  'https://a.example/\u0000',
  'https://a.example/\tb',
  'https://a.example/4539578763621486',
  'https://a.example/?n=4539%205787%206362%201486',
  'cursor://a/4539-5787-6362-1486',
]

test('clients with redirects that nobody could trust are not registered', async (t) => {
  const wrong = [
    { redirect_uris: ['http://evil.example/callback'] },
    { redirect_uris: ['javascript:alert(1)'] },
    { redirect_uris: [] },
    { redirect_uris: 'x' },
    {},
    { redirect_uris: Array.from({ length: 11 }, (_, at) => `https://a.example/${at}`) },
    { redirect_uris: [`https://a.example/${'x'.repeat(2_000)}`] },
    ...REFUSED_REDIRECTS.map((uri) => ({ redirect_uris: [uri] })),
    ...['\u200b', '\u3164', '\u2800\ufe0f', '\u0301'].map((client_name) => ({
      redirect_uris: [REDIRECT],
      client_name,
    })),
    { redirect_uris: [REDIRECT], client_name: 'a\u202eb' },
    { redirect_uris: [REDIRECT], client_name: 'x'.repeat(101) },
    { redirect_uris: [REDIRECT], client_name: 7 },
    { redirect_uris: [REDIRECT], client_name: 'Desk 4539578763621486' },
  ]
  for (const metadata of wrong) {
    const { status, body } = await register(service, metadata)
    t.is(status, 400, JSON.stringify(metadata))
    t.regex(String(body['error']), /invalid_(client_metadata|redirect_uri)/)
  }
  for (const uri of ['cursor://anysphere.cursor-retrieval/callback', 'https://a.example/x?y=1', 'http://[::1]:1/']) {
    t.is((await register(service, { redirect_uris: [uri], client_name: '데스크' })).status, 201, uri)
  }
  const { body } = await register(service, {
    redirect_uris: [REDIRECT],
    token_endpoint_auth_method: 'client_secret_post',
  })
  t.is(body['token_endpoint_auth_method'], 'none')
  t.is(body['client_secret'], undefined)
})

test('PKCE that is missing or plain is refused', async (t) => {
  await refusedAt(t, { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request')
  await refusedAt(t, { code_challenge_method: 'plain' }, 'invalid_request')
  await refusedAt(t, { code_challenge_method: undefined }, 'invalid_request')
})

test('another audience than the MCP endpoint is refused', async (t) => {
  await refusedAt(t, { resource: 'https://other.example/mcp' }, 'invalid_target')
  await refusedAt(t, { resource: `${service.url}/api` }, 'invalid_target')
})

test('a code that comes twice ends what it gave', async (t) => {
  const { code, clientId } = await newCode()
  const first = await exchange(code, clientId)
  t.is(first.status, 200)
  const token = String(first.body['access_token'])
  t.is(await statusWith(service, token), 200)
  const second = await exchange(code, clientId)
  t.is(second.status, 400)
  t.is(second.body['error'], 'invalid_grant')
  t.is(await statusWith(service, token), 401)
})

test('of many exchanges of a code at once, no two get tokens', async (t) => {
  const { code, clientId } = await newCode()
  const all = await Promise.all(Array.from({ length: 8 }, () => exchange(code, clientId)))
  t.true(all.filter(({ status }) => status === 200).length <= 1)
  for (const { status, body } of all)
    if (status === 200) t.is(await statusWith(service, String(body['access_token'])), 401)
})

test('a code with a wrong verifier, or of another client, gives nothing', async (t) => {
  const { code, clientId } = await newCode()
  t.is((await exchange(code, clientId, 'x'.repeat(43))).body['error'], 'invalid_grant')
  const other = await newCode()
  t.is((await exchange(other.code, await newClientId())).body['error'], 'invalid_grant')
})

test('a refresh token that comes twice ends the grant', async (t) => {
  const { kept, client } = await connected(service, owner.cookie, { agentId: agent.agentId })
  const form = { grant_type: 'refresh_token', refresh_token: kept.refresh_token!, client_id: client!.client_id }
  const first = await postForm(service, 'token', form)
  t.is(first.status, 200)
  t.is((await postForm(service, 'token', form)).body['error'], 'invalid_grant')
  t.is(await statusWith(service, String(first.body['access_token'])), 401)
})

test('a member without agents:write, and nobody, consents', async (t) => {
  const viewer = await newPerson(service.client, 'VIEWER')
  const request = await requestOf(new Connecting(), service, viewer.cookie)
  const body = { ...ASKED_CONSENT, request, agentId: agent.agentId }
  t.is((await service.client.post('/api/oauth/consent', viewer.cookie, body)).status, 403)
  t.is((await service.client.post('/api/oauth/consent', '', body)).status, 401)
  t.is((await service.client.post('/api/oauth/consent', agent.organizationKey, body)).status, 401)
})

test('a client gets the scopes that the person chose, whatever it asks for', async (t) => {
  const clientId = await newClientId()
  const scope = 'openid offline_access payments:execute payments:approve agents:write nonsense'
  const { to } = await authorize({ client_id: clientId, scope, prompt: 'consent' })
  const code = await codeOf(service, owner.cookie, to.searchParams.get('request')!, { agentId: agent.agentId })
  const { status, body } = await exchange(code, clientId)
  t.is(status, 200, JSON.stringify(body))
  const { body: setup } = await service.client.get<Setup>('/api/sdk/setup', String(body['access_token']))
  t.deepEqual(String(body['scope']).split(' ').sort(), setup.key.scopes.toSorted())
  t.deepEqual(
    setup.key.scopes.filter((one) => !/^payments:re(quest|ad)$|:read$/.test(one)),
    [],
  )
})

test('the agent of another organization is like none', async (t) => {
  const { body } = await service.client.post<{ apiKey: string }>('/api/organizations', OPERATOR_KEY, { name: 'Other' })
  const theirs = await fundedAgent(service.client, { organizationKey: body.apiKey })
  const request = await newRequest(service.client, owner.cookie)
  const absent = newId(randomBytes)
  const [other, none] = await Promise.all(
    [theirs.agentId, absent].map((agentId) => consent(service, owner.cookie, request, { agentId })),
  )
  t.is(other!.status, 404)
  const text = JSON.stringify(other!.body).replace(theirs.agentId, absent)
  t.is(text, JSON.stringify(none!.body))
})

test('a consent counts for the person and the request that it was given for, and for what was read', async (t) => {
  const request = await newRequest(service.client, owner.cookie)
  const body = { ...ASKED_CONSENT, request, agentId: agent.agentId }
  for (const read of [{ clientName: 'Other' }, { redirectHost: 'evil.example' }, { request: `${request}x` }]) {
    t.is((await service.client.post('/api/oauth/consent', owner.cookie, { ...body, ...read })).status, 400)
  }
  const given = await consent(service, owner.cookie, request, { agentId: agent.agentId })
  const another = await newPerson(service.client, 'OWNER')
  t.is((await browse(given.body.redirectUrl!, another.cookie)).to.pathname, '/connect')
  const changed = new URL(given.body.redirectUrl!)
  changed.searchParams.set('code_challenge', 'x'.repeat(43))
  t.is((await browse(changed, owner.cookie)).to.pathname, '/connect')
  t.is((await browse(given.body.redirectUrl!, owner.cookie)).to.origin, new URL(REDIRECT).origin)
  // It has led to its code.
  t.is((await browse(given.body.redirectUrl!, owner.cookie)).to.pathname, '/connect')
})

test('whoever has not signed in is sent to do so, and comes back with the same request', async (t) => {
  const query = new URLSearchParams({ ...ASKED, client_id: await newClientId() }).toString()
  const { status, to } = await browse(`${service.url}/oauth/authorize?${query}`)
  t.is(status, 302)
  t.is(to.pathname, '/connect')
  t.is(to.searchParams.get('authorize'), query)
})

test('no other site shows the consent page in a frame, nor the page of an error', async (t) => {
  for (const path of ['/connect?request=x', '/oauth/authorize?client_id=none&redirect_uri=x&response_type=code']) {
    const { headers } = await browse(service.url + path, owner.cookie)
    t.regex(headers.get('content-security-policy')!, /frame-ancestors 'none'/)
  }
  const { headers } = await authorize({})
  t.is(headers.get('set-cookie'), null)
})

test('a consent of another site is refused', async (t) => {
  const request = await newRequest(service.client, owner.cookie)
  const body = { ...ASKED_CONSENT, request, agentId: agent.agentId }
  const { status } = await service.client.post('/api/oauth/consent', owner.cookie, body, {
    Origin: 'https://evil.example',
  })
  t.is(status, 403)
})

test('tokens are no keys, sessions or codes of each other', async (t) => {
  const { code } = await newCode()
  const { kept } = await connected(service, owner.cookie, { agentId: agent.agentId })
  for (const text of [code, kept.refresh_token!, owner.cookie.split('=')[1]!])
    t.is(await statusWith(service, text), 401)
  t.is((await service.client.get('/api/agents', kept.access_token)).status, 401)
  t.is((await service.client.get('/api/session', `bursar_session=${kept.access_token}`)).status, 401)
})

test('codes go with the state and the issuer of their request', async (t) => {
  const request = await requestOf(new Connecting(), service, owner.cookie)
  const { body } = await consent(service, owner.cookie, request, { agentId: agent.agentId })
  const { to } = await browse(body.redirectUrl!, owner.cookie)
  t.is(to.searchParams.get('state'), 'state-1')
  t.is(to.searchParams.get('iss'), `${service.url}/oauth`)
})

test('whoever uses up what a network has for registrations keeps nobody there from their tokens', async (t) => {
  // Of its own: it counts requests.
  const service = await start(t, { env: { BURSAR_RATE_LIMITS: 'admin=30' } })
  const owner = await newPerson(service.client, 'OWNER')
  const { agentId } = await fundedAgent(service.client)
  const { kept, client } = await connected(service, owner.cookie, { agentId })
  const registering = async () => (await register(service, { redirect_uris: [REDIRECT] })).status
  const statuses = await Promise.all(Array.from({ length: 31 }, registering))
  t.true(statuses.includes(429))
  const form = { grant_type: 'refresh_token', refresh_token: kept.refresh_token!, client_id: client!.client_id }
  t.is((await postForm(service, 'token', form)).status, 200)
  const used = { ...form, refresh_token: 'x' }
  const others = await Promise.all(Array.from({ length: 31 }, () => postForm(service, 'token', used)))
  t.true(others.some(({ status }) => status === 429))
})
