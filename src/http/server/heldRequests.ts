// Holds requests that require approval, and executes them after approval through their own route. The change's
// id serves as the idempotency key, so that a request is carried out once.
import type { Actor } from '../../actor/actor.js'
import { holdChange } from '../../commands/approvals/changes.js'
import type { Services } from '../../commands/ports.js'
import type { Json } from '../../domain/values/canonical.js'
import type { Barrier, HeldRequest } from '../../domain/outcomes/governance.js'
import type { Principal } from '../../domain/access/principal.js'
import { refuse, succeed, type Result } from '../../domain/outcomes/result.js'
import { checkScope } from './auth.js'
import type { Idempotent } from './idempotency.js'
import { invoke, type Raw, type Repeatable } from './invoke.js'
import { answered, ok } from './respond.js'
import type { RouteAnswer, Route } from './route.js'

/** A request that met a barrier, and what the rest of it has done. */
interface Met {
  route: Route
  raw: Raw
  barrier: Barrier
  repeatable: Repeatable | undefined
  done?: unknown
}

/** Stores the request, and answers that it waits. */
export type HoldRequest = (met: Met) => Promise<Result<RouteAnswer>>

export function holder(services: Services): HoldRequest {
  return ({ route, raw, barrier, repeatable, done }) => {
    const { method, path, governed, collected = false } = route
    // A bug: only routes that declare `governed` may be held.
    if (governed === undefined)
      throw new Error(`${method} ${path} met a barrier, and no governed action is named there`)
    const { params, query, ifMatch = null, requestId, principal } = raw
    const isCollected = typeof collected === 'function' ? collected(raw.body) : collected
    const sealed = sealedBody(services, route, principal!, (raw.body ?? null) as Json)
    const request: HeldRequest = { method, path, params: { ...params }, query, ...sealed, ifMatch, requestId }
    return answered(
      { principal: principal!, requestId, ...(repeatable && { record: repeatable.record }) },
      ({ context }: Actor<'change'>) =>
        ok({ ...(done as object), status: 'PENDING_APPROVAL', governanceApprovalRequestId: context.id }, 202),
      (caller) => holdChange(services, caller, request, { ...barrier, isCollected }),
    )
  }
}

type Fields = { [field: string]: Json }

/** The body as it is stored and shown to approvers, and the field with secrets, sealed for the organization. */
function sealedBody(
  { sealed }: Services,
  { sealedField }: Route,
  { organization }: Principal,
  body: Json,
): Pick<HeldRequest, 'body' | 'sealed'> {
  const value = sealedField === undefined ? undefined : (body as Fields | null)?.[sealedField.name]
  if (value === undefined) return { body }
  const { name, shown } = sealedField!
  return {
    body: { ...(body as Fields), [name]: shown(value) },
    sealed: sealed.seal(organization, JSON.stringify(value)),
  }
}

function openedBody(
  services: Services,
  { sealedField }: Route,
  { organization }: Principal,
  { body, sealed }: HeldRequest,
): Json {
  if (sealed === undefined) return body
  return { ...(body as Fields), [sealedField!.name]: JSON.parse(services.sealed.open(organization, sealed)) as Json }
}

/** The record must live as long as the change, which is forever; `payment` records do not expire. */
const KEPT = { idempotency: 'payment' } as const

/** Carries out held requests through the routes of this table. */
export function replayHeld(services: Services, routes: readonly Route[], once: Idempotent): Services['carryOut'] {
  return async (held, principal, name) => {
    const route = routes.find(({ method, path }) => method === held.method && path === held.path)
    if (!route) return refuse('NOT_FOUND', 'This version of the service has no such route')
    const allowed = checkScope(route.access, principal)
    if (!allowed.ok) return allowed
    const attempt = { route: KEPT, caller: 'change', path: held.path, idempotencyKey: name, body: held.body }
    const outcome = await once(attempt, (record) =>
      invoke(route, rawOf(services, route, held, principal), { services }, { idempotencyKey: name, record }),
    )
    if (!outcome.ok) return outcome
    // The approval covers another action than is needed now.
    if (outcome.value.waits) return refuse('REQUIRES_APPROVAL')
    const { status, body, memorable = body, headers } = outcome.value
    const isReplay = headers?.['Idempotency-Replayed'] !== undefined
    return succeed({ status, body: body as Json, memorable: memorable as Json, isReplay })
  }
}

function rawOf(services: Services, route: Route, held: HeldRequest, principal: Principal): Raw {
  const { params, query, ifMatch, requestId } = held
  const body = openedBody(services, route, principal, held) ?? undefined
  return { params, query, body, ...(ifMatch !== null && { ifMatch }), requestId, principal }
}
