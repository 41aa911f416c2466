// Every route by every role: a person may do what the scopes of the role allow, on the routes that take a session at
// all. The table of roles is repeated here from the specification.
import { type Actor } from '../../../src/actor/actor.js'
import test from 'ava'
import { ROLES, type Role } from '../../../src/domain/access/roles.js'
import { ORGANIZATION_NOUNS } from '../../../src/domain/access/scopes.js'
import type { Answer, Failure } from '../../support/client.js'
import { inspect } from '../../support/integrity.js'
import { ORGANIZATION_KEY, wholeFile } from '../../support/process.js'
import type { Key } from '../../support/payments.js'
import { newPerson, type Person } from '../../support/people.js'
import { absentIds, idsFor } from '../../support/population.js'
import { rowsOf, urlOf, type Row } from '../../support/routes.js'
import { start, type Started } from '../../support/service.js'

const NOUNS_OF_MANAGERS = ['agents', 'wallets', 'policies', 'counterparties', 'alerts']
const WRITES: Record<Role, readonly string[]> = {
  OWNER: ORGANIZATION_NOUNS,
  ADMIN: ORGANIZATION_NOUNS,
  MANAGER: NOUNS_OF_MANAGERS,
  VIEWER: [],
}
const OWNERS_ONLY = new Set([
  'POST /api/members',
  'POST /api/members/{memberId}/invite',
  'POST /api/members/{memberId}/reset-password',
  'PATCH /api/members/{memberId}',
  'DELETE /api/members/{memberId}',
])
/** A body that no route accepts, so that a person with access changes nothing. */
const NONSENSE = { nonsense: 1 }

const scope = wholeFile(test)
let service: Started
let rows: Row[]
let people: Record<Role, Person>

test.before('there is a person of every role', async () => {
  service = await start(scope)
  rows = await rowsOf(service.url)
  const entries: [Role, Person][] = []
  for (const role of ROLES) entries.push([role, await newPerson(service.client, role)])
  people = Object.fromEntries(entries) as Record<Role, Person>
})

function mayEnter(role: Role, { title, scope: needed = '' }: Row): boolean {
  const [noun, verb] = needed.split(':')
  if (OWNERS_ONLY.has(title) && role !== 'OWNER') return false
  return verb === 'read' || WRITES[role].includes(noun!)
}

function send(row: Row, cookie: string): Promise<Answer<Failure>> {
  const body = row.method === 'GET' ? undefined : NONSENSE
  return service.client.send(row.method, urlOf(row, idsFor(row, absentIds())), cookie, body)
}

for (const role of ROLES) {
  test(`a person who is ${role} may do on every route what the role's scopes allow`, async (t) => {
    let refused = 0
    for (const row of rows.filter(({ key }) => key === 'organization')) {
      const { status, body } = await send(row, people[role].cookie)
      if (mayEnter(role, row)) {
        t.true([200, 400, 404].includes(status), `${row.title}: ${status} ${body.error}`)
        continue
      }
      t.deepEqual([status, body.code], [403, 'INSUFFICIENT_SCOPE'], row.title)
      refused += 1
    }
    t.is(refused > 0, role !== 'OWNER')
  })

  test(`the session of a person who is ${role} opens no route of agents or of the operator`, async (t) => {
    const others = rows.filter(({ key }) => key === 'agent' || key === 'operator')
    t.true(others.length > 10)
    for (const row of others) {
      const { status, body } = await send(row, people[role].cookie)
      t.deepEqual([status, body.code], [401, 'AUTH_FAILED'], row.title)
    }
  })

  test(`the routes of a session alone are open to a person who is ${role}, with their scopes`, async (t) => {
    for (const row of rows.filter(({ key, method }) => key === 'person' && method !== 'DELETE')) {
      const isWhole = row.method === 'GET' && !row.query.some(({ required }) => required)
      const entered = isWhole ? 200 : 400
      const isAllowed = row.scope === undefined || mayEnter(role, row)
      t.is((await send(row, people[role].cookie)).status, isAllowed ? entered : 403, row.title)
    }
  })
}

test('every route that changes the members is for owners only', (t) => {
  const ofMembers = rows.filter(({ path, key }) => path.startsWith('/api/members') && key === 'organization')
  const changing = ofMembers.filter(({ method }) => method !== 'GET')
  t.deepEqual(new Set(changing.map(({ title }) => title)), OWNERS_ONLY)
})

test('a key may do what only owners may while its creator is an owner, or if no person created it', async (t) => {
  const { client } = service
  const invite = async (key: string) => {
    const body = { email: `${Math.random()}@example.com`, role: 'VIEWER' }
    return (await client.post('/api/members', key, body)).status
  }
  const keyOf = async (maker: string) =>
    (await client.post<Key>('/api/api-keys', maker, { name: 'Key', scopePreset: 'ADMIN' })).body.key
  const owner = await newPerson(client, 'OWNER')
  const ofOwner = await keyOf(owner.cookie)
  const ofThatKey = await keyOf(ofOwner)
  const ofAdmin = await keyOf(people.ADMIN.cookie)
  const ofFirst = await keyOf(ORGANIZATION_KEY)
  const statuses = async () => [
    await invite(ofOwner),
    await invite(ofThatKey),
    await invite(ofAdmin),
    await invite(ofFirst),
  ]
  t.deepEqual(await statuses(), [201, 201, 403, 201])
  await client.send('PATCH', `/api/members/${owner.id}`, ORGANIZATION_KEY, { role: 'ADMIN' })
  t.deepEqual(await statuses(), [403, 403, 403, 201])
  await client.send('PATCH', `/api/members/${owner.id}`, ORGANIZATION_KEY, { role: 'OWNER' })
  t.is(await invite(ofThatKey), 201)
  await client.send('DELETE', `/api/members/${owner.id}`, ORGANIZATION_KEY)
  t.deepEqual(await statuses(), [401, 401, 403, 201])
  t.is(await invite(await keyOf(await keyOf(people.ADMIN.cookie))), 403)
})

test('a key has no more rights than its person has now, and none once that person is removed', async (t) => {
  const { client } = service
  const person = await newPerson(client, 'ADMIN')
  const make = async (maker: string) =>
    (await client.post<Key>('/api/api-keys', maker, { name: 'Key', scopePreset: 'ADMIN' })).body
  const key = await make(person.cookie)
  const keyOfKey = await make(key.key)
  const statuses = async () => {
    const answers = [key, keyOfKey].map(({ key: by }) => [
      client.get('/api/agents', by),
      client.post('/api/agents', by, NONSENSE),
    ])
    return (await Promise.all(answers.flat())).map(({ status }) => status)
  }
  t.deepEqual(await statuses(), [200, 400, 200, 400])
  await client.send('PATCH', `/api/members/${person.id}`, people.OWNER.cookie, { role: 'VIEWER' })
  t.deepEqual(await statuses(), [200, 403, 200, 403])
  await client.send('PATCH', `/api/members/${person.id}`, people.OWNER.cookie, { role: 'MANAGER' })
  t.deepEqual(await statuses(), [200, 400, 200, 400])
  const listed = await client.get<{ keys: { id: string; createdBy: object }[] }>(
    '/api/api-keys?limit=100',
    ORGANIZATION_KEY,
  )
  const makers = [key, keyOfKey].map(({ id }) => listed.body.keys.find((one) => one.id === id)!.createdBy)
  t.deepEqual(makers, [
    { type: 'PERSON', id: person.id },
    { type: 'ORGANIZATION_KEY', id: key.id },
  ])
  await client.send('DELETE', `/api/members/${person.id}`, people.OWNER.cookie)
  t.deepEqual(await statuses(), [401, 401, 401, 401])
})

test('a new role applies to the next request of an existing session', async (t) => {
  const person = await newPerson(service.client, 'VIEWER')
  const create = () => service.client.post('/api/agents', person.cookie, NONSENSE)
  t.is((await create()).status, 403)
  await service.client.send('PATCH', `/api/members/${person.id}`, people.OWNER.cookie, { role: 'MANAGER' })
  t.is((await create()).status, 400)
})

test('a key records its creator, and the person at the start of its chain of creators', async (t) => {
  const own = await start(t)
  const { client } = own
  const person = await newPerson(client, 'ADMIN')
  const make = async (path: string, maker: string, more: object = {}) =>
    (await client.post<Key>(path, maker, { name: 'Key', ...more })).body
  const agent = (await client.post<{ id: string }>('/api/agents', person.cookie, { name: 'A', agentType: 'CUSTOM' }))
    .body
  const preset = { scopePreset: 'ADMIN' }
  const first = await make('/api/api-keys', person.cookie, preset)
  const second = await make('/api/api-keys', first.key, preset)
  const agents = await make(`/api/agents/${agent.id}/sdk-keys`, second.key)
  await own.stop()
  const { actors } = await inspect(own.folder)
  const shown = [first, second, agents].map(({ id }) => {
    const { createdBy, countsAs } = (actors.get(`key/${id}`)! as Actor<'key'>).context.fields
    return { createdBy, countsAs }
  })
  const countsAs = { type: 'PERSON', id: person.id }
  t.deepEqual(shown, [
    { createdBy: countsAs, countsAs },
    { createdBy: { type: 'ORGANIZATION_KEY', id: first.id }, countsAs },
    { createdBy: { type: 'ORGANIZATION_KEY', id: second.id }, countsAs },
  ])
})
