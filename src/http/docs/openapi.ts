// Generates the OpenAPI 3.1 document from the route table, its validating schemas and the table of codes, so that the
// document always matches the routes.
import { SESSION_COOKIE } from '../server/auth.js'
import { codesOf, statusesOf } from './refusals.js'
import { EXAMPLES } from './examples/index.js'
import type { Example } from './examples/example.js'
import { samplesOf } from './examples/samples.js'
import { isIdempotent } from '../server/idempotency.js'
import { jsonSchemaOf, type JsonSchema } from './jsonSchema.js'
import { errorResponses, errorSchemas } from './openapiErrors.js'
import type { Access, Operation, Route, Schema } from '../server/route.js'
import { pendingSchema } from '../server/respond.js'
import { tagOf, tagsOf } from './tags.js'

const PENDING = { 202: pendingSchema }

type Part = { [member: string]: unknown }

/** Schemas under `components`, by name. */
type Shared = Map<string, JsonSchema>

const SECURITY_SCHEMES = {
  organizationKey: { type: 'http', scheme: 'bearer', description: 'An organization key, `service_…`.' },
  agentKey: { type: 'http', scheme: 'bearer', description: 'An agent key, `service_agent_…`.' },
  session: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE, description: 'A person who has signed in.' },
  operatorKey: { type: 'http', scheme: 'bearer', description: 'The key of whoever runs the installation.' },
}

const INFO = {
  title: 'Bursar',
  version: '1',
  description: 'Governs what AI agents may spend.',
  license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
  contact: { name: 'Whoever runs this installation' },
}

export function openApiDocument(operations: readonly Operation[]): Part {
  const statuses = [...new Set(operations.flatMap(statusesOf))].sort((a, b) => a - b)
  const shared: Shared = new Map(errorSchemas(statuses))
  const paths: { [path: string]: Part } = {}
  for (const row of operations) {
    const item = (paths[templateOf(row.path)] ??= {})
    item[row.method.toLowerCase()] = operation(row, shared)
  }
  const ids = operations.map(({ operationId }) => operationId)
  const twice = ids.find((id, at) => ids.indexOf(id) !== at)
  if (twice !== undefined) throw new Error(`Two operations are called ${twice}`)
  return {
    openapi: '3.1.0',
    info: INFO,
    servers: [{ url: '/' }],
    tags: tagsOf(operations.map(({ path }) => path)),
    paths,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      responses: errorResponses(statuses),
      schemas: Object.fromEntries([...shared].sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  }
}

/** `/a/:id` → `/a/{id}`. */
function templateOf(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}')
}

function operation(route: Operation, shared: Shared): Part {
  const path = templateOf(route.path)
  const example = EXAMPLES[`${route.method} ${path}`]
  const parameters = [...pathParameters(route), ...queryParameters(route, shared, example), ...headerParameters(route)]
  const body = requestBody(route, shared, example)
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: callersOf(route.access),
    tags: [tagOf(route.path)],
    ...security(route.access),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: { ...answers(route, shared), ...errors(route) },
    'x-error-codes': codesOf(route),
    ...(example === undefined ? {} : { 'x-codeSamples': samplesOf(route, path, example) }),
  }
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** The scope stands beside, because the bearer scheme has none. */
function security(access: Access): Part {
  if (access.key === 'none') return { security: [] }
  const scope = 'scope' in access ? access.scope : undefined
  const keys = access.key === 'person' ? [] : [{ [`${access.key}Key`]: [] }]
  const sessions = access.key === 'organization' || access.key === 'person' ? [{ session: [] }] : []
  return {
    security: [...keys, ...sessions],
    ...(scope === undefined ? {} : { 'x-required-scope': scope }),
  }
}

const CALLERS: { [Key in Access['key']]: string } = {
  none: 'Anybody may call it',
  operator: "For the operator's key",
  organization: "For an organization key or a person's session",
  person: "For a person's session",
  agent: 'For an agent key',
}

/** One sentence on who may call the operation. */
function callersOf(access: Access): string {
  const scope = 'scope' in access && access.scope !== undefined ? ` with \`${access.scope}\`` : ''
  const owners = access.key === 'organization' && access.ownersOnly === true ? ' For owners only.' : ''
  return `${CALLERS[access.key]}${scope}.${owners}`
}

function pathParameters({ path }: Route): Part[] {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name)
  return names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))
}

function queryParameters(route: Operation, shared: Shared, example: Example | undefined): Part[] {
  if (route.query === undefined) return []
  const { properties, required } = convert(route.query, `${capital(route.operationId)}Query`, shared)
  return Object.entries(properties as { [name: string]: JsonSchema }).map(([name, schema]) => ({
    name,
    in: 'query',
    required: (required as string[]).includes(name),
    schema,
    ...(example?.query?.[name] === undefined ? {} : { example: typed(example.query[name], schema) }),
  }))
}

/** The value that the text of a parameter stands for. */
function typed(text: string, { type }: JsonSchema): unknown {
  return type === 'integer' || type === 'number' || type === 'boolean' ? JSON.parse(text) : text
}

function headerParameters(route: Route): Part[] {
  const { versioned = false, resumable = false } = route
  return [...idempotencyKey(route), ...(versioned ? [IF_MATCH] : []), ...(resumable ? [LAST_EVENT_ID] : [])]
}

const IF_MATCH = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description: 'The version that the change is for: of another version it is refused with VERSION_CONFLICT.',
  schema: { type: 'string', pattern: '^(\\*|(W/)?"?[0-9]{1,9}"?)$', examples: ['3'] },
}

const LAST_EVENT_ID = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description: 'The id of the last event that was received: the stream continues after it, whatever `after` says.',
  schema: { type: 'string', pattern: '^[0-9]{1,15}$', examples: ['41'] },
}

function idempotencyKey(route: Route): Part[] {
  if (route.method !== 'POST' || route.idempotency === 'none') return []
  const replayed = 'The same key with the same body gives the first answer again.'
  const description = isIdempotent(route) ? replayed : 'Without effect, because the request changes nothing.'
  const schema = { type: 'string', minLength: 1, maxLength: 255 }
  return [{ name: 'Idempotency-Key', in: 'header', required: false, description, schema }]
}

function requestBody(route: Operation, shared: Shared, example: Example | undefined): Part | undefined {
  if (route.body === undefined) return undefined
  const { listField } = route
  const body = convert(route.body, `${capital(route.operationId)}Body`, shared)
  const fields = shared.get(nameOf(body) ?? '') ?? body
  const { properties } = fields as { properties?: { [name: string]: JsonSchema } }
  const schema = listField === undefined ? fields : { anyOf: [fields, properties![listField]] }
  const shown = example?.body === undefined ? {} : { example: example.body }
  return { required: route.bodyOptional !== true, content: { 'application/json': { schema, ...shown } } }
}

function answers(route: Operation, shared: Shared): Part {
  const rows = { ...(route.governed === undefined ? {} : PENDING), ...route.answers }
  const written = Object.entries(rows).map(([status, schema]) => {
    const whole = convert(schema, `${capital(route.operationId)}Answer`, shared)
    const description = nameOf(whole)
    if (description === undefined) throw new Error(`The answer ${status} of ${route.operationId} has no name`)
    const { contentMediaType = 'application/json' } = shared.get(description)!
    return [status, { description, content: { [contentMediaType as string]: { schema: whole } } }] as const
  })
  return Object.fromEntries(written)
}

const SCHEMAS = '#/components/schemas/'

function nameOf({ $ref }: JsonSchema): string | undefined {
  return typeof $ref === 'string' ? $ref.slice(SCHEMAS.length) : undefined
}

/** The JSON Schema, with a reference in place of each part that has a title: that stands once, under `components`. */
function convert(schema: Schema, name: string, shared: Shared): JsonSchema {
  const { schema: whole, definitions } = jsonSchemaOf(schema, `${name}Part`)
  for (const [part, definition] of Object.entries(definitions)) share(part, shareTitled(definition, shared), shared)
  return shareTitled(whole, shared) as JsonSchema
}

function shareTitled<Part>(part: Part, shared: Shared): Part | JsonSchema {
  if (Array.isArray(part)) return part.map((one) => shareTitled(one, shared)) as Part
  if (typeof part !== 'object' || part === null) return part
  const members = Object.entries(part).map(([name, member]) => [name, shareTitled(member, shared)])
  const whole = Object.fromEntries(members) as JsonSchema
  const { title, default: initial, ...schema } = whole
  if (typeof title !== 'string') return whole
  share(title, schema, shared)
  return { $ref: SCHEMAS + title, ...(initial !== undefined && { default: initial }) }
}

function share(name: string, schema: JsonSchema, shared: Shared): void {
  const known = shared.get(name)
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
    throw new Error(`Two different schemas are called ${name}`)
  }
  shared.set(name, schema)
}

function errors(route: Route): Part {
  const named = statusesOf(route).map((status) => [status, { $ref: `#/components/responses/Error${status}` }])
  return Object.fromEntries(named)
}
