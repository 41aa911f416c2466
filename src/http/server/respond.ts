// Runs a command for a route and renders its answer once, from the actors about to be committed. INVARIANT: the answer
// sent, the idempotency record and the stored actor never differ.
import * as v from 'valibot'
import type { Actor } from '../../actor/actor.js'
import type { View } from '../../actor/host.js'
import type { Json } from '../../domain/values/canonical.js'
import { isoWriter } from '../../domain/values/isoTime.js'
import type { Refused } from '../../domain/outcomes/result.js'
import type { Page, Paging } from '../../actor/query.js'
import type { Caller } from '../../commands/ports.js'
import type { RouteAnswer, HandlerInput } from './route.js'
import { invalidInput, type Invalid } from '../input/validate.js'
import { recordSchema } from '../input/schemas.js'

/** Computed only when called. */
export type Sequence = () => number
type Render = (actor: Actor, view: View, sequence: Sequence) => RouteAnswer
/** For answers without a commit. */
const NOTHING: View = () => undefined
const NOWHERE: Sequence = () => {
  throw new Error('Nothing was committed that would have a place in the audit log')
}

type Asking = Pick<HandlerInput, 'principal' | 'record' | 'requestId'>

const REPLAYED = { 'Idempotency-Replayed': 'true' }

/** `isFound`: the command found what an earlier one began. */
export async function answered<Done extends { ok: true; actor: Actor; isFound?: true }>(
  call: Asking,
  render: Render,
  run: (caller: Caller) => Promise<Done | Refused>,
): Promise<RouteAnswer | Refused> {
  let answer: RouteAnswer | undefined
  const caller: Caller = {
    principal: call.principal,
    requestId: call.requestId,
    record: (actor, attempt) => {
      answer = render(
        actor,
        (ref) => attempt.actor(ref),
        () => attempt.sequence(),
      )
      return call.record?.(answer)
    },
  }
  const done = await run(caller)
  if (!done.ok) return done
  const told = answer ?? render(done.actor, NOTHING, NOWHERE)
  return done.isFound ? { ...told, headers: REPLAYED } : told
}

/** Like `answered`, for a command that may show a secret: only this answer has it, never the idempotency record. */
export async function answeredOnce<Done extends { ok: true; actor: Actor }>(
  call: Asking,
  record: (actor: Actor) => { [field: string]: Json },
  run: (caller: Caller) => Promise<Done | Refused>,
  { secret, status = 200 }: { secret: (done: Done) => { [field: string]: Json }; status?: number },
): Promise<RouteAnswer | Refused> {
  let shown = {}
  const answer = await answered(
    call,
    (actor) => ok(record(actor), status),
    async (caller) => {
      const done = await run(caller)
      if (done.ok) shown = secret(done)
      return done
    },
  )
  if ('refusal' in answer) return answer
  return { ...answer, body: { ...(answer.body as object), ...shown }, memorable: answer.body }
}

/** The caller of a command that keeps no idempotency record. */
export function reader({ principal, requestId }: Pick<HandlerInput, 'principal' | 'requestId'>): Caller {
  return { principal, requestId }
}

export function ok(body: Json, status = 200): RouteAnswer {
  return { status, body }
}

/** The answer of a list of actors; an undefined page means an invalid cursor. */
export function pageAnswer(
  noun: string,
  page: Page | undefined,
  paging: Paging,
  record: (actor: Actor) => Json,
  invalid?: Invalid,
): RouteAnswer | Refused {
  if (!page) return wrongCursor(invalid)
  return ok({ [noun]: page.actors.map(record), pagination: paginationOf(page, paging) })
}

interface Counted {
  /** Undefined when counting would read too many rows. */
  total: number | undefined
  nextCursor?: string
}

export function paginationOf({ total, nextCursor }: Counted, { limit, offset }: Paging): { [field: string]: Json } {
  const hasMore = nextCursor !== undefined
  return { ...(total !== undefined && { total }), limit, offset, hasMore, ...(hasMore && { nextCursor }) }
}

export function wrongCursor(invalid: Invalid = 'VALIDATION_ERROR'): Refused {
  return invalidInput(invalid, [{ path: 'cursor', message: 'must be the nextCursor of the page before' }])
}

/** The answer of a governed route when the organization requires a second person. */
export const pendingSchema = recordSchema('PendingApproval', {
  status: v.literal('PENDING_APPROVAL'),
  governanceApprovalRequestId: v.string(),
})

/** The answer of what leaves nothing to show. */
export const success = recordSchema('Success', { success: v.literal(true) })

export const succeeded = (): RouteAnswer => ok({ success: true })

export const paginationSchema = recordSchema('Pagination', {
  total: v.number(),
  limit: v.number(),
  offset: v.number(),
  hasMore: v.boolean(),
  nextCursor: v.optional(v.string()),
})

/** ISO 8601 in UTC with milliseconds. */
export const iso = isoWriter()
