// Set-up links: what one tells whoever has it, the first owner's name and address, and what becomes of one that is over.
import test from 'ava'
import type { SetUpLink } from '../../../sdk/api.js'
import { bursar } from '../../support/commandLine.js'
import type { Failure } from '../../support/client.js'
import { invite, newPerson, PASSWORD, setUp, signIn, tokenIn, type Invited, type Member } from '../../support/people.js'
import { ORGANIZATION_KEY, wholeFile } from '../../support/process.js'
import { start, type Started } from '../../support/service.js'

const scope = wholeFile(test)
let service: Started
test.before('the service starts', async () => {
  service = await start(scope)
})

const read = ({ client }: Started, token: string) => client.post<SetUpLink>('/api/session/setup-link', '', { token })
const failureOf = ({ status, body }: { status: number; body: unknown }) => [status, (body as Failure).code]

/** The first start's owner, with a new link. */
async function firstOwner({ client }: Started): Promise<Invited> {
  const { members } = (await client.get<{ members: Member[] }>('/api/members', ORGANIZATION_KEY)).body
  const { id } = members.find(({ role, status }) => role === 'OWNER' && status === 'INVITED')!
  return (await client.post<Invited>(`/api/members/${id}/invite`, ORGANIZATION_KEY)).body
}

test('a link tells whom it is for, and only the first owner may choose the address', async (t) => {
  const token = tokenIn(await invite(service.client, 'VIEWER'))
  const { status, body } = await read(service, token)
  t.is(status, 200)
  t.like(body, { name: null, status: 'INVITED', choosesEmail: false, organization: { name: 'My organization' } })
  const chosen = { token, password: PASSWORD, name: 'Ada', email: 'other@example.com' }
  const refused = await service.client.post('/api/session/setup', '', chosen)
  t.deepEqual(failureOf(refused), [400, 'VALIDATION_ERROR'])
  t.is((refused.body as Failure).details![0]!.path, 'email')
  const { email: _, ...named } = chosen
  t.like((await service.client.post<{ member: Member }>('/api/session/setup', '', named)).body.member, { name: 'Ada' })
})

test('a link that was used, replaced, has expired or is none tells nothing, and how to get a new one', async (t) => {
  const own = await start(t)
  const [used, replaced] = [await invite(own.client, 'VIEWER'), await invite(own.client, 'VIEWER')]
  await setUp(own.client, tokenIn(used))
  await own.client.post(`/api/members/${replaced.id}/invite`, ORGANIZATION_KEY)
  const late = tokenIn(await invite(own.client, 'VIEWER'))
  for (const token of [tokenIn(used), tokenIn(replaced), 'none']) {
    const answer = await read(own, token)
    t.deepEqual(failureOf(answer), [401, 'AUTH_FAILED'])
    t.regex((answer.body as unknown as Failure).error, /bursar owner-link/)
  }
  t.is((await read(own, late)).status, 200)
  own.setClock(own.now() + 8 * 86_400_000)
  t.deepEqual(failureOf(await read(own, late)), [401, 'AUTH_FAILED'])
})

test('the first owner chooses name and address, signs in with it, and no other with that address can be invited', async (t) => {
  const own = await start(t)
  await newPerson(own.client, 'ADMIN')
  const taken = await invite(own.client, 'VIEWER')
  const token = tokenIn(await firstOwner(own))
  t.like((await read(own, token)).body, { email: 'owner@localhost', choosesEmail: true })
  const set = (email: string) =>
    own.client.post<{ member: Member }>('/api/session/setup', '', { token, password: PASSWORD, name: 'Grace', email })
  t.deepEqual(failureOf(await set(taken.email)), [409, 'ALREADY_EXISTS'])
  t.like((await set('Grace@Example.com')).body.member, { name: 'Grace', email: 'grace@example.com', role: 'OWNER' })
  t.is((await signIn(own.client, 'grace@example.com', PASSWORD)).status, 200)
  t.is((await signIn(own.client, 'owner@localhost', PASSWORD)).status, 401)
  const again = { email: 'grace@example.com', role: 'VIEWER' }
  t.is((await own.client.post('/api/members', ORGANIZATION_KEY, again)).status, 409)
  await own.restart()
  t.is((await signIn(own.client, 'grace@example.com', PASSWORD)).status, 200)
})

test('the first owner takes no address of a member who was removed, and none where one was named', async (t) => {
  const own = await start(t)
  const removed = await newPerson(own.client, 'ADMIN')
  await own.client.send('DELETE', `/api/members/${removed.id}`, ORGANIZATION_KEY)
  const as = (service: Started, token: string, email: string) =>
    service.client.post('/api/session/setup', '', { token, password: PASSWORD, email })
  const refused = await as(own, tokenIn(await firstOwner(own)), removed.email)
  t.like(refused.body, { code: 'VALIDATION_ERROR', details: [{ path: 'email' }] })
  const named = await start(t, { env: { BURSAR_OWNER_EMAIL: 'alice@example.com' } })
  const token = tokenIn(await firstOwner(named))
  t.like((await read(named, token)).body, { email: 'alice@example.com', choosesEmail: false })
  t.is((await as(named, token, 'mallory@example.com')).status, 400)
})

test('a link to a new password changes no name', async (t) => {
  const own = await start(t)
  const person = await newPerson(own.client, 'VIEWER')
  const reset = await own.client.post<Invited>(`/api/members/${person.id}/reset-password`, ORGANIZATION_KEY)
  const token = tokenIn(reset.body)
  t.like((await read(own, token)).body, { status: 'ACTIVE' })
  const body = { token, password: PASSWORD, name: 'Another' }
  t.like((await own.client.post('/api/session/setup', '', body)).body, { details: [{ path: 'name' }] })
})

test('bursar owner-link makes a link for the owner, and after a second owner asks which', async (t) => {
  const own = await start(t)
  const env = { BURSAR_URL: own.url, BURSAR_API_KEY: ORGANIZATION_KEY }
  const linked = async (...args: string[]): Promise<string> => {
    const { out, error } = await bursar(['owner-link', ...args], { env })
    t.is(error, '')
    return out.split('\n')[0]!
  }
  const first = await linked()
  t.like((await read(own, tokenIn({ setupUrl: first }))).body, { email: 'owner@localhost' })
  await setUp(own.client, tokenIn({ setupUrl: first }))
  const reset = await linked()
  await setUp(own.client, tokenIn({ setupUrl: reset }), 'another long password')
  t.is((await signIn(own.client, 'owner@localhost', 'another long password')).status, 200)
  const other = await newPerson(own.client, 'OWNER')
  const asked = await bursar(['owner-link'], { env })
  t.is(asked.status, 2)
  t.true(asked.error.includes(other.email))
  t.regex(await linked('--email', other.email), /token=/)
  const missing = await bursar(['owner-link', '--email', 'nobody@example.com'], { env })
  t.deepEqual([missing.status, missing.error.trim()], [1, 'No owner has the address nobody@example.com'])
})
