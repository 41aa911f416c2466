// Wires the authorization server into the service.
import type { Services } from '../commands/ports.js'
import type { Config } from '../config/config.js'
import type { Log } from '../domain/values/log.js'
import { isOfOAuth, OAUTH_TOKEN_PATHS } from '../http/routes/oauth.js'
import { SESSION_COOKIE } from '../http/server/auth.js'
import { isClosedByClient } from '../http/server/closedConnection.js'
import type { Mounted } from '../http/server/mounted.js'
import { PAGE_HEADERS } from '../http/server/securityHeaders.js'
import type { AnswerOAuth } from '../oauth/server.js'
import { publicConnections } from '../webhooks/publicConnections.js'
import { publicFetch } from '../webhooks/publicFetch.js'

type Edge = Pick<Config, 'devLoopbackWebhooks'>

const DOCUMENT_TIMEOUT_MS = 2_500

/** The library is loaded with the first request: a service that no client connects to does without it. */
export function oauthTo(services: Services, { devLoopbackWebhooks }: Edge, log: Log): Mounted {
  let answer: Promise<AnswerOAuth> | undefined
  const load = async (): Promise<AnswerOAuth> => {
    const { oauthServer } = await import('../oauth/server.js')
    const onFault = (error: Error): void => {
      if (!isClosedByClient(error)) log('a request of OAuth failed', { error })
    }
    const documentFetch = publicFetch({
      connections: publicConnections(devLoopbackWebhooks),
      refuses: services.refuseDestination,
      timeoutMs: DOCUMENT_TIMEOUT_MS,
    })
    const pages = { sessionCookie: SESSION_COOKIE, pageHeaders: PAGE_HEADERS }
    return oauthServer({ services, ...pages, documentFetch, onFault })
  }
  return {
    route: '/oauth',
    isAt: isOfOAuth,
    isApart: (path) => OAUTH_TOKEN_PATHS.includes(path),
    answer: async (req, res) => (await (answer ??= load()))(req, res),
  }
}
