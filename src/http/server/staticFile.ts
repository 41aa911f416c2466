// What is the same for everybody until the next start: made, compressed and named by its content once, so that a request
// for it costs no more than its bytes.
import { gzipSync } from 'node:zlib'
import * as v from 'valibot'
import { sha256Hex } from '../../domain/values/digest.js'
import { refuse, succeed, type Succeeded } from '../../domain/outcomes/result.js'
import type { Context } from './context.js'
import type { BodilessAnswer, HandlerInput, Route } from './route.js'

export interface StaticFile {
  whole: Buffer
  packed: Buffer
  headers: { [name: string]: string }
}

/** Kept by clients, and asked for by its ETag each time: the next start may bring another version. */
export const REVALIDATED = 'no-cache'

interface Described {
  type: string
  cacheControl: string
  headers?: { [name: string]: string }
}

/** A function that makes a value when it is called first, and has it from then on. */
export function madeOnce<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined
  return () => (made ??= make())
}

export function staticFile(text: string, { type, cacheControl, headers }: Described): StaticFile {
  return {
    whole: Buffer.from(text),
    packed: gzipSync(text),
    headers: {
      ...headers,
      'Content-Type': `${type}; charset=utf-8`,
      'Cache-Control': cacheControl,
      // Weak, because the compressed form has the same.
      ETag: `W/"${sha256Hex(text).slice(0, 32)}"`,
      Vary: 'Accept-Encoding',
    },
  }
}

export function fileAnswer(file: StaticFile): Succeeded<BodilessAnswer> {
  return succeed({ status: 200, body: null, file })
}

/** The body to send, with its headers set; undefined where the client has it already. */
export function chosenForm(context: Context, { whole, packed, headers }: StaticFile): Buffer | undefined {
  context.status = 200
  context.set(headers)
  if (context.fresh) return undefined
  if (context.acceptsEncodings('gzip', 'identity') !== 'gzip') return whole
  context.set('Content-Encoding', 'gzip')
  return packed
}

/** A route of a page or of its files, which is no part of the interface: no key, no query of its own. */
export function fileRoute(path: string, find: (params: HandlerInput['params']) => StaticFile | undefined): Route {
  return {
    method: 'GET',
    path,
    access: { key: 'none' },
    beforeReady: true,
    // Not strict: links from elsewhere may carry parameters.
    query: v.object({}),
    answers: {},
    handler: async ({ params }: HandlerInput) => {
      const file = find(params)
      return file === undefined ? refuse('NOT_FOUND') : fileAnswer(file)
    },
  }
}
