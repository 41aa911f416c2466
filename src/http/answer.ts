// Writes an outcome of a route to the wire: an answer as JSON (or the text the row made), a refusal as an error.
import type { Refused } from '../domain/refusal.js'
import { writeRefusal } from './errors.js'
import type { Exchange } from './exchange.js'
import { readableOf, type Alarm } from './parts.js'
import type { Answer } from './route.js'

const JSON_TYPE = 'application/json; charset=utf-8'

export function write(exchange: Exchange, outcome: Answer | Refused, alarm: Alarm): void {
  if ('refusal' in outcome) return writeRefusal(exchange, outcome)
  exchange.status = outcome.status
  if (outcome.headers !== undefined) exchange.set(outcome.headers)
  exchange.set('Content-Type', outcome.contentType ?? JSON_TYPE)
  const { parts } = outcome
  if (parts !== undefined) exchange.body = readableOf(exchange, parts, outcome, alarm)
  else exchange.body = packedFor(exchange, outcome) ?? textOf(outcome)
}

/** Caches keep what is packed apart from what is not. */
function packedFor(exchange: Exchange, { packed }: Answer): Buffer | undefined {
  if (packed === undefined) return undefined
  exchange.vary('Accept-Encoding')
  if (exchange.acceptsEncodings('gzip', 'identity') !== 'gzip') return undefined
  exchange.set('Content-Encoding', 'gzip')
  return packed
}

/** A row that names its own content type has made the text itself. */
function textOf({ body, contentType }: Answer): string {
  return contentType !== undefined && typeof body === 'string' ? body : JSON.stringify(body)
}
