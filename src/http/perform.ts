// Carries out one request of a row: judges its query, body and path, then calls the row's handler. Who asks, and
// whether they may, was settled before.
import * as v from 'valibot'
import type { Principal } from '../domain/principal.js'
import { refuse, type Refused } from '../domain/refusal.js'
import { passed, type Checked } from './checked.js'
import type { Remember } from './idempotency.js'
import { readQuery } from './query.js'
import type { Answer, Call, Route } from './route.js'
import { validate, type Invalid } from './validate.js'

/** A request whose query and body are still unjudged. */
export interface Raw {
  params: Readonly<{ [name: string]: string }>
  /** The text after `?`. */
  query: string
  body: unknown
  ifMatch?: string | undefined
  requestId: string
  /** The caller is on this machine, and no proxy stands between. */
  isLocal?: () => boolean
  /** Absent where nobody in particular asks. */
  principal?: Principal | undefined
}

export type Repeatable = { idempotencyKey: string; remember: Remember }

const NOTHING = v.strictObject({})
const nowhere = (): boolean => false
const PARAMETER = /^[\x21-\x7e]{1,200}$/

export function perform(route: Route, raw: Raw, repeatable?: Repeatable): Promise<Answer | Refused> | Refused {
  const invalid = route.invalid ?? 'VALIDATION_ERROR'
  const query = readQuery(raw.query, route.query, invalid)
  if (!query.ok) return query
  const body = fitBody(route, raw.body, invalid)
  if (!body.ok) return body
  const { params, requestId, principal, ifMatch, isLocal = nowhere } = raw
  // No object has such a name, and the store need not see it.
  for (const name in params) if (!PARAMETER.test(params[name]!)) return refuse('NOT_FOUND')
  const call: Call = {
    principal: principal!,
    params,
    query: query.value,
    body: body.value,
    requestId,
    isLocal,
    ifMatch,
    remember: repeatable?.remember,
    idempotencyKey: repeatable?.idempotencyKey,
  }
  return (route.handler as (call: Call) => Promise<Answer | Refused>)(call)
}

function asFields({ listField }: Route, raw: unknown): unknown {
  return listField !== undefined && Array.isArray(raw) ? { [listField]: raw } : raw
}

/** A row without a body takes an empty one too. */
function fitBody(route: Route, raw: unknown, invalid: Invalid): Checked<unknown> {
  if (raw === undefined && route.body === undefined) return passed(undefined)
  return validate(route.body ?? NOTHING, raw === undefined ? {} : asFields(route, raw), invalid, 'field')
}
