// Renders a JSON Schema as a tree: each member with its type, and nested members below it.
import { sharedName, type SchemaObject } from './document.js'
import { html, prose, type Html, type Part } from './html.js'

/** A request schema marks required members, an answer schema marks optional ones. */
export type Direction = 'sent' | 'answered'

export function schemaTree(schema: SchemaObject, direction: Direction): Html {
  const members = membersOf(schema, direction)
  if (schema.properties !== undefined) return html`${members}`
  return html`<p class="type">${typeOf(schema)}${boundsOf(schema)}</p>${members}`
}

/** The members of an object, of a list's items, or of each alternative. */
function membersOf(schema: SchemaObject, direction: Direction): Part {
  const { properties, required = [], items, additionalProperties } = schema
  if (properties !== undefined && Object.keys(properties).length > 0) {
    const members = Object.entries(properties)
    return html`<ul class="members">${members.map(([name, member]) =>
      memberItem(name, member, { direction, isRequired: required.includes(name) }),
    )}</ul>`
  }
  if (items !== undefined) return membersOf(items, direction)
  if (typeof additionalProperties === 'object') return membersOf(additionalProperties, direction)
  return choicesOf(schema).map((choice) => membersOf(choice, direction))
}

export interface SchemaPlace {
  direction: Direction
  isRequired: boolean
  /** The location of a parameter (path or query); absent for members of a body. */
  place?: string
}

export function memberItem(name: string, schema: SchemaObject, { direction, isRequired, place }: SchemaPlace): Html {
  const { description } = schema
  const where = place === undefined ? '' : `in the ${place}, `
  const type = html`<span class="type">${where}${typeOf(schema)}${boundsOf(schema)}</span>`
  const about = description === undefined ? undefined : html` <span class="about">${prose(description)}</span>`
  const below = membersOf(schema, direction)
  return html`<li><code class="name">${name}</code> ${type}${markOf(direction, isRequired)}${about}${below}</li>
`
}

function markOf(direction: Direction, isRequired: boolean): Part {
  if (direction === 'sent') return isRequired ? html` <b>required</b>` : undefined
  return isRequired ? undefined : html` <i>optional</i>`
}

function choicesOf({ anyOf, oneOf }: SchemaObject): SchemaObject[] {
  return anyOf ?? oneOf ?? []
}

function typeOf(schema: SchemaObject): Part {
  const shared = sharedName(schema)
  if (shared !== undefined) return html`<a href="#schema-${shared}">${shared}</a>`
  if ('const' in schema) return html`<code>${JSON.stringify(schema.const)}</code>`
  if (schema.enum !== undefined)
    return joined(
      schema.enum.map((word) => html`<code>${String(word)}</code>`),
      ', ',
    )
  const choices = choicesOf(schema)
  if (choices.length > 0)
    return joined(
      choices.map((choice) => html`${typeOf(choice)}`),
      ' or ',
    )
  if (schema.type === 'array') return ['list of ', typeOf(schema.items ?? {})]
  if (schema.type === 'string' && schema.format === 'date-time') return 'time'
  return WORDS[schema.type ?? ''] ?? 'anything'
}

const WORDS: { [type: string]: string } = {
  string: 'text',
  number: 'number',
  integer: 'whole number',
  boolean: 'true or false',
  object: 'object',
  null: 'null',
}

function joined(parts: Part[], separator: string): Part[] {
  return parts.flatMap((part, at) => (at === 0 ? [part] : [separator, part]))
}

function boundsOf(schema: SchemaObject): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema
  const bounds = [
    range(minimum, maximum, ''),
    range(minLength, maxLength, ' characters'),
    range(minItems, maxItems, ' entries'),
    schema.default === undefined ? '' : `default ${JSON.stringify(schema.default)}`,
  ].filter((bound) => bound !== '')
  return bounds.length === 0 ? '' : `, ${bounds.join(', ')}`
}

function range(least: number | undefined, most: number | undefined, of: string): string {
  if (least !== undefined && most !== undefined) return `${least} to ${most}${of}`
  if (most !== undefined) return `at most ${most}${of}`
  return least === undefined ? '' : `at least ${least}${of}`
}
