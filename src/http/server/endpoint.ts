// Runs the checks of a route on a request in a fixed order, then the route's handler. Each check is a function in its
// own file; this one only sets their order.
import { refuse, type Refused } from '../../domain/outcomes/refusal.js'
import { write } from './write.js'
import { checkScope, type Caller, type identifier } from './auth.js'
import { bodyReader, type ReadBody } from '../input/body.js'
import { passed, type Checked } from '../input/checked.js'
import type { Exchange } from './context.js'
import type { Hold } from './heldRequests.js'
import { idempotencyKeyOf, isRemembered, type Once } from './idempotency.js'
import type { ClientAddress } from './clientAddress.js'
import { networkOf, policyOf, type Group, type Take } from './rateLimits.js'
import { isLocal } from './loopback.js'
import { checkOrigin } from './origin.js'
import { perform, type Raw, type Repeatable } from './invoke.js'
import type { Answer, Route } from './route.js'
import type { Rounds } from './batching.js'

/** `failed` follows a commit whose outcome is unknown. */
export type Readiness = 'starting' | 'ready' | 'failed'

export interface Core {
  readiness: () => Readiness
  identify: ReturnType<typeof identifier>
  /** The public origins of the service. */
  origins: () => readonly string[]
  /** Absent when rate limits are off. */
  take?: Take
  clientOf: ClientAddress
  once: Once
  hold: Hold
  rounds: Rounds
}

/** The parsed request target. */
export interface Target {
  path: string
  params: Readonly<Record<string, string>>
  /** The text after `?`. */
  query: string
}

export type Endpoint = (exchange: Exchange, target: Target) => Promise<void>

const NO_BODY: ReadBody = () => passed(undefined)

export function endpoint(route: Route, core: Core): Endpoint {
  const readBody = route.method === 'GET' ? NO_BODY : bodyReader(route.bodyLimit)
  const outcome = async (exchange: Exchange, target: Target): Promise<Answer | Refused> => {
    const refused = admit(exchange, route, core)
    if (refused) return refused
    const body = await readBody(exchange)
    if (!body.ok) return body
    // Requests that arrive together are all read, then carried out: that is faster. src/service/sanctions.ts relies on it.
    return await core.rounds.run(() => {
      // The key may have been revoked since, also while the body was on its way.
      const caller = identify(exchange, route, core)
      return caller.ok ? answer({ exchange, route, core, target, caller: caller.value }, body.value) : caller
    })
  }
  return async (exchange, target) => {
    exchange.state.route = route.path
    write(exchange, await outcome(exchange, target))
  }
}

/** Checks readiness, credentials, origin, rate limit and scope. */
function admit(exchange: Exchange, route: Route, core: Core): Refused | undefined {
  const readiness = core.readiness()
  if (readiness === 'failed') return refuse('UNAVAILABLE', 'The service has failed', { extra: { status: readiness } })
  if (readiness !== 'ready' && route.beforeReady !== true) return refuse('UNAVAILABLE')
  const caller = core.identify(exchange, route.access)
  if (!caller.ok) return caller
  const foreign = checkOrigin(exchange, caller.value, core.origins())
  // No other site uses up what a network has for signing in.
  if (foreign && caller.value === 'anyone') return foreign
  // Counted before what may refuse whoever is known, so that each of their answers shows the limits.
  const withinLimit = count(exchange, route, caller.value, core)
  if (foreign) return foreign
  const inScope = checkScope(route.access, caller.value)
  if (!inScope.ok) return inScope
  if (withinLimit) return undefined
  exchange.set('Retry-After', exchange.response.get('RateLimit-Reset'))
  return refuse('RATE_LIMITED')
}

/** The caller as it is now, within its scope. */
function identify(exchange: Exchange, { access }: Route, core: Core): Checked<Caller> {
  const caller = core.identify(exchange, access)
  return caller.ok ? checkScope(access, caller.value) : caller
}

/** Counts the request and sets the RateLimit headers; false when the request exceeds the limit. */
function count({ req, res }: Exchange, route: Route, caller: Caller, { take, clientOf }: Core): boolean {
  if (take === undefined || (caller === 'anyone' && route.limit === undefined)) return true
  const group = route.limit ?? defaultGroup(route)
  const { allowed, limit, remaining, resetSeconds } = take(
    group,
    caller === 'anyone' ? networkOf(clientOf(req)) : nameOf(caller),
  )
  res.setHeader('RateLimit-Limit', String(limit))
  res.setHeader('RateLimit-Remaining', String(remaining))
  res.setHeader('RateLimit-Reset', String(resetSeconds))
  // The same in the form of the IETF draft (httpapi-ratelimit-headers).
  res.setHeader('RateLimit-Policy', policyOf(group, limit))
  res.setHeader('RateLimit', `"${group}";r=${remaining};t=${resetSeconds}`)
  return allowed
}

function defaultGroup(route: Route): Group {
  return route.method === 'GET' ? 'reads' : 'admin'
}

function nameOf(caller: Exclude<Caller, 'anyone'>): string {
  return typeof caller === 'string' ? caller : caller.id
}

/** A request that passed the checks; its body is not validated yet. */
interface Admitted {
  exchange: Exchange
  route: Route
  core: Core
  target: Target
  caller: Caller
}

function answer(admitted: Admitted, body: unknown): Promise<Answer | Refused> | Refused {
  const { exchange, route, core, target, caller } = admitted
  if (body === undefined && route.body !== undefined && route.bodyOptional !== true) {
    return refuse('INVALID_JSON', 'The body is empty, and one is required')
  }
  if (route.method !== 'POST' || route.memory === 'none') return carryOut(admitted, body)
  const key = idempotencyKeyOf(route, exchange.req.headers['idempotency-key'], body)
  if (!key.ok) return key
  if (key.value === undefined || !isRemembered(route)) return carryOut(admitted, body)
  const idempotencyKey = key.value
  const attempt = { route, caller: callerId(caller), path: target.path, idempotencyKey, body }
  return core.once(attempt, (record) => {
    // It may have waited for another request with its key, and its caller may have lost access since.
    const current = identify(exchange, route, core)
    return current.ok ? carryOut({ ...admitted, caller: current.value }, body, { idempotencyKey, record }) : current
  })
}

/** Agents are named by agent, not by key: an agent may rotate its key between a request and its repetition. */
function callerId(caller: Caller): string {
  return typeof caller === 'string' ? caller : (caller.agent ?? caller.id)
}

async function carryOut(admitted: Admitted, body: unknown, repeatable?: Repeatable): Promise<Answer | Refused> {
  const { exchange, route, core, target, caller } = admitted
  const raw: Raw = {
    params: target.params,
    query: target.query,
    body,
    ifMatch: route.versioned === true ? exchange.req.headers['if-match'] : undefined,
    userAgent: exchange.req.headers['user-agent'],
    requestId: exchange.state.requestId,
    isLocal: () => isLocal(exchange.req),
    principal: typeof caller === 'string' ? undefined : caller,
  }
  const outcome = await perform(route, raw, repeatable)
  if ('refusal' in outcome) {
    const { barrier } = outcome.refusal
    return barrier ? core.hold({ route, raw, barrier, repeatable }) : outcome
  }
  const { waits, body: done } = outcome
  if (!waits) return outcome
  return core.hold({ route, raw: { ...raw, body: waits.body }, barrier: waits.barrier, repeatable, done })
}
