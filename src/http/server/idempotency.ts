// Answers a repeated request with the recorded answer of its idempotency key, and runs concurrent requests of one key
// one at a time. The handler commits the record together with its change.
import { keyedMutex } from '../../async/keyedMutex.js'
import { canonicalJson, type Json } from '../../domain/values/canonical.js'
import { sha256Hex } from '../../domain/values/digest.js'
import type { Actor } from '../../actor/actor.js'
import type { Ref } from '../../domain/limits/gate.js'
import type { IdempotencyRecord } from '../../domain/outcomes/idempotencyRecord.js'
import { refuse, succeed, type Refused, type Result } from '../../domain/outcomes/result.js'
import type { RouteAnswer, Route } from './route.js'
import { IDEMPOTENCY_KEY } from '../input/schemas.js'
import { replayed } from './respond.js'
import { invalidInput } from '../input/validate.js'

export interface IdempotencyStore {
  find(key: string): Promise<IdempotencyRecord | undefined> | undefined
  payment(ref: Ref<'payment'>): Actor<'payment'> | undefined
  /** Stores a record of a handler without a single commit of its own. */
  put(record: IdempotencyRecord): Promise<void>
}

export interface Repetition {
  route: Pick<Route, 'idempotency' | 'paymentOf' | 'replayed' | 'idempotencyField'>
  /** The agent of an agent key, else the key's id; `operator` or `anyone` without one. */
  caller: string
  /** Path with its parameters filled in. */
  path: string
  idempotencyKey: string
  body: unknown
}

export type RecordAnswer = (answer: RouteAnswer) => IdempotencyRecord

const WEEK_MS = 7 * 24 * 60 * 60 * 1000

/** Whether a repeated request gets the first answer again. */
export function isIdempotent({ method, idempotency }: Pick<Route, 'method' | 'idempotency'>): boolean {
  return method === 'POST' && idempotency !== 'unkept' && idempotency !== 'none'
}

/**
 * The key from the header or the body; undefined without one, a refusal when it is malformed or the two differ. A
 * malformed key in the body counts as none: the validation of the body refuses it.
 */
export function idempotencyKeyOf(
  route: Route,
  header: string | string[] | undefined,
  body: unknown,
): Result<string | undefined> {
  const invalid = route.invalid ?? 'VALIDATION_ERROR'
  const member = memberOf(body, route.idempotencyField)
  if (header === undefined) return succeed(isKey(member) ? member : undefined)
  if (!isKey(header)) {
    return invalidInput(invalid, [{ path: 'Idempotency-Key', message: 'must be 1 to 255 visible characters' }])
  }
  if (member !== undefined && member !== header) {
    const message = `must equal ${route.idempotencyField} of the body where both are given`
    return invalidInput(invalid, [{ path: 'Idempotency-Key', message }])
  }
  return succeed(header)
}

function isKey(value: unknown): value is string {
  return typeof value === 'string' && IDEMPOTENCY_KEY.test(value)
}

function memberOf(body: unknown, field: string | undefined): unknown {
  if (field === undefined || typeof body !== 'object' || body === null) return undefined
  return Object.hasOwn(body, field) ? (body as { [name: string]: unknown })[field] : undefined
}

/** Runs `perform` unless the attempt's key has a recorded answer. */
export type Idempotent = (attempt: Repetition, perform: Perform) => Promise<Result<RouteAnswer>>

type Perform = (record: RecordAnswer) => Promise<Result<RouteAnswer>> | Refused

export function idempotency(store: IdempotencyStore, now: () => number): Idempotent {
  // Otherwise concurrent requests of one key would all find no record and all be carried out.
  const inTurn = keyedMutex()
  return (attempt, perform) => {
    const key = recordKey(attempt)
    return inTurn(key, async () => {
      const bodyHash = hashOf(attempt.body, attempt.route.idempotencyField)
      const record = await store.find(key)
      const isLive = record !== undefined && (record.expiresAt === null || record.expiresAt > now())
      if (isLive) {
        if (record.bodyHash !== bodyHash) return refuse('IDEMPOTENCY_CONFLICT')
        return replayed({ status: record.status, body: bodyOf(store, attempt.route, record) })
      }
      const expiresAt = attempt.route.idempotency === 'payment' ? null : now() + WEEK_MS
      return await performOnce(store, perform, { key, bodyHash, expiresAt })
    })
  }
}

function bodyOf(store: IdempotencyStore, route: Repetition['route'], { key, body }: IdempotencyRecord): Json {
  return route.replayed ? route.replayed(body, store.payment(key as Ref<'payment'>)) : body
}

/** Stores the record afterwards if the handler did not commit it with its change. */
async function performOnce(
  store: IdempotencyStore,
  perform: Perform,
  row: Pick<IdempotencyRecord, 'key' | 'bodyHash' | 'expiresAt'>,
): Promise<Result<RouteAnswer>> {
  let committed = false
  const outcome = await perform((answer) => {
    committed = true
    return recordOf(row, answer)
  })
  if (!committed && outcome.ok) await store.put(recordOf(row, outcome.value))
  return outcome
}

/** The payment that the request makes, by the id it will have; else a hash, whatever the length of path and key. */
function recordKey({ route, caller, path, idempotencyKey }: Repetition): string {
  return route.paymentOf?.(caller, idempotencyKey) ?? sha256Hex(JSON.stringify([caller, path, idempotencyKey]))
}

/** Hashes an absent body like an empty one, and without the idempotency key in the body. */
function hashOf(body: unknown, field: string | undefined): string {
  if (memberOf(body, field) === undefined) return sha256Hex(formOf((body ?? {}) as Json))
  const { [field as string]: _key, ...rest } = body as { [name: string]: Json }
  return sha256Hex(formOf(rest))
}

/** The canonical JSON (RFC 8785), or the plain text of a body that has no canonical form. */
function formOf(body: Json): string {
  try {
    return canonicalJson(body)
  } catch {
    return `no canonical form: ${JSON.stringify(body)}`
  }
}

function recordOf(
  row: Pick<IdempotencyRecord, 'key' | 'bodyHash' | 'expiresAt'>,
  answer: RouteAnswer,
): IdempotencyRecord {
  if (answer.status >= 400) throw new Error(`An answer with status ${answer.status} must not be recorded`)
  const { key, bodyHash, expiresAt } = row
  return { key, bodyHash, expiresAt, status: answer.status, body: (answer.memorable ?? answer.body) as Json }
}
