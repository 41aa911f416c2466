// Converts a valibot schema into the JSON Schema of its wire form, for the OpenAPI document.
import { toJsonSchema } from '@valibot/to-json-schema'
import type { Schema } from '../server/route.js'

export type JsonSchema = { [keyword: string]: unknown }

export interface Converted {
  schema: JsonSchema
  /** The targets of recursive references, by the name that `reference` gave them. */
  definitions: { [name: string]: JsonSchema }
}

/** `prefix` makes the names of recursive parts unique among all schemas under `components`. */
export function jsonSchemaOf(schema: Schema, prefix: string): Converted {
  const converted = toJsonSchema(schema, {
    typeMode: 'input',
    errorMode: 'ignore',
    target: 'draft-2020-12',
    overrideRef: ({ referenceId }) => `#/components/schemas/${prefix}${referenceId}`,
  })
  const { $schema: _dialect, $defs = {}, ...whole } = converted
  const definitions = Object.entries($defs).map(([name, part]) => [`${prefix}${name}`, part] as const)
  return { schema: whole, definitions: Object.fromEntries(definitions) as Converted['definitions'] }
}
