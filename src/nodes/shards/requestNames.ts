// By what a request is found in the directory, before its caller is known: its key, the token of its session, or what its
// route says (`foundBy`).
import type { IncomingMessage } from 'node:http'
import { sessionNamed } from '../../../machines/session.js'
import { membersByEmail, setUpNamed } from '../../../machines/member.js'
import { keyNamed } from '../../../machines/key.js'
import { parseKey } from '../../domain/access/apiKey.js'
import { familyOf } from '../../domain/access/oauth.js'
import { isToken } from '../../domain/access/sessionToken.js'
import { isId } from '../../domain/values/ids.js'
import { parseEmail } from '../../domain/values/email.js'
import { slackActions } from '../../http/routes/channels/slack.js'
import { operations } from '../../http/routes/index.js'
import { OAUTH_TOKEN_PATHS } from '../../http/routes/oauth.js'
import { bearerIn, SESSION_COOKIE } from '../../http/server/auth.js'
import type { Route } from '../../http/server/route.js'
import { emailName, type HashKey } from './names.js'

/** A request whose route says by what it is found, and what of its path that is. */
export interface FoundByRoute {
  by: NonNullable<Route['foundBy']> | 'oauthToken'
  parameter: string | undefined
}

interface Pattern {
  method: string
  parts: string[]
  by: FoundByRoute['by']
}

const OF_ROUTES: readonly Pattern[] = [...operations, slackActions].flatMap(({ method, path, foundBy: by }: Route) =>
  by === undefined ? [] : [{ method, parts: path.split('/'), by }],
)
const PATTERNS: readonly Pattern[] = [
  ...OF_ROUTES,
  ...OAUTH_TOKEN_PATHS.map((path) => ({ method: 'POST', parts: path.split('/'), by: 'oauthToken' as const })),
]
const COOKIE = new RegExp(`(?:^|;) *${SESSION_COOKIE}="?([\\w-]+)`)

/** Undefined for a request that its caller's key or session finds. */
export function foundByRoute({ method, url = '' }: IncomingMessage): FoundByRoute | undefined {
  const parts = url.split('?', 1)[0]!.split('/')
  const pattern = PATTERNS.find((one) => one.method === method && isOf(one.parts, parts))
  if (pattern === undefined) return undefined
  return { by: pattern.by, parameter: parts.find((_, at) => pattern.parts[at]!.startsWith(':')) }
}

function isOf(pattern: readonly string[], parts: readonly string[]): boolean {
  return pattern.length === parts.length && pattern.every((part, at) => part.startsWith(':') || part === parts[at])
}

/** The name of the caller's key or session; undefined for a request without one. */
export function credentialName({ headers }: IncomingMessage, hashKey: HashKey): string | undefined {
  const { authorization, cookie } = headers
  if (authorization !== undefined) {
    const bearer = bearerIn(authorization)
    return bearer !== undefined && (parseKey(bearer) || isToken(bearer)) ? keyNamed(hashKey(bearer)) : undefined
  }
  const token = COOKIE.exec(cookie ?? '')?.[1]
  return token !== undefined && isToken(token) ? sessionNamed(hashKey(token)) : undefined
}

/** The name of what the body of a sign-in or a set-up says; undefined where it says nothing that has one. */
export function bodyName(body: Buffer, hashKey: HashKey): string | undefined {
  const { email, organizationId, token } = membersOf(body)
  if (typeof organizationId === 'string' && isId(organizationId)) return `organization/${organizationId}`
  if (typeof token === 'string' && isToken(token)) return setUpNamed(hashKey(token))
  const address = typeof email === 'string' ? parseEmail(email) : undefined
  return address === undefined ? undefined : emailName(hashKey, membersByEmail(address))
}

/** The members of such a form that hold a token. */
const TOKENS = ['code', 'refresh_token', 'token']

/** The name of the token that a client of OAuth sends in a form; undefined where it sends none. */
export function formTokenName(body: Buffer, hashKey: HashKey): string | undefined {
  const form = new URLSearchParams(body.toString('utf8'))
  const member = TOKENS.find((name) => form.has(name)) ?? ''
  const token = form.get(member) ?? ''
  if (!isToken(token)) return undefined
  // One that was rotated away has no name of its own any more.
  return keyNamed(hashKey(member === 'refresh_token' ? familyOf(token) : token))
}

/** None of a body that is no JSON object: the service that gets it says so. */
function membersOf(body: Buffer): { [name: string]: unknown } {
  try {
    return Object(JSON.parse(body.toString('utf8'))) as { [name: string]: unknown }
  } catch {
    return {}
  }
}
