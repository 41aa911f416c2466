// People with a password and a session, for tests of members and roles.
import type { Member, Session } from '../../sdk/api.js'
import { randomBytes } from 'node:crypto'
import { newId } from '../../src/domain/values/ids.js'
import type { Role } from '../../src/domain/access/roles.js'
import type { Answer, Client } from './client.js'
import { ORGANIZATION_KEY } from './process.js'

export type { Member, Session } from '../../sdk/api.js'

export type Invited = Member & { setupUrl: string }

export interface Person {
  id: string
  email: string
  password: string
  /** `bursar_session=…`, which is passed in place of a key. */
  cookie: string
}

export const PASSWORD = 'correct horse battery staple'

export const tokenIn = ({ setupUrl }: { setupUrl: string }): string => new URL(setupUrl).searchParams.get('token')!

/** The cookie that an answer sets, as a browser sends it back; throws if it sets none. */
export function cookieIn({ headers, body }: Answer<unknown>): string {
  const [cookie] = headers['set-cookie'] ?? []
  if (cookie === undefined) throw new Error(`No cookie: ${JSON.stringify(body)}`)
  return cookie.slice(0, cookie.indexOf(';'))
}

export async function invite(client: Client, role: Role, key = ORGANIZATION_KEY): Promise<Invited> {
  const email = `${newId(randomBytes)}@example.com`
  const answer = await client.post<Invited>('/api/members', key, { email, role })
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
  return answer.body
}

/** Invites somebody with this organization key, sets a password and signs in. */
export async function newPerson(client: Client, role: Role, key = ORGANIZATION_KEY): Promise<Person> {
  const invited = await invite(client, role, key)
  const set = await setUp(client, tokenIn(invited))
  return { id: invited.id, email: invited.email, password: PASSWORD, cookie: cookieIn(set) }
}

export function setUp(client: Client, token: string, password = PASSWORD) {
  return client.post<Session>('/api/session/setup', '', { token, password })
}

export function signIn(client: Client, email: string, password: string, more: object = {}) {
  return client.post<Session>('/api/session', '', { email, password, ...more })
}
