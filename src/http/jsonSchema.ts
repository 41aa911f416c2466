// Turns a validating schema into the JSON Schema of what goes over the wire, for the OpenAPI document.
import { toJsonSchema } from '@valibot/to-json-schema'
import type { Schema } from './route.js'

export type JsonSchema = { [keyword: string]: unknown }

export interface Converted {
  schema: JsonSchema
  /** What recursive parts refer to, by the name `reference` gave them. */
  definitions: { [name: string]: JsonSchema }
}

/** `prefix` keeps the names of recursive parts apart from those of other schemas; they live under components. */
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
