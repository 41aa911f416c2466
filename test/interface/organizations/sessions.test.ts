// Sessions: signing in and out, their lifetime, their cookie and what it opens, and protection against other sites.
import { listOf } from '../../../src/domain/values/lists.js'
import test from 'ava'
import { inviteMember, removeMember } from '../../../src/commands/people/members.js'
import { createOrganization, operator } from '../../../src/commands/organizations/organizations.js'
import type { Caller } from '../../../src/commands/ports.js'
import { signIn as signInCommand } from '../../../src/commands/people/sessions.js'
import { setUpMember } from '../../../src/commands/people/setUp.js'
import type { Answer, Failure } from '../../support/client.js'
import { newFolder, ORGANIZATION_KEY, wholeFile } from '../../support/process.js'
import { inspect } from '../../support/integrity.js'
import { fundedAgent } from '../../support/payments.js'
import { done } from '../../support/commands.js'
import { cookieIn, invite, newPerson, PASSWORD, setUp, signIn, tokenIn, type Session } from '../../support/people.js'
import { bareOrganization } from './bareOrganization.js'
import { start, type Started } from '../../support/service.js'
import type { OwnSessionList } from '../../../sdk/api.js'

const NOON = Date.parse('2031-07-09T12:00:00Z')
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const MINUTE_MS = 60_000
const EVIL = 'https://evil.example'
const scope = wholeFile(test)
let service: Started

test.before('the service starts', async () => {
  service = await start(scope, { at: NOON })
})

const failureOf = ({ status, body }: Answer<unknown>) => ({ status, code: (body as Failure).code })
const OUT = { status: 401, code: 'AUTH_FAILED' }
const CSRF = { status: 403, code: 'CSRF' }
const session = ({ client }: Started, cookie: string) => client.get<Session>('/api/session', cookie)
const changePassword = (cookie: string, currentPassword: string, newPassword: string) =>
  service.client.post<Session>('/api/session/password', cookie, { currentPassword, newPassword })

test('signing in starts a session that shows the member and the organization', async (t) => {
  const person = await newPerson(service.client, 'MANAGER')
  const answer = await signIn(service.client, person.email.toUpperCase(), person.password)
  t.is(answer.status, 200)
  t.deepEqual(Object.keys(answer.body).sort(), ['expiresAt', 'member', 'organization'])
  t.like(answer.body.member, { id: person.id, email: person.email, role: 'MANAGER', status: 'ACTIVE' })
  t.true(Math.abs(Date.parse(answer.body.member.lastSignInAt!) - service.now()) < MINUTE_MS)
  t.deepEqual((await session(service, cookieIn(answer))).body, answer.body)
})

test('every failed sign-in has the same answer, whatever is wrong', async (t) => {
  const person = await newPerson(service.client, 'VIEWER')
  const invited = await invite(service.client, 'VIEWER')
  const removed = await newPerson(service.client, 'VIEWER')
  await service.client.send('DELETE', `/api/members/${removed.id}`, ORGANIZATION_KEY)
  const expected = (await signIn(service.client, 'nobody@example.com', PASSWORD)).body
  t.like(expected as unknown as Failure, { code: 'AUTH_FAILED' })
  const tried: [string, string, object?][] = [
    [person.email, `${PASSWORD}.`],
    [person.email, PASSWORD, { organizationId: 'cnothing' }],
    [invited.email, PASSWORD],
    [removed.email, PASSWORD],
    ['no address', PASSWORD],
  ]
  for (const [email, password, more] of tried) {
    const answer = await signIn(service.client, email, password, more)
    t.is(answer.status, 401)
    t.deepEqual(answer.body, expected, email)
    t.is(answer.headers['set-cookie'], undefined)
  }
  const empty = await signIn(service.client, person.email, '')
  t.deepEqual(failureOf(empty), { status: 400, code: 'VALIDATION_ERROR' })
})

test('an unknown e-mail address costs one password check, like a wrong password', async (t) => {
  const { services, passwords, admin, id } = await bareOrganization(t)
  const join = (email: string) => inviteMember(services, admin, { email, role: 'VIEWER' })
  for (const email of ['active@x', 'removed@x']) {
    await setUpMember(services, { token: tokenIn(done(await join(email))), password: PASSWORD, requestId: 'r' })
  }
  const removed = services.query.refs(listOf(`members/${id}`))[0]!
  done(await removeMember(services, admin, { memberId: removed.slice('member/'.length) }))
  done(await join('invited@x'))
  for (const email of ['active@x', 'removed@x', 'invited@x', 'nobody@x', undefined]) {
    passwords.verified = 0
    const answer = await signInCommand(services, { email, password: 'a wrong password' }, { requestId: 'r' })
    t.false(answer.ok)
    t.is(passwords.verified, 1, String(email))
  }
  passwords.verified = 0
  t.true((await signInCommand(services, { email: 'active@x', password: PASSWORD }, { requestId: 'r' })).ok)
  t.is(passwords.verified, 1)
})

test('memberships that other organizations make neither lock a person out nor cost a sign-in more', async (t) => {
  const { services, passwords, admin } = await bareOrganization(t)
  const join = async (by: Caller, password: string): Promise<void> => {
    const invited = done(await inviteMember(services, by, { email: 'ada@x', role: 'VIEWER' }))
    await setUpMember(services, { token: tokenIn(invited), password, requestId: 'r' })
  }
  const attempt = async (password: string) => {
    passwords.verified = 0
    const { ok } = await signInCommand(services, { email: 'ada@x', password }, { requestId: 'r' })
    return { ok, verified: passwords.verified }
  }
  const wrong = { ok: false, verified: 1 }
  t.deepEqual(await attempt('a wrong password'), wrong)
  await join(admin, PASSWORD)
  for (let memberships = 1; memberships <= 8; memberships += 1) {
    t.deepEqual(await attempt(PASSWORD), { ok: true, verified: 1 }, `${memberships} memberships`)
    t.deepEqual(await attempt('a wrong password'), wrong, `${memberships} memberships`)
    const { organization } = done(await createOrganization(services, 'Other'))
    const principal = operator(String(organization.context['id']))
    await join({ principal, requestId: undefined }, `password number ${memberships}`)
  }
})

test('a password is accepted in any equivalent Unicode form', async (t) => {
  const { email, ...invited } = await invite(service.client, 'VIEWER')
  await setUp(service.client, tokenIn(invited), 'schlüssel ﬁnden é'.normalize('NFD'))
  t.is((await signIn(service.client, email, 'schlüssel finden é'.normalize('NFC'))).status, 200)
})

const ATTRIBUTES = ['Path=/', 'Max-Age=604800', 'HttpOnly', 'SameSite=Lax']

test('the cookie is HttpOnly and SameSite, and Secure over HTTPS', async (t) => {
  const { email, password } = await newPerson(service.client, 'VIEWER')
  const plain = (await signIn(service.client, email, password)).headers['set-cookie']!
  t.is(plain.length, 1)
  const [pair, ...attributes] = plain[0]!.split('; ')
  t.regex(pair!, /^bursar_session=[\w-]{43}$/)
  t.deepEqual(attributes, ATTRIBUTES)
  const env = { BURSAR_PUBLIC_URL: 'https://bursar.example' }
  const secure = await start(t, { env })
  const response = await fetch(`${secure.listening}/api/members`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ORGANIZATION_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'a@b', role: 'OWNER' }),
  })
  const { setupUrl } = (await response.json()) as { setupUrl: string }
  t.true(setupUrl.startsWith('https://bursar.example/setup?token='))
  t.is(secure.url, 'https://bursar.example')
  const set = await fetch(`${secure.listening}/api/session/setup`, {
    method: 'POST',
    headers: { origin: 'https://bursar.example', 'content-type': 'application/json' },
    body: JSON.stringify({ token: tokenIn({ setupUrl }), password: PASSWORD }),
  })
  t.is(set.status, 200)
  t.deepEqual(set.headers.getSetCookie()[0]!.split('; ').slice(1), [...ATTRIBUTES, 'Secure'])
})

test('signing out ends the session and clears its cookie, and ends no other session', async (t) => {
  const { email, password, cookie } = await newPerson(service.client, 'VIEWER')
  const other = cookieIn(await signIn(service.client, email, password))
  const answer = await service.client.send('DELETE', '/api/session', cookie)
  t.deepEqual([answer.status, answer.body as object], [200, { success: true }])
  t.deepEqual(answer.headers['set-cookie'], ['bursar_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax'])
  t.deepEqual(failureOf(await session(service, cookie)), OUT)
  t.deepEqual(failureOf(await service.client.send('DELETE', '/api/session', cookie)), OUT)
  t.is((await session(service, other)).status, 200)
})

test('a person sees their own live sessions and ends each of them', async (t) => {
  const { client } = service
  const path = '/api/members/me/sessions'
  const list = async (cookie: string) => (await client.get<OwnSessionList>(path, cookie)).body.sessions
  const end = (cookie: string, id: string) => client.send('DELETE', `${path}?sessionId=${id}`, cookie)
  const [person, other] = [await newPerson(client, 'VIEWER'), await newPerson(client, 'VIEWER')]
  const headers = { 'User-Agent': `Browser/1 ${'x'.repeat(400)}` }
  const { email, password } = person
  const second = cookieIn(await client.post<Session>('/api/session', '', { email, password }, headers))
  const sessions = await list(person.cookie)
  t.deepEqual(
    sessions.map(({ current, userAgent }) => [current, userAgent?.slice(0, 9) ?? null]),
    [
      [false, 'Browser/1'],
      [true, null],
    ],
  )
  t.is(sessions[0]!.userAgent!.length, 300)
  t.deepEqual(Object.keys(sessions[0]!), ['id', 'createdAt', 'lastUsedAt', 'userAgent', 'current'])
  const missing = { status: 404, code: 'NOT_FOUND' }
  t.deepEqual(failureOf(await end(other.cookie, sessions[0]!.id)), missing)
  t.is((await end(person.cookie, sessions[0]!.id)).status, 200)
  t.deepEqual(failureOf(await session(service, second)), OUT)
  t.deepEqual(failureOf(await end(person.cookie, sessions[0]!.id)), missing)
  t.is((await list(person.cookie)).length, 1)
  t.deepEqual(failureOf(await client.get(path, ORGANIZATION_KEY)), OUT)
  t.is((await end(person.cookie, sessions[1]!.id)).status, 200)
  t.deepEqual(failureOf(await session(service, person.cookie)), OUT)
})

test('a session ends seven days after its start, however much it is used', async (t) => {
  const own = await start(t, { at: NOON })
  const { cookie } = await newPerson(own.client, 'VIEWER')
  const { expiresAt } = (await session(own, cookie)).body
  for (let hours = 10; hours < 7 * 24; hours += 10) {
    own.setClock(NOON + hours * HOUR_MS)
    t.is((await session(own, cookie)).status, 200, `${hours} h`)
  }
  own.setClock(NOON + 7 * DAY_MS - MINUTE_MS)
  t.is((await session(own, cookie)).status, 200)
  own.setClock(Date.parse(expiresAt))
  t.deepEqual(failureOf(await session(own, cookie)), OUT)
  await own.restart()
  // Stopping waits for what the start has begun to end.
  await own.restart()
  own.setClock(NOON + 7 * DAY_MS - MINUTE_MS)
  t.deepEqual(failureOf(await session(own, cookie)), OUT)
})

test('a session ends after twelve hours without use, even across a restart', async (t) => {
  const own = await start(t, { at: NOON })
  const { email, password, cookie } = await newPerson(own.client, 'VIEWER')
  own.setClock(NOON + 12 * HOUR_MS - MINUTE_MS)
  t.is((await session(own, cookie)).status, 200)
  await own.restart()
  t.is((await session(own, cookie)).status, 200)
  own.setClock(NOON + 24 * HOUR_MS + 5 * MINUTE_MS)
  t.deepEqual(failureOf(await session(own, cookie)), OUT)
  t.is((await signIn(own.client, email, password)).status, 200)
})

test('a new password ends every session except the one that it starts', async (t) => {
  const { email, password, cookie } = await newPerson(service.client, 'VIEWER')
  const other = cookieIn(await signIn(service.client, email, password))
  const changed = await changePassword(cookie, password, 'a password that is new')
  t.is(changed.status, 200)
  const fresh = cookieIn(changed)
  for (const old of [cookie, other]) t.deepEqual(failureOf(await session(service, old)), OUT)
  t.is((await session(service, fresh)).body.member.email, email)
  t.is((await signIn(service.client, email, password)).status, 401)
  t.is((await signIn(service.client, email, 'a password that is new')).status, 200)
})

test('a password change needs the current password, and of two at once one succeeds', async (t) => {
  const { password, cookie } = await newPerson(service.client, 'VIEWER')
  const wrong = await changePassword(cookie, 'not the password', 'a password that is new')
  t.deepEqual(failureOf(wrong), { status: 400, code: 'VALIDATION_ERROR' })
  const short = await changePassword(cookie, password, 'too short')
  t.deepEqual(failureOf(short), { status: 400, code: 'VALIDATION_ERROR' })
  t.is((await session(service, cookie)).status, 200)
  const both = await Promise.all(
    ['first new password', 'second new password'].map((one) => changePassword(cookie, password, one)),
  )
  t.is(both.filter(({ status }) => status === 200).length, 1)
})

test('a session token that was planted before a sign-in opens nothing after it', async (t) => {
  const { email, password } = await newPerson(service.client, 'VIEWER')
  const planted = `bursar_session=${'A'.repeat(43)}`
  const headers = { Cookie: planted }
  const answer = await service.client.post<Session>('/api/session', '', { email, password }, headers)
  t.not(cookieIn(answer), planted)
  t.deepEqual(failureOf(await session(service, planted)), OUT)
})

const STRANGE = ['', '=', 'A'.repeat(43), 'A'.repeat(3000), '../..', '%00', '"quoted"', 'a;b']

test('an unknown cookie opens nothing', async (t) => {
  for (const value of STRANGE) t.deepEqual(failureOf(await session(service, `bursar_session=${value}`)), OUT, value)
  t.deepEqual(service.logged, [])
})

test('with both a key and a cookie only the key counts', async (t) => {
  const { cookie } = await newPerson(service.client, 'OWNER')
  const agent = await fundedAgent(service.client, { name: 'Beside a cookie' })
  const both = async (path: string, key: string) =>
    (await service.client.send('GET', path, key, undefined, { Cookie: cookie })).status
  t.is(await both('/api/agents', ORGANIZATION_KEY), 200)
  t.is(await both('/api/agents', 'nonsense'), 401)
  t.is(await both('/api/agents', agent.key), 401)
  t.is(await both('/api/session', ORGANIZATION_KEY), 401)
  t.is(await both('/api/sdk/setup', agent.key), 200)
  // A request with a key needs no valid origin, even with a cookie.
  const created = await service.client.send(
    'POST',
    '/api/wallets',
    ORGANIZATION_KEY,
    { name: 'W', custodyType: 'MANAGED' },
    { Cookie: cookie, Origin: EVIL },
  )
  t.is(created.status, 201)
})

interface Forged {
  what: string
  method?: string
  path?: string
  headers: { [name: string]: string | undefined }
  body?: string
  refused: boolean
}

const WALLET = '{"name":"W","custodyType":"MANAGED"}'
const JSON_TYPE = 'application/json'

/** `own` is the service's address. */
const forgeries = (own: string): Forged[] => [
  { what: 'its own page', headers: { Origin: own }, refused: false },
  { what: 'its own page under localhost', headers: { Origin: own.replace('127.0.0.1', 'localhost') }, refused: false },
  { what: 'no origin', headers: {}, refused: true },
  { what: 'the origin null', headers: { Origin: 'null' }, refused: true },
  { what: 'another site', headers: { Origin: EVIL }, refused: true },
  { what: 'another port', headers: { Origin: own.replace(/\d+$/, '1') }, refused: true },
  { what: 'another scheme', headers: { Origin: own.replace('http:', 'https:') }, refused: true },
  { what: 'its address and more', headers: { Origin: `${own}.evil.example` }, refused: true },
  { what: 'a page of its own that names no origin but a referrer', headers: { Referer: `${own}/` }, refused: true },
  { what: 'a form', headers: { Origin: own, 'Content-Type': 'text/plain' }, refused: true },
  { what: 'no content type', headers: { Origin: own, 'Content-Type': undefined }, refused: true },
  {
    what: 'a bodiless POST of another site',
    headers: { Origin: EVIL },
    path: '/api/agents/x/unfreeze',
    body: '',
    refused: true,
  },
  {
    what: 'a bodiless POST of its own',
    headers: { Origin: own },
    path: '/api/agents/x/unfreeze',
    body: '',
    refused: false,
  },
  {
    what: 'signing out from another site',
    headers: { Origin: EVIL },
    method: 'DELETE',
    path: '/api/session',
    body: '',
    refused: true,
  },
  {
    what: 'a read from another site',
    headers: { Origin: EVIL },
    method: 'GET',
    path: '/api/agents',
    body: '',
    refused: false,
  },
]

test('a session allows changes only from the service’s own pages, as JSON', async (t) => {
  const { cookie } = await newPerson(service.client, 'OWNER')
  for (const { what, method = 'POST', path = '/api/wallets', headers, body = WALLET, refused } of forgeries(
    service.url,
  )) {
    const sent = { cookie, 'content-type': JSON_TYPE, ...lowerCased(headers) }
    const response = await fetch(service.url + path, {
      method,
      headers: Object.fromEntries(
        Object.entries(sent).filter((header): header is [string, string] => header[1] !== undefined),
      ),
      ...(body !== '' && { body: Buffer.from(body) }),
    })
    const { code } = (await response.json()) as { code?: string }
    if (refused) t.deepEqual({ status: response.status, code }, CSRF, what)
    else t.not(code, 'CSRF', what)
  }
  t.is((await session(service, cookie)).status, 200)
})

test('rate limits count a forged change in a session, but not a forged sign-in', async (t) => {
  const own = await start(t, { env: { BURSAR_RATE_LIMITS: 'admin=40,login=40' } })
  const { cookie } = await newPerson(own.client, 'OWNER')
  const foreign = { Origin: EVIL }
  const left: string[] = []
  for (let tried = 0; tried < 2; tried += 1) {
    const forged = await own.client.post('/api/wallets', cookie, WALLET, foreign)
    t.deepEqual(failureOf(forged), CSRF)
    t.is(forged.headers['ratelimit-limit'], '40')
    left.push(String(forged.headers['ratelimit-remaining']))
  }
  t.deepEqual(left, ['39', '38'])
  const signingIn = await own.client.post('/api/session', '', { email: 'a@example.com', password: PASSWORD }, foreign)
  t.deepEqual(failureOf(signingIn), CSRF)
  t.is(signingIn.headers['ratelimit-limit'], undefined)
})

const lowerCased = (headers: { [name: string]: string | undefined }) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

test('signing in works without an origin, but not from another site', async (t) => {
  const { email, password } = await newPerson(service.client, 'VIEWER')
  for (const [origin, status] of [
    [undefined, 200],
    [service.url, 200],
    [EVIL, 403],
    ['null', 403],
  ] as const) {
    const headers = origin === undefined ? {} : { Origin: origin }
    const answer = await service.client.post('/api/session', '', { email, password }, headers)
    t.is(answer.status, status, origin)
  }
  const token = tokenIn(await invite(service.client, 'VIEWER'))
  const forged = await service.client.post('/api/session/setup', '', { token, password: PASSWORD }, { Origin: EVIL })
  t.deepEqual(failureOf(forged), CSRF)
  t.is((await setUp(service.client, token)).status, 200)
})

test('sign-ins are rate limited by network address, which ends nobody’s session', async (t) => {
  const own = await start(t, { at: NOON, env: { BURSAR_RATE_LIMITS: 'login=4' } })
  const { email, cookie } = await newPerson(own.client, 'VIEWER')
  const statuses: number[] = []
  for (let tried = 0; tried < 5; tried += 1) {
    const answer = await signIn(own.client, tried % 2 === 0 ? email : `${tried}@example.com`, 'a wrong password')
    statuses.push(answer.status)
    if (answer.status === 429) t.regex(String(answer.headers['retry-after']), /^\d+$/)
    t.is(answer.headers['ratelimit-limit'], '4')
  }
  // Setting the password was the first request of the minute.
  t.deepEqual(statuses, [401, 401, 401, 429, 429])
  t.is((await session(own, cookie)).status, 200)
  own.setClock(NOON + 2 * MINUTE_MS)
  t.is((await signIn(own.client, email, PASSWORD)).status, 200)
})

test('a sign-in ignores an idempotency key and always starts a new session', async (t) => {
  const { email, password } = await newPerson(service.client, 'VIEWER')
  const headers = { 'Idempotency-Key': 'sign-in' }
  const answers: Answer<Session>[] = []
  for (let times = 0; times < 2; times += 1) {
    answers.push(await service.client.post<Session>('/api/session', '', { email, password }, headers))
  }
  const [first, second] = answers.map(cookieIn)
  t.not(first, second)
  t.is(answers[1]!.headers['idempotency-replayed'], undefined)
})

test('passwords, links and cookies are never stored, logged or in the audit log', async (t) => {
  const own = await start(t, { at: NOON, folder: newFolder(t) })
  const invited = await invite(own.client, 'ADMIN')
  const set = await setUp(own.client, tokenIn(invited), 'a password to look for')
  const headers = { 'Idempotency-Key': 'k' }
  const body = { currentPassword: 'a password to look for', newPassword: 'another one to look for' }
  const changed = await own.client.post<Session>('/api/session/password', cookieIn(set), body, headers)
  await own.client.send('DELETE', `/api/members/${invited.id}`, ORGANIZATION_KEY)
  await own.stop()
  const tokens = [cookieIn(set), cookieIn(changed)].map((cookie) => cookie.split('=')[1]!)
  const contents = await inspect(own.folder)
  t.deepEqual(contents.problems, [])
  const audit = JSON.stringify([...contents.chains.values()])
  const all = audit + JSON.stringify([...contents.actors.values()]) + own.logged.join()
  for (const secret of ['to look for', tokenIn(invited), ...tokens]) t.false(all.includes(secret), secret)
  t.false(audit.includes('argon2') || audit.includes('"hash":"$'))
  const actions = [...contents.chains.values()].flat().filter(({ actor }) => actor.type === 'PERSON')
  t.deepEqual(
    actions.map(({ action, actor }) => [action, actor.id]),
    ['member.set_up', 'session.create', 'member.change_password', 'session.create'].map((action) => [
      action,
      invited.id,
    ]),
  )
})
