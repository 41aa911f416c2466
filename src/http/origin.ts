// Keeps other sites from acting through a person's browser, which adds the session's cookie to whatever they make it
// send. Reads and keys need no such care.
import { refuse, type Refused } from '../domain/refusal.js'
import type { Caller } from './auth.js'
import { isPlainJson, mayHaveContent } from './body.js'
import type { Exchange } from './exchange.js'

/**
 * A refusal where a change may not come from the service's own pages. With a session the request has to name one of
 * its origins and to hold no body but JSON; whoever signs in may leave the origin out, as only browsers send it.
 */
export function checkOrigin({ req }: Exchange, caller: Caller, origins: readonly string[]): Refused | undefined {
  if (req.method === 'GET' || req.method === 'HEAD') return undefined
  const { origin } = req.headers
  const inSession = typeof caller !== 'string' && caller.type === 'PERSON'
  if (!inSession && (caller !== 'anyone' || origin === undefined)) return undefined
  if (origin === undefined || !origins.includes(origin)) return refuse('CSRF')
  return inSession && mayHaveContent(req) && !isPlainJson(req) ? refuse('CSRF') : undefined
}
