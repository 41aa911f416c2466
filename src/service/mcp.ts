// Wires the MCP server into the service: its tools call the REST interface at the address that the service listens on, with
// the key of their caller. So limits, audit, rate limits and the owner of a shard are those of any request.
import type { Services } from '../commands/ports.js'
import type { Config } from '../config/config.js'
import { packageVersion } from '../config/version.js'
import type { Log } from '../domain/values/log.js'
import { mcpRoute, type AnswerOfMcp } from '../http/routes/mcp.js'
import { resourceMetadataRoutes } from '../http/routes/oauth.js'
import type { Route } from '../http/server/route.js'
import { RefusedDestination } from '../webhooks/connection.js'
import { publicConnections } from '../webhooks/publicConnections.js'
import { RefusedUrl } from '../webhooks/post.js'
import { publicFetch } from '../webhooks/publicFetch.js'

type Linked = Pick<Services, 'publicUrl' | 'refuseDestination'>
type Edge = Pick<Config, 'devLoopbackWebhooks'>

const SELLER_TIMEOUT_MS = 10_000

/**
 * The route, and those that say who issues tokens for it. Its server is loaded with the first request: a service that no
 * client of MCP asks does without it.
 */
export function mcpTo(services: Linked, config: Edge, listeningUrl: () => string, log: Log): Route[] {
  let answer: Promise<AnswerOfMcp> | undefined
  return [mcpRoute(() => (answer ??= loaded(services, config, listeningUrl, log))), ...resourceMetadataRoutes]
}

async function loaded(
  { publicUrl, refuseDestination: refuses }: Linked,
  { devLoopbackWebhooks }: Edge,
  listeningUrl: () => string,
  log: Log,
): Promise<AnswerOfMcp> {
  const { httpServer } = await import('../mcp/http.js')
  return httpServer({
    approvalUrl: (id) => new URL(`/approvals/${id}`, publicUrl()).href,
    sellerFetch: publicFetch({
      connections: publicConnections(devLoopbackWebhooks),
      refuses,
      timeoutMs: SELLER_TIMEOUT_MS,
    }),
    isRefusedUrl: (error) => error instanceof RefusedUrl || error instanceof RefusedDestination,
    serviceUrl: () => reachable(listeningUrl()),
    version: packageVersion(),
    onFault: (error) => log('an MCP tool failed', { error }),
  })
}

/** The address of this machine, where the service listens on all of them. */
function reachable(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
}
