// Parses and validates the query of a request: each parameter must be known to the route, given once and decodable.
import type { Schema } from '../server/route.js'
import { invalidInput, validate, type Invalid } from './validate.js'
import { succeed, type Detail, type Result } from '../../domain/outcomes/result.js'

/** `search` is the text after `?`. Without a schema, the route takes no parameters and the value is undefined. */
export function readQuery(search: string, schema: Schema | undefined, invalid: Invalid): Result<unknown> {
  if (search === '' && schema === undefined) return succeed(undefined)
  const parameters: { [name: string]: string } = Object.create(null)
  for (const part of search.split('&')) {
    const problem = part === '' ? undefined : addParameter(parameters, part)
    if (problem !== undefined) return invalidInput(invalid, [problem])
  }
  if (schema !== undefined) return validate(schema, parameters, invalid, 'query parameter')
  const [unknown] = Object.keys(parameters)
  if (unknown === undefined) return succeed(undefined)
  return invalidInput(invalid, [{ path: unknown, message: 'is not a known query parameter' }])
}

function addParameter(parameters: { [name: string]: string }, part: string): Detail | undefined {
  const equals = part.indexOf('=')
  const name = decode(equals === -1 ? part : part.slice(0, equals))
  const value = decode(equals === -1 ? '' : part.slice(equals + 1))
  if (name === undefined || value === undefined) {
    return { path: part, message: 'is not percent-encoded UTF-8' }
  }
  if (name in parameters) return { path: name, message: 'is given more than once' }
  parameters[name] = value
  return undefined
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
