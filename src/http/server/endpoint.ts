// Runs the checks of a route on a request in a fixed order, then the route's handler. Each check is a function in its
// own file; this one only sets their order.
import { refuse, succeed, type Refused, type Result } from '../../domain/outcomes/result.js'
import { writeAnswer } from './write.js'
import { checkScope, type Requester, type identifier } from './auth.js'
import { bodyReader, type ReadBody } from '../input/body.js'
import { formReader } from '../input/form.js'
import type { Context } from './context.js'
import type { HoldRequest } from './heldRequests.js'
import { idempotencyKeyOf, isIdempotent, type Idempotent } from './idempotency.js'
import { networkOf, policyOf, type Group, type Take } from './rateLimits.js'
import type { ClientAddress } from './clientAddress.js'
import { checkOrigin, isForeignSite } from './origin.js'
import { invoke, type Raw, type Repeatable, type Within } from './invoke.js'
import type { RouteAnswer, Route } from './route.js'
import type { Batches } from './batching.js'

/**
 * `failed` follows a commit whose outcome is unknown. `waiting` is a node that owns its shard, and cannot prove at the
 * moment that no other does. `readOnly` is a service whose data folder another process is about to serve.
 */
export type Readiness = 'starting' | 'ready' | 'readOnly' | 'waiting' | 'failed'

export interface Core extends Within {
  readiness: () => Readiness
  identify: ReturnType<typeof identifier>
  /** The public origins of the service. */
  origins: () => readonly string[]
  /** Absent when rate limits are off. */
  take?: Take
  clientOf: ClientAddress
  once: Idempotent
  hold: HoldRequest
  rounds: Batches
}

export interface Target {
  path: string
  params: Readonly<Record<string, string>>
  /** The text after `?`. */
  query: string
}

const FOREIGN =
  'The Host or the Origin of the request is not that of this service: set BURSAR_PUBLIC_URL to the address that clients use'

const READ_ONLY = 'The service only answers reads while its data folder moves: repeat the request in a few seconds'

export type ServeEndpoint = (context: Context, target: Target) => Promise<void>

export function endpoint(route: Route, core: Core): ServeEndpoint {
  const readBody = readerOf(route)
  const outcome = async (context: Context, target: Target): Promise<Result<RouteAnswer>> => {
    const refused = admit(context, route, core)
    if (refused) return refused
    const body = await readBody(context)
    if (!body.ok) return body
    // Requests that arrive together are all read, then carried out: that is faster. src/service/sanctions.ts relies on it.
    return await core.rounds.run(() => {
      // The key may have been revoked since, also while the body was on its way.
      const caller = identify(context, route, core)
      return caller.ok ? answer({ context, route, core, target, caller: caller.value }, body.value) : caller
    })
  }
  return async (context, target) => {
    context.state.route = route.path
    writeAnswer(context, await outcome(context, target))
  }
}

function readerOf({ method, form, bodyLimit }: Route): ReadBody {
  if (method === 'GET') return () => succeed(undefined)
  return form === true ? formReader(bodyLimit) : bodyReader(bodyLimit)
}

function admit(context: Context, route: Route, core: Core): Refused | undefined {
  const readiness = core.readiness()
  if (readiness === 'failed') return refuse('UNAVAILABLE', 'The service has failed', { extra: { status: readiness } })
  if (readiness === 'readOnly' && route.method !== 'GET') return refuse('UNAVAILABLE', READ_ONLY)
  if (readiness !== 'ready' && readiness !== 'readOnly' && route.beforeReady !== true) return refuse('UNAVAILABLE')
  if (route.ownHostOnly === true && isForeignSite(context, core.origins())) return refuse('CSRF', FOREIGN)
  const caller = core.identify(context, route.access)
  if (!caller.ok) return caller
  const foreign = checkOrigin(context, caller.value, core.origins())
  // No other site uses up what a network has for signing in.
  if (foreign && caller.value === 'anyone') return foreign
  // Counted before what may refuse whoever is known, so that each of their answers shows the limits.
  const withinLimit = countRequest(context, route, caller.value, core)
  if (foreign) return foreign
  const inScope = checkScope(route.access, caller.value)
  if (!inScope.ok) return inScope
  return withinLimit ? undefined : tooMany(context)
}

export function tooMany(context: Context): Refused {
  context.set('Retry-After', context.response.get('RateLimit-Reset'))
  return refuse('RATE_LIMITED')
}

/** The caller as it is now, within its scope. */
function identify(context: Context, { access }: Route, core: Core): Result<Requester> {
  const caller = core.identify(context, access)
  return caller.ok ? checkScope(access, caller.value) : caller
}

/** Counts the request and sets the RateLimit headers; false when the request exceeds the limit. */
export function countRequest(
  { req, res }: Context,
  route: Pick<Route, 'limit' | 'method'>,
  caller: Requester,
  { take, clientOf }: Pick<Core, 'take' | 'clientOf'>,
): boolean {
  if (take === undefined || (caller === 'anyone' && route.limit === undefined)) return true
  const group: Group = route.limit ?? (route.method === 'GET' ? 'reads' : 'admin')
  const known = typeof caller === 'string' ? caller : caller.id
  const name = caller === 'anyone' ? networkOf(clientOf(req)) : known
  const { allowed, limit, remaining, resetSeconds } = take(group, name)
  res.setHeader('RateLimit-Limit', String(limit))
  res.setHeader('RateLimit-Remaining', String(remaining))
  res.setHeader('RateLimit-Reset', String(resetSeconds))
  // The same in the form of the IETF draft (httpapi-ratelimit-headers).
  res.setHeader('RateLimit-Policy', policyOf(group, limit))
  res.setHeader('RateLimit', `"${group}";r=${remaining};t=${resetSeconds}`)
  return allowed
}

/** A request that passed the checks; its body is not validated yet. */
interface Admitted {
  context: Context
  route: Route
  core: Core
  target: Target
  caller: Requester
}

function answer(admitted: Admitted, body: unknown): Promise<Result<RouteAnswer>> | Refused {
  const { context, route, core, target, caller } = admitted
  if (body === undefined && route.body !== undefined && route.bodyOptional !== true) {
    return refuse('INVALID_JSON', 'The body is empty, and one is required')
  }
  if (route.method !== 'POST' || route.idempotency === 'none') return carryOut(admitted, body)
  const key = idempotencyKeyOf(route, context.req.headers['idempotency-key'], body)
  if (!key.ok) return key
  if (key.value === undefined || !isIdempotent(route)) return carryOut(admitted, body)
  const idempotencyKey = key.value
  const attempt = { route, caller: callerId(caller), path: target.path, idempotencyKey, body }
  return core.once(attempt, (record) => {
    // It may have waited for another request with its key, and its caller may have lost access since.
    const current = identify(context, route, core)
    return current.ok ? carryOut({ ...admitted, caller: current.value }, body, { idempotencyKey, record }) : current
  })
}

/** Agents are named by agent, not by key: an agent may rotate its key between a request and its repetition. */
function callerId(caller: Requester): string {
  return typeof caller === 'string' ? caller : (caller.agent ?? caller.id)
}

async function carryOut(admitted: Admitted, body: unknown, repeatable?: Repeatable): Promise<Result<RouteAnswer>> {
  const { context, route, core, target, caller } = admitted
  const raw: Raw = {
    params: target.params,
    query: target.query,
    body: route.form === true ? { text: body } : body,
    headers: route.form || route.withHeaders || route.resumable ? context.req.headers : undefined,
    ifMatch: route.versioned === true ? context.req.headers['if-match'] : undefined,
    userAgent: context.req.headers['user-agent'],
    requestId: context.state.requestId,
    principal: typeof caller === 'string' ? undefined : caller,
  }
  const outcome = await invoke(route, raw, core, repeatable)
  if (!outcome.ok) {
    const { barrier } = outcome.refusal
    return barrier ? core.hold({ route, raw, barrier, repeatable }) : outcome
  }
  const { waits, body: done } = outcome.value
  if (!waits) return outcome
  return core.hold({ route, raw: { ...raw, body: waits.body }, barrier: waits.barrier, repeatable, done })
}
