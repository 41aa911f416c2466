// Requests on behalf of others, within the destination rules: no redirect is followed, the wait is bounded, and of an
// answer at most 64 KiB are read.
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { ReceiverConnections } from './connection.js'
import { RefusedUrl } from './post.js'

export interface PublicFetchPorts {
  connections: ReceiverConnections
  /** Why nothing is sent to this URL. */
  refuses: (url: string) => string | undefined
  timeoutMs: number
}

const MAX_BYTES = 64 * 1024

/** Like `fetch` with a URL and a body of text. Rejects where nothing may be sent, and where nothing is answered. */
export function publicFetch({ connections, refuses, timeoutMs }: PublicFetchPorts): typeof fetch {
  return async (to, { method = 'GET', headers, body, signal } = {}) => {
    const reason = refuses(String(to))
    if (reason !== undefined) throw new RefusedUrl(reason)
    const url = new URL(String(to))
    const limit = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])])
    const agent = connections.agentFor(url)
    const sent = Object.fromEntries(new Headers(headers))
    // Connections are shared with nobody: a credential of one caller never meets another's.
    const options = { method, agent, headers: { ...sent, connection: 'close' }, signal: limit, endpoint: 'public' }
    return new Promise((resolve, reject) => {
      const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options, (answer) => {
        received(answer).then(resolve, reject)
      })
      connections.guard(request)
      request.on('error', reject)
      request.end(typeof body === 'string' ? body : undefined)
    })
  }
}

/** What is longer is cut. */
async function received(answer: IncomingMessage): Promise<Response> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of answer as AsyncIterable<Buffer>) {
    parts.push(part)
    bytes += part.length
    if (bytes >= MAX_BYTES) break
  }
  const { statusCode = 502, headers } = answer
  const shown = Object.entries(headers).map(([name, value]): [string, string] => [name, [value].flat().join(', ')])
  const body = Buffer.concat(parts).subarray(0, MAX_BYTES)
  return new Response(BODILESS.has(statusCode) ? null : body, { status: statusCode, headers: shown })
}

const BODILESS = new Set([204, 205, 304])
