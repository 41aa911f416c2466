// Takes a request through the checks of its row, in their fixed order, to the row's handler. Every check is a function
// of its own file; the order is the business of this one.
import type { RouterMiddleware } from '@koa/router'
import * as v from 'valibot'
import { refuse, type Refused } from '../domain/refusal.js'
import { write } from './answer.js'
import { checkScope, type Caller, type identifier } from './auth.js'
import { bodyReader, type ReadBody } from './body.js'
import { passed, type Checked } from './checked.js'
import type { Exchange, ExchangeState } from './exchange.js'
import { idempotencyKeyOf, type Once, type Remember } from './idempotency.js'
import { networkOf, type Group, type Take } from './limits.js'
import { checkOrigin } from './origin.js'
import { readQuery } from './query.js'
import type { Answer, Call, Route } from './route.js'
import { validate, type Invalid } from './validate.js'

/** `failed` is after a commit whose outcome is unknown. */
export type Readiness = 'starting' | 'ready' | 'failed'

export interface Core {
  readiness: () => Readiness
  identify: ReturnType<typeof identifier>
  /** Where the service's own pages are. */
  origins: () => readonly string[]
  /** Absent when rate limits are off. */
  take?: Take
  once: Once
}

type Params = Record<string, string>

const NOTHING = v.strictObject({})
const NO_BODY: ReadBody = async () => passed(undefined)
const PARAMETER = /^[\x21-\x7e]{1,200}$/

export function endpoint(route: Route, core: Core): RouterMiddleware<ExchangeState> {
  const readBody = route.method === 'GET' ? NO_BODY : bodyReader(route.bodyLimit)
  const outcome = async (exchange: Exchange, params: Params): Promise<Answer | Refused> => {
    const caller = await admit(exchange, route, core)
    if (!caller.ok) return caller
    const body = await readBody(exchange)
    if (!body.ok) return body
    return answer({ exchange, route, core, params, caller: caller.value }, body.value)
  }
  return async (exchange) => {
    exchange.state.route = route.path
    write(exchange, await outcome(exchange, exchange.params))
  }
}

/** Whether the caller may ask this of the row at all. */
async function admit(exchange: Exchange, route: Route, core: Core): Promise<Checked<Caller>> {
  if (core.readiness() !== 'ready' && route.beforeReady !== true) return refuse('UNAVAILABLE')
  const caller = await core.identify(exchange, route.access)
  if (!caller.ok) return caller
  const foreign = checkOrigin(exchange, caller.value, core.origins())
  if (foreign) return foreign
  // Counted before the scope is checked, so that a refusal for it shows the limits too.
  const withinLimit = count(exchange, route, caller.value, core.take)
  const inScope = checkScope(route.access, caller.value)
  if (!inScope.ok || withinLimit) return inScope
  exchange.set('Retry-After', exchange.response.get('RateLimit-Reset'))
  return refuse('RATE_LIMITED')
}

/** Counts the request and shows where that leaves the caller; false when it is one too many. */
function count(exchange: Exchange, route: Route, caller: Caller, take: Take | undefined): boolean {
  if (take === undefined || (caller === 'anyone' && route.limit === undefined)) return true
  const standing = take(route.limit ?? defaultGroup(route), nameOf(exchange, caller))
  exchange.set('RateLimit-Limit', String(standing.limit))
  exchange.set('RateLimit-Remaining', String(standing.remaining))
  exchange.set('RateLimit-Reset', String(standing.resetSeconds))
  return standing.allowed
}

function defaultGroup(route: Route): Group {
  return route.method === 'GET' ? 'reads' : 'admin'
}

function nameOf(exchange: Exchange, caller: Caller): string {
  if (typeof caller !== 'string') return caller.id
  return caller === 'operator' ? caller : networkOf(exchange.req.socket.remoteAddress ?? '')
}

/** One request that may be answered, with its body still unjudged. */
interface Admitted {
  exchange: Exchange
  route: Route
  core: Core
  params: Params
  caller: Caller
}

async function answer(admitted: Admitted, body: unknown): Promise<Answer | Refused> {
  const { exchange, route, core, caller } = admitted
  if (body === undefined && route.body !== undefined && route.bodyOptional !== true) {
    return refuse('INVALID_JSON', 'The body is empty, and one is required')
  }
  if (route.method !== 'POST' || route.memory === 'none') return perform(admitted, body)
  const key = idempotencyKeyOf(route, exchange.req.headers['idempotency-key'], body)
  if (!key.ok) return key
  if (key.value === undefined) return perform(admitted, body)
  const idempotencyKey = key.value
  const attempt = { route, caller: callerId(caller), path: exchange.path, idempotencyKey, body }
  return core.once(attempt, (remember) => perform(admitted, body, { idempotencyKey, remember }))
}

/** An agent may change its key between a request and its repetition. */
function callerId(caller: Caller): string {
  return typeof caller === 'string' ? caller : (caller.agent ?? caller.id)
}

function asFields({ listField }: Route, raw: unknown): unknown {
  return listField !== undefined && Array.isArray(raw) ? { [listField]: raw } : raw
}

type Repeatable = { idempotencyKey: string; remember: Remember }

async function perform(admitted: Admitted, raw: unknown, repeatable?: Repeatable): Promise<Answer | Refused> {
  const { exchange, route, params, caller } = admitted
  const invalid = route.invalid ?? 'VALIDATION_ERROR'
  const query = readQuery(exchange.querystring, route.query, invalid)
  if (!query.ok) return query
  const body = fitBody(route, raw, invalid)
  if (!body.ok) return body
  // No object has such a name, and the store need not see it.
  if (!Object.values(params).every((value) => PARAMETER.test(value))) return refuse('NOT_FOUND')
  const principal = typeof caller === 'string' ? {} : { principal: caller }
  const { requestId } = exchange.state
  const given = exchange.req.headers['if-match']
  const ifMatch = given === undefined ? {} : { ifMatch: given }
  const call = { ...principal, ...repeatable, ...ifMatch, params, query: query.value, body: body.value, requestId }
  return (route.handler as (call: Call) => Promise<Answer | Refused>)(call as Call)
}

/** A row without a body takes an empty one too. */
function fitBody(route: Route, raw: unknown, invalid: Invalid): Checked<unknown> {
  if (raw === undefined && route.body === undefined) return passed(undefined)
  return validate(route.body ?? NOTHING, raw === undefined ? {} : asFields(route, raw), invalid, 'field')
}
