// Members: invitations, set-up links, changes and removal, and the last owner, who always stays.
import test from 'ava'
import { inviteMember, removeMember, updateMember } from '../../../src/commands/people/members.js'
import { setUpMember } from '../../../src/commands/people/setUp.js'
import type { Answer, Failure } from '../../support/client.js'
import { ORGANIZATION_KEY, wholeFile } from '../../support/process.js'
import { made, type Key } from '../../support/payments.js'
import { done } from '../../support/commands.js'
import {
  cookieIn,
  invite,
  newPerson,
  PASSWORD,
  setUp,
  signIn,
  tokenIn,
  type Invited,
  type Member,
} from '../../support/people.js'
import { bareOrganization } from './bareOrganization.js'
import { OPERATOR_KEY, start, type Started } from '../../support/service.js'
import type { MemberList, Session } from '../../../sdk/api.js'

const NOON = Date.parse('2031-07-09T12:00:00Z')
const DAY_MS = 86_400_000
const scope = wholeFile(test)
let service: Started

test.before('the service starts', async () => {
  service = await start(scope, { at: NOON })
})

const failureOf = ({ status, body }: Answer<unknown>) => ({ status, code: (body as Failure).code })
const change = (id: string, body: object, key = ORGANIZATION_KEY) =>
  service.client.send<Member>('PATCH', `/api/members/${id}`, key, body)
const remove = (id: string, key = ORGANIZATION_KEY) => service.client.send('DELETE', `/api/members/${id}`, key)
const session = (cookie: string) => service.client.get<Session>('/api/session', cookie)
/** A new organization that has nothing but its first key. */
const newOrganization = async (): Promise<string> =>
  (await service.client.post<{ apiKey: string }>('/api/organizations', OPERATOR_KEY, { name: 'Own' })).body.apiKey
const members = async (key: string) => (await service.client.get<MemberList>('/api/members', key)).body.members

test('an invitation shows the member and, once, its link', async (t) => {
  const body = { email: 'Ada@Example.com', name: 'Ada', role: 'MANAGER' }
  const headers = { 'Idempotency-Key': 'ada' }
  const first = await service.client.post<Invited>('/api/members', ORGANIZATION_KEY, body, headers)
  const { setupUrl, ...record } = first.body
  t.is(first.status, 201)
  t.like(record, { email: 'ada@example.com', name: 'Ada', role: 'MANAGER', status: 'INVITED' })
  t.deepEqual(Object.keys(record).sort(), ['createdAt', 'createdBy', 'email', 'id', 'name', 'role', 'status'])
  t.regex(setupUrl, new RegExp(`^${service.url}/setup\\?token=[\\w-]{43}$`))
  const again = await service.client.post<Invited>('/api/members', ORGANIZATION_KEY, body, headers)
  t.is(again.headers['idempotency-replayed'], 'true')
  t.deepEqual(again.body as Member, record)
  t.deepEqual(
    (await members(ORGANIZATION_KEY)).find(({ id }) => id === record.id),
    record,
  )
})

test('a link sets a password once, and signs in', async (t) => {
  const invited = await invite(service.client, 'VIEWER')
  const answer = await setUp(service.client, tokenIn(invited))
  t.is(answer.status, 200)
  t.like(answer.body.member, { id: invited.id, status: 'ACTIVE' })
  t.is(answer.body.organization.name, 'My organization')
  t.is((await session(cookieIn(answer))).body.member.id, invited.id)
  const again = await setUp(service.client, tokenIn(invited), 'another password of 12')
  t.deepEqual(failureOf(again), { status: 401, code: 'AUTH_FAILED' })
  t.is(again.headers['set-cookie'], undefined)
  t.is((await signIn(service.client, invited.email, PASSWORD)).status, 200)
})

test('of many concurrent uses of a link one succeeds', async (t) => {
  const invited = await invite(service.client, 'VIEWER')
  const passwords = Array.from({ length: 8 }, (_, at) => `password number ${at}`)
  const answers = await Promise.all(passwords.map((one) => setUp(service.client, tokenIn(invited), one)))
  const won = answers.flatMap(({ status }, at) => (status === 200 ? [passwords[at]!] : []))
  t.is(won.length, 1)
  for (const one of passwords)
    t.is((await signIn(service.client, invited.email, one)).status, one === won[0] ? 200 : 401)
})

test('a link expires after seven days, and a new link invalidates the previous one', async (t) => {
  const own = await start(t, { at: NOON })
  const invited = await invite(own.client, 'VIEWER')
  const path = `/api/members/${invited.id}/invite`
  const second = await own.client.post<Invited>(path, ORGANIZATION_KEY)
  t.is(second.status, 200)
  t.deepEqual(failureOf(await setUp(own.client, tokenIn(invited))), { status: 401, code: 'AUTH_FAILED' })
  own.setClock(NOON + 7 * DAY_MS + 60_000)
  t.deepEqual(failureOf(await setUp(own.client, tokenIn(second.body))), { status: 401, code: 'AUTH_FAILED' })
  const third = await own.client.post<Invited>(path, ORGANIZATION_KEY)
  own.setClock(NOON + 14 * DAY_MS - 60_000)
  t.is((await setUp(own.client, tokenIn(third.body))).status, 200)
  const late = await own.client.post<Failure>(path, ORGANIZATION_KEY)
  t.deepEqual(failureOf(late), { status: 400, code: 'INVALID_STATUS' })
  t.is(
    late.body.error,
    'This person has a password already: give them a link for a new one with POST /api/members/{memberId}/reset-password',
  )
})

const NO_EMAILS = ['', 'ada', '@', 'a@', '@b', 'a@b@c', 'a b@c', 'a@b c', `${'x'.repeat(251)}@b.c`, 'a@\u0000', 1, null]

test('an invalid e-mail address, role or name is refused', async (t) => {
  const bodies = [
    ...NO_EMAILS.map((email) => ({ email, role: 'VIEWER' })),
    { email: 'fits@example.com', role: 'owner' },
    { email: 'fits@example.com' },
    { email: 'fits@example.com', role: 'VIEWER', name: '' },
  ]
  for (const body of bodies) {
    const answer = await service.client.post('/api/members', ORGANIZATION_KEY, body)
    t.deepEqual(failureOf(answer), { status: 400, code: 'VALIDATION_ERROR' }, JSON.stringify(body))
  }
})

const NO_PASSWORDS = [
  '',
  'elevenchars',
  '            ',
  'aaaaaaaaaaaaaaaa',
  'x'.repeat(129),
  `${'x'.repeat(20)}\ud800abc`,
  1,
  null,
]

test('an invalid password is refused, and the link remains valid', async (t) => {
  const token = tokenIn(await invite(service.client, 'VIEWER'))
  for (const password of NO_PASSWORDS) {
    const answer = await service.client.post('/api/session/setup', '', { token, password })
    t.deepEqual(failureOf(answer), { status: 400, code: 'VALIDATION_ERROR' }, JSON.stringify(password))
    t.is((answer.body.details ?? [])[0]?.path, 'password')
    t.false(typeof password === 'string' && password.length > 5 && JSON.stringify(answer.body).includes(password))
  }
  t.is((await setUp(service.client, token, '\u{1F510} schlüssel \u{1F511} ok')).status, 200)
})

test('members of an organization never share an e-mail address; a removal frees it', async (t) => {
  const { email, id } = await invite(service.client, 'VIEWER')
  const body = { email: email.toUpperCase(), role: 'ADMIN' }
  const twice = () => service.client.post<Invited>('/api/members', ORGANIZATION_KEY, body)
  t.deepEqual(failureOf(await twice()), { status: 409, code: 'ALREADY_EXISTS' })
  t.is((await remove(id)).status, 200)
  t.deepEqual(failureOf(await remove(id)), { status: 404, code: 'NOT_FOUND' })
  t.is((await twice()).status, 201)
})

test('a person may be in two organizations, with a separate password for each', async (t) => {
  const key = await newOrganization()
  const email = 'both@example.com'
  const inviteTo = async (by: string): Promise<string> =>
    tokenIn((await service.client.post<Invited>('/api/members', by, { email, role: 'VIEWER' })).body)
  const one = (await setUp(service.client, await inviteTo(ORGANIZATION_KEY), 'password of the first')).body
  const two = (await setUp(service.client, await inviteTo(key), 'password of the second')).body
  t.not(one.organization.id, two.organization.id)
  const where = async (password: string, more = {}): Promise<string | undefined> =>
    (await signIn(service.client, email, password, more)).body.organization?.id
  t.is(await where('password of the first'), one.organization.id)
  t.is(await where('password of the second'), two.organization.id)
  t.is((await where('password of the first', { organizationId: two.organization.id })) ?? 'none', 'none')
  t.is(await where('password of the second', { organizationId: two.organization.id }), two.organization.id)
})

test('a name may be changed and cleared', async (t) => {
  const { id } = await invite(service.client, 'VIEWER')
  t.is((await change(id, { name: 'Grace' })).body.name, 'Grace')
  t.is((await change(id, { role: 'ADMIN' })).body.name, 'Grace')
  t.like((await change(id, { name: null })).body, { name: null, role: 'ADMIN' })
})

test('removing a member ends its sessions at once', async (t) => {
  const person = await newPerson(service.client, 'ADMIN')
  t.is((await session(person.cookie)).status, 200)
  await remove(person.id)
  t.deepEqual(failureOf(await session(person.cookie)), { status: 401, code: 'AUTH_FAILED' })
  t.deepEqual(failureOf(await service.client.get('/api/agents', person.cookie)), { status: 401, code: 'AUTH_FAILED' })
  t.is((await signIn(service.client, person.email, person.password)).status, 401)
})

test('the last owner cannot be removed or demoted, not even by themselves', async (t) => {
  const key = await newOrganization()
  const owner = await newPerson(service.client, 'OWNER', key)
  const stays = { status: 400, code: 'INVALID_STATUS' }
  for (const by of [key, owner.cookie]) {
    t.deepEqual(failureOf(await remove(owner.id, by)), stays)
    t.deepEqual(failureOf(await change(owner.id, { role: 'ADMIN' }, by)), stays)
  }
  t.is((await change(owner.id, { role: 'OWNER', name: 'Still' }, key)).body.name, 'Still')
  // A member who is only invited does not count as an owner, and can be removed.
  const invited = await invite(service.client, 'OWNER', key)
  t.deepEqual(failureOf(await remove(owner.id, key)), stays)
  t.is((await remove(invited.id, key)).status, 200)
  await newPerson(service.client, 'OWNER', key)
  t.is((await change(owner.id, { role: 'VIEWER' }, owner.cookie)).body.role, 'VIEWER')
})

test('the only owner cannot be removed, even before a password is set', async (t) => {
  const key = await newOrganization()
  const invited = await invite(service.client, 'OWNER', key)
  t.deepEqual(failureOf(await remove(invited.id, key)), { status: 400, code: 'INVALID_STATUS' })
})

test('of three owners who are removed or demoted concurrently one stays', async (t) => {
  const { services, admin } = await bareOrganization(t)
  const join = async (email: string): Promise<string> => {
    const { actor, ...link } = done(await inviteMember(services, admin, { email, role: 'OWNER' }))
    done(await setUpMember(services, { token: tokenIn(link), password: PASSWORD, requestId: 'r' }))
    return String(actor.context['id'])
  }
  const [one, two, three] = [await join('one@x'), await join('two@x'), await join('three@x')]
  const outcomes = await Promise.all([
    removeMember(services, admin, { memberId: one }),
    updateMember(services, admin, two, { role: 'ADMIN' }),
    removeMember(services, admin, { memberId: three }),
  ])
  t.deepEqual(
    outcomes.map(({ ok }) => ok),
    [true, true, false],
  )
})

test("another organization's member is NOT_FOUND", async (t) => {
  const key = await newOrganization()
  const { id, email } = await invite(service.client, 'VIEWER', key)
  t.deepEqual(failureOf(await change(id, { name: 'Mine' })), { status: 404, code: 'NOT_FOUND' })
  t.deepEqual(failureOf(await remove(id)), { status: 404, code: 'NOT_FOUND' })
  t.deepEqual(failureOf(await service.client.post(`/api/members/${id}/invite`, ORGANIZATION_KEY)), {
    status: 404,
    code: 'NOT_FOUND',
  })
  await made(service.client, '/api/members', { email, role: 'VIEWER' })
})

test('a key ends with the membership of the person who created it', async (t) => {
  const person = await newPerson(service.client, 'ADMIN')
  const { body } = await service.client.post<Key>('/api/api-keys', person.cookie, { name: 'Key', scopePreset: 'ADMIN' })
  await remove(person.id)
  t.is((await service.client.get('/api/agents', body.key)).status, 401)
})
