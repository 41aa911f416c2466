// The parts of the OpenAPI document that the reference shows.
import type { Sample } from '../examples/samples.js'
import type { Code } from '../../../domain/outcomes/codes.js'

export interface JsonSchema {
  $ref?: string
  type?: string
  description?: string
  format?: string
  properties?: { [name: string]: JsonSchema }
  required?: string[]
  additionalProperties?: boolean | JsonSchema
  items?: JsonSchema
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
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
  schema: JsonSchema
}

export interface Operation {
  operationId: string
  summary: string
  description: string
  tags: string[]
  parameters?: Parameter[]
  requestBody?: { required: boolean; content: { 'application/json': { schema: JsonSchema } } }
  responses: { [status: string]: { content?: { [type: string]: { schema: JsonSchema } } } }
  'x-error-codes': Code[]
  'x-codeSamples'?: Sample[]
}

export interface Document {
  paths: { [path: string]: { [method: string]: Operation } }
  components: { schemas: { [name: string]: JsonSchema } }
}

/** An operation with its method and path. */
export interface Entry {
  /** `POST` */
  method: string
  path: string
  operation: Operation
}

export function entriesOf({ paths }: Document): Entry[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}

const SCHEMAS = '#/components/schemas/'

/** The name of a shared schema; undefined for any other schema. */
export function sharedName({ $ref }: JsonSchema): string | undefined {
  return $ref?.startsWith(SCHEMAS) === true ? $ref.slice(SCHEMAS.length) : undefined
}
