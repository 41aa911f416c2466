// What a client of OAuth, or whoever pretends to be one, does not get.
import test, { type ExecutionContext } from 'ava'
import {
  ASKED,
  browse,
  codeOf,
  connected,
  Connecting,
  consent,
  newRequest,
  postForm,
  REDIRECT,
  requestOf,
  VERIFIER,
} from '../support/oauth.js'
import { rawRequest } from '../support/mcpPost.js'
import { fundedAgent, type FundedAgent } from '../support/payments.js'
import { newPerson, type Person } from '../support/people.js'
import { wholeFile } from '../support/process.js'
import { start, type Started } from '../support/service.js'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
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

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
const statusWith = async (token: string, from = service): Promise<number> =>
  (await rawRequest(from.url, token, LIST)).status

async function register(metadata: object): Promise<{ status: number; body: { [member: string]: unknown } }> {
  const answer = await fetch(`${service.url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(metadata),
  })
  return { status: answer.status, body: (await answer.json()) as { [member: string]: unknown } }
}

const newClientId = async (): Promise<string> =>
  String((await register({ client_name: 'Desk', redirect_uris: [REDIRECT] })).body['client_id'])

/** The answer to an authorization request of the owner with these parameters; undefined leaves one out. */
async function authorize(changes: { [name: string]: string | undefined }) {
  const given = Object.entries({ ...ASKED, client_id: await newClientId(), ...changes })
  const params = new URLSearchParams(given.filter((pair): pair is [string, string] => pair[1] !== undefined))
  return browse(`${service.url}/oauth/authorize?${params.toString()}`, owner.cookie)
}

async function refusedAt(t: ExecutionContext, changes: { [name: string]: string | undefined }, error: string) {
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

test('clients with redirects that nobody could trust are not registered', async (t) => {
  const wrong = [
    { redirect_uris: ['http://evil.example/callback'] },
    { redirect_uris: ['javascript:alert(1)'] },
    { redirect_uris: [] },
    { redirect_uris: 'x' },
    {},
    { redirect_uris: Array.from({ length: 11 }, (_, at) => `https://a.example/${at}`) },
    { redirect_uris: [`https://a.example/${'x'.repeat(2_000)}`] },
    { redirect_uris: [REDIRECT], client_name: 'a\u202eb' },
    { redirect_uris: [REDIRECT], client_name: 'x'.repeat(101) },
    { redirect_uris: [REDIRECT], client_name: 7 },
  ]
  for (const metadata of wrong) {
    const { status, body } = await register(metadata)
    t.is(status, 400, JSON.stringify(metadata))
    t.regex(String(body['error']), /invalid_(client_metadata|redirect_uri)/)
  }
  const { body } = await register({ redirect_uris: [REDIRECT], token_endpoint_auth_method: 'client_secret_post' })
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

test('a token opens nothing under another address of the service', async (t) => {
  const options = { env: { BURSAR_PUBLIC_URL: 'https://one.example' } }
  const first = await start(scope, options)
  const [person, { agentId }] = [await newPerson(first.client, 'OWNER'), await fundedAgent(first.client)]
  const request = await newRequest({ ...first.client }, person.cookie)
  const { body } = await consent(first, person.cookie, request, { agentId })
  const { pathname, search } = new URL(body.redirectUrl!)
  const { to } = await browse(first.listening + pathname + search, person.cookie)
  const asked = new URL(body.redirectUrl!).searchParams
  const { body: tokens } = await postForm({ ...first, url: first.listening }, 'token', {
    grant_type: 'authorization_code',
    code: to.searchParams.get('code')!,
    client_id: asked.get('client_id')!,
    code_verifier: VERIFIER,
    redirect_uri: REDIRECT,
  })
  const token = String(tokens['access_token'])
  const setup = (from: Started) =>
    fetch(`${from.listening}/api/sdk/setup`, { headers: { authorization: `Bearer ${token}` } })
  t.is((await setup(first)).status, 200)
  await first.stop()
  const second = await start(scope, { folder: first.folder, env: { BURSAR_PUBLIC_URL: 'https://two.example' } })
  t.is((await setup(second)).status, 401)
})

async function exchange(code: string, clientId: string, verifier = VERIFIER) {
  const form = { grant_type: 'authorization_code', code, client_id: clientId, code_verifier: verifier }
  return postForm(service, 'token', { ...form, redirect_uri: REDIRECT })
}

/** A code, and the client that it is for. */
async function newCode(): Promise<{ code: string; clientId: string }> {
  const request = await newRequest(service.client, owner.cookie)
  const { body } = await consent(service, owner.cookie, request, { agentId: agent.agentId })
  const { to } = await browse(body.redirectUrl!, owner.cookie)
  const clientId = new URL(body.redirectUrl!).searchParams.get('client_id')!
  return { code: to.searchParams.get('code')!, clientId }
}

test('a code that comes twice ends what it gave', async (t) => {
  const { code, clientId } = await newCode()
  const first = await exchange(code, clientId)
  t.is(first.status, 200)
  const token = String(first.body['access_token'])
  t.is(await statusWith(token), 200)
  const second = await exchange(code, clientId)
  t.is(second.status, 400)
  t.is(second.body['error'], 'invalid_grant')
  t.is(await statusWith(token), 401)
})

test('of many exchanges of a code at once, no two get tokens', async (t) => {
  const { code, clientId } = await newCode()
  const all = await Promise.all(Array.from({ length: 8 }, () => exchange(code, clientId)))
  t.true(all.filter(({ status }) => status === 200).length <= 1)
  for (const { status, body } of all) if (status === 200) t.is(await statusWith(String(body['access_token'])), 401)
})

test('a code with a wrong verifier, of another client, or after a minute gives nothing', async (t) => {
  const { code, clientId } = await newCode()
  t.is((await exchange(code, clientId, 'x'.repeat(43))).body['error'], 'invalid_grant')
  const other = await newCode()
  t.is((await exchange(other.code, await newClientId())).body['error'], 'invalid_grant')
  const at = service.now()
  const late = await newCode()
  service.setClock(at + 61_000)
  t.teardown(() => service.setClock(at))
  t.is((await exchange(late.code, late.clientId)).body['error'], 'invalid_grant')
})

test('a refresh token that comes twice ends the grant', async (t) => {
  const { kept, client } = await connected(service, owner.cookie, { agentId: agent.agentId })
  const form = { grant_type: 'refresh_token', refresh_token: kept.refresh_token!, client_id: client!.client_id }
  const first = await postForm(service, 'token', form)
  t.is(first.status, 200)
  t.is((await postForm(service, 'token', form)).body['error'], 'invalid_grant')
  t.is(await statusWith(String(first.body['access_token'])), 401)
})

test('a member without agents:write, and nobody, consents', async (t) => {
  const viewer = await newPerson(service.client, 'VIEWER')
  const request = await requestOf(new Connecting(), service, viewer.cookie)
  const body = { request, clientName: 'Desk', redirectHost: '127.0.0.1:33418', agentId: agent.agentId }
  t.is((await service.client.post('/api/oauth/consent', viewer.cookie, body)).status, 403)
  t.is((await service.client.post('/api/oauth/consent', '', body)).status, 401)
  t.is((await service.client.post('/api/oauth/consent', agent.organizationKey, body)).status, 401)
})

test('a consent counts for the person and the request that it was given for, and for what was read', async (t) => {
  const request = await newRequest(service.client, owner.cookie)
  const body = { request, clientName: 'Desk', redirectHost: '127.0.0.1:33418', agentId: agent.agentId }
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
  const body = { request, clientName: 'Desk', redirectHost: '127.0.0.1:33418', agentId: agent.agentId }
  const { status } = await service.client.post('/api/oauth/consent', owner.cookie, body, {
    Origin: 'https://evil.example',
  })
  t.is(status, 403)
})

test('a client whose id is the URL of a private place is not looked up there', async (t) => {
  const { port } = new URL(service.url)
  for (const id of [`https://127.0.0.1:${port}/client`, 'https://localhost/client', 'https://10.0.0.1/client']) {
    const { status, to } = await authorize({ client_id: id })
    t.is(status, 400)
    t.is(to.href, 'about:blank')
  }
})

test('a registration ends after an hour, unless something was granted to its client', async (t) => {
  const at = service.now()
  t.teardown(() => service.setClock(at))
  const unused = await newClientId()
  const { kept, client } = await connected(service, owner.cookie, { agentId: agent.agentId })
  service.setClock(at + HOUR_MS + 1000)
  t.is((await authorize({ client_id: unused })).status, 400)
  t.is((await authorize({ client_id: client!.client_id })).to.pathname, '/connect')
  t.is(await statusWith(kept.access_token), 401)
  const form = { grant_type: 'refresh_token', refresh_token: kept.refresh_token!, client_id: client!.client_id }
  const { status, body } = await postForm(service, 'token', form)
  t.is(status, 200)
  service.setClock(at + HOUR_MS + 31 * DAY_MS)
  t.is((await postForm(service, 'token', { ...form, refresh_token: String(body['refresh_token']) })).status, 401)
})

test('of a request that is an hour old, nothing comes', async (t) => {
  const at = service.now()
  t.teardown(() => service.setClock(at))
  const request = await newRequest(service.client, owner.cookie)
  service.setClock(at + HOUR_MS + 1000)
  const body = { request, clientName: 'Desk', redirectHost: '127.0.0.1:33418', agentId: agent.agentId }
  t.is((await service.client.post('/api/oauth/consent', owner.cookie, body)).status, 400)
})

test('tokens are no keys, sessions or codes of each other', async (t) => {
  const { code } = await newCode()
  const { kept } = await connected(service, owner.cookie, { agentId: agent.agentId })
  for (const text of [code, kept.refresh_token!, owner.cookie.split('=')[1]!]) t.is(await statusWith(text), 401)
  t.is((await service.client.get('/api/agents', kept.access_token)).status, 401)
  t.is((await service.client.get('/api/session', `bursar_session=${kept.access_token}`)).status, 401)
})

test('codes go with the state and the issuer of their request', async (t) => {
  const connecting = new Connecting()
  const request = await requestOf(connecting, service, owner.cookie)
  const { body } = await consent(service, owner.cookie, request, { agentId: agent.agentId })
  const { to } = await browse(body.redirectUrl!, owner.cookie)
  t.is(to.searchParams.get('state'), 'state-1')
  t.is(to.searchParams.get('iss'), `${service.url}/oauth`)
  t.truthy(codeOf)
})
