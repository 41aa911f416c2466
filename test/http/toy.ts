// A small service on the HTTP core, for its tests: a route of every kind, memories in a map, a clock set by hand.
import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import type { Services } from '../../src/commands/ports.js'
import type { IdempotencyRecord } from '../../src/domain/outcomes/idempotencyRecord.js'
import type { Principal } from '../../src/domain/access/principal.js'
import { refuse, succeed, type Succeeded } from '../../src/domain/outcomes/result.js'
import { createApp, type HttpPorts } from '../../src/http/app.js'
import { page } from '../../src/http/input/querySchemas.js'
import { route, type RouteAnswer, type HandlerInput, type Route } from '../../src/http/server/route.js'
import { ok } from '../../src/http/server/respond.js'
import * as s from '../../src/http/input/schemas.js'
import { serve, type App, type ListenOptions, type Listening } from '../../src/http/server/serve.js'

export const ORGANIZATION = 'service_full'
export const READER = 'service_reader'
export const AGENT = 'service_agent_full'
export const OPERATOR = 'operator-key-of-32-characters-or-more'

function principal(id: string, type: Principal['type'], scopes: string[]): Principal {
  return { type, id, name: id, keyPrefix: id, organization: 'o1', scopes }
}

const PRINCIPALS: { [bearer: string]: Principal } = {
  [ORGANIZATION]: principal('k1', 'ORGANIZATION_KEY', ['agents:read', 'agents:write']),
  [READER]: principal('k2', 'ORGANIZATION_KEY', ['agents:read']),
  [AGENT]: principal('k3', 'AGENT_KEY', ['payments:request']),
}

export function principalOf(bearer: string): Principal | undefined {
  return Object.hasOwn(PRINCIPALS, bearer) ? PRINCIPALS[bearer] : undefined
}

export interface Toy extends Listening {
  ports: HttpPorts & { clock: number; memory: Map<string, IdempotencyRecord>; logged: unknown[] }
  /** How often a handler ran. */
  runs: number
  /** Delays the runs of `POST /api/held`. */
  gate: Promise<void>
  /** How its first runs end; all later ones succeed. */
  ends: ('refused' | 'thrown')[]
}

export interface ToyOptions extends Partial<HttpPorts>, Partial<Pick<ListenOptions, 'timeouts'>> {
  rows?: Route[]
}

export async function startToy({ timeouts, ...changes }: ToyOptions = {}): Promise<Toy> {
  const { toy, app } = toyApp(changes)
  const options = { host: '127.0.0.1', port: 0, random: toy.ports.random }
  return Object.assign(toy, await serve(app, timeouts === undefined ? options : { ...options, timeouts }))
}

/** The app of a toy that does not listen. */
export function toyApp({ rows = [], ...changes }: Omit<ToyOptions, 'timeouts'> = {}): { toy: Toy; app: App } {
  const memory = new Map<string, IdempotencyRecord>()
  const logged: unknown[] = []
  const ports: Toy['ports'] = {
    clock: Date.UTC(2026, 0, 1),
    memory,
    logged,
    // No route of the toy uses them.
    services: {} as Services,
    authenticate: principalOf,
    authenticateSession: principalOf,
    publicUrl: () => 'https://bursar.example',
    origins: () => ['https://bursar.example'],
    idempotencyStore: {
      find: async (key) => memory.get(key),
      payment: () => undefined,
      put: async (row) => void memory.set(row.key, row),
    },
    hold: async () => refuse('REQUIRES_APPROVAL'),
    readiness: () => 'ready',
    shardRole: () => ({ role: 'SINGLE', shard: '0', epoch: 0, applied: 7, lag: 0 }),
    isUnavailable: () => false,
    warnings: () => [],
    now: () => ports.clock,
    random: (bytes) => randomBytes(bytes),
    gauges: [{ name: 'toy_runs', help: 'Runs.', value: () => toy.runs }],
    rateLimits: 'off',
    trustedProxies: undefined,
    isHttps: false,
    log: (event, fields) => logged.push({ event, ...fields }),
    ...changes,
  }
  const toy = { ports, runs: 0, gate: Promise.resolve(), ends: ['refused'] } as unknown as Toy
  return { toy, app: createApp(ports, [...toyRoutes(toy), ...rows]) }
}

const ANYTHING = { 200: s.titled('Anything', v.looseObject({})) }
const ANY_AGENT = { key: 'agent' } as const
const WRITES_AGENTS = { key: 'organization', scope: 'agents:write' } as const

const AGENT_BODY = v.strictObject({
  name: s.text(1, 100),
  limit: v.optional(s.amountSchema({ zero: true })),
  address: v.optional(s.addressSchema()),
  tags: v.optional(s.listSchema(s.text(1, 10), { max: 3 })),
  labels: v.optional(s.listSchema(s.text(1, 10), { max: 50 })),
  context: v.optional(s.jsonObject({ maxBytes: 8192 })),
  nested: v.optional(v.strictObject({ inner: v.optional(v.string()) })),
})

const PAYMENT_BODY = v.strictObject({
  amount: s.amountSchema(),
  recipientAddress: s.addressSchema(),
  idempotencyKey: v.optional(s.idempotencyKey()),
})

type Remembering = Pick<HandlerInput, 'record'>

function toyRoutes(toy: Toy): Route[] {
  const commit: Commit = ({ record }, answer) => {
    const row = record?.(answer)
    if (row !== undefined) toy.ports.memory.set(row.key, row)
    return succeed(answer)
  }
  return [...readingRows(), ...writingRows(toy, commit), ...oddRows(toy)]
}

function readingRows(): Route[] {
  return [
    route({
      operationId: 'listAgents',
      method: 'GET',
      path: '/api/agents',
      access: { key: 'organization', scope: 'agents:read' },
      summary: 'List',
      query: v.strictObject({ ...page, status: v.optional(s.enumOf(['ACTIVE', 'PAUSED'])) }),
      answers: { 200: s.titled('Page', v.looseObject({ limit: v.number() })) },
      handler: async ({ query }) => ok({ ...query }),
    }),
    route({
      operationId: 'getAgent',
      method: 'GET',
      path: '/api/agents/:agentId',
      access: { key: 'organization', scope: 'agents:read' },
      summary: 'One',
      answers: ANYTHING,
      handler: async ({ params, requestId }) =>
        params.agentId === 'missing' ? refuse('NOT_FOUND') : ok({ ...params, requestId }),
    }),
    route({
      operationId: 'lookUpAgent',
      method: 'GET',
      path: '/api/agents/lookup',
      access: { key: 'organization', scope: 'agents:read' },
      summary: 'Lookup',
      query: v.strictObject({ address: s.addressSchema() }),
      invalid: 'INVALID_INPUT',
      answers: ANYTHING,
      handler: async ({ query }) => ok({ found: query.address.display }),
    }),
    route({
      operationId: 'getSetup',
      method: 'GET',
      path: '/api/sdk/setup',
      access: ANY_AGENT,
      summary: 'Setup',
      answers: ANYTHING,
      handler: async ({ principal: { id } }) => ok({ id }),
    }),
  ]
}

type Commit = <const Answer extends RouteAnswer>(call: Remembering, answer: Answer) => Succeeded<Answer>

function writingRows(toy: Toy, commit: Commit): Route[] {
  return [
    route({
      operationId: 'createAgent',
      method: 'POST',
      path: '/api/agents',
      access: WRITES_AGENTS,
      summary: 'Create',
      body: AGENT_BODY,
      answers: { 201: s.titled('Agent', v.looseObject({ name: v.string() })) },
      handler: async (call) => {
        toy.runs += 1
        const body = { name: call.body.name, run: toy.runs, address: call.body.address?.display }
        return commit(call, { status: 201, body: { ...body, key: 'secret' }, memorable: body })
      },
    }),
    route({
      operationId: 'unfreezeAgent',
      method: 'POST',
      path: '/api/agents/:agentId/unfreeze',
      access: WRITES_AGENTS,
      summary: 'No body',
      answers: ANYTHING,
      handler: async (call) => {
        toy.runs += 1
        return commit(call, { status: 200, body: { agent: call.params.agentId, run: toy.runs } })
      },
    }),
    route({
      operationId: 'updateAgent',
      method: 'PATCH',
      path: '/api/agents/:agentId',
      access: WRITES_AGENTS,
      summary: 'Update',
      body: v.partial(AGENT_BODY),
      answers: ANYTHING,
      handler: async ({ body }) => ok({ fields: Object.keys(body) }),
    }),
    route({
      operationId: 'deleteAgent',
      method: 'DELETE',
      path: '/api/agents/:agentId',
      access: WRITES_AGENTS,
      summary: 'Delete',
      answers: ANYTHING,
      handler: async () => ok({ success: true }),
    }),
    route({
      operationId: 'importAgents',
      method: 'POST',
      path: '/api/agents/import',
      access: WRITES_AGENTS,
      summary: 'Import',
      bodyLimit: 1024 * 1024,
      body: v.strictObject({ text: v.string() }),
      invalid: 'INVALID_INPUT',
      answers: ANYTHING,
      handler: async ({ body }) => ok({ length: body.text.length }),
    }),
    route({
      operationId: 'pay',
      method: 'POST',
      path: '/api/sdk/payments',
      access: { key: 'agent', scope: 'payments:request' },
      summary: 'Pay',
      limit: 'payments',
      body: PAYMENT_BODY,
      idempotencyField: 'idempotencyKey',
      idempotency: 'payment',
      answers: ANYTHING,
      handler: async (call) => {
        toy.runs += 1
        const { idempotencyKey = null } = call
        return commit(call, { status: 200, body: { micros: call.body.amount, run: toy.runs, idempotencyKey } })
      },
    }),
  ]
}

function oddRows(toy: Toy): Route[] {
  return [
    route({
      operationId: 'wait',
      method: 'POST',
      path: '/api/held',
      access: ANY_AGENT,
      summary: 'Waits',
      bodyOptional: true,
      body: v.strictObject({ note: v.optional(v.string()) }),
      answers: ANYTHING,
      refuses: ['INVALID_STATUS'],
      handler: async ({ record }) => {
        const run = (toy.runs += 1)
        await toy.gate
        if (toy.ends[run - 1] === 'thrown') throw new Error('once')
        const more = { reasons: ['first'], extra: { approvalRequestId: 'a1' } }
        if (toy.ends[run - 1] === 'refused') return refuse('INVALID_STATUS', 'not yet', more)
        const answer = { status: 200, body: { run } } as const
        const row = record?.(answer)
        if (row !== undefined) toy.ports.memory.set(row.key, row)
        return succeed(answer)
      },
    }),
    route({
      operationId: 'throw',
      method: 'GET',
      path: '/api/broken',
      access: { key: 'none' },
      summary: 'Throws',
      answers: ANYTHING,
      handler: async () => {
        throw new Error('a secret of the inside')
      },
    }),
    route({
      operationId: 'signIn',
      method: 'POST',
      path: '/api/session',
      access: { key: 'none' },
      summary: 'Login',
      limit: 'login',
      body: v.strictObject({ email: v.string() }),
      answers: ANYTHING,
      handler: async () => ok({ ok: true }),
    }),
    route({
      operationId: 'createOrganization',
      method: 'POST',
      path: '/api/organizations',
      access: { key: 'operator' },
      summary: 'Found',
      body: v.strictObject({ name: s.text(1, 100) }),
      answers: { 201: s.titled('Founded', v.looseObject({})) },
      handler: async (call) => {
        const answer = { status: 201, body: { name: call.body.name, run: (toy.runs += 1) } } as const
        const row = call.record?.(answer)
        if (row !== undefined) toy.ports.memory.set(row.key, row)
        return succeed(answer)
      },
    }),
  ]
}
