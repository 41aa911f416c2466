// Writes an outcome of a route to the wire: an answer as JSON (or the text the row made), a refusal as an error.
import type { Refused } from '../domain/refusal.js'
import { writeRefusal } from './errors.js'
import type { Exchange } from './exchange.js'
import { readableOf, type Alarm } from './parts.js'
import type { Answer } from './route.js'

const JSON_TYPE = 'application/json; charset=utf-8'

export function write(exchange: Exchange, outcome: Answer | Refused, alarm: Alarm): void {
  if ('refusal' in outcome) return writeRefusal(exchange, outcome)
  if (outcome.headers !== undefined) exchange.set(outcome.headers)
  exchange.res.setHeader('Content-Type', outcome.contentType ?? JSON_TYPE)
  const { status, parts } = outcome
  if (parts === undefined) return writeWhole(exchange, status, packedFor(exchange, outcome) ?? textOf(outcome))
  exchange.status = status
  exchange.body = readableOf(exchange, parts, outcome, alarm)
}

/** At once: Koa, which would do the same at the end of its middleware, would look at every header again. */
function writeWhole(exchange: Exchange, status: number, body: string | Buffer): void {
  const { res } = exchange
  res.statusCode = status
  res.setHeader('Content-Length', Buffer.byteLength(body))
  res.end(body)
  // Behind all that may throw: a bug is still answered by Koa.
  exchange.respond = false
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
