// Validates answers against the schemas of /openapi.json, strictly: a member that the schema does not name is an error.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { JsonSchema, Row } from './routes.js'

const DOCUMENT = 'https://bursar.example/openapi.json'

export interface Described {
  /** How the body of an answer with this status violates the description; undefined if it does not. */
  problem(row: Row, status: number, body: unknown): string | undefined
}

/** Compiling takes seconds: files that run in one process share what is the same but for the service's address. */
const described = new Map<string, Described>()

export async function descriptionAt(url: string): Promise<Described> {
  const text = (await (await fetch(`${url}/openapi.json`)).text()).replaceAll(url, '')
  const known = described.get(text) ?? describedBy(JSON.parse(text) as JsonSchema)
  described.set(text, known)
  return known
}

function describedBy(open: JsonSchema): Described {
  const document = closed(open)
  const compiled = new Map<string, ValidateFunction>()
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    validateSchema: false,
    validateFormats: false,
    // Most schemas are compiled for a few answers.
    inlineRefs: false,
    code: { optimize: false },
  })
  ajv.addSchema(document, DOCUMENT)
  return {
    problem: ({ answers }, status, body) => {
      const schema = answers[status]
      if (schema === undefined) return `${status} is not among ${Object.keys(answers).join(', ')}`
      const key = JSON.stringify(schema)
      const validate = compiled.get(key) ?? ajv.compile(absolute(closed(schema)))
      compiled.set(key, validate)
      if (validate(body)) return undefined
      return ajv.errorsText(validate.errors, { separator: '; ' }) + extrasOf(validate.errors)
    },
  }
}

/** The names of additional members, which the error text omits. */
function extrasOf(errors: Ajv2020['errors']): string {
  const names = (errors ?? []).flatMap(
    ({ params }) => (params as { additionalProperty?: string }).additionalProperty ?? [],
  )
  return names.length === 0 ? '' : ` (${names.join(', ')})`
}

/** The same schema, with objects that allow only the members that it names. */
function closed<Part>(part: Part): Part {
  if (Array.isArray(part)) return part.map(closed) as Part
  if (typeof part !== 'object' || part === null) return part
  const members = Object.fromEntries(Object.entries(part).map(([name, member]) => [name, closed(member)]))
  const isOpen = 'type' in part && 'properties' in part && !('additionalProperties' in part)
  return { ...members, ...(isOpen && { additionalProperties: false }) } as Part
}

function absolute(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#', `"$ref":"${DOCUMENT}#`)) as JsonSchema
}
