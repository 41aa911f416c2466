// Answers requests of OAuth with the library. It is told the address of the service as a proxy would tell it, sets no
// cookies, and sees no request for a consent before its person has signed in: who they are says where their grants are.
import type { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { authenticateSession } from '../commands/people/sessions.js'
import type { Log } from '../domain/values/log.js'
import { authorizationServer, MOUNTED_AT, type ProviderPorts } from './provider.js'

export type AnswerOAuth = (req: IncomingMessage, res: ServerResponse) => Promise<void>

const METADATA = '/.well-known/oauth-authorization-server'

export function oauthServer(ports: ProviderPorts & { log: Log }): AnswerOAuth {
  const { services, sessionCookie, log } = ports
  const provider = authorizationServer(ports)
  provider.on('server_error', (_ctx, error) => log('a request of OAuth failed', { error }))
  const emitter: EventEmitter = provider
  emitter.on('error', (error: Error) => log('a request of OAuth failed', { error }))
  provider.use(async (ctx, next) => {
    const isAsking = ctx.path === '/authorize' && (ctx.method === 'GET' || ctx.method === 'HEAD')
    const person = isAsking ? authenticateSession(services, ctx.cookies.get(sessionCookie) ?? '') : undefined
    if (isAsking && person === undefined) {
      const asked = new URLSearchParams({ authorize: ctx.querystring })
      return ctx.redirect(`${services.publicUrl()}/connect?${asked.toString()}`)
    }
    await next()
    // Its session is the dashboard's, which only signing in begins.
    ctx.remove('Set-Cookie')
  })
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

/** The path as the library knows it. */
function insidePath(url: string): string {
  const isMetadata = url.startsWith(`${METADATA}${MOUNTED_AT}`)
  return isMetadata ? METADATA : url.slice(MOUNTED_AT.length)
}
