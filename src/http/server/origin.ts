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
