// Writes the outcome of a route: an answer as JSON (or the route's own text), a refusal as an error.
import type { Refused } from '../domain/refusal.js'
import { writeRefusal } from './errors.js'
import type { Exchange } from './exchange.js'
import { readableOf } from './parts.js'
import type { Answer } from './route.js'

const JSON_TYPE = 'application/json; charset=utf-8'

export function write(exchange: Exchange, outcome: Answer | Refused): void {
  if ('refusal' in outcome) return writeRefusal(exchange, outcome)
  if (outcome.headers !== undefined) exchange.set(outcome.headers)
  exchange.res.setHeader('Content-Type', outcome.contentType ?? JSON_TYPE)
  const { status, parts } = outcome
  if (parts === undefined) return writeWhole(exchange, status, packedFor(exchange, outcome) ?? textOf(outcome))
  exchange.status = status
  exchange.body = readableOf(exchange, parts, outcome)
}

/** Writes directly, for speed: at the end of its middleware Koa would check every header again. */
function writeWhole(exchange: Exchange, status: number, body: string | Buffer): void {
  const { res } = exchange
  res.statusCode = status
  res.setHeader('Content-Length', Buffer.byteLength(body))
  res.end(body)
  // Set after everything that may throw, so that Koa still answers a bug.
  exchange.respond = false
}

/** The gzip body, if the client accepts it; `Vary` keeps both versions apart in caches. */
function packedFor(exchange: Exchange, { packed }: Answer): Buffer | undefined {
  if (packed === undefined) return undefined
  exchange.vary('Accept-Encoding')
  if (exchange.acceptsEncodings('gzip', 'identity') !== 'gzip') return undefined
  exchange.set('Content-Encoding', 'gzip')
  return packed
}

/** A route with its own content type returns text; other bodies become JSON. */
function textOf({ body, contentType }: Answer): string {
  return contentType !== undefined && typeof body === 'string' ? body : JSON.stringify(body)
}
