// A refresh token that comes a second time, however late, ends its grant; nothing else does in its name, and what a refresh
// may not have costs no token.
import test, { type ExecutionContext } from 'ava'
import { isToken } from '../../src/domain/access/sessionToken.js'
import {
  ASKED,
  browse,
  codeOf,
  connected,
  exchanged,
  newClientOf,
  postForm,
  type Connecting,
} from '../support/oauth.js'
import { statusWith } from '../support/mcpPost.js'
import { fundedAgent } from '../support/payments.js'
import { newPerson, type Person } from '../support/people.js'
import { ORGANIZATION_KEY, wholeFile } from '../support/process.js'
import { start, type Started } from '../support/service.js'
import type { AuditEntryList, KeyList, Setup } from '../../sdk/api.js'

const scope = wholeFile(test)
let service: Started
let owner: Person
let agents = 0

test.before(async () => {
  service = await start(scope)
  owner = await newPerson(service.client, 'OWNER')
})

/** No request may make the service log. */
test.after.always(() => {
  if (service.logged.length > 0) throw new Error(service.logged.join('\n'))
})

async function granted() {
  const { agentId } = await fundedAgent(service.client, { name: `Agent ${(agents += 1)}` })
  return { agentId, ...(await connected(service, owner.cookie, { agentId })) }
}

const refresh = ({ client }: Pick<Connecting, 'client'>, token: string, changes: { [name: string]: string } = {}) =>
  postForm(service, 'token', {
    grant_type: 'refresh_token',
    refresh_token: token,
    client_id: client!.client_id,
    ...changes,
  })

/** The tokens after so many refreshes. */
async function rotated(t: ExecutionContext, connecting: Pick<Connecting, 'client' | 'kept'>, times: number) {
  let [refreshToken, access] = [connecting.kept!.refresh_token!, connecting.kept!.access_token]
  for (let done = 0; done < times; done += 1) {
    const { status, body } = await refresh(connecting, refreshToken)
    t.is(status, 200, JSON.stringify(body))
    ;[refreshToken, access] = [String(body['refresh_token']), String(body['access_token'])]
    t.true(isToken(refreshToken))
  }
  return { refreshToken, access }
}

for (const times of [1, 7, 8, 20]) {
  test(`a refresh token that comes again after ${times} others ends the grant`, async (t) => {
    const connecting = await granted()
    const last = await rotated(t, connecting, times)
    t.is(await statusWith(service, last.access), 200)
    t.is((await refresh(connecting, connecting.kept.refresh_token!)).body['error'], 'invalid_grant')
    t.is(await statusWith(service, last.access), 401)
    t.not((await refresh(connecting, last.refreshToken)).status, 200)
  })
}

test('another client, and a token of another grant, end nothing', async (t) => {
  const [one, other] = [await granted(), await granted()]
  const last = await rotated(t, one, 9)
  const stale = one.kept.refresh_token!
  const foreign = await newClientOf(service)
  t.is((await refresh(one, stale, { client_id: foreign })).body['error'], 'invalid_grant')
  t.is((await refresh(other, stale)).body['error'], 'invalid_grant')
  t.is((await refresh(one, 'x'.repeat(43))).body['error'], 'invalid_grant')
  t.is(await statusWith(service, last.access), 200)
  t.is(await statusWith(service, other.kept.access_token), 200)
  // No two grants have the same beginning.
  t.not(stale.slice(0, 22), other.kept.refresh_token!.slice(0, 22))
  t.is(last.refreshToken.slice(0, 22), stale.slice(0, 22))
  t.not(last.refreshToken.slice(22), stale.slice(22))
})

test('the audit log tells a grant that its client gave up from one whose token somebody else has', async (t) => {
  const actionsOf = async (agentId: string): Promise<string[]> => {
    const path = `/api/agents/${agentId}/sdk-keys`
    const { keys } = (await service.client.get<KeyList>(path, ORGANIZATION_KEY)).body
    const { id } = keys.find(({ type }) => type === 'OAUTH')!
    const { body } = await service.client.get<AuditEntryList>(`/api/audit-logs?resourceId=${id}`, ORGANIZATION_KEY)
    return body.entries.map(({ action }) => action)
  }
  const [given, stolen, late] = [await granted(), await granted(), await granted()]
  const form = { token: given.kept.refresh_token!, client_id: given.client!.client_id }
  t.is((await postForm(service, 'revoke', form)).status, 200)
  await rotated(t, stolen, 1)
  await rotated(t, late, 10)
  for (const one of [stolen, late]) await refresh(one, one.kept.refresh_token!)
  t.is((await actionsOf(given.agentId))[0], 'key.revoke')
  t.is((await actionsOf(stolen.agentId))[0], 'key.reused')
  t.is((await actionsOf(late.agentId))[0], 'key.reused')
})

test('a refresh for another audience, or for fewer scopes, is refused and costs no token', async (t) => {
  const connecting = await granted()
  const token = connecting.kept.refresh_token!
  const resource = `${service.url}/mcp`
  t.is((await refresh(connecting, token, { resource: 'https://other.example/' })).body['error'], 'invalid_target')
  for (const scope of ['payments:read', 'payments:approve']) {
    t.is((await refresh(connecting, token, { scope })).body['error'], 'invalid_scope')
  }
  t.is(await statusWith(service, connecting.kept.access_token), 200)
  const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: token })
  form.append('client_id', connecting.client!.client_id)
  form.append('scope', connecting.kept.scope!)
  // Some clients say it twice.
  for (const _ of [1, 2]) form.append('resource', resource)
  const answer = await fetch(`${service.url}/oauth/token`, { method: 'POST', body: form })
  t.is(answer.status, 200, await answer.clone().text())
  const body = (await answer.json()) as { scope: string; access_token: string }
  const { body: setup } = await service.client.get<Setup>('/api/sdk/setup', body.access_token)
  t.deepEqual(body.scope.split(' ').sort(), setup.key.scopes.toSorted())
})

test('a client that names the audience twice is connected', async (t) => {
  const { agentId } = await fundedAgent(service.client, { name: 'Twice' })
  const clientId = await newClientOf(service)
  const query = new URLSearchParams({ ...ASKED, client_id: clientId })
  for (const _ of [1, 2]) query.append('resource', `${service.url}/mcp`)
  const { to } = await browse(`${service.url}/oauth/authorize?${query.toString()}`, owner.cookie)
  const code = await codeOf(service, owner.cookie, to.searchParams.get('request')!, { agentId })
  t.is((await exchanged(service, { code, clientId })).status, 200)
})
