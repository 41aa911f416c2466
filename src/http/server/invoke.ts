// Validates the query, body and path of a request, then calls the route's handler. Authentication and authorization
// come before it.
import type { IncomingHttpHeaders } from 'node:http'
import * as v from 'valibot'
import type { Services } from '../../commands/ports.js'
import type { Principal } from '../../domain/access/principal.js'
import { refuse, succeed, type Refused, type Result } from '../../domain/outcomes/result.js'
import type { RecordAnswer } from './idempotency.js'
import { readQuery } from '../input/query.js'
import type { System } from './system.js'
import type { RouteAnswer, HandlerInput, Route } from './route.js'
import { validate, type Invalid } from '../input/validate.js'

/** A request before validation. */
export interface Raw {
  params: Readonly<{ [name: string]: string }>
  /** The text after `?`. */
  query: string
  body: unknown
  ifMatch?: string | undefined
  userAgent?: string | undefined
  headers?: IncomingHttpHeaders | undefined
  requestId: string
  /** Absent on routes without authentication and for the operator. */
  principal?: Principal | undefined
}

export type Repeatable = { idempotencyKey: string; record: RecordAnswer }

const NOTHING = v.strictObject({})
const PARAMETER = /^[\x21-\x7e]{1,200}$/

/** What handlers work on. */
export interface Within {
  services: Services
  /** Absent where a held request is carried out. */
  system?: System
}

export function invoke(
  route: Route,
  raw: Raw,
  { services, system }: Within,
  repeatable?: Repeatable,
): Promise<Result<RouteAnswer>> | Refused {
  const invalid = route.invalid ?? 'VALIDATION_ERROR'
  const query = readQuery(raw.query, route.query, invalid)
  if (!query.ok) return query
  const body = fitBody(route, raw.body, invalid)
  if (!body.ok) return body
  const { params, requestId, principal, ifMatch, userAgent, headers } = raw
  // No id looks like that; the store is not asked.
  for (const name in params) if (!PARAMETER.test(params[name]!)) return refuse('NOT_FOUND')
  const call: HandlerInput = {
    services,
    system: system!,
    caller: { principal: principal!, requestId },
    principal: principal!,
    params,
    query: query.value,
    body: body.value,
    requestId,
    ifMatch,
    userAgent,
    headers,
    record: repeatable?.record,
    idempotencyKey: repeatable?.idempotencyKey,
  }
  return (route.handler as (call: HandlerInput) => Promise<Result<RouteAnswer>>)(call)
}

/** A route without a body also accepts an empty object. */
function fitBody({ body, listField }: Route, raw: unknown, invalid: Invalid): Result<unknown> {
  if (raw === undefined && body === undefined) return succeed(undefined)
  const fields = listField !== undefined && Array.isArray(raw) ? { [listField]: raw } : raw
  return validate(body ?? NOTHING, raw === undefined ? {} : fields, invalid, 'field')
}
