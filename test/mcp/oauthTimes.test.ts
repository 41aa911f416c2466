// When what OAuth gives ends, and what ends with the address of the service. Each test has a service of its own, whose clock
// it moves.
import test, { type ExecutionContext } from 'ava'
import {
  ASKED_CONSENT,
  authorizing,
  connected,
  exchanged,
  newClientOf,
  newCodeOf,
  newRequest,
  ofPages,
  postForm,
  toolsOf,
  type Connecting,
} from '../support/oauth.js'
import { newClient } from '../support/client.js'
import { inspect } from '../support/integrity.js'
import { statusWith } from '../support/mcpPost.js'
import { fundedAgent } from '../support/payments.js'
import { newPerson } from '../support/people.js'
import { ORGANIZATION_KEY } from '../support/process.js'
import { start } from '../support/service.js'
import type { KeyList } from '../../sdk/api.js'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** A service with an owner and an agent. */
async function begun(t: ExecutionContext) {
  const service = await start(t)
  const { cookie } = await newPerson(service.client, 'OWNER')
  const { agentId } = await fundedAgent(service.client)
  const at = service.now()
  const refresh = ({ client, kept }: Connecting, token = kept!.refresh_token!) =>
    postForm(service, 'token', { grant_type: 'refresh_token', refresh_token: token, client_id: client!.client_id })
  const after = (ms: number): void => service.setClock(at + ms)
  return { service, cookie, agentId, refresh, after }
}

test('a client renews its tokens by itself while it calls', async (t) => {
  const { service, cookie, agentId, after } = await begun(t)
  const client = await connected(service, cookie, { agentId })
  const call = await toolsOf(t, service, client)
  const { access_token: first } = client.kept
  after(HOUR_MS - 60_000)
  t.is(await statusWith(service, first), 200)
  after(HOUR_MS + 60_000)
  t.is(await statusWith(service, first), 401)
  t.falsy((await call('get_limits')).isError)
  t.not(client.kept.access_token, first)
})

test('a grant ends 30 days after its last refresh', async (t) => {
  const { service, cookie, agentId, refresh, after } = await begun(t)
  const client = await connected(service, cookie, { agentId })
  after(29 * DAY_MS)
  const { status, body } = await refresh(client)
  t.is(status, 200)
  after(58 * DAY_MS)
  const again = await refresh(client, String(body['refresh_token']))
  t.is(again.status, 200)
  after(89 * DAY_MS)
  // Its client has ended with it.
  t.is((await refresh(client, String(again.body['refresh_token']))).body['error'], 'invalid_client')
  t.is(await statusWith(service, String(again.body['access_token'])), 401)
})

test('a registration ends after an hour, unless something was granted to its client', async (t) => {
  const { service, cookie, agentId, after } = await begun(t)
  const unused = await newClientOf(service)
  const { client } = await connected(service, cookie, { agentId })
  after(HOUR_MS - 60_000)
  t.is((await authorizing(service, cookie, { client_id: unused })).to.pathname, '/connect')
  after(HOUR_MS + 60_000)
  const ended = await authorizing(service, cookie, { client_id: unused })
  t.deepEqual([ended.status, ended.to.href], [400, 'about:blank'])
  t.is((await authorizing(service, cookie, { client_id: client!.client_id })).to.pathname, '/connect')
})

test('registrations and requests that nobody has consented to are stored nowhere', async (t) => {
  const { service, cookie } = await begun(t)
  const stored = async () => {
    await service.stop()
    const { actors } = await inspect(service.folder)
    await service.restart()
    return [...actors.values()].map(({ ref, revision }) => `${ref} ${revision}`).sort()
  }
  const before = await stored()
  const ids = new Set<string>()
  for (let made = 0; made < 50; made += 1) ids.add(await newClientOf(service))
  await newRequest(service.client, cookie)
  t.is(ids.size, 50)
  t.deepEqual(await stored(), before)
})

test('of a request that is an hour old, nothing comes', async (t) => {
  const { service, cookie, agentId, after } = await begun(t)
  const request = await newRequest(service.client, cookie)
  after(HOUR_MS + 60_000)
  const body = { ...ASKED_CONSENT, request, agentId }
  t.is((await service.client.post('/api/oauth/consent', cookie, body)).status, 400)
})

test('a code counts for a minute, and a consent of which no tokens came for an hour', async (t) => {
  const { service, cookie, agentId, after } = await begun(t)
  const code = await newCodeOf(service, cookie, agentId)
  const path = `/api/agents/${agentId}/sdk-keys`
  const statusOf = async () => {
    const { keys } = (await service.client.get<KeyList>(path, ORGANIZATION_KEY)).body
    return keys.find(({ type }) => type === 'OAUTH')!.status
  }
  after(70_000)
  t.is((await exchanged(service, code)).body['error'], 'invalid_grant')
  t.is(await statusOf(), 'ACTIVE')
  after(HOUR_MS + 60_000)
  t.is(await statusOf(), 'EXPIRED')
})

test('a token opens nothing under another address of the service', async (t) => {
  const publicUrl = 'https://one.example'
  const first = await start(t, { env: { BURSAR_PUBLIC_URL: publicUrl } })
  const here = { url: first.listening, client: ofPages(newClient(t, first.listening), publicUrl) }
  const { cookie } = await newPerson(here.client, 'OWNER')
  const { agentId } = await fundedAgent(here.client)
  const code = await newCodeOf(here, cookie, agentId)
  const { body } = await exchanged(here, code)
  const authorization = `Bearer ${String(body['access_token'])}`
  const setup = async (url: string) => (await fetch(`${url}/api/sdk/setup`, { headers: { authorization } })).status
  t.is(await setup(first.listening), 200)
  await first.stop()
  const second = await start(t, { folder: first.folder, env: { BURSAR_PUBLIC_URL: 'https://two.example' } })
  t.is(await setup(second.listening), 401)
  const form = { grant_type: 'refresh_token', refresh_token: String(body['refresh_token']), client_id: code.clientId }
  t.is((await postForm({ url: second.listening }, 'token', form)).body['error'], 'invalid_grant')
})
