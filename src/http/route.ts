// The shape of one row of the route table. The router, the validation and the OpenAPI document all come from it.
import type * as v from 'valibot'
import type { Json } from '../domain/canonical.js'
import type { GovernedAction } from '../domain/governance.js'
import type { Memory } from '../domain/memory.js'
import type { Principal } from '../domain/principal.js'
import type { Refused } from '../domain/refusal.js'
import type { AgentScope, OrganizationScope } from '../domain/scopes.js'

export type Access =
  | { key: 'none' }
  | { key: 'operator' }
  /** An organization key or a person's session. `ownersOnly` shuts out people, and their keys, who are no owners. */
  | { key: 'organization'; scope: OrganizationScope; ownersOnly?: true }
  /** A person's session alone. */
  | { key: 'person' }
  /** No scope: any live agent key will do. */
  | { key: 'agent'; scope?: AgentScope }

export type Schema = v.GenericSchema<unknown, unknown>

/** What a handler is given: everything checked, nothing raw. */
export interface Call<Params = Record<string, string>, Query = unknown, Body = unknown> {
  /** Absent on routes with access `none` and `operator`. */
  principal: Principal
  params: Readonly<Params>
  query: Query
  body: Body
  requestId: string
  /** True where the caller is on this machine, and no proxy stands between. */
  isLocal: () => boolean
  /** The `If-Match` header as it came. */
  ifMatch?: string | undefined
  /** Idempotency: turns the answer into the row to commit with the change; undefined when the caller gave no key. */
  remember?: ((answer: Answer) => Memory) | undefined
  /** The caller's idempotency key, from the header or the body. */
  idempotencyKey?: string | undefined
}

export interface Answer {
  status: number
  body: Json
  /** The answer as an idempotency record may keep it, where `body` holds a secret. */
  memorable?: Json
  headers?: Record<string, string>
  /** Text that is sent as it comes, in place of `body`, to a reader who may be slow; needs a content type. */
  parts?: AsyncIterable<string>
  /** Called once the answer in parts is over, however it ended. */
  onEnd?: () => void
  /** Default `application/json`. */
  contentType?: string
  /** `body` by gzip, for whoever takes that. */
  packed?: Buffer
}

export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** In router form: `/api/agents/:agentId`. */
  path: string
  access: Access
  summary: string
  /** Group of the rate limit; defaults to `reads` for GET, `admin` for the rest. */
  limit?: 'payments' | 'reads' | 'admin' | 'login'
  /** Strict object of query parameters (all strings on the wire); absent means none is taken. */
  query?: Schema
  /** Absent means the route takes no body; an empty body is then fine, a body with members is refused. */
  body?: Schema
  /** An empty body is as good as `{}`. */
  bodyOptional?: true
  /** The field that a body which is a bare list stands for. */
  listField?: string
  /** Largest body in bytes, default 256 KiB. */
  bodyLimit?: number
  /** Code for a body or query that does not fit; default VALIDATION_ERROR. */
  invalid?: 'VALIDATION_ERROR' | 'INVALID_INPUT'
  /**
   * How long an idempotency record of this route lives: 7 days, or as long as the payment. `none` keeps no record, not
   * even the hash of a body: it would be one of a password.
   */
  memory?: 'week' | 'payment' | 'none'
  /** Where the body itself may carry the idempotency key. */
  idempotencyField?: string
  /** What an organization may want a second person for: the answer is then 202, and the change waits. */
  governed?: GovernedAction
  /** What it answers is for the one who asked alone: when it was approved, it waits for them to collect it. */
  collected?: true
  /** Status → schema (and a name under `components`) of the answers that are not errors. */
  answers: Record<number, { name: string; schema: Schema; contentType?: string }>
  /** Answered while the service is starting or has failed, when every other row is UNAVAILABLE. */
  beforeReady?: true
  handler: (call: never) => Promise<Answer | Refused>
}

/** Builds a row with the handler's types inferred from its schemas. */
export function route<Q extends Schema | undefined = undefined, B extends Schema | undefined = undefined>(
  row: Omit<Route, 'query' | 'body' | 'handler'> & {
    query?: Q
    body?: B
    handler: (
      call: Call<
        Record<string, string>,
        Q extends Schema ? v.InferOutput<Q> : undefined,
        B extends Schema ? v.InferOutput<B> : undefined
      >,
    ) => Promise<Answer | Refused>
  },
): Route {
  return row as unknown as Route
}
