// Parses the JSON body of a request through koa-body, bounded in bytes and depth, without altering it. It does not
// validate what the JSON means.
import { Buffer, isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { Middleware } from 'koa'
import { parseExactly } from '../../domain/values/exactJson.js'
import { refuse, succeed, type Refused, type Result } from '../../domain/outcomes/result.js'
import type { Context } from '../server/context.js'

/** The body limit in bytes of routes that set none. */
export const DEFAULT_LIMIT = 256 * 1024
const MAX_DEPTH = 32
const JSON_TYPE = /^application\/json[ \t]*(?:;[ \t]*charset[ \t]*=[ \t]*"?utf-?8"?[ \t]*;?[ \t]*)?$/i

/** Reads a body; the value is undefined when there is none. */
export type ReadBody = (context: Context) => Result<unknown> | Promise<Result<unknown>>

export function bodyReader(limit: number = DEFAULT_LIMIT): ReadBody {
  let read: Promise<Middleware> | undefined
  return async (context) => {
    const { req } = context
    if (!mayHaveContent(req)) return succeed(undefined)
    if (!isPlainJson(req)) return (await isEmpty(req)) ? succeed(undefined) : unsupported(req)
    try {
      const readInto = await (read ??= reader(limit))
      // A client that left while the parser was imported sends it neither an end nor an error.
      if (req.destroyed) throw new Error('The client has left')
      await readInto(context, ignored)
    } catch (failure) {
      return unreadable(req, failure, limit)
    }
    const { body } = context.request
    if (!Buffer.isBuffer(body)) throw new TypeError(`koa-body has read no bytes of a ${context.method}`)
    return parse(body)
  }
}

function unsupported({ headers }: IncomingMessage): Refused {
  const encoding = headers['content-encoding']
  if (encoding === undefined || encoding === 'identity') return refuse('UNSUPPORTED_MEDIA_TYPE')
  return refuse('UNSUPPORTED_MEDIA_TYPE', 'Send the body without a Content-Encoding')
}

const ignored = async (): Promise<void> => {}

/**
 * Reads raw bytes: koa-body's own JSON parsing accepts invalid UTF-8, and refuses a member `__proto__`. It is imported
 * with the first body, not at the start.
 */
async function reader(limit: number): Promise<Middleware> {
  const { default: koaBody, HttpMethodEnum } = await import('koa-body')
  const { POST, PUT, PATCH, DELETE } = HttpMethodEnum
  return koaBody({
    json: false,
    urlencoded: false,
    multipart: false,
    textTypes: ['application/json'],
    textLimit: limit,
    // No encoding: raw bytes.
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

/** True when a chunked body turns out to be empty, whatever its content type. */
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

/** Checks the bytes, because decoding replaces invalid UTF-8 silently. */
function parse(bytes: Buffer): Result<unknown> {
  const text = UTF8.decode(bytes)
  if (text === '') return succeed(undefined)
  let body: unknown
  try {
    body = parseExactly(text)
  } catch {
    return refuse('INVALID_JSON', 'The body is not well-formed JSON')
  }
  if (text.includes('\ufffd') && !isUtf8(bytes)) return refuse('INVALID_JSON', 'The body is not UTF-8')
  return isDeeper(body, MAX_DEPTH) ? refuse('INVALID_JSON', `The body nests deeper than ${MAX_DEPTH}`) : succeed(body)
}

/** True when the value nests deeper than `levels`; the recursion itself stops there. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  for (const member of Array.isArray(value) ? value : Object.values(value)) {
    if (typeof member === 'object' && isDeeper(member, levels - 1)) return true
  }
  return false
}

interface ReadFailure {
  /** The HTTP status of a client error. */
  status?: unknown
}

function unreadable(req: IncomingMessage, failure: unknown, limit: number): Result<unknown> {
  // The parser has paused the stream; the rest of the body must be drained before the connection can be reused.
  req.resume()
  const { status } = failure as ReadFailure
  if (status === 413) return refuse('PAYLOAD_TOO_LARGE', `The body is larger than ${limit} bytes`)
  if (status === 400 || req.destroyed) return refuse('INVALID_JSON', 'The body ended early')
  throw failure
}
