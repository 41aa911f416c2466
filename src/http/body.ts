// Reads the body of a request into JSON through koa-body: bounded in bytes and in depth, and exactly the JSON that was
// sent. What the JSON means is judged elsewhere.
import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { Middleware } from 'koa'
import koaBody, { HttpMethodEnum } from 'koa-body'
import { parseExactly } from '../domain/exactJson.js'
import { refuse } from '../domain/refusal.js'
import { passed, type Checked } from './checked.js'
import type { Exchange } from './exchange.js'

/** Bytes, where a route names no other limit. */
export const DEFAULT_LIMIT = 256 * 1024
const MAX_DEPTH = 32
const JSON_TYPE = /^application\/json[ \t]*(?:;[ \t]*charset[ \t]*=[ \t]*"?utf-?8"?[ \t]*;?[ \t]*)?$/i

/** Reads a body of at most `limit` bytes; the value is undefined where there is none. */
export type ReadBody = (exchange: Exchange) => Checked<unknown> | Promise<Checked<unknown>>

export function bodyReader(limit: number = DEFAULT_LIMIT): ReadBody {
  const read = reader(limit)
  return async (exchange) => {
    const { req } = exchange
    if (!mayHaveContent(req)) return passed(undefined)
    if (!isPlainJson(req)) return (await isEmpty(req)) ? passed(undefined) : refuse('UNSUPPORTED_MEDIA_TYPE')
    try {
      await read(exchange, ignored)
    } catch (failure) {
      return unreadable(req, failure, limit)
    }
    return parse(exchange.request.body as unknown as Buffer)
  }
}

const ignored = async (): Promise<void> => {}

/** Reads bytes alone: the JSON of koa-body takes what is no UTF-8, and refuses a member `__proto__`. */
function reader(limit: number): Middleware {
  const { POST, PUT, PATCH, DELETE } = HttpMethodEnum
  return koaBody({
    json: false,
    urlencoded: false,
    multipart: false,
    textTypes: ['application/json'],
    textLimit: limit,
    // None: the bytes as they came.
    encoding: '',
    parsedMethods: [POST, PUT, PATCH, DELETE],
  })
}

export function mayHaveContent({ headers }: IncomingMessage): boolean {
  if (headers['transfer-encoding'] !== undefined) return true
  return headers['content-length'] !== undefined && headers['content-length'] !== '0'
}

export function isPlainJson({ headers }: IncomingMessage): boolean {
  const encoding = headers['content-encoding'] ?? 'identity'
  return encoding === 'identity' && JSON_TYPE.test(headers['content-type'] ?? '')
}

/** A chunked body may turn out to be empty, whatever its content type. */
async function isEmpty(req: IncomingMessage): Promise<boolean> {
  try {
    for await (const _chunk of req.iterator({ destroyOnReturn: false })) return false
    return true
  } catch {
    return false
  } finally {
    req.resume()
  }
}

const UTF8 = new TextDecoder()

/** Decoding replaces what is not UTF-8, so that only the bytes can tell. */
function parse(bytes: Buffer): Checked<unknown> {
  const text = UTF8.decode(bytes)
  if (text === '') return passed(undefined)
  let body: unknown
  try {
    body = parseExactly(text)
  } catch {
    return refuse('INVALID_JSON', 'The body is not well-formed JSON')
  }
  if (text.includes('\ufffd') && !isUtf8(bytes)) return refuse('INVALID_JSON', 'The body is not UTF-8')
  return isDeeper(body, MAX_DEPTH) ? refuse('INVALID_JSON', `The body nests deeper than ${MAX_DEPTH}`) : passed(body)
}

/** Never goes deeper itself than it allows. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  for (const member of Array.isArray(value) ? value : Object.values(value)) {
    if (typeof member === 'object' && isDeeper(member, levels - 1)) return true
  }
  return false
}

interface ReadFailure {
  /** HTTP status of what the client did wrong. */
  status?: unknown
}

function unreadable(req: IncomingMessage, failure: unknown, limit: number): Checked<unknown> {
  // The parser has stopped the stream; the rest of the body has to pass before the connection can go on.
  req.resume()
  const { status } = failure as ReadFailure
  if (status === 413) return refuse('PAYLOAD_TOO_LARGE', `The body is larger than ${limit} bytes`)
  if (status === 400 || req.destroyed) return refuse('INVALID_JSON', 'The body ended early')
  throw failure
}
