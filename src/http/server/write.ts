// Writes the outcome of a route: an answer as JSON (or the route's own text, or a stream), a refusal as an error.
import type { Result } from '../../domain/outcomes/result.js'
import { finished, Readable } from 'node:stream'
import { writeRefusal } from './errors.js'
import type { Context } from './context.js'
import type { RouteAnswer } from './route.js'
import { chosenForm, type StaticFile } from './staticFile.js'

const JSON_TYPE = 'application/json; charset=utf-8'

export function writeAnswer(context: Context, outcome: Result<RouteAnswer>): void {
  if (!outcome.ok) return writeRefusal(context, outcome)
  const answer = outcome.value
  const { status, headers, file, parts, contentType = JSON_TYPE } = answer
  if (headers !== undefined) context.set(headers)
  if (file !== undefined) return writeFile(context, file)
  context.res.setHeader('Content-Type', contentType)
  if (parts === undefined) return writeWhole(context, status, textOf(answer))
  context.status = status
  context.body = readableOf(context, parts, answer)
}

function writeFile(context: Context, file: StaticFile): void {
  const body = chosenForm(context, file)
  if (body !== undefined) return writeWhole(context, 200, body)
  context.status = 304
  context.body = null
}

/** Writes directly, for speed: at the end of its middleware Koa would check every header again. */
function writeWhole(context: Context, status: number, body: string | Buffer): void {
  const { res } = context
  res.statusCode = status
  res.setHeader('Content-Length', Buffer.byteLength(body))
  res.end(body)
  // Set after everything that may throw, so that Koa still answers a bug.
  context.respond = false
}

/**
 * Streams an answer in parts, at the client's pace, and frees what the answer holds, such as a follower's slot, at its
 * end. A client that reads nothing for too long is disconnected by the server.
 */
function readableOf({ res }: Context, parts: AsyncIterable<string>, { onEnd }: RouteAnswer): Readable {
  // Also fires for a client that left before anything was sent.
  if (onEnd !== undefined) finished(res, () => onEnd())
  return Readable.from(parts)
}

/** A route with its own content type returns text; other bodies become JSON. */
function textOf({ body, contentType }: RouteAnswer): string {
  return contentType !== undefined && typeof body === 'string' ? body : JSON.stringify(body)
}
