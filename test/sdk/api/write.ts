// Generates the text of sdk/api.ts from an OpenAPI document: one type per schema, one member per route, and the codes.
// It is pure: the same document always gives the same text.
import { CODES } from '../../../src/domain/outcomes/codes.js'
import { operationsOf, reachable, type Document, type JsonSchema, type Operation } from './document.js'

const HEAD = `// What the service takes and answers, as it says itself. Written by \`npm run sdk:types\`: do not edit.
`

const MOST_IN_A_LINE = 118
/** What stands before a type on its line, more or less. */
const NAME_LENGTH = 12
/** A record with fewer fields is no base of others. */
const FEWEST_INHERITED = 3

/** What types are written for, and the records that others extend. */
interface Target {
  /** Types of what a client sends accept `undefined` and read-only lists; types of answers are as in the schema. */
  isSent: boolean
  bases: Document['components']['schemas']
}

export function apiText(document: Document): string {
  const { schemas } = document.components
  const operations = [...operationsOf(document)].sort(([a], [b]) => (a < b ? -1 : 1))
  const namedIn = (part: (operation: Operation) => unknown): Target['bases'] => {
    const names = [
      ...reachable(
        operations.map(([, operation]) => part(operation) ?? null),
        schemas,
      ),
    ]
    return Object.fromEntries(names.map((name) => [name, schemas[name]!] as const).filter(([, one]) => !isPending(one)))
  }
  const answered = { isSent: false, bases: namedIn(successes) }
  const sent = { isSent: true, bases: { Paging: pagingOf(operations), ...namedIn(({ requestBody }) => requestBody) } }
  const types = [sent, answered].flatMap((target) =>
    Object.entries(target.bases).map(
      ([name, schema]) => [name, `export type ${name} = ${typeOf(schema, target, '')}\n`] as const,
    ),
  )
  const sorted = types.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, type]) => type)
  const rows = operations.map(([title, operation]) => row(title, operation, { document, answered, sent }))
  return [HEAD, codes(), ...sorted, `export interface Operations {\n${rows.join('\n')}\n}\n`].join('\n')
}

/** The query parameters that all lists share. */
function pagingOf(operations: (readonly [string, Operation])[]): JsonSchema {
  const shared = ['limit', 'offset', 'cursor']
  const lists = operations.map(([, { parameters = [] }]) => parameters.filter(({ name }) => shared.includes(name)))
  return objectOf(lists.find((parameters) => parameters.length === shared.length) ?? [])
}

function objectOf(parameters: NonNullable<Operation['parameters']>): JsonSchema {
  const properties = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]))
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name)
  return { type: 'object', properties, required }
}

function codes(): string {
  const rows = Object.entries(CODES).map(([code, { message }]) => `  /** ${message}. */\n  | '${code}'`)
  return `/** Every outcome that has a code. TIMEOUT, PAYMENT_DENIED and REQUIRES_APPROVAL are seen by clients alone. */
export type Code =
${rows.join('\n')}
`
}

interface Writing {
  document: Document
  answered: Target
  sent: Target
}

function row(title: string, operation: Operation, { document, answered, sent }: Writing): string {
  const { summary, parameters = [], requestBody } = operation
  const query = parameters.filter((parameter) => parameter.in === 'query')
  const members = [
    query.length === 0 ? '' : `query: ${typeOf(objectOf(query), sent, '    ')}`,
    requestBody === undefined ? '' : `body: ${bodyType(requestBody, sent)}`,
    `answer: ${answerType(operation, document, answered)}`,
  ]
  const given = members.filter((member) => member !== '')
  return `  /** ${summary} */\n  '${title}': ${block(given, '  ', title.length)}`
}

function bodyType({ required, content }: NonNullable<Operation['requestBody']>, sent: Target): string {
  const type = typeOf(content['application/json'].schema, sent, '    ')
  return required ? type : `${type} | undefined`
}

/** The contents of the answers with a status below 300, in the order of their status. */
function successes({ responses }: Operation): { [type: string]: { schema: JsonSchema } }[] {
  return Object.entries(responses).flatMap(([status, { content }]) => (status < '300' && content ? [content] : []))
}

function answerType(operation: Operation, document: Document, answered: Target): string {
  const types = successes(operation).flatMap((content) => {
    const json = content['application/json']?.schema
    if (json === undefined) return ['string']
    return isPending(resolved(json, document)) ? [] : [typeOf(json, answered, '    ')]
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

function typeOf(schema: JsonSchema, target: Target, indent: string): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref)
  if ('const' in schema) return literal(schema.const)
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ')
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return [...new Set(choices.map((one) => typeOf(one, target, indent)))].join(' | ')
  if (schema.type === 'array') return arrayType(schema, target, indent)
  if (schema.type === 'object') return objectType(schema, target, indent)
  if (schema.type === 'integer') return 'number'
  return schema.type ?? 'unknown'
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll(/['\\]/g, '\\$&')}'` : String(value)
}

function arrayType({ items = {} }: JsonSchema, target: Target, indent: string): string {
  const item = typeOf(items, target, indent)
  const isUnion = (items.enum ?? items.anyOf ?? items.oneOf ?? []).length > 1
  const list = `${isUnion || item.includes(' & ') ? `(${item})` : item}[]`
  return target.isSent ? `readonly ${list}` : list
}

function objectType(schema: JsonSchema, target: Target, indent: string): string {
  const { properties = {}, additionalProperties } = schema
  if (Object.keys(properties).length === 0) {
    const value = typeof additionalProperties === 'object' ? typeOf(additionalProperties, target, indent) : 'unknown'
    return `{ [name: string]: ${value} }`
  }
  const base = baseOf(schema, target)
  if (base === undefined) return block(membersOf(schema, target, indent), indent)
  const { [base]: known = {} } = target.bases
  const rest = Object.entries(properties).filter(([name]) => known.properties?.[name] === undefined)
  if (rest.length === 0) return base
  return `${base} & ${block(membersOf({ ...schema, properties: Object.fromEntries(rest) }, target, indent), indent)}`
}

/** The largest of the named records whose fields are all in this one, too. */
function baseOf(schema: JsonSchema, target: Target): string | undefined {
  const fields = fieldsOf(schema)
  const sizes = Object.entries(target.bases).map(([name, base]) => {
    const own = fieldsOf(base)
    return [name, base !== schema && own.every((field) => fields.includes(field)) ? own.length : 0] as const
  })
  const [largest, size] = sizes.reduce((best, one) => (one[1] > best[1] ? one : best), ['', FEWEST_INHERITED - 1])
  return size < FEWEST_INHERITED ? undefined : largest
}

function fieldsOf({ properties = {}, required = [] }: JsonSchema): string[] {
  return Object.entries(properties).map(([name, field]) => JSON.stringify([name, required.includes(name), field]))
}

function membersOf({ properties = {}, required = [] }: JsonSchema, target: Target, indent: string): string[] {
  const inner = `${indent}  `
  return Object.entries(properties).map(([name, property]) => {
    const mark = required.includes(name) ? '' : '?'
    const absent = mark === '?' && target.isSent ? ' | undefined' : ''
    return `${documented(property, inner)}${named(name)}${mark}: ${typeOf(property, target, inner)}${absent}`
  })
}

/** On one line where that is short. */
function block(members: string[], indent: string, before = NAME_LENGTH): string {
  const line = `{ ${members.join('; ')} }`
  if (indent.length + before + line.length <= MOST_IN_A_LINE && !line.includes('\n')) return line
  return `{\n${members.map((member) => `${indent}  ${member}`).join('\n')}\n${indent}}`
}

function documented({ description }: JsonSchema, indent: string): string {
  return description === undefined ? '' : `/** ${description} */\n${indent}`
}

function named(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`
}
