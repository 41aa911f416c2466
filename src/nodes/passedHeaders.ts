// Which headers of a message a node passes on: all but those that are about one connection.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { FORWARDED_FROM } from './forwardedFrom.js'

const OF_ONE_CONNECTION = new Set(['connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade'])
/** Said by this node itself; what a client expects of it, the server has answered. */
const OWN = new Set(['host', 'content-length', 'expect', 'x-request-id', FORWARDED_FROM])

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined
}

/**
 * Names and values in turn. `own` is what this node says itself, `to` the host that the request goes to, `read` how many
 * bytes its body has, where that has been read.
 */
export function requestHeaders(
  req: IncomingMessage,
  own: { [name: string]: string },
  to: string,
  read?: number,
): string[] {
  const { host } = req.headers
  const length = read === undefined ? req.headers['content-length'] : String(read)
  // HTTP/1.0 has no need of a host; what is sent on is HTTP/1.1.
  const named = host ?? (req.httpVersion === '1.0' ? to : undefined)
  const body = length === undefined ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': length }
  const said = { ...(named !== undefined && { Host: named }), ...(hasBody(req) && body), ...own }
  return [...Object.entries(said), ...passed(req).filter(([name]) => !OWN.has(name.toLowerCase()))].flat()
}

/** Sets those of the owner's answer; each takes the place of what this node has set under its name. */
export function setAnswerHeaders(answer: IncomingMessage, res: ServerResponse): void {
  const values = new Map<string, string[]>()
  for (const [name, value] of passed(answer)) values.set(name, [...(values.get(name) ?? []), value])
  for (const [name, all] of values) res.setHeader(name, all.length === 1 ? all[0]! : all)
}

/** Names and values in the order of the message, which may have a name several times. */
function passed({ rawHeaders, headers }: IncomingMessage): [name: string, value: string][] {
  const named = new Set((headers.connection ?? '').toLowerCase().split(/[\s,]+/))
  const isPassed = (name: string): boolean =>
    !OF_ONE_CONNECTION.has(name) && !name.startsWith('proxy-') && !named.has(name)
  const pairs = rawHeaders.map((name, at) => [name, rawHeaders[at + 1]!] as [string, string])
  return pairs.filter(([name], at) => at % 2 === 0 && isPassed(name.toLowerCase()))
}
