// The shape of one row of the route table, from which the router, the validation and the OpenAPI document are made.
import type { IncomingHttpHeaders } from 'node:http'
import type { Actor } from '../../actor/actor.js'
import type { Code } from '../../domain/outcomes/codes.js'
import type { Result } from '../../domain/outcomes/result.js'
import type * as v from 'valibot'
import type { Caller, Services } from '../../commands/ports.js'
import type { Json } from '../../domain/values/canonical.js'
import type { Ref } from '../../domain/limits/gate.js'
import type { Barrier, GovernedAction } from '../../domain/outcomes/governance.js'
import type { IdempotencyRecord } from '../../domain/outcomes/idempotencyRecord.js'
import type { Principal } from '../../domain/access/principal.js'
import type { AgentScope, OrganizationScope } from '../../domain/access/scopes.js'
import type { StaticFile } from './staticFile.js'
import type { System } from './system.js'

export type Access =
  | { key: 'none' }
  | { key: 'operator' }
  /** An organization key or a person's session. `ownersOnly` refuses people who are not owners, and their keys. */
  | { key: 'organization'; scope: OrganizationScope; ownersOnly?: true }
  /** A person's session alone. Without a scope, whatever their role. */
  | { key: 'person'; scope?: OrganizationScope }
  /** Without a scope, any live agent key is accepted. */
  | { key: 'agent'; scope?: AgentScope }

/** Codes that only a row's other data says: no row lists them. */
export type DerivedCode =
  | 'INSUFFICIENT_SCOPE'
  | 'CSRF'
  | 'VALIDATION_ERROR'
  | 'INVALID_INPUT'
  | 'CARD_NUMBER_REFUSED'
  | 'INVALID_JSON'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'IDEMPOTENCY_CONFLICT'
  | 'VERSION_CONFLICT'
  | 'RATE_LIMITED'
  | 'INTERNAL_ERROR'
  | 'UNAVAILABLE'
  | 'NO_OWNER'

/** Codes that a row lists where its handler refuses so. */
export type ListedCode = Exclude<Code, DerivedCode>

export type Schema = v.GenericSchema<unknown, unknown>

/** The names of a path's parameters: `/a/:x/b/:y` → `'x' | 'y'`. */
type ParamOf<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}${'/' | '.'}${infer More}`
    ? Name | ParamOf<`/${More}`>
    : Rest
  : never

/** The input of a handler, validated. */
export interface HandlerInput<Params = Record<string, string>, Query = unknown, Body = unknown> {
  services: Services
  /** Absent where a held request is carried out. */
  system: System
  /** Who calls, for commands that keep no idempotency record. */
  caller: Caller
  /** Absent on routes with access `none` and `operator`. */
  principal: Principal
  params: Readonly<Params>
  query: Query
  body: Body
  requestId: string
  /** The `If-Match` header as received, on a route with `versioned`. */
  ifMatch?: string | undefined
  /** Turns the answer into the idempotency record to commit with the change; undefined without an idempotency key. */
  record?: ((answer: RouteAnswer) => IdempotencyRecord) | undefined
  userAgent?: string | undefined
  /** Of a form, whose signature is there, and on a route with `withHeaders` or `resumable`. */
  headers?: IncomingHttpHeaders | undefined
  /** The caller's idempotency key, from the header or the body. */
  idempotencyKey?: string | undefined
}

export interface RouteAnswer<Body = unknown, Status = number> {
  status: Status
  body: Body
  /** A part of the request that requires approval: it waits as a request with this body. */
  waits?: { barrier: Barrier; body: Json }
  /** What to keep of the body in the idempotency record, where it holds a secret or more than must be kept. */
  memorable?: unknown
  headers?: Record<string, string>
  /** Text streamed in place of `body`, at the client's pace; needs a content type. */
  parts?: AsyncIterable<string>
  /** Called once when the stream has ended, successfully or not. */
  onEnd?: () => void
  /** Default `application/json`. */
  contentType?: string
  /** Sent in place of `body`, with its own content type. */
  file?: StaticFile
}

/** An answer whose text or file stands in place of its body. */
export type BodilessAnswer = RouteAnswer<null, 200> &
  (Required<Pick<RouteAnswer, 'parts'>> | Required<Pick<RouteAnswer, 'file'>>)

/** The answers with these schemas. */
type AnswerOf<Answers> = { [Status in keyof Answers]: RouteAnswer<Of<Answers[Status]>, Status> }[keyof Answers]

type Of<S> = S extends Schema ? v.InferOutput<S> : undefined

export interface Route {
  /** The operation's name in the OpenAPI document; pages and their files have none, and are not in it. */
  operationId?: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** In router form: `/api/agents/:agentId`. */
  path: string
  access: Access
  /** What the operation does, in the imperative; absent where `operationId` is. */
  summary?: string
  /** The rate limit group; defaults to `reads` for GET, `admin` for other methods. */
  limit?: 'payments' | 'reads' | 'admin' | 'login'
  /** Strict object of query parameters (all strings on the wire); absent when the route takes none. */
  query?: Schema
  /** Absent when the route takes no body: an empty one is accepted, one with members refused. */
  body?: Schema
  /** An empty body means `{}`. */
  bodyOptional?: true
  /** The field that receives a body that is a bare list. */
  listField?: string
  /** The body is a form, as of HTML pages: the handler gets it as `{text}`, to check the signature before it reads it. */
  form?: true
  /** The handler gets the headers: another protocol is spoken in the body. */
  withHeaders?: true
  /**
   * Refuses each request whose `Host` or `Origin` is not the service's own, whatever its key: a page of another site must
   * not reach it, also not under a name that leads here.
   */
  ownHostOnly?: true
  /** The largest body in bytes; default 256 KiB. */
  bodyLimit?: number
  /** The code for an invalid body or query; default VALIDATION_ERROR. */
  invalid?: 'VALIDATION_ERROR' | 'INVALID_INPUT'
  /**
   * How long an idempotency record of this route is kept: 7 days, or as long as the payment. `unkept` keeps no record,
   * because the route changes nothing: a repeated request is answered anew. `none` ignores the key, because even the
   * hash of the body would be the hash of a password.
   */
  idempotency?: 'week' | 'payment' | 'unkept' | 'none'
  /**
   * The payment that an agent requests under an idempotency key: the record is kept with it, as long as the payment
   * (`idempotency`). The handler must give the payment this id.
   */
  paymentOf?: (agentId: string, idempotencyKey: string) => Ref
  /** The whole answer, from what the idempotency record keeps of it and the payment (`paymentOf`), if there is one. */
  replayed?: (kept: Json, payment: Actor<'payment'> | undefined) => Json
  /** Carried out only on the version that `If-Match` names, where it is given. Other routes ignore that header. */
  versioned?: true
  /** A stream of events with ids: a client that lost it names the last one that it has in `Last-Event-ID`. */
  resumable?: true
  /** The body field that may carry the idempotency key. */
  idempotencyField?: string
  /** The action for which an organization may require a second person: the answer is then 202 and the change waits. */
  governed?: GovernedAction
  /**
   * Only the requester may see the answer, or that of some bodies: after approval, it waits until they collect it.
   */
  collected?: true | ((body: unknown) => boolean)
  /** The field of the body that may hold secrets: sealed where the request waits for approval, and shown without them. */
  sealedField?: { name: string; shown: (value: Json) => Json }
  /** The successful answers: status → schema, which has its name under `components` as its title. */
  answers: Record<number, Schema>
  /** The codes that its handler may answer, beyond those that follow from this row: `src/http/docs/refusals.ts`. */
  refuses?: readonly ListedCode[]
  /** Also answered while the service is starting, when all other routes are UNAVAILABLE. */
  beforeReady?: true
  /** By what the organization of a request without a key of its own is found, where organizations lie in several shards. */
  foundBy?: 'email' | 'setUpToken' | 'channelId' | 'organizationId' | 'leastLoaded'
  /** Answered by each node itself, whether it owns its shard or not; all else is answered by the owner. */
  everyNode?: true
  handler: (call: never) => Promise<Result<RouteAnswer>>
}

/** A route of the interface. */
export type Operation = Route & Required<Pick<Route, 'operationId' | 'summary'>>

/** What follows from a row's access, and from its path. */
type KnownOf<Key> = Key extends 'none' ? never : 'AUTH_FAILED'
type NamedOf<Path extends string> = ParamOf<Path> extends never ? never : 'NOT_FOUND'

/** Defines an operation; the types of its handler follow from its path and its schemas. */
export function route<
  const Path extends string,
  const Answers extends Route['answers'],
  Query extends Schema | undefined = undefined,
  Body extends Schema | undefined = undefined,
  const Refuses extends readonly ListedCode[] = [],
  const Key extends Access['key'] = Access['key'],
>(
  row: Omit<Operation, 'path' | 'query' | 'body' | 'answers' | 'refuses' | 'handler'> & {
    path: Path
    query?: Query
    body?: Body
    answers: Answers
    refuses?: Refuses
    access: Access & { key: Key }
    handler: (
      call: HandlerInput<Record<ParamOf<Path>, string>, Of<Query>, Of<Body>>,
    ) => Promise<
      Result<AnswerOf<Answers> | BodilessAnswer, Refuses[number] | DerivedCode | KnownOf<Key> | NamedOf<Path>>
    >
  },
): Operation {
  return row as Operation
}

export function isOperation(route: Route): route is Operation {
  return route.operationId !== undefined
}
