// The parts of the OpenAPI document that the reference shows.
import type { CodeSample } from '../examples/samples.js'
import type { Code } from '../../../domain/outcomes/codes.js'

export interface SchemaObject {
  $ref?: string
  type?: string
  description?: string
  format?: string
  properties?: { [name: string]: SchemaObject }
  required?: string[]
  additionalProperties?: boolean | SchemaObject
  items?: SchemaObject
  anyOf?: SchemaObject[]
  oneOf?: SchemaObject[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
}

export interface Parameter {
  name: string
  in: string
  required: boolean
  description?: string
  schema: SchemaObject
}

export interface OperationObject {
  operationId: string
  summary: string
  description: string
  tags: string[]
  parameters?: Parameter[]
  requestBody?: { required: boolean; content: { 'application/json': { schema: SchemaObject } } }
  responses: { [status: string]: { content?: { [type: string]: { schema: SchemaObject } } } }
  'x-error-codes': Code[]
  'x-codeSamples'?: CodeSample[]
}

export interface Document {
  paths: { [path: string]: { [method: string]: OperationObject } }
  components: { schemas: { [name: string]: SchemaObject } }
}

export interface Entry {
  method: string
  path: string
  operation: OperationObject
}

export function entriesOf({ paths }: Document): Entry[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}

const SCHEMAS = '#/components/schemas/'

/** The name of a shared schema; undefined for any other schema. */
export function sharedName({ $ref }: SchemaObject): string | undefined {
  return $ref?.startsWith(SCHEMAS) === true ? $ref.slice(SCHEMAS.length) : undefined
}
