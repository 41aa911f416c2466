// Writes the outcome of a route: an answer as JSON (or the route's own text), a refusal as an error.
import type { Refused } from '../../domain/outcomes/refusal.js'
import { writeRefusal } from './errors.js'
import type { Exchange } from './context.js'
import { readableOf } from './stream.js'
import type { Answer } from './route.js'
import { chosenForm, type StaticFile } from './staticFile.js'

const JSON_TYPE = 'application/json; charset=utf-8'

export function write(exchange: Exchange, outcome: Answer | Refused): void {
  if ('refusal' in outcome) return writeRefusal(exchange, outcome)
  const { status, headers, file, parts, contentType = JSON_TYPE } = outcome
  if (headers !== undefined) exchange.set(headers)
  if (file !== undefined) return writeFile(exchange, file)
  exchange.res.setHeader('Content-Type', contentType)
  if (parts === undefined) return writeWhole(exchange, status, textOf(outcome))
  exchange.status = status
  exchange.body = readableOf(exchange, parts, outcome)
}

function writeFile(exchange: Exchange, file: StaticFile): void {
  const body = chosenForm(exchange, file)
  if (body !== undefined) return writeWhole(exchange, 200, body)
  exchange.status = 304
  exchange.body = null
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

/** A route with its own content type returns text; other bodies become JSON. */
function textOf({ body, contentType }: Answer): string {
  return contentType !== undefined && typeof body === 'string' ? body : JSON.stringify(body)
}
