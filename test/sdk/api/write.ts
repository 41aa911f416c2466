// Generates the text of sdk/api.ts from an OpenAPI document: one type per schema, one member per route, and the codes.
// It is pure: the same document always gives the same text.
import { CODES } from '../../../src/domain/outcomes/codes.js'
import { operationsOf, reachable, type Document, type JsonSchema, type Operation } from './document.js'

const HEAD = `// What the service takes and answers, as it says itself. Written by \`npm run sdk:types\`: do not edit.
`

/**
 * Types of what a client sends accept `undefined` and read-only lists; types of answers are exactly as in the schema.
 */
type Direction = 'sent' | 'answered'

export function apiText(document: Document): string {
  const { schemas } = document.components
  const operations = [...operationsOf(document)].sort(([a], [b]) => (a < b ? -1 : 1))
  const shown = operations.map(([, operation]) => [successes(operation), operation.requestBody ?? null])
  const names = [...reachable(shown, schemas)].filter((name) => !isPending(schemas[name]!)).sort()
  const types = names.map((name) => `export type ${name} = ${typeOf(schemas[name]!, 'answered', '')}\n`)
  const rows = operations.map(([title, operation]) => row(title, operation, document))
  return [HEAD, codes(), ...types, `export interface Operations {\n${rows.join('\n')}\n}\n`].join('\n')
}

function codes(): string {
  const rows = Object.entries(CODES).map(([code, { message }]) => `  /** ${message}. */\n  | '${code}'`)
  return `/** Every outcome that has a code. TIMEOUT, PAYMENT_DENIED and REQUIRES_APPROVAL are seen by clients alone. */
export type Code =
${rows.join('\n')}
`
}

function row(title: string, operation: Operation, document: Document): string {
  const { summary, parameters = [], requestBody } = operation
  const query = parameters.filter((parameter) => parameter.in === 'query')
  const members = [
    query.length === 0 ? '' : `    query: ${queryType(query)}`,
    requestBody === undefined ? '' : `    body: ${bodyType(requestBody)}`,
    `    answer: ${answerType(operation, document)}`,
  ]
  return `  /** ${summary} */\n  '${title}': {\n${members.filter((member) => member !== '').join('\n')}\n  }`
}

function queryType(parameters: NonNullable<Operation['parameters']>): string {
  const properties = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]))
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name)
  return typeOf({ type: 'object', properties, required }, 'sent', '    ')
}

function bodyType({ required, content }: NonNullable<Operation['requestBody']>): string {
  const type = typeOf(content['application/json'].schema, 'sent', '    ')
  return required ? type : `${type} | undefined`
}

/** The contents of the answers with a status below 300, in the order of their status. */
function successes({ responses }: Operation): { [type: string]: { schema: JsonSchema } }[] {
  return Object.entries(responses).flatMap(([status, { content }]) => (status < '300' && content ? [content] : []))
}

function answerType(operation: Operation, document: Document): string {
  const types = successes(operation).flatMap((content) => {
    const json = content['application/json']?.schema
    if (json === undefined) return ['string']
    return isPending(resolved(json, document)) ? [] : [typeOf(json, 'answered', '    ')]
  })
  return [...new Set(types)].join(' | ')
}

function resolved(schema: JsonSchema, { components }: Document): JsonSchema {
  return schema.$ref === undefined ? schema : components.schemas[nameOf(schema.$ref)]!
}

/** A change that waits for a second person: the SDK throws REQUIRES_APPROVAL for it. */
function isPending({ properties }: JsonSchema): boolean {
  const status = properties?.['status']
  return status?.const === 'PENDING_APPROVAL' || status?.enum?.join() === 'PENDING_APPROVAL'
}

function nameOf(reference: string): string {
  return reference.replace('#/components/schemas/', '')
}

function typeOf(schema: JsonSchema, direction: Direction, indent: string): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref)
  if ('const' in schema) return literal(schema.const)
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ')
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return [...new Set(choices.map((one) => typeOf(one, direction, indent)))].join(' | ')
  if (schema.type === 'array') return arrayType(schema, direction, indent)
  if (schema.type === 'object') return objectType(schema, direction, indent)
  if (schema.type === 'integer') return 'number'
  return schema.type ?? 'unknown'
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll(/['\\]/g, '\\$&')}'` : String(value)
}

function arrayType({ items = {} }: JsonSchema, direction: Direction, indent: string): string {
  const item = typeOf(items, direction, indent)
  const isUnion = (items.enum ?? items.anyOf ?? items.oneOf ?? []).length > 1
  const list = `${isUnion ? `(${item})` : item}[]`
  return direction === 'sent' ? `readonly ${list}` : list
}

function objectType(schema: JsonSchema, direction: Direction, indent: string): string {
  const { properties = {}, required = [], additionalProperties } = schema
  const inner = `${indent}  `
  const members = Object.entries(properties).map(([name, property]) => {
    const mark = required.includes(name) ? '' : '?'
    const absent = mark === '?' && direction === 'sent' ? ' | undefined' : ''
    return `${documented(property, inner)}${inner}${named(name)}${mark}: ${typeOf(property, direction, inner)}${absent}`
  })
  if (members.length > 0) return `{\n${members.join('\n')}\n${indent}}`
  const value = typeof additionalProperties === 'object' ? typeOf(additionalProperties, direction, indent) : 'unknown'
  return `{ [name: string]: ${value} }`
}

function documented({ description }: JsonSchema, indent: string): string {
  return description === undefined ? '' : `${indent}/** ${description} */\n`
}

function named(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`
}
