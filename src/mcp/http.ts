// MCP over streamable HTTP. Each request stands alone: it is answered by a server of its own, which calls the REST
// interface with the key of the request.
import { toWebRequest } from '@modelcontextprotocol/node'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { Bursar } from '../../sdk/index.js'
import { toolServer, type ServerPorts } from './server.js'

/** Less than clients wait: they hear that the outcome is unknown, and how to find out. */
const TIMEOUT_MS = 25_000

const EXECUTE = 'payments:execute'

/** The body is read already. */
const NO_STREAM = { async *[Symbol.asyncIterator](): AsyncGenerator<never> {} }

export interface HttpServerPorts extends Omit<ServerPorts, 'bursar' | 'mayExecute'> {
  /** Where the REST interface is. */
  serviceUrl: () => string
  /** Within the destination rules: URLs come from callers. */
  sellerFetch: typeof fetch
}

export interface McpPost {
  headers: { [name: string]: string | string[] | undefined }
  body: unknown
  /** Known to be live. */
  agentKey: string
  mayExecute: boolean
}

export type AnswerMcp = (post: McpPost) => Promise<Response>

export function httpServer({ serviceUrl, sellerFetch, ...ports }: HttpServerPorts): AnswerMcp {
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const { token, scopes } = authInfo!
      const to = { baseUrl: serviceUrl(), apiKey: token, sellerFetch }
      const bursar = new Bursar({ ...to, maxRetries: 0, timeout: TIMEOUT_MS })
      return toolServer({ ...ports, bursar, mayExecute: () => Promise.resolve(scopes.includes(EXECUTE)) })
    },
    // Nothing here changes by itself, so there is nothing to listen to.
    { maxSubscriptions: 0 },
  )
  return async ({ headers, body: parsedBody, agentKey: token, mayExecute }) => {
    const authInfo = { token, clientId: 'agent', scopes: mayExecute ? [EXECUTE] : [] }
    const request = await toWebRequest({ method: 'POST', url: '/mcp', headers, ...NO_STREAM }, parsedBody)
    return handler.fetch(request, { parsedBody, authInfo })
  }
}
