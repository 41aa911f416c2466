// What a key or a member made: it is named when its maker is removed, and removed with it on request. Presets mean what
// they mean today.
import { listOf } from '../../../src/domain/values/lists.js'
import test from 'ava'
import { authenticate, createOrganizationKey, revokeKey } from '../../../src/commands/people/keys.js'
import type { Caller } from '../../../src/commands/ports.js'
import { PRESETS } from '../../../src/domain/access/scopes.js'
import type { Answer, Failure } from '../../support/client.js'
import { ORGANIZATION_KEY, wholeFile } from '../../support/process.js'
import { made, type Key } from '../../support/payments.js'
import { done } from '../../support/commands.js'
import { invite, newPerson, setUp, signIn, tokenIn, type Invited } from '../../support/people.js'
import { bareOrganization } from './bareOrganization.js'
import { OPERATOR_KEY, start, type Started } from '../../support/service.js'
import type {
  AuditEntryList,
  Descendants,
  KeyList,
  MemberList,
  OrganizationKeyList,
  Removed,
} from '../../../sdk/api.js'

type Descendant = NonNullable<Removed['descendants']>[number]
const scope = wholeFile(test)
let service: Started

test.before('the service starts', async () => {
  service = await start(scope)
})

const failureOf = ({ status, body }: Answer<unknown>) => ({ status, code: (body as Failure).code })
const NOT_FOUND = { status: 404, code: 'NOT_FOUND' }
const origin = () => ({ Origin: service.url })
const organizationKey = async (by = ORGANIZATION_KEY, name = 'Key'): Promise<Key> =>
  (await service.client.post<Key>('/api/api-keys', by, { name, scopePreset: 'ADMIN' }, origin())).body
const remove = (path: string, by = ORGANIZATION_KEY) => service.client.send<Removed>('DELETE', path, by)
const revoke = (id: string, more = '') => remove(`/api/api-keys?keyId=${id}${more}`)
const status = async (key: string) => (await service.client.get('/api/agents', key)).status
const sorted = (entries: Descendant[] | undefined) => entries?.toSorted((a, b) => (a.name < b.name ? -1 : 1))

/** A stolen key, the key and the member that it made, what that key made, and an agent's key. */
async function theft() {
  const stolen = await organizationKey(ORGANIZATION_KEY, 'Stolen')
  const second = await organizationKey(stolen.key, 'b second')
  const third = await organizationKey(second.key, 'c third')
  const { client } = service
  const agent = await made<{ id: string }>(client, '/api/agents', {
    name: `Agent of ${stolen.id}`,
    agentType: 'CUSTOM',
  })
  const path = `/api/agents/${agent.id}/sdk-keys`
  const agents = (await client.post<Key>(path, third.key, { name: 'd agent' })).body
  const person = await newPerson(client, 'ADMIN', second.key)
  const listed: Descendant[] = [
    { type: 'KEY', id: second.id, name: 'b second' },
    { type: 'KEY', id: third.id, name: 'c third' },
    { type: 'AGENT_KEY', id: agents.id, name: 'd agent' },
    { type: 'MEMBER', id: person.id, name: person.email },
  ]
  return { stolen, second, third, agents, person, listed: sorted(listed) }
}

test('a revocation names what the key made, directly or through others, and leaves it', async (t) => {
  const { stolen, second, third, agents, person, listed } = await theft()
  const { body } = await revoke(stolen.id)
  t.deepEqual(Object.keys(body), ['success', 'descendants'])
  t.deepEqual(sorted(body.descendants), listed)
  t.deepEqual(await Promise.all([stolen.key, second.key, third.key, person.cookie].map(status)), [401, 200, 200, 200])
  t.is((await service.client.get('/api/sdk/setup', agents.key)).status, 200)
})

test('with cascade all of it ends in the same call', async (t) => {
  const { stolen, second, third, agents, person, listed } = await theft()
  const { body } = await revoke(stolen.id, '&cascade=true')
  t.deepEqual(Object.keys(body), ['success', 'revoked'])
  t.deepEqual(sorted(body.revoked), listed)
  t.deepEqual(await Promise.all([stolen.key, second.key, third.key, person.cookie].map(status)), [401, 401, 401, 401])
  t.is((await service.client.get('/api/sdk/setup', agents.key)).status, 401)
  t.deepEqual(failureOf(await revoke(stolen.id, '&cascade=true')), NOT_FOUND)
})

test('what a key left can be ended after its revocation, also through a maker that has ended', async (t) => {
  const { stolen, second, third, person, listed } = await theft()
  t.is((await revoke(second.id)).status, 200)
  t.is((await remove(`/api/members/${person.id}`)).status, 200)
  const left = listed!.filter(({ id }) => id !== second.id && id !== person.id)
  t.deepEqual(sorted((await revoke(stolen.id)).body.descendants), left)
  t.deepEqual(failureOf(await revoke(stolen.id)), NOT_FOUND)
  t.deepEqual(sorted((await revoke(stolen.id, '&cascade=true')).body.revoked), left)
  t.is(await status(third.key), 401)
})

test('a preview names it before the removal, with who made it', async (t) => {
  const { stolen, second, listed } = await theft()
  const preview = await service.client.get<Descendants>(`/api/api-keys/${stolen.id}/descendants`, ORGANIZATION_KEY)
  t.deepEqual(sorted(preview.body.descendants.map(({ createdBy: _by, ...entry }) => entry)), listed)
  t.deepEqual(preview.body.descendants.find(({ id }) => id === second.id)?.createdBy, {
    type: 'ORGANIZATION_KEY',
    id: stolen.id,
  })
  t.is((await service.client.get('/api/api-keys/cnothingnothingnothing/descendants', ORGANIZATION_KEY)).status, 404)
})

test('the keys of a removed member end and are revoked, and what else they made is named', async (t) => {
  const { client } = service
  await newPerson(client, 'OWNER')
  const person = await newPerson(client, 'OWNER')
  const own = await organizationKey(person.cookie)
  const invited = await invite(client, 'VIEWER', own.key)
  const { body } = await remove(`/api/members/${person.id}`)
  t.deepEqual(body.descendants, [{ type: 'MEMBER', id: invited.id, name: invited.email }])
  t.is(await status(own.key), 401)
  const { keys } = (await client.get<OrganizationKeyList>('/api/api-keys', ORGANIZATION_KEY)).body
  t.is(keys.find(({ id }) => id === own.id)?.status, 'REVOKED')
  const again = await remove(`/api/members/${person.id}?cascade=true`)
  t.deepEqual(again.body.revoked, body.descendants)
  t.deepEqual(failureOf(await remove(`/api/members/${invited.id}`)), NOT_FOUND)
})

test('nothing is removed when nobody would be left who is an owner', async (t) => {
  const { client } = service
  const { apiKey } = (await client.post<{ apiKey: string }>('/api/organizations', OPERATOR_KEY, { name: 'Own' })).body
  const first = (await client.get<OrganizationKeyList>('/api/api-keys', apiKey)).body.keys[0]!
  const owner = await newPerson(client, 'OWNER', apiKey)
  const answer = await remove(`/api/api-keys?keyId=${first.id}&cascade=true`, apiKey)
  t.deepEqual(failureOf(answer), { status: 400, code: 'INVALID_STATUS' })
  t.deepEqual(await Promise.all([apiKey, owner.cookie].map(status)), [200, 200])
})

test('a cascade removes members for owners alone', async (t) => {
  const { stolen, second, person } = await theft()
  const { cookie } = await newPerson(service.client, 'ADMIN')
  const own = await organizationKey(cookie)
  const answer = await remove(`/api/api-keys?keyId=${stolen.id}&cascade=true`, own.key)
  t.deepEqual(failureOf(answer), { status: 403, code: 'INSUFFICIENT_SCOPE' })
  t.deepEqual(await Promise.all([stolen.key, second.key, person.cookie].map(status)), [200, 200, 200])
  t.is((await remove(`/api/api-keys?keyId=${stolen.id}`, own.key)).status, 200)
  t.is((await revoke(stolen.id, '&cascade=true')).status, 200)
  t.is(await status(person.cookie), 401)
})

test('a link into a member ends with the access of whoever renewed it, that of an invitation does not', async (t) => {
  const { client } = service
  const stolen = await organizationKey()
  const person = await newPerson(client, 'OWNER')
  const waiting = await invite(client, 'VIEWER')
  const link = async (path: string) => tokenIn((await client.post<Invited>(path, stolen.key)).body)
  const renewed = [
    await link(`/api/members/${person.id}/reset-password`),
    await link(`/api/members/${waiting.id}/invite`),
  ]
  const invited = await invite(client, 'VIEWER', stolen.key)
  t.is((await revoke(stolen.id)).status, 200)
  for (const token of renewed) t.is((await setUp(client, token, 'a password of the thief')).status, 401)
  t.is((await setUp(client, tokenIn(invited))).status, 200)
  t.is((await signIn(client, person.email, person.password)).status, 200)
})

test('a key is revoked although what it made goes on making keys', async (t) => {
  const { services, admin } = await bareOrganization(t)
  const keyBy = async (caller: Caller): Promise<Caller> => {
    const { secret } = done(await createOrganizationKey(services, caller, { name: 'Key', scopePreset: 'ADMIN' }))
    return { principal: authenticate(services, secret)!, requestId: undefined }
  }
  const [root, made] = [await keyBy(admin), [] as Caller[]]
  const child = await keyBy(root)
  const busy = {
    ...services,
    breathe: async () => {
      const late = await keyBy(child).catch(() => undefined)
      if (late) made.push(late)
    },
  }
  const revoked = (isCascading: boolean) =>
    revokeKey(busy, admin, { agentId: null, keyId: root.principal.id, isCascading })
  t.true((await revoked(false)).ok)
  t.true((await revoked(true)).ok)
  const all = await services.query.all(listOf<'key'>(`keys/${root.principal.organization}`))
  t.true(made.length > 1)
  t.deepEqual(
    all.filter(({ state }) => state === 'active').map((key) => key.context.fields.name),
    ['First key'],
  )
})

test('of keys that are made while their maker is revoked with cascade none is left', async (t) => {
  const stolen = await organizationKey()
  const { id: agentId } = await made<{ id: string }>(service.client, '/api/agents', {
    name: 'Busy',
    agentType: 'CUSTOM',
  })
  const make = () => service.client.post<Key>(`/api/agents/${agentId}/sdk-keys`, stolen.key, { name: 'Late' })
  const making = Promise.all(Array.from({ length: 15 }, make))
  t.is((await revoke(stolen.id, '&cascade=true')).status, 200)
  await making
  const { keys } = (await service.client.get<KeyList>(`/api/agents/${agentId}/sdk-keys`, ORGANIZATION_KEY)).body
  t.deepEqual(
    keys.filter(({ status: one }) => one === 'ACTIVE'),
    [],
  )
})

test('keys, lists and members say who made them', async (t) => {
  const { stolen, second, third, agents, person } = await theft()
  const { client } = service
  type Listed = { keys: { id: string; createdBy: object }[] }
  const { keys } = (await client.get<Listed>('/api/api-keys?limit=100', ORGANIZATION_KEY)).body
  const makerOf = (id: string) => keys.find((one) => one.id === id)?.createdBy
  t.deepEqual(makerOf(second.id), { type: 'ORGANIZATION_KEY', id: stolen.id })
  t.deepEqual(keys.at(-1)!.createdBy, { type: 'OPERATOR', id: 'operator' })
  const entries = async (by: string) =>
    (await client.get<AuditEntryList>(`/api/audit-logs?actorId=${by}`, ORGANIZATION_KEY)).body.entries.map(
      ({ action, resourceId }) => `${action} ${resourceId}`,
    )
  t.deepEqual(await entries(third.id), [`key.create ${agents.id}`])
  t.deepEqual(await entries(second.id), [`member.create ${person.id}`, `key.create ${third.id}`])
  const { members } = (await client.get<MemberList>('/api/members?limit=100', ORGANIZATION_KEY)).body
  t.deepEqual(members.find(({ id }) => id === person.id)?.createdBy, { type: 'ORGANIZATION_KEY', id: second.id })
})

test.serial('a scope that a preset gains reaches the keys that have the preset', async (t) => {
  const { services, admin } = await bareOrganization(t)
  const { secret } = done(await createOrganizationKey(services, admin, { name: 'Key', scopePreset: 'STANDARD' }))
  const scopes = () => authenticate(services, secret)!.scopes
  t.false(scopes().includes('keys:write'))
  PRESETS.STANDARD.push('keys:write')
  t.teardown(() => void PRESETS.STANDARD.pop())
  t.true(scopes().includes('keys:write'))
})
