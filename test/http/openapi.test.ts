// The OpenAPI document of a route table: valid, complete, and describing what the schemas accept.
import { Validator } from '@seriousme/openapi-schema-validator'
import test from 'ava'
import * as v from 'valibot'
import { openApiDocument } from '../../src/http/docs/openapi.js'
import { booleanQuery, page } from '../../src/http/input/querySchemas.js'
import { isOperation, route, type Route, type Schema } from '../../src/http/server/route.js'
import { ok } from '../../src/http/server/respond.js'
import * as s from '../../src/http/input/schemas.js'
import { ask } from '../support/rawClient.js'
import { startToy } from './toy.js'

interface Operation {
  operationId: string
  parameters?: {
    name: string
    in: string
    required: boolean
    description?: string
    schema: { [keyword: string]: unknown }
  }[]
  requestBody?: { required: boolean; content: { 'application/json': { schema: { [keyword: string]: unknown } } } }
  responses: { [status: string]: unknown }
  security: { [scheme: string]: string[] }[]
  'x-required-scope'?: string
  'x-error-codes': string[]
}

interface Document {
  paths: { [path: string]: { [method: string]: Operation } }
  components: { schemas: { [name: string]: { [keyword: string]: unknown } } }
}

const rowWith = (more: Partial<Route>): Route => ({
  ...route({
    operationId: 'createThing',
    method: 'POST',
    path: '/api/things',
    access: { key: 'none' },
    summary: 'Make',
    answers: { 201: s.titled('Thing', v.strictObject({ id: v.string() })) },
    handler: async () => ok({ id: 't1' }, 201),
  }),
  ...more,
})
const documentOf = (...rows: Route[]): Document => openApiDocument(rows.filter(isOperation)) as unknown as Document
const bodyOf = (body: Schema): { [keyword: string]: unknown } | undefined =>
  documentOf(rowWith({ body })).paths['/api/things']?.post?.requestBody?.content['application/json'].schema

test('The document is served as JSON and is valid OpenAPI 3.1', async (t) => {
  const toy = await startToy()
  t.teardown(() => toy.close(0))
  const reply = await ask(toy.url, '/openapi.json')
  t.is(reply.status, 200)
  t.is(reply.body.openapi, '3.1.0')
  const { valid, errors } = await new Validator().validate(reply.body)
  t.true(valid, JSON.stringify(errors))
  t.notRegex(JSON.stringify(reply.body), /\$schema|\$defs/)
})

test('The document lists every route, including those of the operator', async (t) => {
  const toy = await startToy()
  t.teardown(() => toy.close(0))
  const { paths } = (await ask(toy.url, '/openapi.json')).body as unknown as Document
  t.deepEqual(Object.keys(paths['/api/agents/{agentId}'] ?? {}).sort(), ['delete', 'get', 'patch'])
  t.truthy(paths['/api/organizations']?.post)
  t.truthy(paths['/readyz']?.get)
  const ids = Object.values(paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId))
  t.is(new Set(ids).size, ids.length)
  t.true(ids.includes('unfreezeAgent'))
})

test('A body that may be an object or a bare list is documented as both', (t) => {
  const body = v.strictObject({ tests: v.array(v.string()) })
  const { paths } = documentOf(rowWith({ body, listField: 'tests' }))
  const { schema } = paths['/api/things']!.post!.requestBody!.content['application/json']
  const [fields, bare] = schema['anyOf'] as { [keyword: string]: unknown }[]
  t.like(fields, { type: 'object', required: ['tests'] })
  t.like(bare, { type: 'array', items: { type: 'string' } })
})

test('Parameters come from the path, the query and, for a POST, the idempotency key', async (t) => {
  const query = v.strictObject({ ...page, address: s.addressSchema(), active: v.optional(booleanQuery) })
  const operation = documentOf(rowWith({ path: '/api/things/:thingId', query })).paths['/api/things/{thingId}']?.post
  const shown = operation?.parameters?.map(({ name, in: where, required }) => `${where} ${name} ${required}`)
  t.deepEqual(shown, [
    'path thingId true',
    'query limit false',
    'query offset false',
    'query cursor false',
    'query address true',
    'query active false',
    'header Idempotency-Key false',
  ])
  t.deepEqual(operation?.parameters?.[1]?.schema, { type: 'integer', minimum: 1, maximum: 100, default: 50 })
})

test('If-Match is a parameter of the routes that read it, which may answer VERSION_CONFLICT', (t) => {
  const shown = (more: Partial<Route>): unknown => {
    const { parameters = [], 'x-error-codes': codes } = documentOf(rowWith({ method: 'PUT', ...more })).paths[
      '/api/things'
    ]!.put!
    return [
      parameters.map(({ name, in: where, required }) => [name, where, required]),
      codes.includes('VERSION_CONFLICT'),
    ]
  }
  t.deepEqual(shown({ versioned: true }), [[['If-Match', 'header', false]], true])
  t.deepEqual(shown({}), [[], false])
})

test('Only routes that record promise that a key gives the first answer again', (t) => {
  const described = (more: Partial<Route>): unknown => {
    const { parameters = [], 'x-error-codes': codes } = documentOf(rowWith(more)).paths['/api/things']!.post!
    return [parameters.map(({ description }) => description), codes.includes('IDEMPOTENCY_CONFLICT')]
  }
  t.deepEqual(described({}), [['The same key with the same body gives the first answer again.'], true])
  t.deepEqual(described({ idempotency: 'unkept' }), [['Without effect, because the request changes nothing.'], false])
  t.deepEqual(described({ idempotency: 'none' }), [[], false])
})

const BLOCKS: [name: string, schema: Schema, shown: { [keyword: string]: unknown }][] = [
  ['text', s.text(1, 5), { type: 'string', minLength: 1, maxLength: 5, 'x-free-text': true }],
  ['enumOf', s.enumOf(['A', 'B']), { type: 'string', enum: ['A', 'B'] }],
  [
    'list',
    s.listSchema(s.text(1, 5), { min: 1, max: 2 }),
    {
      type: 'array',
      minItems: 1,
      maxItems: 2,
      items: { type: 'string', minLength: 1, maxLength: 5, 'x-free-text': true },
    },
  ],
  [
    'jsonObject',
    s.jsonObject({ maxBytes: 10 }),
    { type: 'object', description: 'Free JSON, at most 10 bytes.', 'x-free-text': true },
  ],
  ['timestamp', s.timestamp(), { type: 'string', format: 'date-time' }],
  [
    'a nullable id',
    v.nullable(s.id()),
    { anyOf: [{ type: 'string', minLength: 1, maxLength: 128 }, { type: 'null' }] },
  ],
]

for (const [name, schema, shown] of BLOCKS) {
  test(`The document describes what ${name} accepts`, (t) => {
    t.deepEqual(bodyOf(v.strictObject({ field: schema })), {
      type: 'object',
      properties: { field: shown },
      required: ['field'],
      additionalProperties: false,
    })
  })
}

test('Amounts and addresses are described, and an optional field is not required', (t) => {
  const shown = bodyOf(v.strictObject({ amount: s.amountSchema(), to: v.optional(s.addressSchema()) }))
  const number = { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1_000_000_000 }
  t.like(shown, {
    required: ['amount'],
    properties: { amount: { anyOf: [number, { type: 'string' }] }, to: { type: 'string' } },
  })
})

interface Condition {
  any?: Condition[] | undefined
}

test('A recursive schema becomes a shared component', async (t) => {
  const condition: v.GenericSchema<Condition> = v.strictObject({ any: v.optional(v.array(v.lazy(() => condition))) })
  const document = documentOf(rowWith({ body: v.strictObject({ rule: condition }) }))
  t.true((await new Validator().validate({ ...document })).valid)
  const name = Object.keys(document.components.schemas).find((key) => key.startsWith('CreateThing'))
  t.regex(JSON.stringify(document.components.schemas[name ?? '']), new RegExp(`#/components/schemas/${name}`))
})

test('A record within another stands once under its name, and is referred to', (t) => {
  const inner = s.recordSchema('Inner', { id: v.string() })
  const outer = s.recordSchema('Outer', { first: inner, others: v.array(inner) })
  const { components } = documentOf(rowWith({ answers: { 201: outer } }))
  const reference = { $ref: '#/components/schemas/Inner' }
  t.like(components.schemas['Inner'], { type: 'object', required: ['id'] })
  t.like(components.schemas['Outer'], { properties: { first: reference, others: { type: 'array', items: reference } } })
  t.throws(() => documentOf(rowWith({ answers: { 201: v.object({}) } })), { message: /createThing has no name/ })
})

test('Two different schemas cannot share a name', (t) => {
  const other = { 200: s.titled('Thing', v.strictObject({ other: v.string() })) }
  t.throws(
    () => documentOf(rowWith({}), rowWith({ path: '/api/others', operationId: 'createOther', answers: other })),
    { message: /Thing/ },
  )
  t.notThrows(() => documentOf(rowWith({}), rowWith({ path: '/api/others', operationId: 'createOther' })))
})

test('A route documents the key and scope that it requires and the errors that it may return', (t) => {
  const keyed = rowWith({ access: { key: 'agent', scope: 'payments:read' }, path: '/api/keyed', method: 'GET' })
  const operation = documentOf(keyed).paths['/api/keyed']?.get
  t.deepEqual(operation?.security, [{ agentKey: [] }])
  t.is(operation?.['x-required-scope'], 'payments:read')
  t.deepEqual(Object.keys(operation?.responses ?? {}), ['201', '400', '401', '403', '429', '500', '503'])
  t.deepEqual(operation?.['x-error-codes'], [
    'VALIDATION_ERROR',
    'AUTH_FAILED',
    'INSUFFICIENT_SCOPE',
    'RATE_LIMITED',
    'INTERNAL_ERROR',
    'UNAVAILABLE',
    'NO_OWNER',
  ])
})
