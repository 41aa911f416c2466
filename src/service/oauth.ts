// Wires the authorization server into the service.
import type { Services } from '../commands/ports.js'
import type { Log } from '../domain/values/log.js'
import { isOfOAuth } from '../http/routes/oauth.js'
import { SESSION_COOKIE } from '../http/server/auth.js'
import type { Mounted } from '../http/server/mounted.js'
import { PAGE_HEADERS } from '../http/server/securityHeaders.js'
import type { AnswerOAuth } from '../oauth/server.js'

/** The library is loaded with the first request: a service that no client connects to does without it. */
export function oauthTo(services: Services, log: Log): Mounted {
  let answer: Promise<AnswerOAuth> | undefined
  const load = async (): Promise<AnswerOAuth> => {
    const { oauthServer } = await import('../oauth/server.js')
    return oauthServer({ services, sessionCookie: SESSION_COOKIE, pageHeaders: PAGE_HEADERS, log })
  }
  return {
    route: '/oauth',
    isAt: isOfOAuth,
    answer: async (req, res) => (await (answer ??= load()))(req, res),
  }
}
