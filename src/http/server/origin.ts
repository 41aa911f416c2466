// CSRF protection: other sites must not act through a person's browser, which adds the session cookie to requests they
// cause. Reads and API keys need none.
import { refuse, type Refused } from '../../domain/outcomes/result.js'
import type { Requester } from './auth.js'
import { isPlainJson, mayHaveContent } from '../input/body.js'
import type { Context } from './context.js'

/**
 * Refuses a change that may come from another site. With a session, the request must name one of the service's origins
 * and have a JSON body, if any. Signing in may omit the `Origin` header, which only browsers send.
 */
export function checkOrigin({ req }: Context, caller: Requester, origins: readonly string[]): Refused | undefined {
  if (req.method === 'GET' || req.method === 'HEAD') return undefined
  const { origin } = req.headers
  const inSession = typeof caller !== 'string' && caller.type === 'PERSON'
  if (!inSession && (caller !== 'anyone' || origin === undefined)) return undefined
  if (origin === undefined || !origins.includes(origin)) return refuse('CSRF')
  return inSession && mayHaveContent(req) && !isPlainJson(req) ? refuse('CSRF') : undefined
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * True for a request that a page of another site may have caused: its `Origin` is not one of the service's, or its `Host`
 * neither names it nor this machine. A page that makes its own name lead here (DNS rebinding) sends that name.
 */
export function isForeignSite({ req }: Context, origins: readonly string[]): boolean {
  const { origin, host = '' } = req.headers
  if (origin !== undefined && !origins.includes(origin)) return true
  const named = hostnameIn(host)
  return named === undefined || !(LOOPBACK.has(named) || origins.some((own) => hostnameIn(new URL(own).host) === named))
}

/** Undefined for what is no host with or without a port. */
function hostnameIn(host: string): string | undefined {
  const url = `http://${host}/`
  const read = URL.canParse(url) ? new URL(url) : undefined
  return read?.pathname === '/' && read.username === '' && read.search === '' ? read.hostname : undefined
}
