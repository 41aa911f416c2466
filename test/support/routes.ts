// The routes as /openapi.json describes them, and requests that fit them: the source of the tests of every route.
export interface Row {
  method: string
  /** With its parameters in braces. */
  path: string
  /** `POST /api/agents`. */
  title: string
  /** `person` takes only a session; `organization` takes a key or a session. */
  key: 'organization' | 'person' | 'agent' | 'operator' | 'none'
  scope: string | undefined
  /** Names of the parameters in the path. */
  params: string[]
  query: { name: string; required: boolean; schema: JsonSchema }[]
  body: JsonSchema | undefined
  bodyRequired: boolean
  /** A body that succeeds, with the names of ids in braces. */
  example: object | undefined
  /** Code samples. */
  samples: { label: 'curl' | 'SDK'; source: string }[]
  /** The error codes that it documents. */
  codes: string[]
  /** Schemas of the answers that are JSON, by status. */
  answers: { [status: string]: JsonSchema }
  /** The code for an invalid body or query. */
  invalid: string
}

export interface JsonSchema {
  $ref?: string
  type?: string
  properties?: { [name: string]: JsonSchema }
  required?: string[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  examples?: unknown[]
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minItems?: number
  minLength?: number
  additionalProperties?: unknown
}

interface Operation {
  security?: { [scheme: string]: string[] }[]
  'x-required-scope'?: string
  parameters?: { name: string; in: string; required: boolean; schema: JsonSchema }[]
  requestBody?: { required: boolean; content: { 'application/json': { schema: JsonSchema; example?: object } } }
  'x-error-codes': string[]
  'x-codeSamples'?: Row['samples']
  responses: { [status: string]: Response }
}

interface Response {
  $ref?: string
  content?: { [type: string]: { schema: JsonSchema } }
}

interface Document {
  paths: { [path: string]: { [method: string]: Operation } }
  components: { responses: { [name: string]: Response }; schemas: { [name: string]: JsonSchema } }
}

export async function rowsOf(url: string): Promise<Row[]> {
  const { paths, components } = (await (await fetch(`${url}/openapi.json`)).json()) as Document
  const resolve = ({ $ref, ...response }: Response): Response =>
    $ref === undefined ? response : components.responses[$ref.replace('#/components/responses/', '')]!
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) =>
      rowOf(method.toUpperCase(), path, withoutRefs(operation, components.schemas), resolve),
    ),
  )
}

/** The operation with its body's named schemas in place of their names. */
function withoutRefs(operation: Operation, schemas: { [name: string]: JsonSchema }): Operation {
  const whole = (part: unknown): unknown => {
    if (typeof part !== 'object' || part === null) return part
    if (Array.isArray(part)) return part.map(whole)
    const name = (part as JsonSchema).$ref?.replace('#/components/schemas/', '')
    if (name !== undefined) return whole(schemas[name])
    return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, whole(value)]))
  }
  const { requestBody } = operation
  return requestBody === undefined ? operation : { ...operation, requestBody: whole(requestBody) as typeof requestBody }
}

function rowOf(method: string, path: string, operation: Operation, resolve: (response: Response) => Response): Row {
  const { security = [], parameters = [], requestBody, responses } = operation
  const [scheme = 'none'] = Object.keys(security[0] ?? {})
  return {
    method,
    path,
    title: `${method} ${path}`,
    key: (scheme === 'session' ? 'person' : scheme.replace('Key', '')) as Row['key'],
    scope: operation['x-required-scope'],
    params: parameters.filter((one) => one.in === 'path').map(({ name }) => name),
    query: parameters.filter((one) => one.in === 'query'),
    body: requestBody?.content['application/json'].schema,
    bodyRequired: requestBody?.required === true,
    example: requestBody?.content['application/json'].example,
    samples: operation['x-codeSamples'] ?? [],
    codes: operation['x-error-codes'],
    answers: Object.fromEntries(
      Object.entries(responses).flatMap(([status, response]) => {
        const schema = resolve(response).content?.['application/json']?.schema
        return schema === undefined ? [] : [[status, schema]]
      }),
    ),
    invalid: /^\/api\/(sdk\/)?counterparties/.test(path) ? 'INVALID_INPUT' : 'VALIDATION_ERROR',
  }
}

/** Ids by the name of the parameter or field that takes them. */
export type Ids = { [name: string]: string }

/** The path and its required query, filled with these ids. */
export function urlOf({ path, query }: Row, ids: Ids): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? 'missing'))
  const required = query.filter((one) => one.required || ids[one.name] !== undefined)
  const written = required.map(
    ({ name, schema }) => `${name}=${encodeURIComponent(ids[name] ?? String(sample(schema)))}`,
  )
  return written.length === 0 ? filled : `${filled}?${written.join('&')}`
}

/**
 * The example body of the route if all ids in it are known, otherwise one with the required fields. Fields that take a
 * known id have it.
 */
export function bodyOf({ body, example }: Row, ids: Ids): { [field: string]: unknown } | undefined {
  if (!body) return undefined
  const named = Object.keys(body.properties ?? {}).filter((name) => ids[name] !== undefined)
  const given = filled(example, ids) ?? (sample(body) as object)
  return { ...given, ...Object.fromEntries(named.map((name) => [name, ids[name]])) }
}

/** The example with ids in place of their names; undefined if one is missing. */
function filled(example: object | undefined, ids: Ids): object | undefined {
  if (example === undefined) return undefined
  const text = JSON.stringify(example).replace(/\{(\w+)\}/g, (name, id: string) => ids[id] ?? name)
  return /\{\w+\}/.test(text) ? undefined : (JSON.parse(text) as object)
}

export const RULE = { ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 1_000_000 }

let samples = 0

/** A value that the schema accepts. */
export function sample(schema: JsonSchema): unknown {
  const { type, enum: words, anyOf, examples, default: usual } = schema
  const [given] = examples ?? words ?? []
  if (given !== undefined) return given
  if ('const' in schema) return schema.const
  if (usual !== undefined) return usual
  if (anyOf) return sample(anyOf[0]!)
  if (type === 'array')
    return Array.from({ length: Math.max(1, schema.minItems ?? 0) }, () => sample(schema.items ?? {}))
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1
  if (type === 'boolean') return true
  return type === 'string' ? sampleText(schema) : sampleObject(schema)
}

function sampleText({ format, minLength = 1 }: JsonSchema): string {
  if (format === 'date-time') return '2026-01-31T12:00:00Z'
  if (format === 'email') return `person-${(samples += 1)}@example.com`
  if (format === 'uri') return 'https://events.bursar.zz/'
  return `text-${(samples += 1)}`.padEnd(minLength, '-')
}

function sampleObject({ properties = {}, required = [] }: JsonSchema): { [name: string]: unknown } {
  return Object.fromEntries(required.map((name) => [name, sample(properties[name] ?? {})]))
}
