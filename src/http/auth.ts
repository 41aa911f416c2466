// Tells who is asking and whether the row lets them. Every cause of a 401 looks the same; what a key is worth is asked
// through a port.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Principal } from '../domain/principal.js'
import { refuse } from '../domain/refusal.js'
import { passed, type Checked } from './checked.js'
import type { Exchange } from './exchange.js'
import type { Access } from './route.js'

/** The live key's holder; undefined for any other text. */
export type Authenticate = (bearer: string) => Principal | undefined | Promise<Principal | undefined>

/** Whoever asks: a principal, the operator, or nobody in particular. */
export type Caller = Principal | 'operator' | 'anyone'

const BEARER = /^bearer +([\x21-\x7e]+) *$/i

export function identifier(authenticate: Authenticate, operatorKey: string | undefined) {
  const isOperator = operatorKey === undefined ? () => false : comparison(operatorKey)
  return async (exchange: Exchange, access: Access): Promise<Checked<Caller>> => {
    if (access.key === 'none') return passed('anyone')
    const bearer = BEARER.exec(exchange.req.headers.authorization ?? '')?.[1]
    if (bearer === undefined) return unauthorized(exchange)
    if (access.key === 'operator') return isOperator(bearer) ? passed('operator') : unauthorized(exchange)
    const principal = await authenticate(bearer)
    const isAgent = principal?.type === 'AGENT_KEY'
    if (principal === undefined || isAgent !== (access.key === 'agent')) return unauthorized(exchange)
    return passed(principal)
  }
}

/** Compares hashes, which are equally long, so that the time taken tells nothing of the key. */
function comparison(operatorKey: string): (bearer: string) => boolean {
  const expected = sha256(operatorKey)
  return (bearer) => timingSafeEqual(sha256(bearer), expected)
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function unauthorized(exchange: Exchange): Checked<Caller> {
  exchange.set('WWW-Authenticate', 'Bearer realm="bursar"')
  return refuse('AUTH_FAILED')
}

/** Refuses a caller without the scope that the row asks for. */
export function checkScope(access: Access, caller: Caller): Checked<Caller> {
  if (typeof caller === 'string' || !('scope' in access)) return passed(caller)
  if (access.scope === undefined || caller.scopes.includes(access.scope)) return passed(caller)
  return refuse('INSUFFICIENT_SCOPE', `This key lacks the scope ${access.scope}`)
}
