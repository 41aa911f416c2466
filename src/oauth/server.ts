// Answers requests of OAuth with the library. It is told the address of the service as a proxy would tell it, sets no
// cookies, and sees no request for a consent before its person has signed in: who they are says where their grants are.
import type { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'
import { authenticateSession } from '../commands/people/sessions.js'
import { toldHere, writeErrorPage } from './errorPage.js'
import { authorizationServer, MOUNTED_AT, type ProviderPorts } from './provider.js'

export type AnswerOAuth = (req: IncomingMessage, res: ServerResponse) => Promise<void>

const METADATA = '/.well-known/oauth-authorization-server'

export function oauthServer(ports: ProviderPorts & { onFault: (error: Error) => void }): AnswerOAuth {
  const { services, onFault } = ports
  const provider = authorizationServer(ports)
  provider.on('server_error', (_ctx, error) => onFault(error))
  provider.on('authorization.error', toldHere)
  const emitter: EventEmitter = provider
  emitter.on('error', onFault)
  provider.use(aroundLibrary(ports))
  const answer = provider.callback()
  return (req, res) => {
    const { protocol, host } = new URL(services.publicUrl())
    Object.assign(req.headers, { 'x-forwarded-proto': protocol.slice(0, -1), 'x-forwarded-host': host })
    const inside = insidePath(req.url!)
    // The library finds its own address from these two.
    Object.assign(req, { url: inside, originalUrl: `${MOUNTED_AT}${inside}` })
    return answer(req, res)
  }
}

/** The only way in which a code is sent: the library knows others, which it cannot be told to leave out. */
const RESPONSE_MODE = 'query'

function aroundLibrary({ services, sessionCookie, pageHeaders }: ProviderPorts): Parameters<Provider['use']>[0] {
  return async (ctx, next) => {
    const isAsking = ctx.path === '/authorize' && (ctx.method === 'GET' || ctx.method === 'HEAD')
    const { response_mode: mode = RESPONSE_MODE } = ctx.query
    if (isAsking && mode !== RESPONSE_MODE) {
      const error_description = `response_mode must be ${RESPONSE_MODE}`
      ctx.status = 400
      return writeErrorPage(ctx, pageHeaders, { error: 'invalid_request', error_description })
    }
    if (isAsking && !authenticateSession(services, ctx.cookies.get(sessionCookie) ?? '')) {
      const asked = new URLSearchParams({ authorize: ctx.querystring })
      return ctx.redirect(`${services.publicUrl()}/connect?${asked.toString()}`)
    }
    await next()
    const body: unknown = ctx.body
    if (typeof body === 'object' && body && 'response_modes_supported' in body)
      body.response_modes_supported = [RESPONSE_MODE]
    // Its session is the dashboard's, which only signing in begins.
    ctx.remove('Set-Cookie')
  }
}

/** The path as the library knows it. */
function insidePath(url: string): string {
  const isMetadata = url.startsWith(`${METADATA}${MOUNTED_AT}`)
  return isMetadata ? METADATA : url.slice(MOUNTED_AT.length)
}
