// Reads a body that is a form (application/x-www-form-urlencoded), as it was sent: its signature covers these bytes.
import { refuse, succeed } from '../../domain/outcomes/result.js'
import { DEFAULT_LIMIT, type ReadBody } from './body.js'

const FORM_TYPE = /^application\/x-www-form-urlencoded[ \t]*(?:;.*)?$/i

/** The value is the text; undefined for an empty body. */
export function formReader(limit: number = DEFAULT_LIMIT): ReadBody {
  return async ({ req }) => {
    const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = req.headers
    if (!FORM_TYPE.test(type) || encoding !== 'identity') {
      req.resume()
      return refuse('UNSUPPORTED_MEDIA_TYPE', 'Send a form: application/x-www-form-urlencoded')
    }
    const parts: Buffer[] = []
    let bytes = 0
    try {
      for await (const part of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        bytes += part.length
        if (bytes > limit) {
          req.resume()
          return refuse('PAYLOAD_TOO_LARGE', `The body is larger than ${limit} bytes`)
        }
        parts.push(part)
      }
    } catch {
      return refuse('INVALID_JSON', 'The body ended early')
    }
    return succeed(bytes === 0 ? undefined : Buffer.concat(parts).toString())
  }
}

/** More fields than any form here has: reading many takes long. */
const MAX_FIELDS = 8

/** The first value of the field, among the first fields. */
export function formField(text: string, name: string): string | undefined {
  const own = text.split('&', MAX_FIELDS).find((field) => field.startsWith(`${name}=`))
  return own === undefined ? undefined : new URLSearchParams(own).get(name)!
}
