// Holds requests that need a second person, and carries them out after approval through their own route. The change's
// id serves as the idempotency key, so that a request is carried out once.
import { holdChange } from '../../commands/approvals/changes.js'
import type { CarriedOut, Services } from '../../commands/ports.js'
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
  return ({ route: { method, path, governed, collected = false }, raw, barrier, repeatable, done }) => {
    // A bug: only routes that declare `governed` may be held.
    if (governed === undefined)
      throw new Error(`${method} ${path} met a barrier, and no governed action is named there`)
    const { params, query, body = null, ifMatch = null, requestId, principal } = raw
    const request: HeldRequest = { method, path, params: { ...params }, query, body: body as Json, ifMatch, requestId }
    return answered(
      { principal: principal!, requestId, ...(repeatable && { record: repeatable.record }) },
      ({ context }) =>
        ok({ ...(done as object), status: 'PENDING_APPROVAL', governanceApprovalRequestId: context['id']! }, 202),
      (caller) => holdChange(services, caller, request, { ...barrier, isCollected: collected }),
    )
  }
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
      invoke(route, rawOf(held, principal), { services }, { idempotencyKey: name, record }),
    )
    if (!outcome.ok) return outcome
    // The approval covers another action than is needed now.
    return outcome.value.waits ? refuse('REQUIRES_APPROVAL') : succeed(carriedOut(outcome.value))
  }
}

function rawOf({ params, query, body, ifMatch, requestId }: HeldRequest, principal: Principal): Raw {
  return { params, query, body: body ?? undefined, ...(ifMatch !== null && { ifMatch }), requestId, principal }
}

function carriedOut({ status, body, memorable = body, headers }: RouteAnswer): CarriedOut {
  return {
    status,
    body: body as Json,
    memorable: memorable as Json,
    isReplay: headers?.['Idempotency-Replayed'] !== undefined,
  }
}
