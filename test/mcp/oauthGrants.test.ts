// What a consent gives, who ends it, and how it waits for a second person.
import test from 'ava'
import {
  authorizing,
  connected,
  Connecting,
  consent,
  codeOf,
  newRequest,
  postForm,
  register,
  requestOf,
  toolsOf,
} from '../support/oauth.js'
import { statusWith } from '../support/mcpPost.js'
import { ask, fundedAgent, RECIPIENT } from '../support/payments.js'
import { newPerson, type Person } from '../support/people.js'
import { ORGANIZATION_KEY, wholeFile } from '../support/process.js'
import { start, type Started } from '../support/service.js'
import type { AgentLimits, ApprovalRequest, AuditEntryList, ConsentRequest, KeyList } from '../../sdk/api.js'

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

const keysOf = async (agentId: string, { client } = service) =>
  (await client.get<KeyList>(`/api/agents/${agentId}/sdk-keys`, ORGANIZATION_KEY)).body.keys

/** A client that was granted something, and how its tokens are answered. */
async function grant(person: Person) {
  const { agentId, key } = await fundedAgent(service.client, { name: `Agent ${(agents += 1)}` })
  const { kept, client } = await connected(service, person.cookie, { agentId })
  const form = { grant_type: 'refresh_token', refresh_token: kept.refresh_token!, client_id: client!.client_id }
  const token = kept.access_token
  return {
    agentId,
    key,
    token,
    access: () => statusWith(service, kept.access_token),
    refresh: () => postForm(service, 'token', form),
  }
}

test('a consent to execute lets the client pay, and nothing lets it do more', async (t) => {
  const { agentId } = await fundedAgent(service.client, { name: 'Executing' })
  const client = await connected(service, owner.cookie, { agentId, mayExecute: true })
  const call = await toolsOf(scope, service, client)
  const paid = await call('pay', { amount: 5, recipientAddress: RECIPIENT, paymentKey: 'A' })
  t.is(paid.structuredContent['status'], 'EXECUTED', JSON.stringify(paid))
  const [key] = await keysOf(agentId)
  t.true(key!.scopes.includes('payments:execute'))
  t.false(
    key!.scopes.some((scopeOf) => ['payments:approve', 'payments:confirm', 'counterparties:write'].includes(scopeOf)),
  )
})

test('revoking the key ends access and refresh at once', async (t) => {
  const { agentId, access, refresh } = await grant(owner)
  t.is(await access(), 200)
  const key = (await keysOf(agentId)).find(({ type }) => type === 'OAUTH')!
  await service.client.send('DELETE', `/api/agents/${agentId}/sdk-keys?keyId=${key.id}`, ORGANIZATION_KEY)
  t.is(await access(), 401)
  t.not((await refresh()).status, 200)
})

test('deleting the agent ends access and refresh at once', async (t) => {
  const { agentId, access, refresh } = await grant(owner)
  t.is(await access(), 200)
  t.is((await service.client.send('DELETE', `/api/agents/${agentId}`, ORGANIZATION_KEY)).status, 200)
  t.is(await access(), 401)
  t.not((await refresh()).status, 200)
})

test('removing the member ends access and refresh at once, and so does a role that may not consent', async (t) => {
  const [leaving, demoted] = await Promise.all([
    newPerson(service.client, 'MANAGER'),
    newPerson(service.client, 'MANAGER'),
  ])
  const ended = await grant(leaving)
  const paused = await grant(demoted)
  t.deepEqual([await ended.access(), await paused.access()], [200, 200])
  t.is((await service.client.send('DELETE', `/api/members/${leaving.id}`, owner.cookie)).status, 200)
  await service.client.send('PATCH', `/api/members/${demoted.id}`, owner.cookie, { role: 'VIEWER' })
  for (const { access, refresh } of [ended, paused]) {
    t.is(await access(), 401)
    t.not((await refresh()).status, 200)
  }
  const [key] = await keysOf(ended.agentId)
  t.is(key!.status, 'REVOKED')
})

test('a role that may not consent pauses what was granted, and one that may lets it go on', async (t) => {
  const person = await newPerson(service.client, 'MANAGER')
  const { access, refresh } = await grant(person)
  const becomes = (role: string) => service.client.send('PATCH', `/api/members/${person.id}`, owner.cookie, { role })
  await becomes('VIEWER')
  t.is(await access(), 401)
  await becomes('MANAGER')
  t.is(await access(), 200)
  t.is((await refresh()).status, 200)
})

test('an agent that may not pay now, or never again, is denied with a token as with its key, and both read', async (t) => {
  const { agentId, key, token, access, refresh } = await grant(owner)
  for (const status of ['PAUSED', 'SUSPENDED', 'REVOKED']) {
    const changed = await service.client.send('PATCH', `/api/agents/${agentId}`, owner.cookie, { status })
    t.is(changed.status, 200, status)
    t.is(await access(), 200)
    const [own, granted] = await Promise.all([ask(service.client, key, 1), ask(service.client, token, 1)])
    t.is(own.body.status, 'DENIED', JSON.stringify(own.body))
    t.deepEqual(granted.body.violations, own.body.violations)
  }
  t.is((await refresh()).status, 200)
})

test('the audit log has the consent and its end, and no hash of a token', async (t) => {
  const { agentId } = await grant(owner)
  const key = (await keysOf(agentId)).find(({ type }) => type === 'OAUTH')!
  const path = `/api/audit-logs?resourceId=${key.id}`
  const { body } = await service.client.get<AuditEntryList>(path, ORGANIZATION_KEY)
  const text = JSON.stringify(body)
  t.regex(text, /"redirectHost":"127.0.0.1:33418"/)
  t.notRegex(text, /"tokens"|"hash":"[0-9a-f]{64}"[^}]*"use"/)
  t.true(body.entries.some(({ actor }) => actor.type === 'PERSON' && actor.id === owner.id))
})

test('what a client will be able to spend today is shown to people as to agents', async (t) => {
  const { agentId, key } = await fundedAgent(service.client, { name: 'Limited', terms: { spendLimitDaily: 40 } })
  const own = await service.client.get<AgentLimits>('/api/sdk/limits', key)
  const shown = await service.client.get<AgentLimits>(`/api/agents/${agentId}/limits`, owner.cookie)
  t.deepEqual(shown.body.wallets, own.body.wallets)
  t.is(shown.body.wallets[0]!.remaining.day, 40)
})

test('where creating keys is governed, a consent waits, and the client gets its code after the approval alone', async (t) => {
  // Of its own: nobody turns governance off alone.
  const service = await start(t)
  const owner = await newPerson(service.client, 'OWNER')
  const asker = await newPerson(service.client, 'MANAGER')
  const { agentId } = await fundedAgent(service.client, { name: 'Governed' })
  const governance = { enabled: true, actions: ['key.create'] }
  await service.client.send('PATCH', '/api/organization', owner.cookie, { governance })
  const connecting = new Connecting()
  const request = await requestOf(connecting, service, asker.cookie)
  const held = await consent(service, asker.cookie, request, { agentId })
  t.is(held.status, 202)
  const { governanceApprovalRequestId: id } = held.body as unknown as { governanceApprovalRequestId: string }
  const path = `/api/oauth/consent?${new URLSearchParams({ request }).toString()}`
  const granted = async () => (await service.client.get<ConsentRequest>(path, asker.cookie)).body.granted
  t.deepEqual(await granted(), [])
  t.false((await keysOf(agentId, service)).some(({ type }) => type === 'OAUTH'))
  const shown = await service.client.get<ApprovalRequest>(`/api/approval-requests/${id}`, owner.cookie)
  t.regex(JSON.stringify(shown.body), /"clientName":"Desk","redirectHost":"127.0.0.1:33418"/)
  t.false(JSON.stringify(shown.body).includes(request))
  const own = await service.client.post(`/api/approval-requests/${id}/decision`, asker.cookie, { decision: 'APPROVED' })
  t.is(own.status, 403)
  const decided = await service.client.post(`/api/approval-requests/${id}/decision`, owner.cookie, {
    decision: 'APPROVED',
  })
  t.is(decided.status, 200, JSON.stringify(decided.body))
  t.deepEqual(await granted(), [{ agentId, mayExecute: false }])
  // It is the person's own consent, and nobody asks a second time.
  t.truthy(await codeOf(service, asker.cookie, request, { agentId }))
  const other = await consent(service, asker.cookie, request, { agentId, mayExecute: true })
  t.is(other.status, 202)
})

test('an approved consent counts for the place alone that the approver read', async (t) => {
  // Of its own: nobody turns governance off alone.
  const service = await start(t)
  const owner = await newPerson(service.client, 'OWNER')
  const asker = await newPerson(service.client, 'MANAGER')
  const { agentId } = await fundedAgent(service.client, { name: 'Governed' })
  const governance = { enabled: true, actions: ['key.create'] }
  await service.client.send('PATCH', '/api/organization', owner.cookie, { governance })
  const places = ['https://app.example/callback', 'https://evil.example/callback', 'http://127.0.0.1:1/callback']
  const { body } = await register(service, { client_name: 'Desk', redirect_uris: places })
  const asking = async (redirect_uri: string) => {
    const { to } = await authorizing(service, asker.cookie, { client_id: String(body['client_id']), redirect_uri })
    const request = to.searchParams.get('request')!
    const path = `/api/oauth/consent?${new URLSearchParams({ request }).toString()}`
    const { granted } = (await service.client.get<ConsentRequest>(path, asker.cookie)).body
    return { granted, consents: () => consent(service, asker.cookie, request, { agentId }) }
  }
  const approve = async ({ consents }: Awaited<ReturnType<typeof asking>>) => {
    const held = await consents()
    const { governanceApprovalRequestId: id } = held.body as unknown as { governanceApprovalRequestId: string }
    const path = `/api/approval-requests/${id}/decision`
    t.is((await service.client.post(path, owner.cookie, { decision: 'APPROVED' })).status, 200)
  }
  await approve(await asking(places[0]!))
  const elsewhere = await asking(places[1]!)
  t.deepEqual(elsewhere.granted, [])
  t.is((await elsewhere.consents()).status, 202)
  const same = await asking(places[0]!)
  t.deepEqual(same.granted, [{ agentId, mayExecute: false }])
  t.is((await same.consents()).status, 200)
  // A program on the person's machine takes another port each time.
  await approve(await asking(places[2]!))
  t.is((await (await asking('http://127.0.0.1:2/callback')).consents()).status, 200)
})

test('one consent that is sent several times at once gives one key', async (t) => {
  const { agentId } = await fundedAgent(service.client, { name: 'Doubled' })
  const request = await newRequest(service.client, owner.cookie)
  const all = await Promise.all([1, 2, 3, 4].map(() => consent(service, owner.cookie, request, { agentId })))
  t.deepEqual(
    all.map(({ status }) => status),
    [200, 200, 200, 200],
  )
  t.is(new Set(all.map(({ body }) => body.keyId)).size, 1)
  t.is((await keysOf(agentId)).filter(({ type }) => type === 'OAUTH').length, 1)
})
