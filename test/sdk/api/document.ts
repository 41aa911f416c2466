// The parts of the OpenAPI document that the SDK's types are generated from. It is made of the route table alone.
import { join } from 'node:path'
import { descriptionOf } from '../../../src/http/app.js'
import { operations } from '../../../src/http/routes/index.js'
import { projectRoot } from '../../support/root.js'

export interface JsonSchema {
  $ref?: string
  type?: string
  description?: string
  properties?: { [name: string]: JsonSchema }
  required?: string[]
  additionalProperties?: boolean | JsonSchema
  items?: JsonSchema
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  enum?: unknown[]
  const?: unknown
}

export interface Operation {
  summary: string
  security?: { [scheme: string]: string[] }[]
  parameters?: { name: string; in: string; required: boolean; schema: JsonSchema }[]
  requestBody?: { required: boolean; content: { 'application/json': { schema: JsonSchema } } }
  responses: { [status: string]: { content?: { [type: string]: { schema: JsonSchema } } } }
}

export interface Document {
  paths: { [path: string]: { [method: string]: Operation } }
  components: { schemas: { [name: string]: JsonSchema } }
}

/** The generated file. */
export const API_PATH = join(projectRoot, 'sdk', 'api.ts')

/** As the service sends it. */
export function documented(): Document {
  return JSON.parse(JSON.stringify(descriptionOf(operations))) as Document
}

/** Operations by method and path, as `POST /api/agents`. */
export function operationsOf({ paths }: Document): Map<string, Operation> {
  const rows = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
  )
  return new Map(rows)
}

/** Names of the schemas that something refers to, directly or through others. */
export function reachable(from: unknown, schemas: Document['components']['schemas']): Set<string> {
  const found = new Set<string>()
  const visit = (part: unknown): void => {
    for (const [, name] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (found.has(name!) || schemas[name!] === undefined) continue
      found.add(name!)
      visit(schemas[name!])
    }
  }
  visit(from)
  return found
}
