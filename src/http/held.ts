// Requests that wait for a second person: kept in place of being carried out, and carried out later by the row that
// took them. That is done under the change's own name like under an idempotency key, so that it is done once.
import { holdChange } from '../commands/changes.js'
import type { CarriedOut, Services } from '../commands/ports.js'
import type { Json } from '../domain/canonical.js'
import type { Barrier, HeldRequest } from '../domain/governance.js'
import type { Principal } from '../domain/principal.js'
import { refuse, type Refused } from '../domain/refusal.js'
import { checkScope } from './auth.js'
import type { Once } from './idempotency.js'
import { perform, type Raw, type Repeatable } from './perform.js'
import { answered } from './respond.js'
import type { Answer, Route } from './route.js'

/** Keeps a request that met a barrier, and answers that it waits. */
export type Hold = (route: Route, raw: Raw, barrier: Barrier, repeatable?: Repeatable) => Promise<Answer | Refused>

export function holder(services: Services): Hold {
  return ({ method, path, governed, collected = false }, raw, barrier, repeatable) => {
    // What no row announces, nobody would expect; the rows say which of their changes can wait.
    if (governed === undefined) throw new Error(`${method} ${path} met a barrier, and no governed action is named there`)
    const { params, query, body = null, ifMatch = null, requestId, principal } = raw
    const request: HeldRequest = { method, path, params: { ...params }, query, body: body as Json, ifMatch, requestId }
    return answered(
      { principal: principal!, requestId, ...(repeatable && { remember: repeatable.remember }) },
      ({ context }) => ({
        status: 202,
        body: { status: 'PENDING_APPROVAL', governanceApprovalRequestId: context['id']! },
      }),
      (caller) => holdChange(services, caller, request, { ...barrier, isCollected: collected }),
    )
  }
}

/** Carries out held requests by the rows of this table. */
export function carrier(routes: readonly Route[], once: Once): Services['carryOut'] {
  return async (held, principal, name) => {
    const route = routes.find(({ method, path }) => method === held.method && path === held.path)
    if (!route) return refuse('NOT_FOUND', 'This version of the service has no such route')
    const allowed = checkScope(route.access, principal)
    if (!allowed.ok) return allowed
    // It has to be known as long as the change, which is for ever.
    const attempt = { route: { ...route, memory: 'payment' as const }, caller: 'change', path: held.path, idempotencyKey: name }
    const outcome = await once({ ...attempt, body: held.body }, (remember) =>
      perform(route, rawOf(held, principal), { idempotencyKey: name, remember }),
    )
    return 'refusal' in outcome ? outcome : carriedOut(outcome)
  }
}

function rawOf({ params, query, body, ifMatch, requestId }: HeldRequest, principal: Principal): Raw {
  return { params, query, body: body ?? undefined, ...(ifMatch !== null && { ifMatch }), requestId, principal }
}

function carriedOut({ status, body, memorable = body, headers }: Answer): CarriedOut {
  return { ok: true, status, body, memorable, isReplay: headers?.['Idempotency-Replayed'] !== undefined }
}
