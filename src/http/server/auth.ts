// Authenticates the caller and checks the route's scope. Keys and session tokens are resolved through a port. All causes
// of a 401 look the same; only one that comes up while the body is on its way shows the caller's rate limit, too.
import { timingSafeEqual } from 'node:crypto'
import { resourceMetadataUrl } from '../../domain/access/oauth.js'
import { sha256Hex } from '../../domain/values/digest.js'
import type { Principal } from '../../domain/access/principal.js'
import { refuse, succeed, type Result } from '../../domain/outcomes/result.js'
import type { Context } from './context.js'
import type { Access } from './route.js'

/** The principal of a live key or session token; undefined for any other text. */
export type Authenticate = (secret: string) => Principal | undefined

export interface Authenticators {
  /** The address of the service: every 401 names where it says who issues tokens (RFC 9728). */
  publicUrl: () => string
  authenticate: Authenticate
  authenticateSession: Authenticate
  /** Without it, no text is accepted as the operator's key. */
  operatorKey?: string | undefined
}

export const SESSION_COOKIE = 'bursar_session'

/** The `Set-Cookie` value for a token that lasts `seconds`: Secure when the service's public URL is https. */
export function cookieOf(publicUrl: string, token: string, seconds: number): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : ''
  return `${SESSION_COOKIE}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
}

export function endedCookie(publicUrl: string): string {
  return cookieOf(publicUrl, '', 0)
}

export type Requester = Principal | 'operator' | 'anyone'

/** The operator's key may contain spaces. */
const BEARER = /^bearer +([\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?) *$/i

/** The key of an `Authorization` header; undefined where it is in no form that the service knows. */
export function bearerIn(authorization: string | undefined): string | undefined {
  return BEARER.exec(authorization ?? '')?.[1]
}

/**
 * Resolves the caller. An `Authorization` header takes precedence over any cookie. A session cookie opens the routes of
 * organization keys, never those of agent keys.
 */
export function identifier(credentials: Authenticators) {
  const { authenticate, authenticateSession, operatorKey, publicUrl } = credentials
  const unauthorized = (context: Context): Result<Requester> => {
    context.set('WWW-Authenticate', `Bearer realm="bursar", resource_metadata="${resourceMetadataUrl(publicUrl())}"`)
    return refuse('AUTH_FAILED')
  }
  const isOperator = operatorCheck(operatorKey)
  return (context: Context, access: Access): Result<Requester> => {
    if (access.key === 'none') return succeed('anyone')
    const { authorization } = context.req.headers
    if (authorization === undefined && (access.key === 'organization' || access.key === 'person')) {
      const person = authenticateSession(context.cookies.get(SESSION_COOKIE) ?? '')
      return person === undefined ? unauthorized(context) : succeed(person)
    }
    const bearer = bearerIn(authorization)
    if (bearer === undefined || access.key === 'person') return unauthorized(context)
    if (access.key === 'operator') return isOperator(bearer) ? succeed('operator') : unauthorized(context)
    const principal = authenticate(bearer)
    const isAgent = principal?.type === 'AGENT_KEY'
    if (principal === undefined || isAgent !== (access.key === 'agent')) return unauthorized(context)
    return succeed(principal)
  }
}

/** Compares hashes of equal length in constant time, so that timing reveals nothing about the key. */
export function operatorCheck(operatorKey: string | undefined): (bearer: string) => boolean {
  if (operatorKey === undefined) return () => false
  const expected = Buffer.from(sha256Hex(operatorKey))
  return (bearer) => timingSafeEqual(Buffer.from(sha256Hex(bearer)), expected)
}

export function checkScope(access: Access, caller: Requester): Result<Requester> {
  if (typeof caller === 'string' || !('scope' in access)) return succeed(caller)
  const owns = access.key !== 'organization' || access.ownersOnly !== true || caller.isOwner === true
  if (!owns) return refuse('INSUFFICIENT_SCOPE', 'Only an owner may do this')
  if (access.scope === undefined || caller.scopes.includes(access.scope)) return succeed(caller)
  return refuse(
    'INSUFFICIENT_SCOPE',
    `${caller.type === 'PERSON' ? 'Your role' : 'This key'} lacks the scope ${access.scope}`,
  )
}
