// Runs a command for a route and renders its answer once, from the actors about to be committed. INVARIANT: the answer
// sent, the idempotency record and the stored actor never differ.
import { succeed, type Refused, type Result, type Succeeded } from '../../domain/outcomes/result.js'
import * as v from 'valibot'
import type { Actor } from '../../actor/actor.js'
import type { View } from '../../actor/host.js'
import { isoWriter } from '../../domain/values/isoTime.js'
import type { Page, Paging } from '../../actor/query.js'
import type { Purchased } from '../../commands/payments/purchase.js'
import type { Code } from '../../domain/outcomes/codes.js'
import type { Caller, RecordQueued } from '../../commands/ports.js'
import type { RouteAnswer, HandlerInput } from './route.js'
import { invalidInput, type Invalid } from '../input/validate.js'
import { recordSchema } from '../input/schemas.js'

/** Computed only when called. */
export type Sequence = () => number
type Render<K extends string, Answer> = (actor: Actor<K>, view: View, sequence: Sequence) => Succeeded<Answer>
/** For answers without a commit. */
const NOTHING: View = () => undefined
const NOWHERE: Sequence = () => {
  throw new Error('Nothing was committed that would have a place in the audit log')
}

type Asking = Pick<HandlerInput, 'principal' | 'record' | 'requestId'>

export async function answered<K extends string, Answer extends RouteAnswer, C extends Code>(
  call: Asking,
  render: Render<K, Answer>,
  run: (caller: Caller) => Promise<Result<Actor<K>, C>>,
): Promise<Result<Answer, C>> {
  let answer: Succeeded<Answer> | undefined
  const caller: Caller = {
    principal: call.principal,
    requestId: call.requestId,
    record: (actor, attempt) => {
      answer = render(
        actor as Actor<K>,
        (ref) => attempt.actor(ref),
        () => attempt.sequence(),
      )
      return call.record?.(answer.value)
    },
  }
  const done = await run(caller)
  return done.ok ? (answer ?? render(done.value, NOTHING, NOWHERE)) : done
}

/** An answer that shows what an earlier request began. */
export function replayed<Answer extends RouteAnswer>(answer: Answer): Succeeded<Answer> {
  return succeed({ ...answer, headers: { 'Idempotency-Replayed': 'true' } })
}

/** Like `answered`, for a command that may show a secret: only this answer has it, never the idempotency record. */
export async function answeredOnce<
  K extends string,
  Shown extends object,
  Secret extends object,
  Made extends { actor: Actor<K> },
  C extends Code,
  const Status extends number = 200,
>(
  call: Asking,
  record: (actor: Actor<K>) => Shown,
  run: (caller: Caller) => Promise<Result<Made & { actor: Actor<K> }, C>>,
  { secret, status }: { secret: (made: Made) => Secret; status?: Status },
): Promise<Result<RouteAnswer<Shown & Partial<Secret>, Status>, C>> {
  let shown: Partial<Secret> = {}
  const answer = await answered(
    call,
    (actor: Actor<K>) => ok(record(actor), status),
    async (caller) => {
      const done = await run(caller)
      if (!done.ok) return done
      shown = secret(done.value)
      return succeed(done.value.actor)
    },
  )
  if (!answer.ok) return answer
  const { body } = answer.value
  return succeed({ ...answer.value, body: { ...body, ...shown }, memorable: body })
}

/** Like `answered`, for a payment that an earlier call may have begun: the answer says so. */
export async function answeredPurchase<Answer extends RouteAnswer, C extends Code>(
  call: Asking,
  render: Render<'payment', Answer>,
  run: (caller: Caller) => Promise<Result<Purchased, C>>,
): Promise<Result<Answer, C>> {
  let isFound = false
  const answer = await answered(call, render, async (caller) => {
    const done = await run(caller)
    if (!done.ok) return done
    isFound = done.value.isFound
    return succeed(done.value.payment)
  })
  return answer.ok && isFound ? replayed(answer.value) : answer
}

/** The answer of a command that queues a delivery. */
export async function queuedAnswer<C extends Code>(
  call: Pick<HandlerInput, 'record'>,
  run: (record: RecordQueued) => Promise<Result<string, C>>,
) {
  const answer = (id: string) => ok({ deliveryId: id }, 202)
  const done = await run((id) => call.record?.(answer(id).value))
  return done.ok ? answer(done.value) : done
}

export const queuedSchema = recordSchema('QueuedDelivery', { deliveryId: v.string() })

type Extra = Omit<RouteAnswer, 'status' | 'body'>

export function ok<const Body, const Status extends number = 200, More extends Extra = Extra>(
  body: Body,
  status: Status = 200 as Status,
  more: More = {} as More,
): Succeeded<RouteAnswer<Body, Status> & More> {
  return succeed({ status, body, ...more })
}

/** The answer of a list of actors; an undefined page means an invalid cursor. */
export function pageAnswer<K extends string, Noun extends string, Entry>(
  noun: Noun,
  page: Page<K> | undefined,
  paging: Paging,
  record: (actor: Actor<K>) => Entry,
  invalid?: Invalid,
): Result<RouteAnswer<Record<Noun, Entry[]> & { pagination: Pagination }, 200>, Invalid> {
  if (!page) return wrongCursor(invalid)
  const entries = { [noun]: page.actors.map(record) } as Record<Noun, Entry[]>
  return ok({ ...entries, pagination: paginationOf(page, paging) })
}

interface Counted {
  /** Undefined when counting would read too many rows. */
  total: number | undefined
  nextCursor?: string
}

export function paginationOf(counted: Counted & { total: number }, paging: Paging): Pagination
export function paginationOf(counted: Counted, paging: Paging): Omit<Pagination, 'total'> & { total?: number }
export function paginationOf(
  { total, nextCursor }: Counted,
  { limit, offset }: Paging,
): Omit<Pagination, 'total'> & { total?: number } {
  const hasMore = nextCursor !== undefined
  return { ...(total !== undefined && { total }), limit, offset, hasMore, ...(hasMore && { nextCursor }) }
}

export function wrongCursor(invalid: Invalid = 'VALIDATION_ERROR'): Refused<Invalid> {
  return invalidInput(invalid, [{ path: 'cursor', message: 'must be the nextCursor of the page before' }])
}

/** The answer of a governed route when the organization requires a second person. */
export const pendingSchema = recordSchema('PendingApproval', {
  status: v.literal('PENDING_APPROVAL'),
  governanceApprovalRequestId: v.string(),
})

/** The answer of what leaves nothing to show. */
export const success = recordSchema('Success', { success: v.literal(true) })

export const succeeded = (): Succeeded<RouteAnswer<{ success: true }, 200>> => ok({ success: true })

export const paginationSchema = recordSchema('Pagination', {
  total: v.number(),
  limit: v.number(),
  offset: v.number(),
  hasMore: v.boolean(),
  nextCursor: v.optional(v.string()),
})

type Pagination = v.InferOutput<typeof paginationSchema>

/** ISO 8601 in UTC with milliseconds. */
export const iso = isoWriter()
